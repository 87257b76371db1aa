"""What the cube is worth at a score: chances to win the match (MWC), from outcome probabilities.

As for money, the truth is taken to lie between a dead cube and a live one (`janowski.py`), but both are made
of the match equity table. With a live cube at c, let W and L be the chances to win the match once the game is
won or lost with it, C and P those after the opponent, or the player himself, passed a double from c. By the
chance to win the game, the chances to win the match run straight through

    (0, L), (take point, P) if the opponent may double, (cash point, C) if the player may, (1, W).

At the cash point the opponent, owning the cube at 2c, has as much by taking as by passing, and the other way
round at the take point; so the points at c follow from those at 2c, up to cubes that are of no use to anyone.
This is Janowski's formula in the generalisation that the manual of GNU Backgammon describes for match play.

A double is *free* where the other side would win the match with the cube as it is: there is nothing to lose,
and it comes at once. Letters in shapes: N positions; chances are those of the player on roll.
"""

from typing import NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.outcomes import Probs
from nardzero.judge.doubling import OPPONENTS, OWNED
from nardzero.judge.janowski import EFFICIENCY, Values, through
from nardzero.judge.scores import Scores
from nardzero.judge.standing import CRAWFORD, Bools

WAITING = 0.95
"""The efficiency at most, for who could double for free: to wait never gains, and a formula that takes it to
cost nothing would leave it open."""


class MatchCube:
    """N games of matches, and what cubes of any height are worth in them."""

    def __init__(self, scores: Scores, probs: Probs) -> None:
        """The games, and the outcome probabilities [N, 6] of the players on roll."""
        self._scores, self._standing = scores, scores.standing
        exact = probs.astype(np.float64)
        self._win = exact[:, :3].sum(1)
        self._won_by = _shares(exact[:, 2::-1], self._win)
        self._lost_by = _shares(exact[:, 3:], 1 - self._win)

    def no_double(self, efficiency: Values) -> Values:
        """The chances [N] with the cube as it stands and no double now, at efficiencies [N, 3] by place."""
        cube, place = self._standing.cube, self._standing.place
        x = np.take_along_axis(efficiency, place[:, None], axis=1)[:, 0]
        his, theirs = place != OPPONENTS, place != OWNED
        x = np.where(his & self._free(cube), np.minimum(x, WAITING), x)
        x = np.where(theirs & self._free(cube, turned=True), np.minimum(x / EFFICIENCY, 1), x)
        return self._between(x, cube, his, theirs)

    def double_take(self, efficiency: Values) -> Values:
        """The chances [N] once he has doubled and the opponent has taken."""
        cube, x = 2 * self._standing.cube, efficiency[:, OPPONENTS]
        x = np.where(self._free(cube, turned=True), np.minimum(x / EFFICIENCY, 1), x)
        return self._between(x, cube, np.False_, np.True_)

    def _between(self, x: Values, cube: Index, his: Bools | np.bool_, theirs: Bools | np.bool_) -> Values:
        """The chances [N] at efficiencies x [N] with cubes [N] that he may turn, or the opponent, or both."""
        low, high = self._extremes(cube)
        dead = low + self._win * (high - low)
        mixed: Values = x * self._live(cube, his, theirs).at(self._win) + (1 - x) * dead
        return mixed

    def _live(self, cube: Index, his: Bools | np.bool_, theirs: Bools | np.bool_) -> "_Bent":
        """What live cubes [N] are worth that he may turn, or the opponent, or both."""
        low, high = self._extremes(cube)
        take, cash = np.zeros_like(low), np.ones_like(high)
        conceded, cashed = low, high
        if (cashes := his & self._useful(cube)).any():
            value = self._scores.cash(cube)
            point = self._live(2 * cube, np.False_, np.True_).reaches(value)
            cash, cashed = np.where(cashes, point, cash), np.where(cashes, value, cashed)
        if (passes := theirs & self._useful(cube, turned=True)).any():
            value = self._scores.concede(cube)
            point = self._live(2 * cube, np.True_, np.False_).reaches(value)
            take, conceded = np.where(passes, point, take), np.where(passes, value, conceded)
        return _Bent(np.minimum(take, cash), cash, low, conceded, cashed, high)

    def _useful(self, cube: Index, turned: bool = False) -> Bools:
        """Whether he, or the opponent, still gains by turning cubes [N]."""
        away = self._standing.other if turned else self._standing.away
        return np.asarray((away > cube) & (self._standing.phase != CRAWFORD))

    def _free(self, cube: Index, turned: bool = False) -> Bools:
        """Whether he, or the opponent, has nothing to lose by turning cubes [N]."""
        return self._useful(cube, turned) & ~self._useful(cube, not turned)

    def _extremes(self, cube: Index) -> tuple[Values, Values]:
        """L and W: the chances [N] once the game is lost, and once it is won, with cubes [N]."""
        won, lost = self._scores.ends(cube)
        return (self._lost_by * lost).sum(1), (self._won_by * won).sum(1)


class _Bent(NamedTuple):
    """Lines through (0, low), (take, conceded), (cash, cashed), (1, high), each [N]."""

    take: Values
    cash: Values
    low: Values
    conceded: Values
    cashed: Values
    high: Values

    def at(self, x: Values) -> Values:
        """The values [N] at x [N]."""
        places = [np.zeros_like(x), self.take, self.cash, np.ones_like(x)]
        return through(x, places, [self.low, self.conceded, self.cashed, self.high])

    def reaches(self, value: Values) -> Values:
        """Where the lines, which rise, come to values [N]; 0 or 1 where they start above or end below."""
        found = _part(value, self.low, self.conceded) * self.take
        found += _part(value, self.conceded, self.cashed) * (self.cash - self.take)
        return found + _part(value, self.cashed, self.high) * (1 - self.cash)


def _part(value: Values, low: Values, high: Values) -> Values:
    """Which part [N] of the way from low to high a value is, from 0 to 1."""
    part = np.divide(value - low, high - low, out=(value > low).astype(np.float64), where=high > low)
    clipped: Values = part.clip(0, 1)
    return clipped


def _shares(probs: Values, whole: Values) -> Values:
    """Probabilities [N, 3] of a single game, a gammon, a backgammon as shares of the whole [N]; all single
    where there is nothing to share."""
    shares = np.zeros_like(probs)
    shares[:, 0] = 1
    np.divide(probs, whole[:, None], out=shares, where=whole[:, None] > 0)
    return shares
