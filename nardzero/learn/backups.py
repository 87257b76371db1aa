"""Exact backups: what a position is worth by all of its 21 rolls, each played as well as the net can.

A target from the one roll that came has the noise of the dice in it, which only many games average out; the
mean over the rolls has none, and the reply to the roll that does come is found on the way. Letters in shapes:
N positions, M afterstates of all their rolls, K outputs of the net.
"""

from typing import NamedTuple

import numpy as np

from nardzero.game.bits import WIDTH, best_of_segment
from nardzero.game.outcomes import Probs, equity, finished
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.distinct import distinct
from nardzero.judge.doubling import before
from nardzero.judge.replies import KINDS, fan, mean_over_rolls
from nardzero.learn.endings import OUTPUTS, Endings
from nardzero.model.evaluator import mover_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.sieve import Sieve

AT_ONCE = 128
"""Positions whose 21 rolls are opened at once: enough to be fast, few enough for the cache."""


class Backup(NamedTuple):
    """The best replies to every roll in N positions, and what that makes the positions worth."""

    targets: Probs
    """What the net should have said of each position [N, K]."""
    after: Boards
    """The afterstates [N, 21, 32], on the side of the player who made the play."""
    theirs: Probs
    """The net's estimates [N, 21, K] of them for the opponent, who is on roll."""


def back_up(
    net: FoldedNet, boards: Boards, rules: Ruleset, sieve: Sieve | None = None, endings: Endings | None = None
) -> Backup:
    """Look at all rolls of positions [N, 32]; with a sieve, the net judges only what it leaves, and with
    endings, exact values take the place of its estimates."""
    parts = [
        _few(net, boards[start : start + AT_ONCE], rules, sieve, endings)
        for start in range(0, len(boards), AT_ONCE)
    ]
    return Backup(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _few(
    net: FoldedNet, boards: Boards, rules: Ruleset, sieve: Sieve | None, endings: Endings | None
) -> Backup:
    opened = fan(boards, rules, sieve)
    # A sixth of them come up again with another roll.
    once, which = distinct(opened.after)
    judged = net.judge_flipped(once)
    if endings:
        endings.correct(once, judged)
    judged = judged.take(which, axis=0)
    gain = equity(mover_probs(judged[:, :OUTPUTS], opened.after), rules.points)
    best = best_of_segment(gain, opened.starts)
    after = np.empty((len(best), WIDTH), np.int8)
    theirs = np.empty((len(best), judged.shape[-1]), np.float32)
    after[opened.slot], theirs[opened.slot] = opened.after.take(best, axis=0), judged.take(best, axis=0)
    mine = _seen_by_mover(theirs, after, rules)
    rolls = len(boards), KINDS
    return Backup(
        mean_over_rolls(mine.reshape(*rolls, -1)), after.reshape(*rolls, -1), theirs.reshape(*rolls, -1)
    )


def _seen_by_mover(theirs: Probs, after: Boards, rules: Ruleset) -> Probs:
    """The mover's outputs [M, K] from the opponent's [M, K] at afterstates [M, 32]: outcomes, and the cubeful
    equities through the opponent's right to double; what a finished game pays."""
    chances = mover_probs(theirs[:, :OUTPUTS], after)
    if theirs.shape[-1] == OUTPUTS:
        return chances
    points = equity(chances, rules.points)[:, None]
    cubeful = np.where(finished(after)[:, None], points, before(theirs[:, OUTPUTS:]))
    return np.concatenate([chances, cubeful], axis=1).astype(np.float32)
