"""Positions, dice, rulesets and outcomes as data."""

from dataclasses import replace

import numpy as np
import pytest
from cases import board as both_sides
from cases import cases
from hypothesis import given, settings
from strategies import boards

from nardzero import RULESETS, InvalidDice, InvalidRules, Ruleset, contact, flip, off, pips
from nardzero.game.dice import ROLLS, WEIGHTS, opening_throw, parse_dice
from nardzero.game.outcomes import (
    OUTCOMES,
    drop_impossible,
    equity,
    finished,
    flip_outcomes,
    win_kind,
    won_probs,
)
from nardzero.game.text import parse_position

START = RULESETS["standard"].start_board


def test_the_start():
    assert pips(START) == pips(flip(START)) == 167
    assert off(START) == 0
    assert contact(START)
    assert np.array_equal(flip(START), START)
    assert pips(RULESETS["nackgammon"].start_board) == 194


@settings(derandomize=True, deadline=None)
@given(board=boards())
def test_turning_twice_changes_nothing(board):
    assert np.array_equal(flip(flip(board)), board)
    assert pips(flip(flip(board))) == pips(board)
    assert contact(flip(board)) == contact(board)


@pytest.mark.parametrize(
    ("text", "meets"),
    [
        ("x 6:2; o 5:1", True),
        ("x 5:2; o 6:1", False),
        ("x bar:1 1:2; o 24:3", True),
        ("x 24:1; o bar:1", True),
        ("x 6:15; o 19:15", False),
    ],
)
def test_contact(text, meets):
    assert contact(parse_position(text)) == meets


def test_rolls_and_their_weights():
    assert len({tuple(roll) for roll in ROLLS.tolist()}) == 21
    assert WEIGHTS.sum() == pytest.approx(1)
    assert WEIGHTS[ROLLS.tolist().index([6, 6])] == pytest.approx(1 / 36)


@pytest.mark.parametrize("text", ["31", "3-1", "3 1", " 3,1 "])
def test_dice_as_people_write_them(text):
    assert parse_dice(text) == (3, 1)


@pytest.mark.parametrize("text", ["", "3", "37", "0-1", "3-1-1", "three one", "3-11", "٣١"])
def test_what_is_no_roll(text):
    with pytest.raises(InvalidDice, match="like 31"):
        parse_dice(text)


def test_the_first_roll_is_no_double_unless_thrown_again():
    rng = np.random.default_rng(0)
    played = opening_throw(rng, 5000, RULESETS["standard"])
    assert (played[:, 0] != played[:, 1]).all()
    assert set(played.ravel().tolist()) == {1, 2, 3, 4, 5, 6}
    thrown_again = opening_throw(rng, 5000, RULESETS["tavla"])
    doubles = (thrown_again[:, 0] == thrown_again[:, 1]).mean()
    assert doubles == pytest.approx(1 / 6, abs=0.02)


def test_rulesets_pay_what_they_say():
    certain = np.eye(6, dtype=np.float32)
    assert equity(certain, RULESETS["standard"].points).tolist() == [3, 2, 1, -1, -2, -3]
    assert equity(certain, RULESETS["tavla"].points).tolist() == [2, 2, 1, -1, -2, -2]
    assert equity(flip_outcomes(certain), RULESETS["tavla"].points).tolist() == [-2, -2, -1, 1, 2, 2]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("start", "hypergammon", "nackgammon"),
        ("opening", "loser", "rerolled"),
        ("home_hit", "never", "no_cover"),
        ("wins", (1, 3, 2), "three positive points"),
        ("wins", (0, 1, 2), "three positive points"),
        ("cube_limit", 48, "power of two"),
    ],
)
def test_rulesets_that_do_not_fit_are_refused(field, value, said):
    with pytest.raises(InvalidRules, match=said):
        replace(Ruleset("house"), **{field: value})


POINTS_BY_KIND = {"single": 1, "gammon": 2, "backgammon": 3}


BOARD_RESULTS = [case for case in cases("judgement", "result") if "loser_board" in case.values[0]]


@pytest.mark.parametrize(("given", "expected"), BOARD_RESULTS)
def test_recorded_results(given, expected):
    loser = {k: v for k, v in given["loser_board"].items() if k not in ("mover_numbering", "off")}
    after = both_sides({}, loser)
    assert finished(after)
    kind = expected["kind"].removeprefix("single under Jacoby, ").removesuffix(" without")
    assert int(win_kind(after)) == POINTS_BY_KIND[kind]


@pytest.mark.parametrize(
    ("loser", "kind"),
    [
        ("o 19:14", "single"),
        ("o 13:15", "gammon"),
        ("o 7:15", "gammon"),
        ("o 19:14 6:1", "backgammon"),
        ("o 19:14 bar:1", "backgammon"),
        ("o 19:13 bar:1", "single"),
        ("o 19:13 1:1", "single"),
    ],
)
def test_kinds_of_wins(loser, kind):
    after = parse_position(f"x; {loser}")
    assert win_kind(after) == POINTS_BY_KIND[kind]
    won = won_probs(after[None])[0]
    assert won.sum() == 1
    assert OUTCOMES[int(won.argmax())] == ("win" if kind == "single" else f"win {kind}")


def test_gammons_that_can_no_longer_be_are_single_games():
    boards = np.stack(
        [
            START,
            parse_position("x 6:14; o 19:15"),
            parse_position("x 6:15; o 19:14"),
            parse_position("x 6:3; o 19:3"),
        ]
    )
    probs = np.tile(np.array([0.1, 0.2, 0.3, 0.2, 0.15, 0.05], np.float32), (4, 1))
    wanted = [
        [0.1, 0.2, 0.3, 0.2, 0.15, 0.05],
        [0.1, 0.2, 0.3, 0.4, 0, 0],
        [0, 0, 0.6, 0.2, 0.15, 0.05],
        [0, 0, 0.6, 0.4, 0, 0],
    ]
    assert np.allclose(drop_impossible(probs, boards), wanted)
