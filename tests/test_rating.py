"""Ratings: they recover strengths that were planted, with errors that mean what they say."""

import numpy as np
import pytest

from nardzero.play.rating import rate_elo, rate_points, sides

FIRST, SECOND = np.triu_indices(5, 1)
EVERYONE = sides(FIRST, SECOND, 5)
PAIRS = np.linspace(200, 2000, len(FIRST)).astype(int)
STRENGTHS = np.array([0.0, 0.02, 0.3, -0.5, 0.1])


def planted_points(rng):
    """Points per game, with their errors, from pairs of games whose spread differs from duel to duel."""
    spread = rng.uniform(0.5, 1.5, len(PAIRS))
    errors = spread / np.sqrt(PAIRS)
    return EVERYONE @ STRENGTHS + errors * rng.standard_normal(len(PAIRS)), errors


def planted_wins(rng):
    """Games won and lost by players of strengths in log odds."""
    wins = rng.binomial(2 * PAIRS, 1 / (1 + np.exp(-EVERYONE @ STRENGTHS)))
    return wins.astype(float), (2 * PAIRS - wins).astype(float)


@pytest.mark.parametrize("anchor", [None, 3])
@pytest.mark.parametrize("kind", ["points", "elo"])
def test_planted_strengths_come_back_within_the_errors(kind, anchor):
    rng = np.random.default_rng(5)
    truth = STRENGTHS - (STRENGTHS.mean() if anchor is None else STRENGTHS[anchor])
    off = []
    for _ in range(300):
        if kind == "points":
            rated = rate_points(EVERYONE, *planted_points(rng), PAIRS, anchor)
        else:
            rated = rate_elo(EVERYONE, *planted_wins(rng), anchor)._asdict()
            rated = type("Elo", (), {name: value * np.log(10) / 400 for name, value in rated.items()})
        others = np.arange(5) != anchor
        off.append((rated.values - truth)[others] / rated.errors[others])
    off = np.array(off)
    assert np.abs(off.mean(0)).max() < 4 / np.sqrt(300)
    assert off.std(0) == pytest.approx(1, abs=0.15)


def test_an_anchor_is_0_and_exactly_so():
    rng = np.random.default_rng(1)
    for rated in (
        rate_points(EVERYONE, *planted_points(rng), PAIRS, 2),
        rate_elo(EVERYONE, *planted_wins(rng), 2),
    ):
        assert (rated.values[2], rated.errors[2]) == (0, 0)


def test_without_an_anchor_the_mean_is_0():
    rng = np.random.default_rng(2)
    for rated in (rate_points(EVERYONE, *planted_points(rng), PAIRS), rate_elo(EVERYONE, *planted_wins(rng))):
        assert rated.values.sum() == pytest.approx(0, abs=1e-6)


def test_results_that_fit_each_other_are_met_exactly():
    rated = rate_points(EVERYONE, EVERYONE @ STRENGTHS, np.zeros(10), PAIRS)
    assert EVERYONE @ rated.values == pytest.approx(EVERYONE @ STRENGTHS)
    assert rated.errors == pytest.approx(0)


def test_400_elo_are_odds_of_ten_to_one():
    duel = sides(np.array([0]), np.array([1]), 2)
    rated = rate_elo(duel, np.array([100_000.0]), np.array([10_000.0]), 1)
    assert rated.values[0] == pytest.approx(400, abs=0.1)
    # The error of log odds is 1 / sqrt(n p q).
    assert rated.errors[0] == pytest.approx(400 / np.log(10) / np.sqrt(110_000 * 10 / 121), rel=1e-3)


def test_who_always_wins_gets_a_figure_too():
    chain = sides(np.array([0, 1]), np.array([1, 2]), 3)
    rated = rate_elo(chain, np.array([5000.0, 5000.0]), np.array([0.0, 0.0]), 2)
    assert 1000 < rated.values[1] < rated.values[0] < 5000
    assert np.isfinite(rated.errors).all()


def test_agents_linked_by_anchors_alone_are_compared():
    star = sides(np.array([0, 1, 2]), np.array([3, 3, 3]), 4)
    rated = rate_points(star, np.array([0.5, 0.2, -0.1]), np.full(3, 0.01), np.full(3, 100), 3)
    assert rated.values == pytest.approx([0.5, 0.2, -0.1, 0])
    assert rated.errors == pytest.approx([0.01, 0.01, 0.01, 0])
