"""Bear-off tables: against exact fractions, an oracle in plain loops, and what can be counted by hand."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from cases import board, cases
from fakes import RaceEvaluator
from oracle import sides_after as after

from nardzero.game.board import Board
from nardzero.game.dice import ROLLS
from nardzero.game.errors import InvalidPosition
from nardzero.game.movegen import afterstates
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.bearoff.onesided import build_one_sided
from nardzero.judge.bearoff.sides import every_side, moves, number, numbers
from nardzero.judge.bearoff.tables import one_sided, two_sided
from nardzero.judge.bearoff.twosided import CENTRED, CUBELESS, OWNED, THEIRS, build_two_sided

THIRTY_SIX = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def parse(text):
    return Board.parse(text).position[None]


# The rules once more, as fractions and recursion.


def mean_of(values):
    return sum(values, Fraction(0)) / 36


@cache
def exact(own, opponent, owner):
    """The equity without the right to double (N in DESIGN's words)."""
    if not any(opponent):
        return Fraction(-1)
    return mean_of(max(-right(opponent, left, owner) for left in after(own, dice)) for dice in THIRTY_SIX)


def right(own, opponent, before):
    """The equity of the next player, with his right to double; `before` is whose the cube was."""
    owner = {CUBELESS: CUBELESS, CENTRED: CENTRED, OWNED: THEIRS, THEIRS: OWNED}[before]
    value = exact(own, opponent, owner)
    if owner in (CENTRED, OWNED):
        return max(value, min(2 * exact(own, opponent, THEIRS), Fraction(1)))
    return value


@cache
def needed(side, checkers):
    """The chances of needing 0, 1, 2 … rolls until so few checkers are left, at the least mean."""
    if sum(side) <= checkers:
        return (Fraction(1),)
    best = [
        min((needed(left, checkers) for left in after(side, dice)), key=mean_rolls) for dice in THIRTY_SIX
    ]
    longest = max(map(len, best))
    return (Fraction(0), *(mean_of(c[k] if k < len(c) else 0 for c in best) for k in range(longest)))


def mean_rolls(chances):
    return sum(rolls * chance for rolls, chance in enumerate(chances))


def test_equities_with_and_without_the_cube_are_those_of_an_oracle():
    sides = [tuple(side) for side in every_side(3, 3).tolist()]
    table = build_two_sided(3, 3).equities
    for (i, own), (j, opponent), owner in product(enumerate(sides), enumerate(sides), range(4)):
        if i and j:
            assert table[owner, i, j] == pytest.approx(float(exact(own, opponent, owner)), abs=1e-7)


def test_rolls_needed_are_those_of_an_oracle():
    table = build_one_sided(4, 3).last
    for chances, side in zip(table, every_side(4, 3).tolist(), strict=True):
        expected = [float(chance) for chance in needed(tuple(side), 0)]
        assert chances == pytest.approx(expected + [0] * (len(chances) - len(expected)), abs=1e-7)


def test_rolls_for_the_first_checker_are_those_of_an_oracle():
    for side in [(0, 0, 15), (0, 7, 8), (1, 0, 14), (3, 0, 12), (15, 0, 0)]:
        expected = [float(chance) for chance in needed(side, 14)]
        found = one_sided(3, 15).first[number(np.array([side]))[0]]
        assert found[: len(expected)] == pytest.approx(expected, abs=1e-7)


# What can be counted by hand, and what others have counted.


@pytest.mark.parametrize(("position", "expected"), cases("judgement", "eval_exact"))
def test_exact_values(position, expected):
    facing = board(position["mover"], position["opponent"])[None]
    win = float(Fraction(expected["win"]))
    assert two_sided().evaluate(facing)[0] == pytest.approx([0, 0, win, 1 - win, 0, 0], abs=1e-6)
    assert two_sided().equity(facing) == pytest.approx([expected["cubeless_equity"]], abs=1e-6)


@pytest.mark.parametrize(
    ("position", "expected"),
    [case for case in cases("judgement", "cube") if case.id[:3] in ("C03", "C04", "C05", "C06", "C20")],
)
def test_last_roll_cubes(position, expected):
    facing = Board.from_id(position["xgid"]).position[None]
    centred, owned, theirs = two_sided().cubeful(facing)[0]
    equities = expected["gnubg_2ply"]["equities"]
    # Nobody gets to use the cube after the roll, so it does not matter whose it is.
    assert centred == owned == theirs == pytest.approx(equities["no double"], abs=6e-4)
    assert 2 * theirs == pytest.approx(equities["double, take"], abs=6e-4)


def test_a_tie_between_take_and_pass_is_exact():
    assert two_sided().cubeful(parse("x 6:1; o 24:1"))[0, 2] == 0.5


def test_fifteen_on_the_six_point():
    # Any 6, and 5-1, 4-2, 3-3, 2-2: 17 of 36 rolls bear the first checker off at once.
    fifteen = every_side(6, 15)[-1:]
    assert fifteen.tolist() == [[0, 0, 0, 0, 0, 15]]
    assert one_sided().first[number(fifteen)[0], 1] == pytest.approx(17 / 36)


def test_gammons_won():
    # Three on the ace point: doubles win at once, or else the opponent has one roll for his first checker.
    probs = one_sided().evaluate(parse("x 1:3; o 19:15"))[0]
    gammon = (6 + 30 * 19 / 36) / 36
    assert probs == pytest.approx([0, gammon, 1 - gammon, 0, 0, 0], abs=1e-6)
    assert one_sided().evaluate(parse("x 1:3; o 19:14"))[0] == pytest.approx([0, 0, 1, 0, 0, 0], abs=1e-6)


def test_gammons_lost():
    probs = one_sided().evaluate(parse("x 6:15; o 24:1"))[0]
    assert probs == pytest.approx([0, 0, 0, 17 / 36, 19 / 36, 0], abs=1e-6)


def test_one_checker_on_the_six_point():
    # 27 of 36 rolls bear it off at once, and whatever is left the next roll does.
    assert one_sided().mean_rolls(parse("x 6:1; o 24:1")) == pytest.approx([1.25])


# What has to hold everywhere.


def test_sides_are_numbered_in_order():
    for points, checkers, count in ((6, 15, 54264), (6, 6, 924), (3, 2, 10)):
        sides = every_side(points, checkers)
        assert np.array_equal(number(sides), np.arange(count))
        assert (np.diff(sides.sum(1)) >= 0).all()
    assert np.array_equal(every_side(6, 15)[:924], every_side(6, 6))


def test_both_sides_are_found_on_boards():
    boards = np.concatenate(
        [parse("x 1:2 6:1; o 24:1 20:3"), parse("x 7:1; o 24:1"), parse("x 1:1; o 18:1"), parse("x; o 24:1")]
    )
    own, opponent = numbers(boards)
    assert own.tolist() == [*number(np.array([[2, 0, 0, 0, 0, 1]])), -1, 1, 0]
    assert opponent.tolist() == [*number(np.array([[1, 0, 0, 0, 3, 0]])), 1, -1, 1]


def test_every_play_leads_to_a_smaller_number():
    replies = moves(every_side(6, 4)[1:])
    before = np.repeat(np.arange(1, 210), np.diff(replies.starts).reshape(-1, 21).sum(1))
    assert (replies.after < before).all()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS.keys())
def test_rulesets_do_not_differ_at_home(rules):
    sides = every_side(6, 3)[1:]
    boards = np.zeros((len(sides), 26), np.int8)
    boards[:, 1:7], boards[:, 19:25] = sides, -1
    boards = boards.repeat(21, axis=0)
    rolls = np.tile(ROLLS, (len(sides), 1))
    for ours, standard in zip(afterstates(boards, rolls, rules), afterstates(boards, rolls), strict=True):
        assert np.array_equal(ours, standard)


def test_chances_add_up():
    table = one_sided()
    assert table.last.sum(1) == pytest.approx(1, abs=1e-6)
    assert table.first.sum(1) == pytest.approx(1, abs=1e-6)
    assert (table.first[number(every_side(6, 14))] == [1] + [0] * (table.first.shape[1] - 1)).all()


def test_a_checker_more_never_helps():
    # A pip more may: 4-3-3-2-1-1 needs a fifth of a roll less than 4-3-3-1-1-1, which has a gap to miss on.
    sides = every_side(6, 6)
    equities = two_sided().equities
    mean = one_sided().last[:924] @ np.arange(one_sided().last.shape[1])
    assert mean[number(np.array([[2, 1, 2, 1, 0, 0]]))] < mean[number(np.array([[3, 0, 2, 1, 0, 0]]))] - 0.2
    for point in range(6):
        more = sides[sides[:, point] > 0]
        fewer = more - np.eye(6, dtype=np.int8)[point]
        assert (mean[number(more)] >= mean[number(fewer)]).all()
        assert (equities[:, number(more)] <= equities[:, number(fewer)]).all()
        assert (equities[:, 1:, number(more)] >= equities[:, 1:, number(fewer)]).all()


def test_it_is_good_to_own_the_cube():
    equities = two_sided().equities
    assert (equities[OWNED] >= equities[CENTRED]).all()
    assert (equities[CENTRED] >= equities[THEIRS]).all()
    assert (equities[OWNED] >= equities[CUBELESS] - 1e-6).all()
    assert (equities[THEIRS] <= equities[CUBELESS] + 1e-6).all()
    assert np.abs(equities).max() <= 1


def test_rolls_alone_are_nearly_exact():
    sides = every_side(6, 6)[1:]
    boards = np.zeros((len(sides), 26), np.int8)
    boards[:, 1:7] = sides
    errors = []
    for opponent in sides[::40]:
        boards[:, 24:18:-1] = -opponent
        errors.append(one_sided().evaluate(boards)[:, 2] - two_sided().evaluate(boards)[:, 2])
    assert np.abs(errors).max() < 0.015
    assert np.abs(errors).mean() < 0.001


def test_unknown_boards_are_refused():
    boards = np.concatenate([parse("x 1:1; o 24:1"), Board().position[None]])
    for table in (one_sided(), two_sided()):
        assert table.knows(boards).tolist() == [True, False]
        with pytest.raises(InvalidPosition, match="board 1 of 2"):
            table.evaluate(boards)
    with pytest.raises(InvalidPosition, match="bear-off table"):
        two_sided().cubeful(parse("x 1:7; o 24:1"))
    with pytest.raises(InvalidPosition, match="bear-off table"):
        one_sided().mean_rolls(parse("x 7:1; o 24:1"))


# As an evaluator.


class Witness(RaceEvaluator):
    """Remembers the boards that it was asked about."""

    def __init__(self):
        super().__init__()
        self.asked = np.zeros((0, 26), np.int8)

    def evaluate(self, boards):
        self.asked = np.concatenate([self.asked, boards])
        return super().evaluate(boards)


EXACT = ["x 6:1; o 24:1", "x 1:2 3:1; o 20:6"]
NEAR = ["x 1:7; o 24:1", "x 6:15; o 19:15"]
OTHER = [
    "x 24:2 13:5 8:3 6:5; o 1:2 12:5 17:3 19:5",
    "x 7:1; o 24:1",
    "x bar:1 6:1; o 24:1",
    "x 22:1 6:1; o 23:1",
    "x 3:1; o 18:1",
    "x; o 24:1",
    "x 1:1; o",
]


def test_it_answers_where_it_knows_and_asks_elsewhere():
    boards = np.concatenate([parse(text) for text in OTHER + EXACT + NEAR])[::-1]
    base = Witness()
    probs = BearoffEvaluator(base).evaluate(boards)
    known = len(EXACT + NEAR)
    assert np.array_equal(base.asked, boards[known:])
    assert np.array_equal(probs[known:], RaceEvaluator().evaluate(boards[known:]))
    assert np.array_equal(probs[: len(NEAR)], one_sided().evaluate(boards[: len(NEAR)]))
    assert np.array_equal(probs[len(NEAR) : known], two_sided().evaluate(boards[len(NEAR) : known]))


def test_it_judges_from_the_other_side_too():
    boards = np.concatenate([parse(text) for text in OTHER + EXACT + NEAR])
    evaluator = BearoffEvaluator(RaceEvaluator())
    assert np.array_equal(evaluator.evaluate_flipped(flip(boards)), evaluator.evaluate(boards))


def test_a_table_is_only_made_when_it_is_needed():
    def unneeded():
        raise AssertionError

    BearoffEvaluator(RaceEvaluator(), [unneeded]).evaluate(np.concatenate([parse(OTHER[0]), parse(OTHER[1])]))
    only_exact = np.concatenate([parse(text) for text in EXACT])
    BearoffEvaluator(Witness(), [two_sided, lambda: one_sided()]).evaluate(only_exact)


def test_boards_that_cannot_be_are_refused():
    with pytest.raises(InvalidPosition, match=r"\[N, 26\]"):
        BearoffEvaluator(RaceEvaluator()).evaluate(parse(EXACT[0])[0])
    with pytest.raises(InvalidPosition, match="16 checkers"):
        BearoffEvaluator(RaceEvaluator()).evaluate(parse("x 6:15; o 24:1") + parse("x 6:1; o"))
