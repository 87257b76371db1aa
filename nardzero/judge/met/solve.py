"""The chances to win a match, from how games go: backward induction over scores, cubes and positions.

A game is a walk between kinds of positions (`walk.py`). Before each roll, who may double does if that is
worth more to him, and the other passes if that is worth more to him, all in chances to win the match. So
doubles, takes and passes are the best at every score, cube and kind of position, as far as the kinds tell
positions apart. The walk jumps as real games do: doubles come too early or too late by themselves, and no
cube efficiency has to be put in. The bot's games are the only source; nothing is fitted to another table.

From the shortest match up come the chances after the Crawford game, in it, and before it. Checkers are
played for points whatever the score, which loses some gammons where they are worth most.

Sources: the induction over scores and cubes is that of N. Zadeh, On Doubling in Tournament Backgammon,
Management Science 23 (1977). A walk that jumps takes the place of the constants that he, and R. Janowski in
Take-Points in Money Games (1993), have for doubles that are not perfectly timed.

Letters in shapes: S cells, M scores, L the longest match. Values are the chance of the first of two
players, 0 and 1, to win the match; he needs `away` points and the other needs `other`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.judge.met.table import Chances, MatchEquityTable, finish
from nardzero.judge.met.walk import Walk

Values = npt.NDArray[np.float64]
"""Values [2, S, M]: with player 0 on roll, and with player 1."""

TOLERANCE = 1e-9
"""Values that change by less from ply to ply have settled."""
NEVER = (-np.inf, np.inf)
"""What a double is worth for a player who cannot double: the worst there is for him."""


def solve(walk: Walk, length: int, name: str) -> MatchEquityTable:
    """The table of matches up to so many points between two players whose games go like the walk."""
    before = np.full((length, length), 0.5)
    after = np.full((length, 1), 0.5)
    for total in range(3, 2 * length + 1):
        # Player 0 needs more points than player 1; where both need the same they are equal.
        away = np.arange(total // 2 + 1, min(length, total - 1) + 1)
        trailing = away[away == total - 1]
        if len(trailing):
            leading = np.ones_like(trailing)
            after[trailing - 1, 0] = _Games(walk, trailing, leading, finish(after)).with_cube()
            before[trailing - 1, 0] = _Games(walk, trailing, leading, finish(after)).without_cube()
        rest = away[away < total - 1]
        if len(rest):
            before[rest - 1, total - rest - 1] = _Games(walk, rest, total - rest, finish(before)).with_cube()
        before[total - away - 1, away - 1] = 1 - before[away - 1, total - away - 1]
    return MatchEquityTable(name, before, after[:, 0])


@dataclass(frozen=True, eq=False)
class _Games:
    """The next game of M matches."""

    walk: Walk
    """How it goes."""
    away: Index
    """The points that player 0 needs [M]."""
    other: Index
    """The points that player 1 needs [M]."""
    worth: Chances
    """What scores after it are worth, by the points that both need, from 0 up."""

    def with_cube(self) -> Chances:
        """The chance [M] before the game, with the cube in the middle."""
        return self._start(self._settle(1, *self._doubles(1)))

    def without_cube(self) -> Chances:
        """The chance [M] before the game, with nobody to double."""
        return self._start(self._settle(1, *NEVER))

    def _start(self, values: Values) -> Chances:
        """The chance before it is known who starts. Nobody doubles before the first roll."""
        chance: Chances = values[:, -1].mean(0)
        return chance

    def _owned(self, cube: int) -> tuple[Values, Values]:
        """The values with the cube at a level, in the hands of player 0 and of player 1."""
        if cube >= max(self.away.max(), self.other.max()):
            dead = self._settle(cube, *NEVER)
            return dead, dead
        first, second = self._doubles(cube)
        return self._settle(cube, first, NEVER[1]), self._settle(cube, NEVER[0], second)

    def _doubles(self, cube: int) -> tuple[Chances, Chances]:
        """What a double from a level is worth [S, M] to either player who is on roll and may double.

        The other takes or passes, as suits him. Who wins the match with the cube as it is keeps it.
        """
        by_first, by_second = self._owned(2 * cube)
        first = np.minimum(by_second[0], self._score(cube, 0))
        second = np.maximum(by_first[1], self._score(0, cube))
        return np.where(self.away <= cube, NEVER[0], first), np.where(self.other <= cube, NEVER[1], second)

    def _settle(self, cube: int, first: Chances | float, second: Chances | float) -> Values:
        """The values before a roll, where doubles before it are worth so much to the players."""
        moves, ends = self.walk.moves, self.walk.ends
        wins = ends @ np.stack([self._score(kind * cube, 0) for kind in (1, 2, 3)])
        losses = ends @ np.stack([self._score(0, kind * cube) for kind in (1, 2, 3)])
        values = np.full((2, *wins.shape), 0.5)
        while True:
            before = values.copy()
            values[1] = losses + moves @ np.maximum(values[0], first)
            values[0] = wins + moves @ np.minimum(values[1], second)
            if np.abs(values - before).max() < TOLERANCE:
                return values

    def _score(self, won: int, lost: int) -> Chances:
        """What the match is worth [M] after player 0 has won or lost so many points."""
        score: Chances = self.worth[np.maximum(self.away - won, 0), np.maximum(self.other - lost, 0)]
        return score
