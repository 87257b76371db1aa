"""All 21 rolls of many positions at once, and the best play for each: what looking ahead, luck and rollouts
are made of.

Letters in shapes: N positions, M afterstates of all their rolls. Boards are padded to 32 columns (see
game/bits.py), and none of the games is over.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, Index, best_of_segment
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, equity
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.distinct import distinct
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.model.sieve import Sieve

KINDS = len(ROLLS)


class Fan(NamedTuple):
    """What may be played in N positions with each of the 21 rolls."""

    after: Boards
    """The afterstates [M, 32], segment by segment."""
    starts: Index
    """Where each segment, one position with one roll, starts, and where the last one ends [N * 21 + 1]."""
    slot: Index
    """Which position and roll a segment is [N * 21]: 21 * position + roll, as ROLLS lists them."""


class Replies(NamedTuple):
    """The best play in N positions for each of the 21 rolls."""

    after: Boards
    """The afterstates [N, 21, 32], on the side of the player who made the play."""
    probs: Probs
    """His outcome probabilities [N, 21, 6] after it."""

    @property
    def mean(self) -> Probs:
        """His outcome probabilities [N, 6] before the roll."""
        return mean_over_rolls(self.probs)


def mean_over_rolls(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The mean [N, ...] of what belongs to each roll [N, 21, ...], as likely as they are."""
    mean: npt.NDArray[np.float32] = np.tensordot(values, WEIGHTS, axes=(1, 0)).astype(np.float32)
    return mean


def fan(boards: Boards, rules: Ruleset, sieve: Sieve | None = None) -> Fan:
    """Every afterstate of positions [N, 32] with every roll; with a sieve, those that it leaves."""
    games = len(boards)
    found = candidates(np.repeat(boards, KINDS, axis=0), np.tile(ROLLS, (games, 1)), rules)
    after, starts = found.boards(), found.starts
    if sieve is not None:
        after, starts = sieve.shortlist(after, starts, rules)
    return Fan(after, starts, found.game)


def judge_fan(judge: Evaluator, opened: Fan) -> Probs:
    """The mover's outcome probabilities [M, 6] of the afterstates. A sixth of them come up again with another
    roll: each is judged once."""
    different, which = distinct(opened.after)
    return after_probs(judge, different[:, :COLUMNS]).take(which, axis=0)


def best_of_fan(opened: Fan, probs: Probs, rules: Ruleset) -> Replies:
    """The best play for every roll, by the mover's outcome probabilities [M, 6] of the afterstates."""
    best = best_of_segment(equity(probs, rules.points), opened.starts)
    after = np.empty((len(best), WIDTH), np.int8)
    after[opened.slot] = opened.after.take(best, axis=0)
    chosen = np.empty((len(best), probs.shape[-1]), np.float32)
    chosen[opened.slot] = probs.take(best, axis=0)
    return Replies(after.reshape(-1, KINDS, WIDTH), chosen.reshape(-1, KINDS, probs.shape[-1]))


def best_replies(judge: Evaluator, boards: Boards, rules: Ruleset, sieve: Sieve | None = None) -> Replies:
    """The best play in positions [N, 32] for every roll, as an evaluator judges what comes after it."""
    opened = fan(boards, rules, sieve)
    return best_of_fan(opened, judge_fan(judge, opened), rules)
