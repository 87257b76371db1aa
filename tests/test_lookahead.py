"""Lookahead: against plain loops, for any batch, through finished games, and with its filters."""

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.game.board import Board
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.game.errors import InvalidInput
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import equity
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.analysis import analyse, evaluate
from nardzero.judge.distinct import distinct
from nardzero.judge.lookahead import EVERY, Filter, Filters, Lookahead, lookahead, shortlist
from nardzero.model.evaluator import after_probs
from nardzero.play.agents import Turn

RULES = RULESETS["standard"]
BOT = RaceEvaluator()
POSITIONS = [
    "x 1:2 3:1; o 22:1 24:2",
    "x 6:2 bar:1; o 1:2 19:2 20:2",
    "x 2:1; o 24:1",
    "x 4:3 8:1; o 5:1 21:4",
    "x 1:1; o 19:15",
]


class Counting:
    """An evaluator that counts what it is asked."""

    def __init__(self):
        self.asked = 0

    def evaluate(self, boards):
        self.asked += len(boards)
        return BOT.evaluate(boards)


def by_hand(board, ply):
    """The outcome probabilities of one position by plain loops, every reply to full depth."""
    if not (board > 0).any() or not (board < 0).any():
        return np.array(evaluate(Board(position=board), BOT).probs, np.float64)
    if ply == 0:
        return BOT.evaluate(board[None])[0].astype(np.float64)
    mean = np.zeros(6)
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        after, _ = afterstates(board[None], roll[None])
        judged = [by_hand(flip(reply), ply - 1)[::-1] for reply in after]
        mean += weight * max(judged, key=lambda probs: probs @ RULES.points)
    return mean


def boards(*texts):
    return np.stack([parse_position(text) for text in texts])


@pytest.mark.parametrize("position", POSITIONS)
def test_one_ply_is_the_mean_over_all_rolls_of_the_best_reply(position):
    given = boards(position)
    judged = Lookahead(BOT, 1, RULES).evaluate(given)
    assert judged[0] == pytest.approx(by_hand(given[0], 1), abs=1e-5)


@pytest.mark.parametrize("position", POSITIONS[:3])
def test_without_filters_two_plies_are_exact(position):
    given = boards(position)
    judged = Lookahead(BOT, 2, RULES, Filters.off()).evaluate(given)
    assert judged[0] == pytest.approx(by_hand(given[0], 2), abs=1e-5)


def test_the_takhteh_rules_are_looked_ahead_by():
    rules = RULESETS["takhteh"]
    given = boards(POSITIONS[3])
    mean = np.zeros(6)
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        after, _ = afterstates(given, roll[None], rules)
        probs = after_probs(BOT, after)
        mean += weight * probs[np.argmax(equity(probs, rules.points))]
    assert Lookahead(BOT, 1, rules).evaluate(given)[0] == pytest.approx(mean, abs=1e-5)


@pytest.mark.parametrize("filters", [Filters(), Filters.off()], ids=["filtered", "all"])
def test_a_position_is_worth_the_same_in_any_batch(filters):
    ahead = Lookahead(BOT, 2, RULES, filters)
    given = boards(*POSITIONS[:4])
    together = ahead.evaluate(np.tile(given, (40, 1)))
    alone = np.concatenate([ahead.evaluate(given[k : k + 1]) for k in range(len(given))])
    assert together == pytest.approx(np.tile(alone, (40, 1)), abs=1e-6)


@pytest.mark.parametrize("order", ["C", "F"])
def test_equal_chances_have_equal_equities_wherever_they_stand(order):
    many = np.random.default_rng(0).dirichlet(np.ones(6), 50).astype(np.float32)
    for size, probs in enumerate(many, start=2):
        values = equity(np.asarray(np.tile(probs, (size, 1)), order=order), RULES.points)
        assert np.unique(np.append(values, equity(probs, RULES.points))).size == 1


def test_what_a_position_is_worth_to_one_it_costs_the_other_to_the_last_bit():
    many = np.random.default_rng(1).dirichlet(np.ones(6), 1000).astype(np.float32)
    values = equity(many, RULES.points)
    assert np.array_equal(equity(many[:, ::-1], RULES.points), -values)
    assert np.all(equity((many + many[:, ::-1]) / 2, RULES.points) == 0)


def test_finished_games_keep_their_outcome():
    over = boards("x; o 24:3", "x 20:15; o", "x 1:1; o 24:1")
    judged = Lookahead(BOT, 1, RULES).evaluate(over)
    assert judged[0].tolist() == [0, 0, 1, 0, 0, 0]
    assert judged[1].tolist() == [0, 0, 0, 0, 0, 1]
    # Whoever is on roll bears off his last checker.
    assert judged[2].tolist() == [0, 0, 1, 0, 0, 0]


def test_no_positions_give_no_judgements():
    assert Lookahead(BOT, 2, RULES).evaluate(np.zeros((0, 26), np.int8)).shape == (0, 6)


def test_a_position_that_stands_twice_is_judged_once():
    once, twice = Counting(), Counting()
    given = boards(POSITIONS[3])
    Lookahead(once, 1, RULES).evaluate(given)
    Lookahead(twice, 1, RULES).evaluate(np.tile(given, (5, 1)))
    assert once.asked == twice.asked


def test_filters_save_work_and_off_looks_at_every_play():
    few, all_ = Counting(), Counting()
    board = Board(dice=(3, 1))
    turn = Turn.of(board.position[None], np.array([[3, 1]]), RULES)
    probs, plies = Lookahead(few, 1, RULES).rank(turn.after, turn.starts)
    assert (plies == 1).sum() <= 8
    assert (plies == 0).any()
    full, deep = Lookahead(all_, 1, RULES, Filters.off()).rank(turn.after, turn.starts)
    assert (deep == 1).all()
    assert few.asked < all_.asked
    looked = plies == 1
    assert probs[looked] == pytest.approx(full[looked], abs=1e-6)


def test_the_best_play_is_the_one_that_ranks_first():
    rng = np.random.default_rng(3)
    given = np.repeat(boards(*POSITIONS[:4]), 10, axis=0)
    dice = rng.integers(1, 7, (len(given), 2))
    turn = Turn.of(given, dice, RULES)
    chosen = Lookahead(BOT, 1, RULES).best(turn.after, turn.starts)
    for game, index in enumerate(chosen):
        assert turn.starts[game] <= index < turn.starts[game + 1]
        board = Board(position=given[game], dice=tuple(dice[game].tolist()))
        best = analyse(board, BOT, ply=1)[0]
        own = next(c for c in analyse(board, BOT, ply=1) if np.array_equal(c.after, turn.after[index]))
        assert own.equity == pytest.approx(best.equity, abs=1e-5)


def test_analysis_puts_plays_looked_at_further_first():
    ranked = analyse(Board(dice=(6, 4)), BOT, ply=2)
    plies = [candidate.ply for candidate in ranked]
    assert plies[0] == 2
    assert plies == sorted(plies, reverse=True)
    assert len(ranked) == len(Board(dice=(6, 4)).legal_plays)
    assert evaluate(Board(), BOT, ply=1).equity == pytest.approx(
        float(by_hand(Board().position, 1) @ RULES.points), abs=1e-4
    )


def test_a_shortlist_keeps_the_best_few_that_are_near():
    values = np.array([0.0, 0.3, 0.29, 0.1, 0.28, -1.0], np.float32)
    left, starts = shortlist(values, np.array([0, 5, 6]), Filter(2, 0.05))
    assert left.tolist() == [1, 2, 5]
    assert starts.tolist() == [0, 2, 3]
    left, starts = shortlist(values, np.array([0, 5, 6]), Filter(9, 0.05))
    assert left.tolist() == [1, 2, 4, 5]
    assert shortlist(values, np.array([0, 5, 6]), EVERY)[0].tolist() == list(range(6))
    assert shortlist(values, np.array([0, 5, 6]), Filter(1, 0))[0].tolist() == [1, 5]


def test_distinct_boards_can_be_put_back():
    rng = np.random.default_rng(1)
    few = rng.integers(-3, 4, (50, 32)).astype(np.int8)
    given = few[rng.integers(0, 50, 1000)]
    found, which = distinct(given)
    assert len(found) == len(np.unique(given, axis=0))
    assert np.array_equal(found[which], given)


@pytest.mark.parametrize("ply", [-1, 5])
def test_a_ply_that_cannot_be_is_refused(ply):
    with pytest.raises(InvalidInput, match="from 0 to 4"):
        lookahead(BOT, ply, RULES)
    with pytest.raises(InvalidInput, match="from 0 to 4"):
        analyse(Board(dice=(3, 1)), BOT, ply=ply)


def test_zero_plies_are_the_evaluator_itself():
    assert lookahead(BOT, 0, RULES) is BOT
