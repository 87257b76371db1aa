"""Exact values in self-play: what the two-sided bear-off table knows, in place of the net's estimates.

Whoever plays the last checkers then plays them perfectly, and what is learned of the positions before comes
from exact chances and exact cubeful equities. Letters in shapes: M afterstates, K outputs of the net.
"""

from dataclasses import dataclass

from nardzero.game.bits import flip_padded
from nardzero.game.outcomes import Probs
from nardzero.game.position import COLUMNS, Boards
from nardzero.judge.bearoff.sides import at_home
from nardzero.judge.bearoff.twosided import TwoSided

OUTPUTS = 6
"""The outputs that are outcome probabilities; those of a cube head follow."""


@dataclass(frozen=True)
class Endings:
    """The table as a net that is right where it has an answer."""

    table: TwoSided

    def correct(self, after: Boards, theirs: Probs) -> None:
        """Put exact values in the place of estimates [M, K] for the opponent, who is on roll after a play.

        The afterstates [M, 32] are on the side of the player who made it; most are not in the table.
        """
        rows = at_home(after)
        turned = flip_padded(after.take(rows, axis=0))[:, :COLUMNS]
        known = self.table.knows(turned)
        rows, turned = rows[known], turned[known]
        if len(rows):
            theirs[rows, :OUTPUTS] = self.table.evaluate(turned)
            theirs[rows, OUTPUTS:] = self.table.cubeful(turned)[:, : theirs.shape[1] - OUTPUTS]
