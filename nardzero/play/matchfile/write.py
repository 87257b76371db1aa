"""A match as Jellyfish text, the `.mat` file that GNU Backgammon and most other programs import.

Rows of two columns, x on the left. The bar is 25 and off is 0, every move of a checker stands for itself, and
a star marks a hit. Lines that begin with a semicolon say what the format has no place for.
"""

from nardzero.game.matchstate import Player
from nardzero.game.play import Play
from nardzero.play.matchfile.record import Action, GameRecord, MatchRecord

COLUMN = 34
"""How wide the left column is."""


def format_match(match: MatchRecord) -> str:
    """The text of a match, with its last line closed."""
    lines = [*_header(match), f" {match.length} point match"]
    for number, game in enumerate(match.games, 1):
        lines += ["", f" Game {number}", *_game(match, game)]
    return "\n".join([*lines, ""])


def plain_name(name: str) -> str:
    """A player's name without what the format cannot hold: a colon ends a name, and so does a line."""
    return " ".join(name.replace(":", " ").replace('"', " ").split()) or "?"


def _header(match: MatchRecord) -> list[str]:
    said = {"Player 1": plain_name(match.names[0]), "Player 2": plain_name(match.names[1])}
    said["Rules"] = match.rules.name
    if match.rules.start == "nackgammon":
        said["Variation"] = "NackGammon"
    if not match.length:
        said |= {"Jacoby": _on(match.jacoby), "Beavers": _on(match.beavers)}
    return [*(f'; [{key} "{value}"]' for key, value in said.items()), ""]


def _on(switch: bool) -> str:
    return "On" if switch else "Off"


def _game(match: MatchRecord, game: GameRecord) -> list[str]:
    x, o = map(plain_name, match.names)
    left = f" {x} : {game.start.score_x}"
    rows = _rows(game)
    ending = []
    if game.winner:
        words = f" {_ending(match, game, game.winner)}"
        # GNU Backgammon reads a pass as another double unless the winner stands in the same row.
        if game.winner == "o" and rows and "o" not in rows[-1]:
            rows[-1]["o"] = words
        else:
            ending = [" " * (5 if game.winner == "x" else COLUMN + 5) + words]
    numbered = [
        f"{number:3}) {row.get('x', ''):{COLUMN}}{row.get('o', '')}".rstrip()
        for number, row in enumerate(rows, 1)
    ]
    return [f"{left:{COLUMN + 5}}{o} : {game.start.score_o}", *numbered, *ending]


def _rows(game: GameRecord) -> list[dict[Player, str]]:
    """The actions, two a row; where the same player acts twice in a row the other's column stays empty."""
    rows: list[dict[Player, str]] = []
    cube = game.start.cube
    for action in game.actions:
        if action.deed == "resign":
            continue  # the line on who won says it
        if action.deed in ("double", "beaver"):
            cube *= 2
        if not rows or action.player in rows[-1] or "o" in rows[-1]:
            rows.append({})
        rows[-1][action.player] = _cell(action, cube)
    return rows


def _cell(action: Action, cube: int) -> str:
    if action.deed == "play":
        first, second = action.dice or (0, 0)
        return f"{first}{second}: {_moves(action)}"
    words = {
        "double": f" Doubles => {cube}",
        "beaver": f" Beavers => {cube}",
        "take": " Takes",
        "pass": " Drops",
    }
    return words[action.deed]


def _moves(action: Action) -> str:
    if action.play is None:
        return action.written or "????"
    return " ".join(_hops(action.play)) or "Cannot Move"


def _hops(play: Play) -> list[str]:
    waiting = set(play.hits)
    hops = []
    for source, target in sorted(play.hops, reverse=True):
        hops.append(f"{source}/{target}{'*' if target in waiting else ''}")
        waiting.discard(target)
    return hops


def _ending(match: MatchRecord, game: GameRecord, winner: Player) -> str:
    points = game.points or 0
    before = game.start.score_x if winner == "x" else game.start.score_o
    decided = match.length > 0 and before + points >= match.length
    return f"Wins {points} point{'' if points == 1 else 's'}{' and the match' if decided else ''}"
