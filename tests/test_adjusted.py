"""Results adjusted for luck: the same mean, a smaller error; and duels that end when it is small enough."""

import numpy as np
import pytest
from fakes import RACE, SCUFFLE, RaceEvaluator, SolvedRace

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import RULESETS
from nardzero.play import arena, pairs
from nardzero.play.agents import EvaluatorAgent, PipsAgent, RandomAgent
from nardzero.play.arena import duel
from nardzero.play.pairs import play_pairs
from nardzero.play.result import DuelResult, Played, Points, less_luck

PIPS, RANDOM, JUDGE, SOLVED = PipsAgent(), RandomAgent(), RaceEvaluator(), SolvedRace(RACE)
RACER, BEST = EvaluatorAgent(JUDGE, "racer"), EvaluatorAgent(SOLVED, "best")


def points_and_luck(*players):
    """What each game [2, P] of a short race paid, and the luck in it."""
    played = play_pairs(players, 200, RACE, np.random.SeedSequence(1), judge=SOLVED)
    return RACE.points.take(played.outcomes), played.luck


def test_where_all_is_known_a_game_played_well_is_worth_what_it_is_worth():
    points, luck = points_and_luck(BEST, BEST)
    assert points.std(axis=1).min() > 0.5
    adjusted = points - luck
    assert adjusted[0] == pytest.approx(adjusted[0, 0], abs=1e-4)
    assert adjusted[1] == pytest.approx(-adjusted[0, 0], abs=1e-4)
    assert 0.1 < adjusted[0, 0] < 1


def test_what_is_left_is_what_players_throw_away():
    points, luck = points_and_luck(RANDOM, BEST)
    lost = (points - luck).sum(0)
    assert lost.max() < 1e-4  # relative to a good player in both seats
    assert lost.min() < -0.05


@pytest.mark.parametrize("rules", ["standard", "tavla"])
def test_the_first_roll_is_compared_with_those_that_can_come_first(monkeypatch, rules):
    monkeypatch.setattr(pairs, "MAX_PLIES", 1)
    luck = play_pairs((PIPS, PIPS), 10_000, RULESETS[rules], np.random.SeedSequence(3), judge=JUDGE).luck
    assert np.array_equal(luck[0], -luck[1])
    error = luck[0].std() / 100
    assert abs(luck[0].mean()) < 4 * error < 0.01


@pytest.mark.parametrize("most", [7, 10_000])
def test_luck_is_nothing_on_average_also_in_games_that_are_broken_off(monkeypatch, most):
    monkeypatch.setattr(pairs, "MAX_PLIES", most)
    played = play_pairs((RANDOM, PIPS), 400, SCUFFLE, np.random.SeedSequence(4), judge=JUDGE)
    assert (played.plies == most).any() == (most == 7)
    luck = played.luck.mean(0)
    assert luck.std() > 0.1
    assert abs(luck.mean()) < 4 * luck.std() / 20


def test_an_adjusted_result_has_the_same_mean_and_a_smaller_error():
    raw, adjusted = (duel(BEST, RACER, 800, RACE, luck=luck) for luck in (None, SOLVED))
    assert (adjusted.ppg, adjusted.stderr) == (raw.ppg, raw.stderr)
    assert adjusted.judge == "SolvedRace"
    assert adjusted.gain > 2
    assert adjusted.best.stderr == pytest.approx(raw.stderr / adjusted.gain)
    assert abs(adjusted.best.ppg - raw.ppg) < 4 * raw.stderr
    assert f"{adjusted.gain:.1f} times smaller" in str(adjusted)
    assert raw.best == (raw.ppg, raw.stderr)


def test_an_adjustment_that_makes_the_error_larger_is_shown_but_not_gone_by():
    luck = np.random.default_rng(0).normal(0, 5, (2, 50))
    result = DuelResult.of(
        "a", "b", RACE, 0, Played(np.eye(2, 50, dtype=np.int8), luck.astype(int), luck), "c"
    )
    assert result.gain < 0.2
    assert result.best == (result.ppg, result.stderr) != result.adjusted
    assert f"its error {1 / result.gain:.1f} times larger" in str(result)


def test_exchanging_the_agents_turns_the_adjusted_result_round():
    here, there = duel(PIPS, RACER, 64, SCUFFLE, luck=JUDGE), duel(RACER, PIPS, 64, SCUFFLE, luck=JUDGE)
    assert here.adjusted.ppg == pytest.approx(-there.adjusted.ppg)
    assert here.adjusted.stderr == pytest.approx(there.adjusted.stderr)


@pytest.mark.parametrize("luck", [None, JUDGE])
def test_a_result_goes_into_json_and_back(luck):
    result = duel(RANDOM, PIPS, 20, SCUFFLE, luck=luck)
    assert DuelResult.from_json(result.to_json()) == result


@pytest.fixture
def _small_chunks(monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", 16)


@pytest.mark.usefixtures("_small_chunks")
@pytest.mark.parametrize("luck", [None, JUDGE])
def test_a_duel_ends_with_the_chunk_that_makes_its_error_small_enough(luck):
    told = []
    stopped = duel(PIPS, RACER, 2000, SCUFFLE, luck=luck, se=0.08, so_far=told.append)
    assert 32 < stopped.games < 2000
    assert stopped == told[-1] == duel(PIPS, RACER, stopped.games, SCUFFLE, luck=luck)
    assert [result.games for result in told] == list(range(32, stopped.games + 1, 32))
    assert [result.best.stderr <= 0.08 for result in told] == [False] * (len(told) - 1) + [True]


def test_a_duel_that_ends_early_is_the_same_for_any_number_of_workers(monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", 10)
    alone = duel("pips", "random", 600, SCUFFLE, se=0.08, luck=JUDGE)
    assert 40 < alone.games < 600
    assert duel("pips", "random", 600, SCUFFLE, workers=2, se=0.08, luck=JUDGE) == alone


def test_a_duel_ends_with_its_last_game_however_large_its_error():
    assert duel(PIPS, RANDOM, 40, SCUFFLE, se=1e-9).games == 40


def test_a_judge_has_to_judge():
    with pytest.raises(InvalidInput, match="cannot judge luck"):
        duel(PIPS, RANDOM, 2, luck=PIPS)
    with pytest.raises(InvalidInput, match="tells no probabilities"):
        duel(PIPS, RANDOM, 2, luck="pips")


@pytest.mark.parametrize("error", [0, -1, float("nan")])
def test_an_error_that_nothing_reaches_is_refused(error):
    with pytest.raises(InvalidInput, match="above 0"):
        duel(PIPS, RANDOM, 2, se=error)


@pytest.mark.parametrize(
    ("raw", "adjusted", "ends"),
    [
        (0.2, 0.1, "± 0.100, its error 2.0 times smaller"),
        (0.1, 0.2, "± 0.200, its error 2.0 times larger"),
        (0.0, 0.2, "± 0.200"),  # a few games that all ended alike
        (float("nan"), float("nan"), "± unknown"),  # a single pair
    ],
)
def test_the_line_on_luck_compares_the_errors_where_that_makes_sense(raw, adjusted, ends):
    (line,) = less_luck("judge", Points(1, raw), Points(0.5, adjusted))
    assert line == f"less the luck, as judge sees it: +0.500 {ends}"
