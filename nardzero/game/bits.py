"""The handful of array operations that the move generator is made of.

A *word* is a uint32 whose bit p stands for column p of a board. Boards inside the generator are padded to
32 columns: NumPy copies rows of 32 bytes several times faster than rows of 26.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from nardzero.game.position import COLUMNS, Boards

Words = npt.NDArray[np.uint32]
Index = npt.NDArray[np.int64]

WIDTH = 32
ONE = np.uint32(1)
FIELD = np.uint32(5)
"""How many bits the number of a column takes."""
FIELD_MASK = np.uint32(31)


def pad(boards: Boards) -> Boards:
    """Boards [N, 26] with six columns of zeros appended [N, 32]."""
    wide = np.zeros((len(boards), WIDTH), np.int8)
    wide[:, :COLUMNS] = boards
    return wide


def flip_padded(wide: Boards) -> Boards:
    """Padded boards [N, 32] seen by the other player."""
    turned = np.zeros_like(wide)
    np.negative(wide[:, COLUMNS - 1 :: -1], out=turned[:, :COLUMNS])
    return turned


def pack(mask: npt.NDArray[np.bool_]) -> Words:
    """Truth values [N, 32] as words [N]."""
    words: Words = np.packbits(mask, axis=1, bitorder="little").view(np.uint32).reshape(-1)
    return words


def unpack(words: Words) -> npt.NDArray[np.int8]:
    """The bits [N, 32] of words [N], as 0 and 1."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return bits.view(np.int8).reshape(-1, WIDTH)


def expand(words: Words) -> tuple[Index, Words]:
    """The set bits of words [N]: the index of the word [K], ascending, and the number of the bit [K]."""
    flat = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_))
    return flat >> 5, (flat & 31).astype(np.uint32)


def segment_starts(counts: Index) -> Index:
    """Where each of N consecutive segments starts, and where the last one ends [N + 1]."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def gather_segments(starts: Index, order: Index) -> Index:
    """Indices [M] that list the segments, as bounded by starts [N + 1], in another order [N]."""
    counts = np.diff(starts)[order]
    moved = segment_starts(counts)
    return np.repeat(starts[order] - moved[:-1], counts) + np.arange(moved[-1])


def best_of_segment(values: npt.NDArray[np.floating[Any]], starts: Index) -> Index:
    """The index [N] of the largest value in each non-empty segment; the first of equals."""
    best = np.maximum.reduceat(values, starts[:-1])
    holders = np.flatnonzero(values == np.repeat(best, np.diff(starts)))
    found: Index = holders[np.searchsorted(holders, starts[:-1])]
    return found
