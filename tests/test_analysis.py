"""Analysis: a position's outcomes and equity, and its plays ranked."""

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.game.board import Board
from nardzero.game.errors import InvalidDice, InvalidInput
from nardzero.game.play import Play
from nardzero.judge.analysis import analyse, evaluate

BOT = RaceEvaluator()
FINISHED = [
    ("x 1:1 2:1; o", (0, 0, 0, 1, 0, 0), -1),
    ("x 13:15; o", (0, 0, 0, 0, 1, 0), -2),
    ("x 20:15; o", (0, 0, 0, 0, 0, 1), -3),
    ("x 13:14 bar:1; o", (0, 0, 0, 0, 0, 1), -3),
    ("x; o 24:3", (0, 0, 1, 0, 0, 0), 1),
    ("x; o 3:15", (1, 0, 0, 0, 0, 0), 3),
]


def test_an_even_race_is_even():
    start = evaluate(Board(), BOT)
    assert start.probs == pytest.approx([0.025, 0.125, 0.35, 0.35, 0.125, 0.025])
    assert start.equity == pytest.approx(0)


def test_cumulative_numbers_include_the_better_kinds():
    start = evaluate(Board(), BOT)
    assert start.cumulative == pytest.approx((0.5, 0.15, 0.025, 0.15, 0.025))
    assert start.cumulative.win_gammon == pytest.approx(0.15)


@pytest.mark.parametrize(("position", "probs", "equity"), FINISHED)
def test_a_finished_game_has_its_exact_outcome(position, probs, equity):
    judged = evaluate(Board.parse(position), BOT)
    assert tuple(judged.probs) == probs
    assert judged.equity == equity


def test_the_ruleset_of_the_board_pays():
    assert evaluate(Board.parse("x; o 3:15", rules="tavla"), BOT).equity == 2


def test_dice_on_the_board_do_not_change_its_evaluation():
    assert np.array_equal(evaluate(Board(dice=(6, 6)), BOT).probs, evaluate(Board(), BOT).probs)


def test_plays_are_ranked_and_each_is_judged():
    board = Board(dice=(3, 1))
    ranked = analyse(board, BOT)
    assert {candidate.play for candidate in ranked} == set(board.legal_plays)
    equities = [candidate.equity for candidate in ranked]
    assert equities == sorted(equities, reverse=True)
    assert ranked[0].difference == 0
    for candidate in ranked:
        assert np.array_equal(candidate.after, candidate.play.apply(board.position))
        assert candidate.difference == pytest.approx(candidate.equity - equities[0])
        assert candidate.probs.sum() == pytest.approx(1)
        assert candidate.probs @ board.rules.points == pytest.approx(candidate.equity, abs=1e-6)


def test_the_best_play_of_a_racer_hits():
    best = analyse(Board.parse("x 24:2 6:2; o 20:1 12:2"), BOT, dice=(4, 1))[0]
    assert best.play.hits == {20}


def test_a_play_is_worth_what_its_position_is_to_the_other_side():
    board = Board(dice=(6, 5))
    for candidate in analyse(board, BOT):
        there = board.copy()
        there.push(candidate.play)
        assert evaluate(there, BOT).probs[::-1] == pytest.approx(candidate.probs)


def test_top_keeps_the_best():
    board = Board(dice=(6, 2))
    plays = [candidate.play for candidate in analyse(board, BOT)]
    assert [candidate.play for candidate in analyse(board, BOT, top=3)] == plays[:3]
    assert len(analyse(board, BOT, top=1000)) == len(plays)
    with pytest.raises(ValueError, match="1 or more"):
        analyse(board, BOT, top=0)


def test_dice_given_come_before_those_on_the_board():
    board = Board(dice=(6, 2))
    assert Play.parse("8/5 6/5") in [candidate.play for candidate in analyse(board, BOT, dice=(3, 1))]
    assert board.dice == (6, 2)


def test_the_rules_of_the_board_decide_what_is_legal():
    # The checker that hits on 5 may not cover the one on 4 under takhteh rules.
    def plays(rules):
        board = Board.parse("x 8:1 4:1 24:2; o 5:1 19:2 23:2", rules)
        return [str(candidate.play) for candidate in analyse(board, BOT, dice=(3, 1))]

    assert "8/5*/4" in plays("standard")
    assert "8/5*/4" not in plays("takhteh")


def test_a_dance_is_the_only_candidate():
    (only,) = analyse(Board.parse("x bar:1 6:2; o 19:2 20:2 21:2 22:2 23:2 24:2"), BOT, dice=(6, 6))
    assert only.play == Play()
    assert only.difference == 0


def test_the_winning_play_is_certain():
    best = analyse(Board.parse("x 2:1 1:1; o 24:1"), BOT, dice=(2, 1))[0]
    assert str(best.play) == "2/off 1/off"
    assert (tuple(best.probs), best.equity) == ((0, 0, 1, 0, 0, 0), 1)


@pytest.mark.parametrize(("position", "probs", "equity"), FINISHED)
def test_a_finished_game_has_no_plays(position, probs, equity):
    assert analyse(Board.parse(position), BOT, dice=(3, 1)) == []


def test_missing_or_wrong_dice_are_refused():
    with pytest.raises(InvalidDice, match="no dice"):
        analyse(Board(), BOT)
    with pytest.raises(InvalidDice, match="not 7"):
        analyse(Board(), BOT, dice=(7, 1))


def test_what_is_printed_can_be_read():
    best = analyse(Board.parse("x 2:1 1:1; o 24:1"), BOT, dice=(2, 1))[0]
    assert str(best) == "2/off 1/off  +1.000 (+0.000)  0.0% 0.0% 100.0% 0.0% 0.0% 0.0%"
    assert str(evaluate(Board.parse("x; o 24:3"), BOT)) == "+1.000  0.0% 0.0% 100.0% 0.0% 0.0% 0.0%"


def test_a_name_is_not_a_bot():
    with pytest.raises(InvalidInput, match=r"nardzero\.load"):
        analyse(Board(dice=(3, 1)), "standard")
    with pytest.raises(InvalidInput, match=r"nardzero\.load"):
        evaluate(Board(), "standard")
