"""Jellyfish text read: the `.mat` files of many programs, with what they have in common.

Header lines begin with a semicolon; then the length, and for each game its number, the names with the score,
and rows with an action of x on the left and of o on the right. Points are numbers, bar and off; moves are
written out or combined. Who won is taken from the actions, and from what the file says only where they do not
end the game.
"""

import re
from dataclasses import replace

from nardzero.game.errors import IllegalPlay, InvalidInput
from nardzero.game.matchstate import Player, other
from nardzero.game.play import Play
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.play.matchfile.record import Action, Deed, GameRecord, MatchRecord
from nardzero.play.matchfile.replay import how_it_ended
from nardzero.play.sitting import flow

TAG = re.compile(r';\s*\[([^"\]]+?)\s*"(.*)"\]')
LENGTH = re.compile(r"\s*(\d{1,5})\s+point\s+match", re.IGNORECASE)
GAME = re.compile(r"\s*Game\s+(\d{1,5})\s*$", re.IGNORECASE)
NAMES = re.compile(r"\s*(.+?)\s*:\s*(\d{1,5})\s+(.+?)\s*:\s*(\d{1,5})\s*$")
ROW = re.compile(r"(\s*\d{1,4}\))(.*)")
ACTION = re.compile(
    r"(?<![\d/])(?P<dice>[1-6][1-6]):|"
    r"(?P<word>doubles|beavers|takes|drops|passes|rejects|accepts|wins|losses)\b",
    re.IGNORECASE,
)
DEEDS: dict[str, Deed] = {
    "doubles": "double",
    "beavers": "beaver",
    "takes": "take",
    "accepts": "take",
    "drops": "pass",
    "passes": "pass",
    "rejects": "pass",
}
GAP, WIDE_GAP = 10, 20
"""From how many blanks on an action that stands alone is in the right column; in a row, and in the line on
who won."""
MOST_GAMES, MOST_LINES = 500, 20_000


class InvalidMatch(InvalidInput):
    """Text that is no match file."""


def parse_match(text: str) -> MatchRecord:
    """The match that a file holds. Raises InvalidMatch where it holds none."""
    lines = text.removeprefix("\ufeff").expandtabs().splitlines()
    if len(lines) > MOST_LINES:
        raise InvalidMatch(f"a match file has up to {MOST_LINES} lines, and this one {len(lines)}")
    tags = {found[1].strip().lower(): found[2] for line in lines if (found := TAG.match(line))}
    match = MatchRecord(("x", "o"), _rules(tags), 0, _is_on(tags, "jacoby"), _is_on(tags, "beavers"))
    game: GameRecord | None = None
    for line in lines:
        if line.lstrip().startswith(";"):
            continue
        if found := LENGTH.match(line):
            match.length = int(found[1])
        elif GAME.match(line):
            game = None
        elif game is not None:
            _read_row(game, line)
        elif found := NAMES.fullmatch(line):
            game = _begin(match, found)
    if not match.games:
        raise InvalidMatch(
            "this is no match file: it holds no game with the names and the score of two players"
        )
    _settle(match)
    return match


def _rules(tags: dict[str, str]) -> Ruleset:
    named = tags.get("rules", "standard").lower()
    if tags.get("variation", "").lower() == "nackgammon":
        named = "nackgammon"
    return RULESETS.get(named, RULESETS["standard"])


def _is_on(tags: dict[str, str], switch: str) -> bool:
    return tags.get(switch, "").lower() in ("on", "true", "yes")


def _begin(match: MatchRecord, names: re.Match[str]) -> GameRecord:
    """A new game, from the line with the names and the score."""
    if len(match.games) == MOST_GAMES:
        raise InvalidMatch(f"a match file has up to {MOST_GAMES} games")
    match.names = (names[1], names[3])
    length = match.length
    score_x, score_o = int(names[2]), int(names[4])
    if length and max(score_x, score_o) >= length:
        length = 0  # a series of games that a program calls a match
    start = flow.start(match.rules, length, match.jacoby, match.beavers)
    match.games.append(GameRecord(replace(start, score_x=score_x, score_o=score_o)))
    return match.games[-1]


def _read_row(game: GameRecord, line: str) -> None:
    """Take in a row, or the line on who won."""
    row = ROW.match(line)
    found = list(ACTION.finditer(line, row.start(2) if row else 0))
    for index, token in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(line)
        gap = token.start() - (row.start(2) if row else 0)
        player: Player = "o" if index or gap >= (GAP if row else WIDE_GAP) else "x"
        written = line[token.end() : end].strip()
        word = (token["word"] or "").lower()
        if token["dice"]:
            game.actions.append(_play(player, token["dice"], written))
        elif word in DEEDS:
            game.actions.append(Action(player, DEEDS[word]))
        elif word in ("wins", "losses"):
            points = re.match(r"\d{1,5}", written)
            game.points = int(points[0]) if points else None
            game.winner = player if word == "wins" else other(player)


def _play(player: Player, dice: str, written: str) -> Action:
    """A play as it stands there; nothing written is a dance."""
    rolled = (int(dice[0]), int(dice[1]))
    try:
        play = Play.parse(written) if written else Play()
    except IllegalPlay:
        play = None
    return Action(player, "play", rolled, play, written)


def _settle(match: MatchRecord) -> None:
    """Say of every game who won it and how, and which was the Crawford game."""
    before: GameRecord | None = None
    for number, game in enumerate(match.games, 1):
        if before and _is_crawford(before, game):
            game.start = replace(game.start, crawford=True)
        result = how_it_ended(game, match.rules, number)
        if result:
            game.winner, game.points = result.winner, result.points
        elif game.winner:
            game.actions.append(Action(other(game.winner), "resign"))
        before = game


def _is_crawford(before: GameRecord, game: GameRecord) -> bool:
    """The first game that one side begins a point away from winning, unless it is the very first."""
    away = game.start.length - 1
    was, now = ((each.start.score_x, each.start.score_o) for each in (before, game))
    return game.start.length > 1 and max(now) == away and max(was) != away
