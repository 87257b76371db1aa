"""What a judge of the cube gives away in decisions whose equities are known.

The three decisions of a position in a money game without the Jacoby rule: whether to double with the cube
centred, whether to redouble with the cube one's own, and, for the opponent, whether to take. Letters in
shapes: N positions; equities have the columns of `doubling.py`, for the player on roll.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.judge.doubling import OPPONENTS, Cubeful

Values = npt.NDArray[np.float32]

DECISIONS = ("doubling", "redoubling", "taking")
"""The decisions of a position, in the order of the columns of `lost`."""
ACTIONS = ("no double, take", "double, take", "double, pass", "too good, pass")
"""What may be right, for both players."""
CLOSE = 0.2
"""A double that gains or loses less than this, in points per unit of the cube, is a close one."""


def gain(equities: Cubeful) -> Values:
    """What doubling brings against waiting [N, 2], with the cube centred and owned: min(DT, DP) - ND."""
    return _doubled(equities)[:, None] - equities[:, :OPPONENTS]


def action(equities: Cubeful) -> Index:
    """What is right [N, 2] with the cube centred and owned, as an index into ACTIONS."""
    passed = (2 * equities[:, OPPONENTS] > 1)[:, None]
    doubles = gain(equities) > 0
    right: Index = np.where(passed, np.where(doubles, 2, 3), np.where(doubles, 1, 0))
    return right


def lost(equities: Cubeful, believed: Cubeful) -> Values:
    """What who believes in some equities [N, 3] loses in each of DECISIONS [N, 3], in points per unit of the
    cube before the double, if others [N, 3] are true."""
    doubling = _wrong(gain(equities), gain(believed))
    taking = _wrong(1 - 2 * equities[:, OPPONENTS], 1 - 2 * believed[:, OPPONENTS])
    return np.column_stack([doubling, taking])


def _wrong(gains: Values, believed: Values) -> Values:
    """What a yes that gains so much, or its no, costs who decides by what he believes that it gains."""
    return np.where((gains > 0) != (believed > 0), np.abs(gains), np.float32(0))


def _doubled(equities: Cubeful) -> Values:
    """What a double brings [N] if the opponent answers well."""
    doubled: Values = np.minimum(2 * equities[:, OPPONENTS], 1)
    return doubled
