"""Cubeful equities from outcome probabilities, by formula: the baseline for a learned cube head, and what
stands in for one.

R. Janowski, "Take-points in money games", 1993. Between a *dead* cube, which nobody turns again, and a *live*
one, which is always turned at the very point where passing and taking cost the same, the truth is taken to
lie at a fixed share x of the way, the efficiency of the cube. Letters in shapes: N positions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs
from nardzero.judge.doubling import Cubeful

Values = npt.NDArray[np.float64]

EFFICIENCY = 0.68
"""The efficiency of the cube that goes best with 0-ply judgements in money games."""

NEGLIGIBLE = 0.02
"""A live cube worth no more than this, in points, tells nothing about efficiency."""
ERROR = 0.05
"""About how far off learned equities are, in points."""


class Stakes(NamedTuple):
    """What positions come to, apart from the cube."""

    win: Values
    """The probability to win [N]."""
    won: Values
    """Points in a game won, on average [N]."""
    lost: Values
    """Points in a game lost, on average and above 0 [N]."""

    @classmethod
    def of(cls, probs: Probs, points: npt.NDArray[np.float32]) -> "Stakes":
        """From outcome probabilities [N, 6] and what the outcomes pay [6]."""
        exact, pay = probs.astype(np.float64), points.astype(np.float64)
        win, lose = exact[:, :3].sum(1), exact[:, 3:].sum(1)
        won = np.divide(exact[:, :3] @ pay[:3], win, out=np.full(len(exact), pay[2]), where=win > 0)
        lost = np.divide(exact[:, 3:] @ -pay[3:], lose, out=np.full(len(exact), -pay[3]), where=lose > 0)
        return cls(win, won, lost)


def janowski(stakes: Stakes, efficiency: npt.ArrayLike = EFFICIENCY, jacoby: bool = False) -> Cubeful:
    """Equities [N, 3] with the cube centred, owned, and the opponent's, per unit of the cube, before the roll
    and without a double now; with one efficiency, or one for each [N], or for each place of the cube [N, 3].

    Under the Jacoby rule a centred cube makes a gammon count once.
    """
    x = np.asarray(efficiency, np.float64)
    x = x if x.ndim == 2 else np.broadcast_to(x, stakes.win.shape)[:, None]
    mixed = x * live(stakes, jacoby) + (1 - x) * dead(stakes, jacoby)
    return mixed.astype(np.float32)


def dead(stakes: Stakes, jacoby: bool = False) -> Values:
    """Equities [N, 3] if nobody doubles ever again."""
    win, won, lost = stakes
    equity = win * won - (1 - win) * lost
    return np.stack([2 * win - 1 if jacoby else equity, equity, equity], axis=1)


def live(stakes: Stakes, jacoby: bool = False) -> Values:
    """Equities [N, 3] if every double comes just when passing costs the other side what taking does.

    They run straight from losing everything through the take point, where the opponent cashes if he may
    double, and the cash point, where the player does, to winning everything.
    """
    win, won, lost = stakes
    whole = won + lost + 0.5
    take, cash = (lost - 0.5) / whole, (lost + 1) / whole
    nothing, one = np.zeros_like(win), np.ones_like(win)
    worst, best = (-one, one) if jacoby else (-lost, won)
    centred = through(win, [nothing, take, cash, one], [worst, -one, one, best])
    owned = through(win, [nothing, cash, one], [-lost, one, won])
    opponents = through(win, [nothing, take, one], [-lost, -one, won])
    return np.stack([centred, owned, opponents], axis=1)


def efficiency_of(stakes: Stakes, cubeful: Cubeful) -> Values:
    """The efficiency [N, 3] with which the formula gives the same equities [N, 3]; nan where a live cube is
    worth what a dead one is."""
    low, high = dead(stakes), live(stakes)
    apart = high - low
    found = np.full(apart.shape, np.nan)
    np.divide(cubeful - low, apart, out=found, where=np.abs(apart) > NEGLIGIBLE)
    return found


def efficiencies(stakes: Stakes, cubeful: Cubeful) -> Values:
    """What to take for the efficiency of the cube [N, 3], from 0 to 1, where these equities [N, 3] are known
    from elsewhere.

    `efficiency_of` is exact, but where live and dead are close, the smallest error of the equities counts
    many times. So each place of the cube leans on the fit to all three, and that, where they say nothing
    either, on the usual efficiency.
    """
    low, apart = dead(stakes), live(stakes) - dead(stakes)
    above = cubeful - low
    spread = (apart**2).sum(1, keepdims=True)
    common = np.full_like(spread, EFFICIENCY)
    np.divide((above * apart).sum(1, keepdims=True), spread, out=common, where=spread > NEGLIGIBLE**2)
    found = (above * apart + ERROR**2 * common) / (apart**2 + ERROR**2)
    clipped: Values = found.clip(0, 1)
    return clipped


def through(x: Values, at: list[Values], values: list[Values]) -> Values:
    """The value at x [N] of lines through points, each with its x [N], ascending, and its value [N]."""
    result = values[0]
    for left, right, low, high in zip(at, at[1:], values, values[1:], strict=False):
        share = np.divide(x - left, right - left, out=np.zeros_like(x), where=right > left)
        result = np.where(x >= left, low + np.clip(share, 0, 1) * (high - low), result)
    return result
