"""How far a judge's differences between plays are off."""

import json

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.cli.main import main
from nardzero.game.outcomes import equity
from nardzero.game.phases import PHASES
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.model.evaluator import after_probs
from nardzero.play.decisions import Decisions, ordered_turn
from nardzero.play.differences import CLOSE, Differences

STANDARD = RULESETS["standard"]
RACE = RaceEvaluator()
OPENING, RACING = PHASES.index("opening"), PHASES.index("race")


@pytest.fixture(scope="module")
def turn():
    """20 openings and 20 races, and the worth of every play by the race alone, by decision."""
    rng = np.random.default_rng(0)
    boards = np.array([STANDARD.start_board, parse_position("x 6:5 5:5 8:5; o 12:2 19:8 20:5")] * 20)
    turn = ordered_turn(boards, rng.integers(1, 7, (40, 2)))
    worth = equity(after_probs(RACE, turn.after), STANDARD.points)
    return turn, np.split(worth, turn.starts[1:-1])


def judged(turn, lost, rated=None):
    """Decisions with these losses by both referees, openings three times as often as races."""
    lost = np.concatenate(lost)
    share = np.zeros(len(PHASES), np.float32)
    share[[OPENING, RACING]] = 0.75, 0.25
    rated = np.ones(len(lost), np.bool_) if rated is None else rated
    return Decisions(turn.boards, turn.dice, ("one", "two"), np.stack([lost, lost], 1), rated, share)


def test_who_agrees_with_the_referees_is_not_off_at_all(turn):
    found = Differences.of(judged(turn[0], [worth.max() - worth for worth in turn[1]]), RACE)
    assert found.overall == pytest.approx(0, abs=1e-6)


def test_errors_are_those_among_close_plays_of_a_decision(turn):
    lost = [2 * (worth.max() - worth) for worth in turn[1]]
    found = Differences.of(judged(turn[0], lost), RACE)
    spreads = {OPENING: [], RACING: []}
    for number, one in enumerate(lost):
        close = one[one <= CLOSE]
        if len(close) > 1:
            # The judge sees half of what the referees see.
            spreads[(OPENING, RACING)[number % 2]].append(np.var(close / 2, ddof=1))
    means = {phase: np.mean(spread) for phase, spread in spreads.items()}
    for phase, mean in means.items():
        assert found.phases[phase] == pytest.approx(np.sqrt(mean), rel=1e-4)
    assert found.overall == pytest.approx(np.sqrt(0.75 * means[OPENING] + 0.25 * means[RACING]), rel=1e-4)


def test_plays_that_no_referee_looked_at_do_not_count(turn):
    lost = [worth.max() - worth for worth in turn[1]]
    far = [np.where(np.arange(len(one)) % 2, one, 0.01) for one in lost]
    odd = np.concatenate([np.arange(len(one)) % 2 == 1 for one in lost])
    assert Differences.of(judged(turn[0], far), RACE).overall > 0.001
    assert Differences.of(judged(turn[0], far, odd), RACE).overall == pytest.approx(0, abs=1e-6)


def test_the_command_tells_them_by_phase(capsys, monkeypatch, turn):
    decisions = judged(turn[0], [worth.max() - worth for worth in turn[1]])
    monkeypatch.setattr("nardzero.cli.decisions.shipped_decisions", lambda: decisions)
    assert main(["decisions", "standard", "--differences"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert "differences" in shown
    assert main(["decisions", "standard", "--differences", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["differences"]
    assert len(told["phases"]) == len(PHASES)
    assert f"{1000 * told['overall']:.1f}" in shown
    assert main(["decisions", "standard"]) == 0
    assert "differences" not in capsys.readouterr().out


@pytest.mark.parametrize("words", [["pips"], ["standard", "--cube"]])
def test_where_nothing_is_judged_one_sentence_says_so(capsys, words):
    assert main(["decisions", *words, "--differences"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
