"""Dice: the 21 rolls, checks, and throws for many games at once."""

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidDice
from nardzero.game.rules import Ruleset

Dice = npt.NDArray[np.int64]

ROLLS: Dice = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
"""The 21 distinct rolls [21, 2], larger die first."""
WEIGHTS: npt.NDArray[np.float64] = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2) / 36
"""The probability [21] of each."""


def roll_index(dice: Dice) -> Dice:
    """Which of ROLLS [N] each of the dice [N, 2] is, in either order."""
    high, low = np.maximum(dice[:, 0], dice[:, 1]), np.minimum(dice[:, 0], dice[:, 1])
    number: Dice = high * (high - 1) // 2 + low - 1
    return number


def validate_dice(dice: npt.ArrayLike) -> Dice:
    """Dice [..., 2] as int64. Raises InvalidDice unless each is a whole number from 1 to 6."""
    given = np.asarray(dice)
    if given.ndim == 0 or given.shape[-1] != 2:
        raise InvalidDice(f"a roll is two dice, not shape {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise InvalidDice(f"a die shows a whole number, not {given.dtype}")
    wrong = given[(given < 1) | (given > 6)]
    if wrong.size:
        raise InvalidDice(f"a die shows 1 to 6, not {int(wrong.flat[0])}")
    return given.astype(np.int64)


def parse_dice(text: str) -> tuple[int, int]:
    """Dice as people write them: `31`, `3-1`, `3 1`, `3,1`. Raises InvalidDice for anything else."""
    digits = text.strip().replace("-", " ").replace(",", " ").split()
    if len(digits) == 1 and len(digits[0]) == 2:
        digits = list(digits[0])
    if len(digits) != 2 or not all(len(d) == 1 and d in "123456" for d in digits):
        raise InvalidDice(f"{text!r} is not a roll; write two dice from 1 to 6, like 31")
    return int(digits[0]), int(digits[1])


def throw(rng: np.random.Generator, games: int) -> Dice:
    """Two dice [games, 2] for each game."""
    return rng.integers(1, 7, (games, 2))


def opening_throw(rng: np.random.Generator, games: int, rules: Ruleset) -> Dice:
    """The first roll [games, 2] of a game: unequal dice, or any where the winner throws again (R2)."""
    dice = throw(rng, games)
    if rules.opening == "rerolled":
        return dice
    equal = np.flatnonzero(dice[:, 0] == dice[:, 1])
    while len(equal):
        dice[equal] = throw(rng, len(equal))
        equal = equal[dice[equal, 0] == dice[equal, 1]]
    return dice
