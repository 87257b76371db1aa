"""What a number of games came to: the mean and its standard error, alone and against another sample.

Letters in shapes: n games.
"""

from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs, equity, flip_outcomes

Values = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sample:
    """Games from one position. The errors told here take them for independent; as their first two rolls are
    spread evenly, the true ones are smaller, though hardly so unless games are short."""

    results: Probs
    """What each game came to [n, 6], luck-adjusted, in the order of OUTCOMES."""
    points: npt.NDArray[np.float32]
    """What the outcomes pay [6]."""

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.results)

    @cached_property
    def values(self) -> Values:
        """What each game came to in points [n]."""
        return equity(self.results, self.points)

    @cached_property
    def equity(self) -> float:
        """The mean, in points."""
        return float(self.values.mean(dtype=np.float64))

    @cached_property
    def stderr(self) -> float:
        """The standard error of the mean; nan for a single game."""
        return sqrt(_covariance(self.values, self.values) / self.games)

    @property
    def probs(self) -> Probs:
        """The outcome probabilities [6]. The adjustment may carry rare ones below 0; that is cut off."""
        mean = np.clip(self.results.mean(0, dtype=np.float64), 0, 1)
        probs: Probs = (mean / mean.sum()).astype(np.float32)
        return probs

    @property
    def flipped(self) -> "Sample":
        """The same games seen by the other player."""
        return Sample(flip_outcomes(self.results), self.points)

    def ahead(self, other: "Sample") -> tuple[float, float]:
        """How many points its mean is ahead of another's, and the standard error of that.

        The samples start with the same games, which have the same dice; one may go on further. With n and m
        games, n the fewer, the variance is var(x) / n + var(y) / m - 2 cov(x, y) / max(n, m).
        """
        both = min(self.games, other.games)
        shared = _covariance(self.values[:both], other.values[:both]) / max(self.games, other.games)
        variance = self.stderr**2 + other.stderr**2 - 2 * shared
        return self.equity - other.equity, sqrt(max(variance, 0))


def _covariance(x: Values, y: Values) -> float:
    return float(np.cov(x, y)[0, 1]) if len(x) > 1 else nan
