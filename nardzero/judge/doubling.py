"""What the right to double is worth, given cubeful equities.

Letters in shapes: the last axis has the three places of the cube, seen by the player on roll.
"""

import numpy as np
import numpy.typing as npt

Cubeful = npt.NDArray[np.float32]
"""Equities [..., 3] per unit of the cube, with the cube at each place: before the roll, no double now."""

CENTRED, OWNED, OPPONENTS = 0, 1, 2
"""The columns: where the cube is, for the player on roll."""


def with_double(values: Cubeful, decide_by: Cubeful | None = None) -> Cubeful:
    """What the same [..., 3] is worth to a player who may double first, where the cube lets him.

    With N for each place of the cube, a double brings min(2 N_opponent's, 1): the opponent takes what costs
    him less than the 1 point that passing costs. So

        W_centred = max(N_centred, min(2 N_opponent's, 1)),   W_owned = max(N_owned, min(2 N_opponent's, 1)).

    Both players may decide by other equities than those that count: what they decide on is then read off
    the latter.
    """
    by = values if decide_by is None else decide_by
    doubled = np.where(2 * by[..., OPPONENTS] < 1, 2 * values[..., OPPONENTS], np.float32(1))
    offer = np.minimum(2 * by[..., OPPONENTS], 1)
    worth = values.copy()
    for place in (CENTRED, OWNED):
        worth[..., place] = np.where(offer > by[..., place], doubled, values[..., place])
    return worth
