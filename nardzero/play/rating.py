"""Ratings: one figure for each agent, that fits all the duels between them as well as one figure can.

Letters in shapes: K agents, D duels. Who played whom is a matrix [D, K]: 1 for the first agent of a duel, -1
for the second. Only differences of ratings mean anything, so they are given relative to the mean of all, or
to an anchor. The duels must be independent of each other, and link all agents.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index

Reals = npt.NDArray[np.float64]

ELO = 400 / np.log(10)
"""Elo points for a unit of log odds: 400 are odds of ten to one."""
STEPS, LONGEST, NOTHING = 200, 1.0, 1e-10
"""Newton's method: how often, how far at most in a step, and when it stands still; in log odds."""


class Ratings(NamedTuple):
    """A figure for each agent."""

    values: Reals
    """The ratings [K]."""
    errors: Reals
    """Their standard errors [K]."""


def sides(first: Index, second: Index, agents: int) -> Reals:
    """Who played whom [D, K], from the numbers [D] of the first and second agents of each duel."""
    unit = np.eye(agents)
    return unit[first] - unit[second]


def rate_points(played: Reals, ppg: Reals, errors: Reals, pairs: Reals, anchor: int | None = None) -> Ratings:
    """Points per game, by least squares over all the pairs of games of the duels.

    Each duel [D] gives points per game with a standard error, from so many pairs. The ratings are those whose
    differences come closest, each duel weighing as much as it has pairs; the errors are those of the duels,
    carried through. Agents of very different strength do not add up; that error is not in them.
    """
    weighted = played.T * pairs
    inverse = np.linalg.pinv(weighted @ played)
    linear = inverse @ weighted
    return _relative(linear @ ppg, (linear * errors**2) @ linear.T, anchor)


def rate_elo(played: Reals, wins: Reals, losses: Reals, anchor: int | None = None) -> Ratings:
    """Elo from single games won and lost [D], by maximum likelihood in the model of Bradley and Terry (1952):
    the odds of a win are exp(difference), 400 Elo points a factor of ten. Gammons count as wins.

    Half a win is added to both sides of each duel, so that who always wins gets a figure too. The errors come
    from the information matrix, as if all games were independent; mirrored dice make them a little too wide.
    """
    wins, games = wins + 0.5, wins + losses + 1
    strength = np.zeros(played.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-played @ strength))
        information = (played.T * (games * expected * (1 - expected))) @ played
        inverse = np.linalg.pinv(information)
        step = inverse @ (played.T @ (wins - games * expected))
        strength += step / max(1, np.abs(step).max() / LONGEST)
        if np.abs(step).max() < NOTHING:
            break
    return _relative(ELO * strength, ELO**2 * inverse, anchor)


def _relative(values: Reals, covariance: Reals, anchor: int | None) -> Ratings:
    """Ratings whose mean is 0, or that of the anchor."""
    if anchor is not None:
        less = np.eye(len(values))
        less[:, anchor] -= 1
        values, covariance = less @ values, less @ covariance @ less.T
    return Ratings(values, np.sqrt(np.diag(covariance).clip(0)))
