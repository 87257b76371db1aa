"""One side's home board as a number, so that tables can be arrays.

A *side* is the checkers on points 1 to P of one player, who numbers the points his own way. Let s_k be the
checkers on the k + 1 highest points, k = 0 to P - 1; then the side has the number

    sum over k of binomial(s_k + k, k + 1)

which is the place of the set of all s_k + k in the combinatorial number system (Knuth, The Art of Computer
Programming, 7.2.1.3). The empty side is 0, every play leads to a smaller number, and fewer checkers come
first: so a table for 6 checkers numbers them as one for 15 does.

Letters in shapes: N boards, K sides, P points, M afterstates.
"""

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, gather_segments, segment_starts
from nardzero.game.dice import ROLLS
from nardzero.game.errors import InvalidPosition
from nardzero.game.movegen import afterstates
from nardzero.game.position import BAR, CHECKERS, COLUMNS, Boards

Sides = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int32]

HOME = 6
"""The points of a home board."""
BINOMIALS = np.array(
    [[comb(checkers + k, k + 1) for checkers in range(CHECKERS + 1)] for k in range(HOME)], np.int32
)
"""What the checkers on the k + 1 highest points add to the number [6, 16]."""


class Moves(NamedTuple):
    """Every play of K sides, roll by roll: segment 21 * k + r is side k with the roll ROLLS[r]."""

    after: Numbers
    """The numbers [M] of the sides that the plays lead to."""
    starts: Index
    """Where each segment starts, and where the last ends [21 * K + 1]."""

    def of(self, sides: Index) -> "Moves":
        """Those of some of the sides, by their places."""
        segments = (len(ROLLS) * sides[:, None] + np.arange(len(ROLLS))).reshape(-1)
        after = self.after[gather_segments(self.starts, segments)]
        return Moves(after, segment_starts(np.diff(self.starts)[segments]))


def every_side(points: int, checkers: int) -> Sides:
    """All sides [K, P] of up to so many checkers, in the order of their numbers."""
    # The sets, each from its largest member down, come with the greatest first: so back to front.
    sets = np.array(list(combinations(range(points + checkers - 1, -1, -1), points)))[::-1, ::-1]
    held = sets - np.arange(points)
    return np.diff(held, axis=1, prepend=0)[:, ::-1].astype(np.int8)


def every_pair(size: int, points: int = HOME) -> Boards:
    """All boards [(size - 1)^2, 26] of two sides with numbers from 1 to below a table's size."""
    sides = every_side(points, CHECKERS)[1:size]
    count = len(sides)
    boards = np.zeros((count, count, COLUMNS), np.int8)
    boards[:, :, 1 : points + 1] = sides[:, None]
    boards[:, :, BAR - 1 : BAR - points - 1 : -1] = -sides
    return boards.reshape(-1, COLUMNS)


def number(sides: Sides) -> Numbers:
    """The numbers [K] of sides [K, P] of up to 15 checkers."""
    held = np.zeros(len(sides), np.int32)
    total = np.zeros(len(sides), np.int32)
    for k, column in enumerate(sides.T[::-1]):
        held += column
        total += BINOMIALS[k].take(held)
    return total


def numbers(boards: Boards, points: int = HOME) -> tuple[Numbers, Numbers]:
    """The numbers [N] of the side of the player on roll and of his opponent's, of boards [N, 26].

    0 for one who has finished, -1 for one with a checker that is not on his points 1 to P.
    """
    beyond = BAR - points
    own = number(np.maximum(boards[:, 1 : points + 1], 0))
    opponent = number(np.maximum(-boards[:, BAR - 1 : beyond - 1 : -1], 0))
    own[(boards[:, points + 1 :] > 0).any(1)] = -1
    opponent[(boards[:, :beyond] < 0).any(1)] = -1
    return own, opponent


def at_home(boards: Boards) -> Index:
    """The rows [K] of boards [N, 26 or wider] of running games with no checkers between the two home boards.

    Those few are looked at more closely. The twelve columns are read as three words: several times faster.
    """
    middle = np.ascontiguousarray(boards[:, HOME + 1 : BAR - HOME]).view(np.uint32)
    rows = np.flatnonzero((middle[:, 0] | middle[:, 1] | middle[:, 2]) == 0)
    few = boards[rows]
    return rows[(few > 0).any(1) & (few < 0).any(1)]


def both_in(boards: Boards, points: int, size: int) -> npt.NDArray[np.bool_]:
    """Whether both sides [N] of boards [N, 26] have checkers left and numbers below a table's size."""
    own, opponent = numbers(boards, points)
    return (np.minimum(own, opponent) > 0) & (np.maximum(own, opponent) < size)


def require(known: npt.NDArray[np.bool_]) -> None:
    """Raises InvalidPosition unless a table knows all boards [N]."""
    if not known.all():
        raise InvalidPosition(
            f"board {int(np.flatnonzero(~known)[0])} of {len(known)} is not in the bear-off table, "
            "which holds unfinished games with all checkers at home, as many as it was made for"
        )


def moves(sides: Sides) -> Moves:
    """Every play of sides [K, P], none of them empty, with every roll.

    Nothing in the way depends on the opponent, who is a checker on his ace point here.
    """
    count, points = sides.shape
    boards = np.zeros((count, COLUMNS), np.int8)
    boards[:, 1 : points + 1] = sides
    boards[:, BAR - 1] = -1
    after, parent = afterstates(boards.repeat(len(ROLLS), axis=0), np.tile(ROLLS, (count, 1)))
    starts = segment_starts(np.bincount(parent, minlength=count * len(ROLLS)))
    return Moves(number(after[:, 1 : points + 1]), starts)
