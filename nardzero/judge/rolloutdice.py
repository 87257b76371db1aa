"""The dice of rollouts: the first two rolls of the games are spread evenly, all others thrown.

Luck with these two would be most of what is left to chance, and so it nearly cancels. Games are numbered.
What a game rolls depends on its number and the seed alone, so that any of them can be played at any time, and
every candidate of a decision meets the same dice.
"""

import numpy as np

from nardzero.game.dice import Dice, throw

ROUND = 36 * 36
"""Games in which every pair of first two rolls comes up once, telling the two dice apart."""
SPREAD = 2
"""The plies whose rolls are spread."""


def rollout_dice(seed: int, games: range, ply: int) -> Dice:
    """The dice [N, 2] of the N games with consecutive numbers, in the ply counted from 0."""
    rounds = range(games.start // ROUND, -(-games.stop // ROUND))
    dice = np.concatenate([_round(seed, number, ply) for number in rounds])
    first = games.start - rounds.start * ROUND
    return dice[first : first + len(games)]


def _round(seed: int, number: int, ply: int) -> Dice:
    """The dice [ROUND, 2] of a round of games.

    Among the first 36 k games of a round every first roll comes k times, every second roll too, and no pair
    of them twice: place 36 r + c holds the c-th first roll and the (c + r)-th second roll, each in an order
    of its own that is drawn for the round. So for each single game both rolls are fair and independent.
    """
    rng = np.random.default_rng((seed, number, ply))
    if ply >= SPREAD:
        return throw(rng, ROUND)
    row, column = np.divmod(np.arange(ROUND), 36)
    order = rng.permutation(36)
    first, second = np.divmod(order[(column + ply * row) % 36], 6)
    return np.stack([first, second], axis=1) + 1
