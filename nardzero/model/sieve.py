"""A small net that goes first: it sorts out the plays that a large one need not judge."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, segment_starts
from nardzero.game.outcomes import equity
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.model.evaluator import Evaluator, after_probs

MARGIN = 0.06
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
    most: int = 0
    """How many plays of a roll it leaves at most, the best by the small net; 0 for any number."""

    def shortlist(self, after: Boards, starts: Index, rules: Ruleset) -> tuple[Boards, Index]:
        """What is left of afterstates [M, 32] in segments [N + 1]; at least one of each segment."""
        gain = equity(after_probs(self.net, after), rules.points)
        counts = np.diff(starts)
        close = gain >= np.repeat(np.maximum.reduceat(gain, starts[:-1]) - np.float32(self.margin), counts)
        if self.most:
            game = np.repeat(np.arange(len(counts)), counts)
            close[_behind(gain, game, np.flatnonzero(close), self.most)] = False
        left = np.add.reduceat(close, starts[:-1], dtype=np.int64)
        return after.take(np.flatnonzero(close), axis=0), segment_starts(left)


def _behind(gain: npt.NDArray[np.float32], game: Index, rows: Index, most: int) -> Index:
    """Those of ascending rows, of afterstates with gains and games [M], that are not among the `most` best of
    their game; of equals the first are."""
    ranked = rows[np.lexsort((-gain[rows], game[rows]))]
    # Sorted by game, a row is among the best where the row so many before it is of another game.
    behind: Index = ranked[most:][game[ranked[most:]] == game[ranked[:-most]]]
    return behind
