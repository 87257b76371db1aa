"""The distinct ones among many boards, so that each is judged once."""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, Index
from nardzero.game.position import Boards

ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))
SHIFT = np.uint64(29)


def distinct(boards: Boards) -> tuple[Boards, Index]:
    """The distinct boards [K, 32] among boards [N, 32], and which of them each one is [N]."""
    _, first, which = np.unique(_keys(boards), return_index=True, return_inverse=True)
    found = boards.take(first, axis=0)
    if not np.array_equal(found.take(which, axis=0), boards):
        # Two boards with one key: next to impossible, but then the slow way is the right one.
        found, which = np.unique(boards, axis=0, return_inverse=True)
    return found, which.reshape(-1)


def _keys(boards: Boards) -> npt.NDArray[np.uint64]:
    """A well mixed key [N] of each board [N, 32]."""
    words = np.ascontiguousarray(boards).view(np.uint64).reshape(len(boards), WIDTH // 8)
    key = np.zeros(len(boards), np.uint64)
    for word in words.T:
        key = (key ^ word) * ODD[0]
        key = (key ^ (key >> SHIFT)) * ODD[1]
        key ^= key >> SHIFT
    return key
