"""Sides that lead to each other, and their plays, laid out to find the best for many positions at once.

Letters in shapes: K sides, C columns: as many positions as there are sides of the opponent, say.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.judge.bearoff.sides import Moves, every_side, moves

Values = npt.NDArray[np.float64]

ROWS, COLUMNS = 64, 256
"""Sides, and columns, that are looked at in one go: few enough for the cache."""


class Plays(NamedTuple):
    """Every play of K sides with every roll.

    The rolls of all sides are put in order, those with the most plays first: so those that have one more to
    look at are always the first so many. `np.maximum.reduceat` along rows takes several times as long.
    """

    after: list[Index]
    """The places of the sides that the first play leads to, the second, and so on, of all that have it."""
    order: Index
    """Where in that order roll r of side k is [21 * K], at 21 * k + r."""

    @classmethod
    def of(cls, replies: Moves, place: Index) -> "Plays":
        """From the moves of K sides, to sides with these places by number."""
        counts = np.diff(replies.starts)
        most_first = np.argsort(-counts, kind="stable")
        counts, starts = counts[most_first], replies.starts[most_first]
        having = [np.count_nonzero(counts > play) for play in range(counts[0])]
        after = [place[replies.after[starts[:rolls] + play]] for play, rolls in enumerate(having)]
        return cls(after, np.argsort(most_first))

    def mean(self, left: Values) -> Values:
        """The mean over the rolls of the best play [K, C], where to leave the side at a place is worth `left`
        [places, C]."""
        found = np.empty((len(self.order) // len(ROLLS), left.shape[1]))
        for start in range(0, left.shape[1], COLUMNS):
            block = slice(start, start + COLUMNS)
            best = self._best(np.ascontiguousarray(left[:, block]))
            by_roll = best.take(self.order, axis=0).reshape(len(found), len(ROLLS), -1)
            np.einsum("w,kwc->kc", WEIGHTS, by_roll, out=found[:, block])
        return found

    def _best(self, left: Values) -> Values:
        """The best play with each roll [21 * K, C], those with the most plays first."""
        best = left.take(self.after[0], axis=0)
        for after in self.after[1:]:
            some = best[: len(after)]
            np.maximum(some, left.take(after, axis=0), out=some)
        return best


@dataclass(frozen=True, eq=False)
class Pool:
    """The empty side and others of up to so many checkers on so many points; with each, all that it leads to.

    The place of a side is where it stands here: those of the fewest pips come first.
    """

    points: int
    checkers: int
    sides: Index
    """Their numbers [K] by place."""

    @classmethod
    def full(cls, points: int, checkers: int) -> "Pool":
        """All sides."""
        return cls(points, checkers, np.argsort(_pips(points, checkers), kind="stable"))

    def below(self, sides: Index) -> "Pool":
        """What those with these numbers lead to, and they themselves."""
        some = np.flatnonzero(_leads(self.points, self.checkers)[sides].any(0))
        return Pool(self.points, self.checkers, self.sides[np.isin(self.sides, some)])

    @property
    def place(self) -> Index:
        """The place of the side with each number; -1 for those that are not here."""
        place = np.full(len(_pips(self.points, self.checkers)), -1)
        place[self.sides] = np.arange(len(self.sides))
        return place

    @property
    def levels(self) -> Iterator[slice]:
        """The places of sides of equal pips, the fewest first, without the empty side."""
        pips = _pips(self.points, self.checkers)[self.sides]
        bounds = [*(1 + np.flatnonzero(np.diff(pips))).tolist(), len(pips)]
        return (slice(start, stop) for start, stop in pairwise(bounds))

    def plays(self, places: slice) -> Iterator[tuple[slice, Plays]]:
        """The plays of the sides at these places, none of them empty: some sides at a time."""
        replies, place = _moves(self.points, self.checkers), self.place
        for start, stop in pairwise([*range(places.start, places.stop, ROWS), places.stop]):
            yield slice(start, stop), Plays.of(replies.of(self.sides[start:stop] - 1), place)


@cache
def _pips(points: int, checkers: int) -> Index:
    """The pips of all sides, by number."""
    pips: Index = every_side(points, checkers) @ np.arange(1, points + 1)
    return pips


@cache
def _moves(points: int, checkers: int) -> Moves:
    """The moves of all sides but the empty one, by number less 1."""
    return moves(every_side(points, checkers)[1:])


@cache
def _leads(points: int, checkers: int) -> npt.NDArray[np.bool_]:
    """Whether a side leads to another, in any number of plays or none [K, K], by number."""
    replies = _moves(points, checkers)
    leads = np.eye(len(replies.starts) // len(ROLLS) + 1, dtype=np.bool_)
    bounds = replies.starts[:: len(ROLLS)].tolist()
    for side, (start, stop) in enumerate(pairwise(bounds), 1):
        leads[side] |= leads[replies.after[start:stop]].any(0)
    return leads
