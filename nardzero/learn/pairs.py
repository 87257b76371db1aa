"""Pairs of plays to learn from: the best of a roll and another one that is close, both by exact backups.

A net that learns from the positions of its games learns what the plays are worth that it chose, and of all
others only what happens to follow. Yet plays are chosen by how they differ. A play without a rival is its
own, since values come from the end of a game ply by ply: to leave plies out would let them drift.

Letters in shapes: N positions, M afterstates of all of them, S pairs, K outputs of the net.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment, flip_padded
from nardzero.game.dice import throw
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, equity, finished
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.learn.backups import back_up
from nardzero.learn.endings import Endings
from nardzero.model.evaluator import mover_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.sieve import Sieve

CLOSE = 0.1
"""How many points behind the best the other play of a pair may be."""


def pairs(
    net: FoldedNet,
    boards: Boards,
    rules: Ruleset,
    rng: np.random.Generator,
    sieve: Sieve | None = None,
    replies: Sieve | None = None,
    endings: Endings | None = None,
) -> tuple[Boards, Probs]:
    """Throw dice in positions [N, 32], and take the best play and one of the others that are close, or where
    none is the best one twice, as the opponent finds them [S, 2, 32], with exact backups [S, 2, K]; none of a
    play that ends the game. With a sieve, the net judges only what it leaves, and another one does the
    same for the replies in the backups; with endings, exact values take the place of its estimates there."""
    found = candidates(boards, throw(rng, len(boards)), rules)
    after, starts = found.boards(), found.starts
    if sieve is not None:
        after, starts = sieve.shortlist(after, starts, rules)
    theirs = net.judge_flipped(after)
    gain = equity(mover_probs(theirs[:, :6], after), rules.points)
    best, other = _best_and_another(gain, starts, finished(after), rng)
    if not len(best):
        return np.empty((0, 2, boards.shape[1]), np.int8), np.empty((0, 2, theirs.shape[1]), np.float32)
    two = other != best
    turned = flip_padded(after.take(np.concatenate([best, other[two]]), axis=0))
    targets = back_up(net, turned, rules, replies, endings).targets
    first = np.arange(len(best))
    second = first.copy()
    second[two] = np.arange(len(best), len(turned))
    rows = np.stack([first, second], axis=1)
    return turned[rows], targets[rows]


def _best_and_another(
    gain: npt.NDArray[np.float32], starts: Index, over: npt.NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Index, Index]:
    """The rows [S] of the best play, and of another one drawn from the close ones or, where there is none, of
    the best again, in each segment of equities [M]; none that ends the game."""
    best = best_of_segment(gain, starts)
    close = (gain >= np.repeat(gain[best] - np.float32(CLOSE), np.diff(starts))) & ~over
    close[best] = False
    lot = np.where(close, rng.random(len(gain)), -1.0)
    other = best_of_segment(lot, starts)
    other = np.where(close[other], other, best)
    goes_on = ~over[best]
    return best[goes_on], other[goes_on]
