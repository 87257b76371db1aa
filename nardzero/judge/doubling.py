"""What the right to double is worth, given cubeful equities.

Letters in shapes: the last axis has the three places of the cube, seen by the player on roll.
"""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from nardzero.game.position import Boards

Cubeful = npt.NDArray[np.float32]
"""Equities [..., 3] per unit of the cube, with the cube at each place: before the roll, no double now."""

CENTRED, OWNED, OPPONENTS = 0, 1, 2
"""The columns: where the cube is, for the player on roll."""


@runtime_checkable
class CubeJudge(Protocol):
    """An evaluator that may know about the cube."""

    def cubeful(self, boards: Boards) -> Cubeful | None:
        """Equities [N, 3] of positions [N, 26] for the player on roll, per unit of a cube that is centred,
        his, and the opponent's, before the roll and without a double now; None if it does not know."""
        ...


def before(theirs: Cubeful) -> Cubeful:
    """What a player gets [..., 3] who leaves the opponent on roll with these equities [..., 3] of his, and
    with the right to double where the cube lets him. A cube that is one's own is the other's, seen by him."""
    mine: Cubeful = -with_double(theirs)[..., [CENTRED, OPPONENTS, OWNED]]
    return mine


def with_double(values: Cubeful) -> Cubeful:
    """What the same [..., 3] is worth to a player who may double first, where the cube lets him.

    With N for each place of the cube, a double brings min(2 N_opponent's, 1): the opponent takes what costs
    him less than the 1 point that passing costs. So

        W_centred = max(N_centred, min(2 N_opponent's, 1)),   W_owned = max(N_owned, min(2 N_opponent's, 1)).
    """
    worth = values.copy()
    doubled = np.minimum(2 * values[..., OPPONENTS, None], 1)
    worth[..., [CENTRED, OWNED]] = np.maximum(values[..., [CENTRED, OWNED]], doubled)
    return worth
