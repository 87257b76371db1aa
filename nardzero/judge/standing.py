"""Where the cube is and how a match stands, for many games at once.

Letters in shapes: N games. Everything is seen by the player on roll; `turned` gives the other's view.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.matchstate import MatchState, other
from nardzero.game.rules import Ruleset
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED

Bools = npt.NDArray[np.bool_]

BEFORE, CRAWFORD, AFTER = 0, 1, 2
"""Phases of a match: before the Crawford game, in it, and after it."""
SWAP = np.array([CENTRED, OPPONENTS, OWNED])
"""A place of the cube as the other player sees it."""


@dataclass(frozen=True, eq=False)
class Standing:
    """Cube and score of N games, all of money or all of matches of one length."""

    cube: Index
    """The value of the cube [N]."""
    place: Index
    """Where it is [N]: CENTRED, OWNED or OPPONENTS."""
    away: Index
    """The points [N] that the player on roll still needs to win the match; 0 in money games."""
    other: Index
    """The points [N] that his opponent needs."""
    phase: Index
    """BEFORE, CRAWFORD or AFTER [N]."""
    length: int = 0
    """The length of the match in points; 0 for money games."""
    jacoby: bool = False
    """Money: whether gammons count only once the cube was turned."""
    beavers: bool = False
    """Money: whether who takes may turn the cube once more and keep it."""
    limit: int = 64
    """Money: the highest value of the cube."""

    @classmethod
    def money(cls, games: int, jacoby: bool = False, limit: int = 64) -> "Standing":
        """So many money games with the cube in the middle."""
        nothing = np.zeros(games, np.int64)
        return cls(nothing + 1, nothing + CENTRED, nothing, nothing, nothing, jacoby=jacoby, limit=limit)

    @classmethod
    def match(cls, length: int, away: Index, other: Index, phase: Index) -> "Standing":
        """The next games [N] of matches at these scores, with the cube in the middle."""
        nothing = np.zeros(len(away), np.int64)
        return cls(nothing + 1, nothing + CENTRED, away, other, phase, length)

    @classmethod
    def of(cls, state: MatchState, rules: Ruleset) -> "Standing":
        """The one game of a state. An XGID often gives a limit that the cube has passed; then the limit is
        that of the rules."""
        place = CENTRED if state.cube_owner is None else OWNED
        if state.cube_owner == other(state.on_roll):
            place = OPPONENTS
        scores = (state.score_x, state.score_o)
        won, lost = scores if state.on_roll == "x" else scores[::-1]
        away, their = (state.length - won, state.length - lost) if state.length else (0, 0)
        phase = CRAWFORD if state.crawford else AFTER if min(away, their) == 1 else BEFORE
        limit = rules.cube_limit if state.cube_limit < state.cube else state.cube_limit
        return cls(
            cube=np.array([state.cube]),
            place=np.array([place]),
            away=np.array([away]),
            other=np.array([their]),
            phase=np.array([phase]),
            length=state.length,
            jacoby=state.jacoby and not state.length,
            beavers=state.beaver and not state.length,
            limit=limit,
        )

    def __len__(self) -> int:
        return len(self.cube)

    def take(self, rows: Index | Bools) -> "Standing":
        """That of some of the games, by number or by mask; a number may come more than once."""
        columns = (self.cube, self.place, self.away, self.other, self.phase)
        cube, place, away, their, phase = (column[rows] for column in columns)
        return replace(self, cube=cube, place=place, away=away, other=their, phase=phase)

    def turned(self) -> "Standing":
        """The same seen by the other player."""
        return replace(self, place=SWAP[self.place], away=self.other, other=self.away)

    def doubled(self) -> "Standing":
        """The same once the player on roll has doubled and the other has taken; he stays on roll."""
        return replace(self, cube=2 * self.cube, place=np.full(len(self), OPPONENTS))

    @property
    def dead(self) -> Bools:
        """Whether the player on roll has no use for the cube [N]: winning with it as it is wins the match, or
        it has reached its limit."""
        if self.length:
            return np.asarray((self.away <= self.cube) | (self.phase == CRAWFORD))
        return np.asarray(self.cube >= self.limit)

    @property
    def may_double(self) -> Bools:
        """Whether the player on roll may double, and has some use for it [N]."""
        return np.asarray((self.place != OPPONENTS) & ~self.dead)
