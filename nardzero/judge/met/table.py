"""What a score is worth: the chance to win the match.

Scores are points away, those that a player still needs. Letters in shapes: L the longest match.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidInput

Chances = npt.NDArray[np.float64]


class InvalidTable(InvalidInput):
    """A match equity table that cannot be used, or a score that is not in it."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Chances to win a match (MWC) of equal players, before a game starts."""

    name: str
    """What people call it."""
    before: Chances
    """Up to the Crawford game [L, L]: the chance of who needs i + 1 points when the other needs j + 1."""
    after: Chances
    """After the Crawford game [L]: the chance of who needs i + 1 points when the other needs 1."""

    def __post_init__(self) -> None:
        length = len(self.after)
        if not length or self.before.shape != (length, length):
            raise InvalidTable(
                "a table has a row, a column and a chance after the Crawford game for each score, "
                f"not {self.before.shape} and {self.after.shape}"
            )
        chances = np.append(self.before, self.after)
        if not ((chances >= 0) & (chances <= 1)).all():
            raise InvalidTable("the chances in a table are numbers from 0 to 1")

    @property
    def length(self) -> int:
        """How many points away it goes up to."""
        return len(self.after)

    def mwc(
        self, away: npt.ArrayLike, other: npt.ArrayLike, after_crawford: npt.ArrayLike = False
    ) -> Chances:
        """The chance [...] to win the match of who needs `away` [...] points when the other needs `other`.

        Who needs 0 or less has won. With a player at 1 away the Crawford game comes next, or else it is over.
        Raises InvalidTable for scores beyond the table, for two winners, and for scores after the Crawford
        game with nobody at 1 away.
        """
        own, theirs, after = np.broadcast_arrays(
            np.maximum(away, 0), np.maximum(other, 0), np.asarray(after_crawford, np.int64)
        )
        most = int(np.maximum(own, theirs).max(initial=0))
        if most > self.length:
            points = f"{self.length} point{'' if self.length == 1 else 's'}"
            raise InvalidTable(f"the table {self.name} goes up to {points} away, not {most}")
        if ((own == 0) & (theirs == 0)).any():
            raise InvalidTable("only one player can have won the match")
        if (after * np.minimum(own, theirs) > 1).any():
            raise InvalidTable("after the Crawford game a player is at 1 away")
        chance: Chances = self._finished[after, own, theirs]
        return chance

    @cached_property
    def _finished(self) -> Chances:
        """The chances [2, L + 1, L + 1] by points away from 0 up: before the Crawford game is over, after."""
        table = np.stack([finish(self.before)] * 2)
        table[1, 1, 1:] = 1 - self.after
        table[1, 1:, 1] = self.after
        return table


def finish(before: Chances) -> Chances:
    """Chances [L, L] with those of finished matches: [L + 1, L + 1], by points away from 0 up."""
    table = np.pad(before, ((1, 0), (1, 0)))
    table[0] = 1
    return table
