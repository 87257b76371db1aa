"""What the net learns towards: λ-returns over a window of play, forward view.

Letters in shapes: T plies, N games.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs, flip_outcomes
from nardzero.judge.doubling import Cubeful, before


def lambda_returns(values: Probs, done: npt.NDArray[np.bool_], results: Probs, lam: float) -> Probs:
    """Targets [T, N, 6] for the positions of a window, each for its player on roll.

    values [T + 1, N, 6] are the estimates of the window's positions and of the one after it; done [T, N]
    says where a ply ended its game, with the mover's outcome in results [T, N, 6]. Going backwards,

        target[t] = flip((1 - lam) * value[t + 1] + lam * target[t + 1]),

    or the outcome where the game ended (R. Sutton and A. Barto, "Reinforcement Learning", 2nd ed., §12.1).
    Rows sum to 1. lam = 0 gives the next value, 1 the result or the value at the window's end.
    """
    targets = np.empty_like(results)
    following = values[-1]
    for ply in range(len(done) - 1, -1, -1):
        ahead = values[ply + 1] + np.float32(lam) * (following - values[ply + 1])
        targets[ply] = np.where(done[ply, :, None], results[ply], flip_outcomes(ahead))
        following = targets[ply]
    return targets


def cube_targets(cubeful: Cubeful, done: npt.NDArray[np.bool_], points: npt.NDArray[np.float32]) -> Cubeful:
    """Targets [T, N, 3] for the cubeful equities of a window, each for its player on roll.

    cubeful [T + 1, N, 3] are the estimates with the cube centred, owned and the opponent's, per unit of the
    cube, before the roll and without a double now. Each target comes from the next position alone, through
    the opponent's right to double there (see `before`), or is what the mover won, points [T, N], where the
    ply ended its game. Looking on further would multiply what follows by 2 at every double that a poor
    estimate decides.
    """
    return np.where(done[..., None], points[..., None], before(cubeful[1:]))
