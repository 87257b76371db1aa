"""How well a judge tells plays apart: its differences between them against those that referees see.

What a bot loses by its choices says what counts, but depends on few plays; how far its differences are off
is told by all of them, and so tells two bots of one training apart long before. Letters in shapes: D
decisions, M afterstates of all of them together.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.outcomes import equity
from nardzero.game.phases import PHASES
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.play.decisions import STANDARD, Decisions

Values = npt.NDArray[np.float64]

CLOSE = 0.12
"""Only plays that lose at most this many points, by the mean of the referees, are compared."""


@dataclass(frozen=True)
class Differences:
    """Standard deviations of judge less referees among the plays of a decision, in points, cubeless."""

    phases: tuple[float, ...]
    """In the decisions of each of PHASES; 0 where there are none."""
    overall: float
    """In all, each phase weighted by how often it came up."""

    @classmethod
    def of(cls, decisions: Decisions, judge: Evaluator) -> "Differences":
        """Of a judge, by what it says of all plays that the referees rated and found close to the best."""
        turns = list(decisions.turns())
        counts = np.concatenate([np.diff(turn.starts) for turn in turns])
        number = np.repeat(np.arange(len(counts)), counts)
        lost = decisions.lost.mean(1, dtype=np.float64)
        close = np.flatnonzero(decisions.rated & (lost <= CLOSE))
        after = np.concatenate([turn.after for turn in turns])[close]
        errors = equity(after_probs(judge, after), STANDARD.points) + lost[close]
        return cls._weighed(decisions, _variances(errors, number[close], len(counts)))

    @classmethod
    def _weighed(cls, decisions: Decisions, variances: Values) -> "Differences":
        """From the variance within each decision [D], nan where there is nothing to compare."""
        compared = np.isfinite(variances)
        counts = np.bincount(decisions.phase[compared], minlength=len(PHASES))
        sums = np.bincount(decisions.phase[compared], variances[compared], len(PHASES))
        means, share = sums / np.maximum(counts, 1), decisions.share * (counts > 0)
        overall = float(np.sqrt((share * means).sum() / max(share.sum(), 1e-9)))
        return cls(tuple(np.sqrt(means).tolist()), overall)


def _variances(errors: Values, number: Index, decisions: int) -> Values:
    """The variance [D] of errors [M] among the plays of each decision, by its number [M]; nan for fewer than
    two plays."""
    counts = np.bincount(number, minlength=decisions)
    means = np.bincount(number, errors, decisions) / np.maximum(counts, 1)
    squares = np.bincount(number, (errors - means[number]) ** 2, decisions)
    return np.where(counts > 1, squares / np.maximum(counts - 1, 1), np.nan)
