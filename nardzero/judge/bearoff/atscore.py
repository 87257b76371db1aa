"""Short bear-offs at the score of a match: the exact chances to win it, with the cube.

Exact if the match equity table is. All that may come of a position is solved by `recursion.py` on the terms
of `cubes.py` when it is asked for, and kept for the next questions: best plays differ from score to score, so
no table could hold them once and for all. Letters in shapes: N positions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.position import Boards
from nardzero.judge.bearoff.cubes import FIRST, SECOND, Cube, Measure, lay_out
from nardzero.judge.bearoff.pools import Pool, Values
from nardzero.judge.bearoff.recursion import Solution, solve
from nardzero.judge.bearoff.sides import HOME, numbers
from nardzero.judge.bearoff.twosided import CHECKERS_A_SIDE
from nardzero.judge.scores import Scores

KEPT = 256 * 2**20
"""Bytes of what was solved that are kept at most; the last is in any case."""
_SOLVED: "list[Ending]" = []


def sides_of(boards: Boards) -> Index:
    """The numbers [N, 2] of both sides in boards [N, 26] that can be solved at any score; -1 elsewhere."""
    sides = np.stack(numbers(boards), axis=1).astype(np.int64)
    known = (sides.min(1) > 0) & (sides.max(1) < len(_every_side().sides))
    return np.where(known[:, None], sides, -1)


def chances(sides: Index, scores: Scores) -> tuple[Values, Values]:
    """The chances [N] to win the match of players who roll now and have not doubled; and of those who have,
    and the cube was taken, or the same as before where they may not double or have no use for it.

    `sides` [N, 2] are as `sides_of` gives them, and none is -1. Raises InvalidTable as `Scores.after`.
    """
    standing = scores.standing
    columns = (standing.cube, standing.place, standing.away, standing.other, standing.phase)
    _, firsts, which = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    no_double, double_take = np.empty(len(sides)), np.empty(len(sides))
    for kind, row in enumerate(firsts):
        rows = np.flatnonzero(which.reshape(-1) == kind)
        one = replace(scores, standing=standing.take(np.array([row])))
        ending, player = _solved(sides[rows], one)
        no_double[rows] = ending.chances(player, sides[rows], Cube.of(one.standing))
        then = one.standing.doubled() if one.standing.may_double[0] else one.standing
        double_take[rows] = ending.chances(player, sides[rows], Cube.of(then))
    return no_double, double_take


@dataclass(frozen=True, eq=False)
class Ending:
    """One game of a match that may come down to any of some sides against any of some others, solved."""

    game: "_Game"
    """The game, seen by its first player."""
    measures: Mapping[Cube, Measure]
    """How to read off what a cube is worth, as he sees it."""
    places: tuple[Index, Index]
    """The place of a side, by number, of the first player and of the second; -1 for what cannot come."""
    solution: Solution
    """The chances to win the match less a half."""

    @classmethod
    def of(cls, sides: Index, scores: Scores) -> "Ending":
        """All that may come of sides [N, 2] in one game."""
        terms, measures = lay_out(scores)
        first, second = (_every_side().below(some) for some in sides.T)
        return cls(_game(scores), measures, (first.place, second.place), solve(terms, first, second))

    @property
    def size(self) -> int:
        """Its values in bytes."""
        return sum(values.nbytes for values in self.solution)

    def knows(self, player: int, sides: Index, scores: Scores) -> bool:
        """Whether this player may be on roll with sides [N, 2], his own first, in this game."""
        seen = scores if player == FIRST else replace(scores, standing=scores.standing.turned())
        own, opponents = self.places[player], self.places[1 - player]
        return (
            _game(seen) == self.game
            and Cube.of(seen.standing) in self.measures
            and bool((np.minimum(own[sides[:, 0]], opponents[sides[:, 1]]) >= 0).all())
        )

    def chances(self, player: int, sides: Index, cube: Cube) -> Values:
        """The chances to win the match [N] of this player, who rolls now, with a cube as he sees it."""
        state, factor, offset = self.measures[cube.seen_by(player)].seen_by(player)
        own, opponents = self.places[player][sides[:, 0]], self.places[1 - player][sides[:, 1]]
        less: Values = factor * self.solution[player][own, state, opponents] + offset
        return less + 0.5


_Game = tuple[object, ...]


def _game(scores: Scores) -> _Game:
    """What is the same throughout a game of a match, and in no other."""
    standing, single = scores.standing, scores.rules.wins[0]
    return scores.table, single, int(standing.away[0]), int(standing.other[0]), int(standing.phase[0])


def _solved(sides: Index, scores: Scores) -> tuple[Ending, int]:
    """What was solved that has all these sides [N, 2] of one game, and which player is on roll there."""
    for ending in _SOLVED:
        for player in (FIRST, SECOND):
            if ending.knows(player, sides, scores):
                return ending, player
    _SOLVED.append(Ending.of(sides, scores))
    while len(_SOLVED) > 1 and sum(ending.size for ending in _SOLVED) > KEPT:
        del _SOLVED[0]
    return _SOLVED[-1], FIRST


@cache
def _every_side() -> Pool:
    return Pool.full(HOME, CHECKERS_A_SIDE)
