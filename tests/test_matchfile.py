"""Match files: written, read again, and read as other programs write them."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from clicks import ToldHead, play_out, sit

from nardzero.game.play import Play
from nardzero.game.rules import RULESETS
from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.matchfile.read import InvalidMatch, parse_match
from nardzero.play.matchfile.replay import replay
from nardzero.play.matchfile.view import match_view
from nardzero.play.matchfile.write import format_match
from nardzero.play.sitting import flow
from nardzero.play.sitting.flow import NotNow
from nardzero.play.sitting.setup import record, start_at
from nardzero.play.sitting.sitting import Sitting

NAMES = ("Zahra", "standard")


def some_match(rules="standard", length=5, seed=0, games=4, **terms):
    sitting = sit(ToldHead(rules, doubles=True), length, seed, **terms)
    play_out(sitting, random.Random(seed), games)
    return record(sitting, NAMES)


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("rules", RULESETS)
def test_what_is_written_is_read_again(rules, length):
    match = some_match(rules, length, seed=length, jacoby=True, beavers=True)
    text = format_match(match)
    again = parse_match(text)
    assert (again.names, again.length, again.rules) == (NAMES, length, RULESETS[rules])
    assert format_match(again) == text
    for ours, theirs in zip(match.games, again.games, strict=True):
        assert (ours.winner, ours.points) == (theirs.winner, theirs.points)
        assert all(done.legal for done in replay(theirs, RULESETS[rules]))
        plays = [action.play for action in ours.actions if action.deed == "play"]
        assert plays == [action.play for action in theirs.actions if action.deed == "play"]


def test_an_unfinished_match_can_be_written_in_every_phase():
    sitting = sit(ToldHead(), 5)
    for _ in range(3):
        again = parse_match(format_match(record(sitting, NAMES)))
        assert again.games[-1].winner is None
        sitting.roll() if "roll" in sitting.actions else None


def test_names_cannot_break_the_file():
    match = some_match()
    match.names = ('A: "B"\n; C', " ")
    again = parse_match(format_match(match))
    assert again.names == ("A B ; C", "?")
    assert len(again.games) == len(match.games)


def test_a_game_from_a_pasted_position_is_not_written():
    head = ToldHead()
    start = start_at("x 6:5; o 19:5", flow.start(head.rules, 0), head.rules)
    with pytest.raises(NotNow, match="pasted position"):
        record(Sitting(start, head.rules, head, goes_on=True), NAMES)


OTHERS = """\
\ufeff; [Site "somewhere"]
; [Player 1 "Ann"]

 3 point match

 Game 1
 Ann : 0                             Béla : 0
  1)                                 63: 24/18, 13/10
  2) 51: 13/8 6/5*                   62: bar/23 24/18
  3) 66: 24/18(2) 13/7(2)            41: Cannot Move
  4)  Doubles => 2                   Takes
  5) 31: 8/5 6/5                     52: ????
  6) 11: 8/7(3) 6/5                  64:
  7)                                  Doubles => 4
  8)  Drops
                                     Wins 4016 points

 Game 2
 Ann : 0                             Béla : 2
  1) 21: 13/11 24/25
      Losses 1 point
"""


def test_the_ways_of_other_programs_are_read():
    match = parse_match(OTHERS.replace("\n", "\r\n"))
    assert match.names == ("Ann", "Béla")
    first, second = match.games
    assert [action.deed for action in first.actions][5:9] == ["double", "take", "play", "play"]
    assert first.actions[0].player == "o"
    assert second.actions[-1].deed == "resign"
    assert first.actions[2].play == Play.parse("bar/23 24/18")
    # The points come from the cube, whatever the file says.
    assert (first.winner, first.points) == ("o", 2)
    assert (second.winner, second.points) == ("o", 1)
    assert second.start.crawford
    acts = list(replay(first, match.rules))
    assert [done.legal for done in acts[:3]] == [True, False, False]
    assert acts[-1].result.how == "pass"


def test_an_illegal_play_stands_and_is_marked():
    text = " 1 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: 13/7                   52: 13/8 13/11\n"
    first, second = replay(parse_match(text).games[0], RULESETS["standard"])
    assert not first.legal
    assert first.after.board.tolist()[25 - 7] == -1
    assert second.legal


def test_a_match_can_be_stepped_through():
    match = some_match(length=3, seed=1)
    view = match_view(match)
    assert view["players"] == list(NAMES)
    game = view["games"][0]
    assert len(game["actions"]) == len(match.games[0].actions)
    for act in game["actions"]:
        assert len(act["board"]) == 26
        assert act["xgid"] is None or act["xgid"].startswith("XGID=")
    assert game["winner"] in (0, 1)


@pytest.mark.parametrize(
    "text", ["", "hello", "; [Site]\n", "\n" * 30_000, " 5 point match\n Game 1\n no names"]
)
def test_what_is_no_match_is_refused(text):
    with pytest.raises(InvalidMatch, match="match file"):
        parse_match(text)


def test_a_folder_keeps_every_match_under_a_name_of_its_own(tmp_path):
    folder = MatchFolder(tmp_path / "new" / "matches")
    match = some_match()
    first, second = folder.write(match), folder.write(match)
    assert first != second
    assert sorted(folder.names()) == sorted((first.name, second.name))
    assert folder.read(first.name) == format_match(match)
    assert sorted(path.name for path in folder.path.iterdir()) == sorted(folder.names())
    for name in ("../secret.mat", "none.mat", ".hidden.mat", ""):
        with pytest.raises(ValueError, match="no match file"):
            folder.read(name)


GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


@pytest.mark.peer
@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize(
    ("rules", "length", "seed"),
    [("standard", 7, 1), ("standard", 7, 2), ("standard", 1, 3), ("standard", 0, 4), ("takhteh", 5, 5)],
)
def test_gnu_backgammon_imports_it(tmp_path, rules, length, seed):
    """It writes out what it has imported: the same plays, and the same score after every game."""
    match = some_match(rules, length, seed, games=6)
    (tmp_path / "ours.mat").write_text(format_match(match), "utf-8")
    theirs = gnubg_writes(tmp_path)
    assert len(theirs.games) == len(match.games)
    for ours, game in zip(match.games, theirs.games, strict=True):
        assert (game.start.score_x, game.start.score_o) == (ours.start.score_x, ours.start.score_o)
        assert [(action.deed, action.dice, action.play) for action in game.actions] == [
            (action.deed, action.dice, action.play) for action in ours.actions
        ]
        assert (game.winner, game.points) == (ours.winner, ours.points)


def gnubg_writes(folder: Path):
    """The match that GNU Backgammon writes after it has imported ours.mat."""
    commands = folder / "commands"
    commands.write_text(f"import mat {folder}/ours.mat\nexport match mat {folder}/theirs.mat\n")
    assert GNUBG
    command = [GNUBG, "-t", "-q", "-r", "-c", str(commands)]
    subprocess.run(
        command, env={"HOME": str(folder)}, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )
    return parse_match((folder / "theirs.mat").read_text("utf-8"))
