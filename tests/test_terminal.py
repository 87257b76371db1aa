"""Play in the terminal: what is typed, what is told, and how it ends."""

import io
import re
import sys

import pytest
from clicks import ToldHead, judging_head, sit
from fakes import RaceEvaluator

from nardzero.cli.main import main
from nardzero.cli.sentences import SENTENCES, sentence
from nardzero.cli.terminal import Terminal
from nardzero.play.matchfile.read import parse_match
from nardzero.play.sitting.setup import start_at
from nardzero.play.sitting.sitting import Sitting

THREE_ONE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def at(text, head):
    sitting = sit(head, 0)
    return Sitting(start_at(text, sitting.state, head.rules), head.rules, head, goes_on=True, seed=1)


def typed(sitting, *lines):
    """Everything that is shown when these lines are typed."""
    shown = []
    Terminal(sitting, shown.append).run(iter(lines))
    return "\n".join(shown)


def test_a_whole_play_ends_the_turn():
    sitting = at(THREE_ONE, ToldHead())
    text = typed(sitting, "8/5 6/5")
    assert "You play 31: 8/5 6/5" in text
    assert "The bot rolls" in text
    assert "Good-bye" in text


def test_one_checker_at_a_time_will_do_and_can_be_taken_back():
    sitting = at(THREE_ONE, ToldHead())
    text = typed(sitting, "8/5", "undo", "24/23", "13/10")
    assert "You play 31: 24/23 13/10" in text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("8/6", "No: 8/6 uses a 2"),
        ("7/4", "No: 7 is not held"),
        ("hello", "No: 'hello' is no move"),
        ("roll", "No: roll is not possible now: you have dice to play"),
        ("double", "No: double is not possible now"),
        ("take", "No: take is not possible now"),
        ("resign everything", "No: one resigns single, gammon, backgammon"),
    ],
)
def test_what_is_not_possible_is_refused_with_the_reason(line, reason):
    sitting = at(THREE_ONE, ToldHead())
    assert reason in typed(sitting, line)
    assert sitting.phase == "play"
    assert not sitting.hand.steps


def test_the_cube_is_offered_and_taken_by_words():
    text = typed(at("4HPwATDgc/ABMA", ToldHead()), "double", "roll")
    assert "You double to 2." in text
    assert "The bot takes: the cube is at 2." in text
    assert "The cube: 2, the bot's." in text
    sitting = at(THREE_ONE, ToldHead(doubles=True))
    text = typed(sitting, "8/5 6/5", "pass", "next", "quit")
    assert "The bot doubles to 2." in text
    assert "The bot wins 1 point." in text
    assert sitting.phase == "opening"


def test_hints_ids_and_the_coach():
    text = typed(at(THREE_ONE, judging_head(RaceEvaluator())), "hint", "id", "coach", "8/5 6/5", "hint")
    assert re.search(r"^1\. \S+.* \(\+0\.000\)$", text, re.MULTILINE)
    assert "XGID=" in text
    assert "The coach is on." in text
    assert re.search(r"^Coach: .+\.$", text, re.MULTILINE)
    assert re.search(r"take  ND [+-]\d\.\d{3}", text)


def test_resigning():
    text = typed(at(THREE_ONE, ToldHead()), "resign gammon")
    assert "You offer to lose a gammon, and the bot accepts." in text
    assert "The bot wins 2 points with a gammon. The score: you 0, the bot 2." in text


def test_every_event_has_a_sentence():
    facts = {
        "player": "bot",
        "dice": [3, 1],
        "play": "8/5 6/5",
        "cube": 2,
        "kind": "single",
        "accepted": True,
        "game": 1,
        "crawford": True,
        "score": {"you": 1, "bot": 2},
        "you": 3,
        "bot": 3,
        "first": None,
        "winner": "bot",
        "class": "error",
        "lost": 0.03,
        "done": "take",
        "best": "pass",
        "result": {"winner": "you", "points": 2, "kind": "gammon", "score": {"you": 2, "bot": 0}},
    }
    for code in SENTENCES:
        assert re.fullmatch(r"[A-Z].*", sentence({**facts, "code": code}))


def piped(monkeypatch, capsys, text, *argv):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code = main(["play", "--terminal", "--bot", "random", *argv])
    return code, capsys.readouterr()


def test_piped_input_that_ends_ends_politely(monkeypatch, capsys):
    code, printed = piped(monkeypatch, capsys, "roll\n")
    assert (code, printed.err) == (0, "")
    assert printed.out.rstrip().endswith("Good-bye. The score: you 0, the bot 0.")
    assert ">" not in printed.out.splitlines()[-1]


def test_a_match_is_played_by_the_same_words_and_kept(monkeypatch, capsys, tmp_path):
    words = "roll\n" + "roll\nresign backgammon\nnext\n" * 4
    argv = ["--length", "3", "--seed", "5", "--save", str(tmp_path / "kept")]
    code, printed = piped(monkeypatch, capsys, words, *argv)
    assert code == 0
    assert "The bot wins the match." in printed.out
    (path,) = (tmp_path / "kept").iterdir()
    assert f"saved {path}" in printed.out
    assert parse_match(path.read_text("utf-8")).games[-1].winner == "o"


def test_the_same_seed_gives_the_same_game(monkeypatch, capsys):
    first = piped(monkeypatch, capsys, "roll\nroll\n", "--seed", "8")[1].out
    assert first == piped(monkeypatch, capsys, "roll\nroll\n", "--seed", "8")[1].out
    assert first != piped(monkeypatch, capsys, "roll\nroll\n", "--seed", "9")[1].out
