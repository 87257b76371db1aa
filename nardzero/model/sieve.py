"""A small net that goes first: it sorts out the plays that a large one need not judge."""

from dataclasses import dataclass

import numpy as np

from nardzero.game.bits import Index, segment_starts
from nardzero.game.outcomes import equity
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.model.evaluator import Evaluator, after_probs

MARGIN = 0.08
"""How far behind the best of its game, in points, a bot's sieve may rank a play that is still looked at."""


@dataclass(frozen=True)
class Sieve:
    """Leaves out the plays which a small net ranks far behind the best of their game.

    Letters in shapes: N games, M afterstates of all of them.
    """

    net: Evaluator
    """The small net."""
    margin: float
    """How far behind is far, in points."""

    def shortlist(self, after: Boards, starts: Index, rules: Ruleset) -> tuple[Boards, Index]:
        """What is left of afterstates [M, 32] in segments [N + 1]; at least one of each segment."""
        gain = equity(after_probs(self.net, after), rules.points)
        counts = np.diff(starts)
        close = gain >= np.repeat(np.maximum.reduceat(gain, starts[:-1]) - np.float32(self.margin), counts)
        left = np.add.reduceat(close, starts[:-1], dtype=np.int64)
        return after.take(np.flatnonzero(close), axis=0), segment_starts(left)
