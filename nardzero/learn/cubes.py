"""The cubes of games in self-play: where they are, who doubles and takes, and what plays are worth with them.

All of that goes by the net's own cubeful equities. They are per unit of a cube that has no limit, so only its
place matters and not its value. Letters in shapes: N games, M afterstates of all of them, K outputs of the
net.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.outcomes import Probs, finished
from nardzero.game.position import Boards
from nardzero.judge.cube import TIE
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED, before, with_double
from nardzero.learn.endings import OUTPUTS

GONE = 3
"""The place of a cube that is out of its game, because somebody passed; the others are those of doubling.py.

At a table a pass ends the game. Here it goes on to its end, with plays chosen as without a cube. If it ended,
no position beyond a pass would be met and learned; but the outcomes of those before it are backed up from
there, so is what it is worth to play on for one who is too good to double, and at the score of a match much
is taken that is a pass for money. And if the cube stayed, nothing would tell plays apart there: whatever is
played, the one who passed is doubled out again, for the same point.
"""
TURNED = np.array([CENTRED, OPPONENTS, OWNED, GONE])
"""A place as the other player sees it."""


class Cubes:
    """The cubes of N games that go on side by side."""

    def __init__(self, games: int) -> None:
        self.place = np.full(games, CENTRED)
        """Where they are [N], for the player on roll, who has decided whether to double."""

    def worth(
        self, theirs: Probs, after: Boards, cubeless: npt.NDArray[np.float32], game: Index
    ) -> npt.NDArray[np.float64]:
        """What afterstates [M, 32] of these games [M] are worth [M] to the players who made the plays, by the
        outputs [M, K] for their opponents, who are on roll, and the mover's cubeless equities [M].

        The targets for all three places come from the successor that is the best for one of them. For the
        other two they are too low by what that play gives away there, as all three are where plays are
        chosen without a cube.
        """
        # A column for each place, without a cube the last.
        by_place = np.column_stack([before(theirs[:, OUTPUTS:]), cubeless])
        cubeful = by_place[np.arange(len(after)), self.place[game]]
        worth = np.where(finished(after), cubeless, cubeful).astype(np.float64)
        # Where the opponent doubles him out after any of them, the game without the cube decides.
        worth += TIE * cubeless
        return worth

    def before_roll(self, values: Probs, new: Index) -> None:
        """The other player is on roll now, in some games [K] the first of a new one. He doubles, and his
        opponent takes or passes, by the outputs [N, K] for him."""
        self.place = TURNED[self.place]
        self.place[new] = CENTRED
        left = np.flatnonzero(self.place != GONE)
        cubeful = values[left, OUTPUTS:]
        more = (with_double(cubeful) - cubeful)[np.arange(len(left)), self.place[left]]
        takes = 2 * cubeful[:, OPPONENTS] <= 1 + TIE
        doubles = more > TIE
        self.place[left[doubles]] = np.where(takes[doubles], OPPONENTS, GONE)
