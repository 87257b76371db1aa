"""Rollouts: the exact value where it is known, the same dice for all, and an end when enough is known."""

import json
from functools import cache
from itertools import product

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.game.board import Board
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.game.errors import InvalidDice, InvalidInput
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import equity, finished, won_probs
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.judge import contest
from nardzero.judge.analysis import analyse, evaluate
from nardzero.judge.contest import Contest
from nardzero.judge.rollout import rollout, worth_rolling_out
from nardzero.judge.rolloutdice import rollout_dice
from nardzero.judge.sample import Sample
from nardzero.model.evaluator import after_probs

RULES = RULESETS["standard"]
RACER = RaceEvaluator()
ROLLED = list(product(range(1, 7), repeat=2))
ENDINGS = [
    "x 6:1 5:1; o 24:2",
    "x 5:1 3:1; o 20:2",
    "x 4:1 2:2; o 21:2",
    "x 1:4; o 24:15",  # a double wins a gammon
    "x 1:4 2:1; o 3:1 24:14",  # a backgammon, unless he gets away
]


@cache
def exact(position, judge=None):
    """The six probabilities [6] of best play, or of play as a judge likes it, by plain recursion."""
    after, parent = afterstates(np.repeat([np.array(position, np.int8)], len(ROLLS), axis=0), ROLLS)
    probs = np.zeros(6)
    for number, chance in enumerate(WEIGHTS):
        plays = after[parent == number]
        if judge is None:
            probs += chance * max(map(exact_after, plays), key=points)
        else:
            liked = np.argmax(equity(after_probs(judge, plays), RULES.points))
            probs += chance * exact_after(plays[liked], judge)
    return probs


def exact_after(after, judge=None):
    if finished(after):
        return won_probs(after[None])[0]
    return exact(tuple(flip(after).tolist()), judge)[::-1]


def points(probs):
    return probs @ RULES.points


class Fussy:
    """Likes no two plays equally well, for no good reason, and sees gammons everywhere."""

    LIKES = np.random.default_rng(0).normal(size=26)
    SHARES = np.array([0.1, 0.3, 0.6])

    def evaluate(self, boards):
        win = 1 / (1 + np.exp(boards @ self.LIKES / 3))
        probs = np.concatenate([np.outer(win, self.SHARES), np.outer(1 - win, self.SHARES[::-1])], axis=1)
        return probs.astype(np.float32)


class Oracle:
    """Knows everything about small endings."""

    def evaluate(self, boards):
        return np.array([exact(tuple(board)) for board in boards.tolist()], np.float32)


def truth(board, judge=None):
    return exact(tuple(board.position.tolist()), judge)


@pytest.mark.parametrize("ply", [0, 1])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_judge_who_knows_all_leaves_nothing_to_luck(ending, ply):
    board = Board.parse(ending)
    rolled = rollout(board, Oracle(), games=72, ply=ply)
    assert rolled.equity == pytest.approx(points(truth(board)), abs=1e-5)
    assert rolled.stderr < 1e-5
    assert rolled.probs == pytest.approx(truth(board), abs=1e-5)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_judge_who_knows_nothing_does_not_bend_the_mean(ending):
    board, fussy = Board.parse(ending), Fussy()
    rolled = rollout(board, fussy, games=1296, seed=1)
    expected = truth(board, fussy)
    # The games are short, so that spreading the first rolls evenly takes away most of the error told.
    assert abs(rolled.equity - points(expected)) < rolled.stderr < 0.03
    assert rolled.probs == pytest.approx(expected, abs=0.06)


def test_luck_taken_off_makes_the_error_small(monkeypatch):
    board = Board.parse(ENDINGS[2])
    adjusted = rollout(board, RACER, games=1296)
    monkeypatch.setattr("nardzero.judge.playout.luck_of", lambda replies, rolled: 0 * replies.mean)
    plain = rollout(board, RACER, games=1296)
    assert set(np.unique(plain.probs)) <= {0, plain.probs[2], plain.probs[3]}
    assert adjusted.stderr < 0.6 * plain.stderr
    assert abs(adjusted.equity - plain.equity) < 3 * np.hypot(adjusted.stderr, plain.stderr)


def test_every_pair_of_first_two_rolls_comes_up_once():
    first, second = (rollout_dice(3, range(1296), ply) for ply in (0, 1))
    assert len(np.unique(np.hstack([first, second]), axis=0)) == 1296
    for few in (36, 144, 180):
        for dice in (first, second):
            _, counts = np.unique(dice[:few], axis=0, return_counts=True)
            assert counts.tolist() == [few // 36] * 36


def test_the_dice_of_a_game_depend_on_its_number_and_the_seed():
    for ply in (0, 1, 2, 30):
        dice = rollout_dice(3, range(3000), ply)
        assert dice.min() == 1
        assert dice.max() == 6
        assert np.array_equal(rollout_dice(3, range(1290, 1310), ply), dice[1290:1310])
        assert not np.array_equal(rollout_dice(4, range(3000), ply), dice)
        assert not np.array_equal(dice[:1296], dice[1296:2592])


def test_one_ply_of_play_is_a_ply_of_lookahead():
    # The luck of the last roll, taken off the judgement after it, leaves the mean over all rolls.
    board = Board.parse("x 6:3 8:2 13:1; o 20:2 16:1 22:1")
    rolled = rollout(board, RACER, games=100, truncate=1)
    ahead = evaluate(board, RACER, ply=1)
    assert rolled.stderr < 1e-5
    assert rolled.probs == pytest.approx(ahead.probs, abs=1e-5)


def test_players_may_look_ahead():
    bot = Fussy()
    board = Board.parse("x 6:2 7:2 8:2 9:2; o 1:2 20:2 21:3")
    # Among 36 games each first roll comes as often as it should, so its luck adds up to nothing.
    looking, racing = (rollout(board, bot, games=36, ply=ply, truncate=1).equity for ply in (1, 0))
    expected = np.mean([analyse(board, bot, roll, ply=1)[0].equity for roll in ROLLED])
    assert looking == pytest.approx(expected, abs=1e-5)
    plays = [analyse(board, bot, roll)[0].play for roll in ROLLED]
    assert plays != [analyse(board, bot, roll, ply=1)[0].play for roll in ROLLED]
    assert racing == pytest.approx(evaluate(board, bot, ply=1).equity, abs=1e-5)


def test_the_same_seed_gives_the_same_result_however_the_games_are_portioned(monkeypatch):
    board = Board.parse(ENDINGS[2])
    once, again = (str(rollout(board, RACER, games=300, seed=5)) for _ in range(2))
    other = str(rollout(board, RACER, games=300, seed=6))
    monkeypatch.setattr(contest, "AT_ONCE", 50)
    assert once == again == str(rollout(board, RACER, games=300, seed=5)) != other


def test_plays_are_rolled_out_for_who_makes_them():
    board = Board.parse(ENDINGS[2], "tavla")
    ranked = rollout(board, Oracle(), dice=(4, 1), games=36, top=9, se=1e-9)
    expected = {str(play): exact_after(after) for play, after in zip(*legal(board, (4, 1)), strict=True)}
    assert {str(play.play) for play in ranked} == set(expected)
    best = max(map(points, expected.values()))
    for play in ranked:
        assert play.equity == pytest.approx(points(expected[str(play.play)]), abs=1e-5)
        assert play.difference == pytest.approx(play.equity - best, abs=1e-5)
        assert np.array_equal(play.after, play.play.apply(board.position))
    equities = [play.equity for play in ranked]
    assert equities == sorted(equities, reverse=True)


def legal(board, dice):
    there = Board(board.rules, board.position, dice=dice)
    return list(there.legal_plays), there.legal_plays.after


def test_a_play_that_wins_is_certain():
    (only,) = rollout(Board.parse("x 1:2; o 24:2", "standard"), RACER, dice=(3, 2), games=40)
    assert (only.equity, only.stderr, only.games) == (1, 0, 40)
    over = rollout(Board.parse("x; o 3:15"), RACER)
    assert (over.equity, over.stderr, over.games) == (3, 0, 0)
    assert rollout(Board.parse("x; o 3:15"), RACER, dice=(3, 1)) == []


def test_plays_far_behind_at_first_sight_are_left_out():
    board = Board(dice=(4, 3))
    ranked = analyse(board, RACER)
    near = [str(play.play) for play in ranked if play.difference >= -0.12][:5]
    assert [str(play.play) for play in worth_rolling_out(board, RACER)] == near
    assert len(worth_rolling_out(board, RACER, top=7)) == 7
    assert len(worth_rolling_out(board, RACER, (6, 6), top=1)) == 1


class Prepared:
    """Stands for games whose results are known: a mean and a spread for each number in the first column."""

    rules = RULES

    def __init__(self, *games):
        self.games = games
        self.played = []

    def play(self, after, games, progress):
        self.played.append((after[:, 0].tolist(), len(games)))
        rows = []
        for mean, spread in (self.games[k] for k in after[:, 0]):
            values = mean + spread * np.where(np.arange(len(games)) % 2, 1, -1)
            rows.append(
                np.stack([0 * values] * 2 + [(1 + values) / 2, (1 - values) / 2] + [0 * values] * 2, 1)
            )
        return np.array(rows, np.float32)


def held(*results, **asked):
    playout = Prepared(*results)
    after = np.arange(len(results), dtype=np.int8)[:, None]
    samples, left = Contest(playout, **asked).hold(after)
    return playout, samples, left


def test_what_falls_far_behind_is_given_up_and_the_last_one_is_the_best():
    playout, samples, left = held((0.1, 0.3), (0.12, 0.2), (-0.5, 0.3), games=10_000)
    assert playout.played[:2] == [([0, 1, 2], 96), ([1, 0], 144)]
    assert left == [1]
    assert samples[2].games == 96 < samples[0].games == samples[1].games < 10_000
    ahead, error = samples[1].ahead(samples[0])
    assert ahead > 3 * error


def test_games_go_on_to_the_last_where_nothing_is_decided():
    _, samples, left = held((0.1, 0.3), (0.1, 0.3), games=500)
    assert sorted(left) == [0, 1]
    assert [sample.games for sample in samples] == [500, 500]


def test_a_wanted_error_is_what_counts_if_one_is_wanted():
    _, (sample, other), left = held((0.1, 0.3), (-0.5, 0.3), games=10_000, se=0.01)
    assert left == [0]
    assert sample.stderr <= 0.01
    assert sample.games < (0.3 / 0.01) ** 2 + contest.AT_ONCE
    assert other.games == 144


def test_the_error_of_a_difference_counts_what_the_games_share():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(1500):
        shared, own, others = rng.normal(size=(3, 40))
        x, y = shared[:10] + 0.5 * own[:10], shared + 0.5 * others
        found.append(sample_of(x).ahead(sample_of(y)))
    ahead, errors = np.array(found).T
    assert ahead.std() == pytest.approx(np.sqrt((errors**2).mean()), rel=0.06)


def sample_of(values):
    return Sample(np.outer(values, [0, 0, 0.5, -0.5, 0, 0]).astype(np.float32), RULES.points)


def test_progress_hears_of_every_game():
    heard = []
    rollout(Board.parse(ENDINGS[1]), RACER, games=100, progress=heard.append)
    assert sum(heard) == 100
    heard.clear()
    rollout(Board(), RACER, games=50, truncate=2, progress=heard.append)
    assert sum(heard) == 50


def test_what_is_rolled_out_prints_and_goes_to_json():
    plays = rollout(Board(dice=(3, 1)), RACER, games=36, truncate=3, top=2)
    assert str(plays[0]).startswith(f"{plays[0].play}  {plays[0].equity:+.4f} ± {plays[0].stderr:.4f} (")
    assert str(plays[1]).endswith("36 games")
    read = json.loads(json.dumps([play.to_json() for play in plays]))
    assert read[1]["difference"] == pytest.approx(read[1]["equity"] - read[0]["equity"])
    assert read[1]["difference_stderr"] > 0
    alone = rollout(Board(), RACER, games=1, truncate=3)
    assert alone.to_json()["stderr"] is None
    assert "± unknown" in str(alone)
    assert str(alone).endswith(" 1 game")
    assert sum(alone.probs) == pytest.approx(1)
    assert alone.cumulative.win == pytest.approx(sum(alone.probs[:3]))


@pytest.mark.parametrize(
    "asked",
    [
        {"games": 0},
        {"ply": 5},
        {"ply": -1},
        {"truncate": 0},
        {"seed": -1},
        {"se": 0},
        {"se": float("nan")},
        {"top": 0, "dice": (3, 1)},
        {"bot": "standard"},
    ],
)
def test_what_cannot_be_is_refused(asked):
    with pytest.raises(InvalidInput):
        rollout(Board(), **({"bot": RACER} | asked))
    with pytest.raises(InvalidDice):
        rollout(Board(), RACER, dice=(0, 7))
