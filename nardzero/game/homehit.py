"""The rule on hitting in one's own home board (the takhteh rule), for many plays at once.

A checker that hits on a point 1 to 6 of the mover is *marked* for the rest of the turn. Under `no_cover` a
marked checker may not land on a point that its own side holds; under `no_run` it may not move again. The
checkers of a point are alike, so the rule bites only where the marked one has to be the one that moves.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import FIELD, FIELD_MASK, ONE, Index, Words, pack
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset

HOME = np.uint32(0b1111110)
"""The points 1 to 6."""


def stuck_hitters(own: Words, blots: Words, die: Words, rules: Ruleset) -> Words:
    """With unequal dice: the home points [N] from which a checker that has just hit may not move `die` on.

    It stands there alone, so it is the marked one itself that would move.
    """
    hit: Words = blots & HOME
    return hit if rules.home_hit == "no_run" else hit & (own << die)


def doubles_allowed(
    wide: Boards, die: Words, game: Index, code: Words, rules: Ruleset
) -> npt.NDArray[np.bool_]:
    """Which plays [M] of doubles can be made in some order that keeps the rule.

    wide [N, 32] are the boards before the play, die [N] is doubled, game [M] and code [M] are the plays.
    """
    allowed = np.ones(len(code), np.bool_)
    sources = np.stack([(code >> (FIELD * np.uint32(field))) & FIELD_MASK for field in range(4)])
    targets = np.bitwise_or.reduce((ONE << sources) >> die[game], axis=0)
    hitters = np.flatnonzero(targets & (pack(wide == -1) & HOME)[game])
    if len(hitters):
        boards, step = wide[game[hitters]], die[game[hitters]].astype(np.int64)
        moves = np.zeros(boards.shape, np.int8)
        for field in sources[:, hitters]:
            moves[np.arange(len(hitters)), field] += 1
        allowed[hitters] = ~_breaks_rule(boards, moves, step, rules)
    return allowed


def _breaks_rule(boards: Boards, moves: Boards, step: Index, rules: Ruleset) -> npt.NDArray[np.bool_]:
    """Whether each of K plays, given by the number of moves from each point [K, 32], has no allowed order."""
    breaks = np.zeros(len(boards), np.bool_)
    every = np.arange(len(boards))
    for point in range(1, 7):
        arrivals, leaving = moves[every, point + step], moves[:, point]
        # The first to arrive hits. If one of the others stays, the marked checker can be that one.
        must_run = np.flatnonzero((boards[:, point] == -1) & (arrivals > 0) & (leaving == arrivals))
        if rules.home_hit == "no_run":
            breaks[must_run] = True
        else:
            covers = _must_cover(boards[must_run], moves[must_run], step[must_run], point)
            breaks[must_run] |= covers
    return breaks


def _must_cover(boards: Boards, moves: Boards, step: Index, point: int) -> npt.NDArray[np.bool_]:
    """Whether the marked checker that runs on from `point` has to land on its own side somewhere.

    It may land where its own side has left in time: everyone who stood there before, and everyone who went
    there on leaving the marked checker's last landing place. Who is behind it cannot bear off with a die
    larger than needed, so below the step's own point nobody can leave in time.
    """
    covers = np.zeros(len(boards), np.bool_)
    running = np.arange(len(boards))
    at = np.full(len(boards), point) - step
    in_the_way = np.zeros(len(boards), np.int64)
    while len(running := running[at[running] >= 1]):
        here = at[running]
        held = np.maximum(boards[running, here], 0)
        leaving = moves[running, here]
        in_the_way[running] += held
        wait = in_the_way[running]
        blocked = (wait > 0) & ((here < step[running]) | (leaving < wait))
        covers[running[blocked]] = True
        runs_on = ~blocked & (leaving == held + moves[running, here + step[running]])
        at[running] -= step[running]
        running = running[runs_on]
    return covers
