"""Exact values where both sides bear off with few checkers and play perfectly, with and without the cube.

They are points per unit of the cube for a player on roll who will roll now: N_c with the cube in the middle,
N_o where it is his, N_x where it is his opponent's. With the right to double before that roll,

    W_c = max(N_c, min(2 N_x, 1))        W_o = max(N_o, min(2 N_x, 1))        W_x = N_x

since a double is worth 2 N_x if it is taken and 1 if it is passed. After a play the opponent is on roll, so
for each roll N_c is the best of -W_c over the plays, N_o the best of -W_x, and N_x the best of -W_o. Nobody
can lose a gammon: a finished game is worth 1, and without a cube the equity is 2 p - 1 with the chance p to
win.

The cube has no limit here. Nothing else in which rulesets differ matters once both sides have passed each
other and have borne off a checker: not hits, the start or the pay for gammons, and not the larger die, as
both dice can be played until the last checker is off. The unit is what a single game pays.

Letters in shapes: N boards, K sides.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.judge.bearoff.pools import Pool
from nardzero.judge.bearoff.recursion import Double, Terms, solve
from nardzero.judge.bearoff.sides import HOME, both_in, numbers, require

Equities = npt.NDArray[np.float32]

CHECKERS_A_SIDE = 6
"""How many checkers a side may have in the full table."""
CUBELESS, CENTRED, OWNED, THEIRS = range(4)
"""Who may double: nobody ever, both, the player on roll, his opponent. The order of a table's columns."""
MONEY = Terms(
    np.ones((2, 4)),
    (
        [Double(CENTRED, THEIRS, 2), Double(OWNED, THEIRS, 2)],
        [Double(CENTRED, OWNED, 2), Double(THEIRS, OWNED, 2)],
    ),
)
"""Per unit of the cube, which a double makes twice what it was; the first player sees where the cube is."""


@dataclass(frozen=True, eq=False)
class TwoSided:
    """Exact equities by the numbers of both sides; an evaluator of the boards that it knows."""

    equities: Equities
    """The equity [4, K, K] of the player on roll: whose the cube is, his side, the opponent's side."""
    points: int = HOME
    """How many points a side has."""

    def knows(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Which boards [N, 26] it can evaluate [N]: both sides at home, unfinished, and in the table."""
        return both_in(boards, self.points, self.equities.shape[1])

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of boards [N, 26] for the player on roll.

        Raises InvalidPosition for a board that it does not know.
        """
        win = (1 + self.equity(boards)) / 2
        probs = np.zeros((6, len(boards)), np.float32)
        probs[2:4] = win, 1 - win
        return probs.T

    def equity(self, boards: Boards) -> Equities:
        """The equity [N] of boards [N, 26] without the cube. Raises InvalidPosition as `evaluate` does."""
        cubeless: Equities = self._look_up(boards)[CUBELESS]
        return cubeless

    def cubeful(self, boards: Boards) -> Equities:
        """N_c, N_o and N_x [N, 3] of boards [N, 26]: the equity of the player on roll per unit of the cube.

        He rolls now, with the cube in the middle, his, or his opponent's. Raises InvalidPosition for a board
        that it does not know.
        """
        cubeful: Equities = self._look_up(boards)[[CENTRED, OWNED, THEIRS]].T
        return cubeful

    def _look_up(self, boards: Boards) -> Equities:
        require(self.knows(boards))
        own, opponent = numbers(boards, self.points)
        found: Equities = self.equities[:, own, opponent]
        return found


def build_two_sided(points: int = HOME, checkers: int = CHECKERS_A_SIDE) -> TwoSided:
    """The table of all pairs of sides of up to so many checkers on so many points."""
    pool = Pool.full(points, checkers)
    first, place = solve(MONEY, pool, pool).first, pool.place
    return TwoSided(first[place[:, None], :, place].transpose(2, 0, 1).astype(np.float32), points)
