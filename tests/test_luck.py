"""Luck: 0 on average over the rolls that can come, and more for better rolls."""

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.game.bits import pad
from nardzero.game.board import Board
from nardzero.game.dice import ROLLS, WEIGHTS, roll_index
from nardzero.game.outcomes import equity
from nardzero.game.rules import RULESETS
from nardzero.judge.luck import luck_of, roll_chances, roll_luck
from nardzero.judge.replies import best_replies

STANDARD = RULESETS["standard"]
JUDGE = RaceEvaluator()
POSITIONS = ["x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5", "x 24:2 6:2; o 20:1 12:2", "x 1:3 6:1; o 24:2"]


def fan_luck(position, rules=STANDARD, opening=False):
    """The luck of all 21 rolls in a position."""
    boards = np.repeat(Board.parse(position).position[None], 21, axis=0)
    return roll_luck(JUDGE, boards, ROLLS, rules, opening=opening)


def test_dice_are_found_among_the_rolls_in_either_order():
    assert roll_index(ROLLS).tolist() == roll_index(ROLLS[:, ::-1]).tolist() == list(range(21))


@pytest.mark.parametrize("position", POSITIONS)
def test_luck_is_nothing_on_average(position):
    luck = fan_luck(position)
    assert luck @ WEIGHTS == pytest.approx(0, abs=1e-6)
    assert np.abs(luck).max() > 0.01


def test_the_opening_roll_cannot_be_a_double_unless_it_is_thrown_again():
    assert roll_chances(STANDARD, opening=True) @ (ROLLS[:, 0] == ROLLS[:, 1]) == 0
    assert np.array_equal(roll_chances(RULESETS["tavla"], opening=True), WEIGHTS)
    luck = fan_luck(POSITIONS[0], opening=True)
    assert luck @ roll_chances(STANDARD, opening=True) == pytest.approx(0, abs=1e-6)
    assert luck @ WEIGHTS > 0.005  # for a racer doubles are luck


def test_a_racer_wants_many_pips_and_the_hit():
    start, hit = fan_luck(POSITIONS[0]), fan_luck(POSITIONS[1])
    assert start.argmax() == 20
    assert start.argmin() == 1  # 2-1 moves three pips, 1-1 four
    by_roll = dict(zip(map(tuple, ROLLS.tolist()), hit.tolist(), strict=True))
    assert by_roll[4, 1] > by_roll[6, 5]


def test_luck_in_outcomes_is_worth_the_luck_in_points():
    boards = np.stack([Board.parse(position).position for position in POSITIONS])
    dice = np.array([(1, 3), (6, 6), (2, 1)])
    luck = luck_of(best_replies(JUDGE, pad(boards), STANDARD), roll_index(dice))
    assert luck.sum(1) == pytest.approx(0, abs=1e-6)
    points = roll_luck(JUDGE, boards, dice, STANDARD)
    assert equity(luck, STANDARD.points) == pytest.approx(points, abs=1e-6)
