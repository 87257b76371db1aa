"""Luck: what the dice gave, as an evaluator sees it.

The luck of a roll is the equity of the best play with it less the mean of that over all rolls that could
come. Whatever the evaluator thinks, that is 0 on average, so to take it off a result leaves the mean where
it was and removes most of the noise. Letters in shapes: N positions, none of whose games is over.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, pad
from nardzero.game.dice import ROLLS, WEIGHTS, Dice, roll_index
from nardzero.game.outcomes import Probs, equity
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.distinct import distinct
from nardzero.judge.replies import Replies, best_replies
from nardzero.model.evaluator import Evaluator
from nardzero.model.sieve import Sieve

CHUNK = 128
"""Positions whose 21 rolls are opened at once: enough to be fast, few enough for the cache."""

Chances = npt.NDArray[np.float64]


def roll_chances(rules: Ruleset, opening: bool = False) -> Chances:
    """How likely each of the 21 rolls is [21]; for the `opening` roll of a game as the rules have it (R2)."""
    if not opening or rules.opening == "rerolled":
        return WEIGHTS
    unequal = ROLLS[:, 0] != ROLLS[:, 1]
    chances: Chances = unequal / np.count_nonzero(unequal)
    return chances


def roll_luck(
    judge: Evaluator,
    boards: Boards,
    dice: Dice,
    rules: Ruleset,
    sieve: Sieve | None = None,
    opening: bool = False,
) -> npt.NDArray[np.float32]:
    """The luck [N], in points, of the players on roll in positions [N, 26] who rolled dice [N, 2].

    With a sieve only the plays that it leaves are judged, which changes little and saves most of the time.
    `opening` says that these are the first rolls of games.
    """
    different, which = distinct(pad(boards[:, :COLUMNS]))
    chances, rolled = roll_chances(rules, opening), roll_index(dice)
    parts = [equity(found.probs, rules.points) for found in _in_chunks(judge, different, rules, sieve)]
    values = np.concatenate(parts)
    luck: npt.NDArray[np.float32] = values[which, rolled] - (values @ chances).astype(np.float32)[which]
    return luck


def all_replies(judge: Evaluator, boards: Boards, rules: Ruleset, sieve: Sieve | None = None) -> Replies:
    """`best_replies` for any number of positions [N, 32]: equal ones are judged once, and few at a time."""
    different, which = distinct(boards)
    parts = _in_chunks(judge, different, rules, sieve)
    after, probs = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Replies(after.take(which, axis=0), probs.take(which, axis=0))


def _in_chunks(judge: Evaluator, boards: Boards, rules: Ruleset, sieve: Sieve | None) -> Iterator[Replies]:
    """`best_replies` for positions [N, 32], few at a time; once with none if there are none."""
    for start in range(0, max(len(boards), 1), CHUNK):
        yield best_replies(judge, boards[start : start + CHUNK], rules, sieve)


def luck_of(replies: Replies, rolled: Index, chances: Chances = WEIGHTS) -> Probs:
    """The luck [N, 6] of the rolls [N], numbers in ROLLS, as what it added to each outcome's probability.

    It sums to 0, and its equity is the luck in points.
    """
    mean = np.einsum("nrk,r->nk", replies.probs, chances)
    luck: Probs = replies.probs[np.arange(len(rolled)), rolled] - mean.astype(np.float32)
    return luck
