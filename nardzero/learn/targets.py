"""What the net learns towards: λ-returns over a window of play, forward view.

Letters in shapes: T plies, N games.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs, flip_outcomes
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED, Cubeful, with_double


def lambda_returns(values: Probs, done: npt.NDArray[np.bool_], results: Probs, lam: float) -> Probs:
    """Targets [T, N, 6] for the positions of a window, each for its player on roll.

    values [T + 1, N, 6] are the estimates of the window's positions and of the one after it; done [T, N]
    says where a ply ended its game, with the mover's outcome in results [T, N, 6]. Going backwards,

        target[t] = flip((1 - lam) * value[t + 1] + lam * target[t + 1]),

    or the outcome where the game ended (R. Sutton and A. Barto, "Reinforcement Learning", 2nd ed., §12.1).
    Rows sum to 1. lam = 0 gives the next value, 1 the result or the value at the window's end.
    """
    return _backwards(values, done, results, lam, lambda ahead, estimate: flip_outcomes(ahead))


def cube_returns(cubeful: Cubeful, done: npt.NDArray[np.bool_], points: Cubeful, lam: float) -> Cubeful:
    """Targets [T, N, 3] for the cubeful equities of a window, each for its player on roll.

    cubeful [T + 1, N, 3] are the estimates with the cube centred, owned and the opponent's, per unit of the
    cube, before the roll and without a double now; where a ply ended its game, points [T, N] are what the
    mover won. From one ply to the next they go like the λ-returns, and through the opponent's right to
    double: see `with_double`.
    """

    def mine(ahead: Cubeful, estimate: Cubeful) -> Cubeful:
        theirs = with_double(ahead, estimate)
        # The cube that is mine is the opponent's seen by him, and the other way round.
        return -theirs[..., [CENTRED, OPPONENTS, OWNED]]

    return _backwards(cubeful, done, np.repeat(points[..., None], 3, axis=-1), lam, mine)


def _backwards(
    values: Probs,
    done: npt.NDArray[np.bool_],
    results: Probs,
    lam: float,
    turned: Callable[[Probs, Probs], Probs],
) -> Probs:
    """λ-returns [T, N, K] of estimates [T + 1, N, K]; `turned` gives what the next player's are worth to the
    one before, from his returns and his estimates [N, K]."""
    targets = np.empty_like(results)
    following = values[-1]
    for ply in range(len(done) - 1, -1, -1):
        ahead = values[ply + 1] + np.float32(lam) * (following - values[ply + 1])
        targets[ply] = np.where(done[ply, :, None], results[ply], turned(ahead, values[ply + 1]))
        following = targets[ply]
    return targets
