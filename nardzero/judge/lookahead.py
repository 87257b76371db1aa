"""Looking ahead: an evaluator that judges a position by playing on for n plies, around any evaluator.

Plies are counted as GNU Backgammon does: 0-ply is the evaluator itself; n-ply is the mean over the 21 rolls
of the best play's (n - 1)-ply judgement, and what the evaluator knows exactly is left at that. Looking at
every play to full depth takes 400 times the work for each ply, so plays that a shallower look puts far behind
are left out, in the spirit of GNU Backgammon's move filters: see `Filters`. Letters in shapes: N positions, M
afterstates of all of them.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment, flip_padded, pad, segment_starts
from nardzero.game.errors import InvalidInput
from nardzero.game.outcomes import Probs, equity, finished, flip_outcomes, won_probs
from nardzero.game.position import COLUMNS, Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.distinct import distinct
from nardzero.judge.doubling import Cubeful, CubeJudge, before
from nardzero.judge.exact import exact
from nardzero.judge.replies import best_of_fan, best_replies, fan, judge_fan, mean_over_rolls
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.model.sieve import Sieve

Payoffs = npt.NDArray[np.floating[Any]]
"""What the six outcomes pay the mover [M, 6]."""

MOST_PLIES = 4
"""Deeper than this is refused: it would take hours a position."""
CHUNK = 128
"""Positions whose 21 rolls are opened at once: enough to be fast, few enough for the cache."""


class Filter(NamedTuple):
    """Which plays are worth a deeper look: the best, and others that come close to it."""

    keep: int
    """How many at most."""
    margin: float
    """How far behind the best, in points, at most."""


EVERY = Filter(10**9, float("inf"))
"""Every play is worth it."""
BEST = Filter(1, 0.0)
"""Only the best is."""
PLAYS = (Filter(8, 0.16), Filter(4, 0.08), Filter(2, 0.04))
"""The best few at 0-ply, fewer of them at 1-ply, and so on."""


@dataclass(frozen=True)
class Filters:
    """What lookahead leaves out. `Filters.off()` leaves out nothing and takes its time."""

    plays: tuple[Filter, ...] = PLAYS
    """In a decision: which plays, judged at 0-ply, go on to 1-ply; which of those to 2-ply; and so on. The
    last one serves for all deeper plies."""
    reply: Filter = BEST
    """Further on: which plays, judged at 0-ply, are looked at more deeply."""
    sieve: bool = True
    """Further on: whether the bot's sieve, if it has one, leaves out plays before they are judged at all."""

    @classmethod
    def off(cls) -> "Filters":
        """Every play to full depth."""
        return cls((EVERY,), EVERY, False)

    def after(self, ply: int) -> Filter:
        """Which plays of a decision go on from a ply to the next."""
        return self.plays[min(ply, len(self.plays) - 1)]


@dataclass(frozen=True)
class Lookahead:
    """An evaluator that looks n plies ahead of another one."""

    base: Evaluator
    """What judges at 0-ply."""
    ply: int
    """How far ahead, 1 or more."""
    rules: Ruleset
    """The rules by which it plays on."""
    filters: Filters = Filters()
    """What is left out."""

    def __post_init__(self) -> None:
        if not 1 <= self.ply <= MOST_PLIES:
            raise InvalidInput(f"lookahead is from 0 to {MOST_PLIES} plies, not {self.ply}")

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll."""
        different, which = distinct(pad(boards[:, :COLUMNS]))
        turned = flip_padded(different)
        won, lost = finished(different), finished(turned)
        probs = np.empty((len(different), 6), np.float32)
        probs[won] = won_probs(different[won, :COLUMNS])
        probs[lost] = flip_outcomes(won_probs(turned[lost, :COLUMNS]))
        known = exact(self.base, different)
        if known.any():
            probs[known] = self.base.evaluate(different[known, :COLUMNS])
        running = np.flatnonzero(~(won | lost | known))
        for start in range(0, len(running), CHUNK):
            chunk = running[start : start + CHUNK]
            probs[chunk] = self._look(different.take(chunk, axis=0))
        return probs.take(which, axis=0)

    def exact(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Of which boards [N, 26] its answers are exact [N]: those of the base."""
        return exact(self.base, boards)

    def _look(self, boards: Boards) -> Probs:
        """The same for a chunk of distinct positions [N, 32] whose games go on."""
        opened = fan(boards, self.rules, self._sieve)
        probs = judge_fan(self.base, opened)
        if self.ply > 1:
            left, starts = shortlist(equity(probs, self.rules.points), opened.starts, self.filters.reply)
            opened = opened._replace(after=opened.after.take(left, axis=0), starts=starts)
            probs = after_probs(self._level(self.ply - 1), opened.after[:, :COLUMNS])
        return mean_over_rolls(best_of_fan(opened, probs, self.rules).probs)

    def cubeful(self, boards: Boards) -> Cubeful | None:
        """Equities [N, 3] of positions [N, 26] with the cube at each place; see `CubeJudge`. None if the base
        does not know them. Plays are chosen without the cube, at 0-ply."""
        known = exact(self.base, boards)
        equities = np.empty((len(boards), 3), np.float32)
        if known.any():
            equities[known] = _cubeful_of(self.base, boards[known, :COLUMNS])
        open_rows = np.flatnonzero(~known)
        for start in range(0, len(open_rows), CHUNK):
            chunk = open_rows[start : start + CHUNK]
            looked = self._cubeful(pad(boards[chunk, :COLUMNS]))
            if looked is None:
                return None
            equities[chunk] = looked
        return equities

    def _cubeful(self, boards: Boards) -> Cubeful | None:
        """The same for a chunk of positions [N, 32] whose games go on."""
        replies = best_replies(self.base, boards, self.rules, self._sieve)
        after = replies.after.reshape(-1, replies.after.shape[-1])
        over = finished(after)
        theirs = _cubeful_of(self._level(self.ply - 1), flip(after[~over, :COLUMNS]))
        if theirs is None:
            return None
        mine = np.empty((len(after), theirs.shape[-1]), np.float32)
        mine[~over] = before(theirs)
        mine[over] = equity(won_probs(after[over, :COLUMNS]), self.rules.points)[:, None]
        return mean_over_rolls(mine.reshape(len(boards), -1, mine.shape[-1]))

    def rank(
        self, after: Boards, starts: Index, decide: bool = False, pay: Payoffs | None = None
    ) -> tuple[Probs, Index]:
        """The mover's outcome probabilities [M, 6] of the afterstates [M, 26] of N games in segments [N + 1],
        and the ply [M] that each was judged at: those that the filters leave at the full one.

        To `decide` is enough for who only wants the best: a game where one play is left is not looked at on.
        What the outcomes `pay` [M, 6] the filters go by, if it is not what the rules say.
        """
        pay = np.broadcast_to(self.rules.points, (len(after), 6)) if pay is None else pay
        probs = after_probs(self.base, after)
        plies = np.zeros(len(after), np.int64)
        left, bounds = np.arange(len(after)), starts
        for ply in range(self.ply):
            values = (probs[left] * pay[left]).sum(1, dtype=np.float32)
            near, bounds = shortlist(values, bounds, self.filters.after(ply))
            if decide:
                near, bounds = _undecided(near, bounds)
            left = left[near]
            if not len(left):
                break
            probs[left] = after_probs(self._level(ply + 1), after[left])
            plies[left] = ply + 1
        return probs, plies

    def best(self, after: Boards, starts: Index) -> Index:
        """The best [N] of the afterstates [M, 26] of N games in segments [N + 1], as an index into them."""
        probs, plies = self.rank(after, starts, decide=True)
        counts = np.diff(starts)
        deepest = np.repeat(np.maximum.reduceat(plies, starts[:-1]), counts)
        values = np.where(plies == deepest, equity(probs, self.rules.points), -np.inf)
        return best_of_segment(values.astype(np.float32), starts)

    def _level(self, ply: int) -> Evaluator:
        return replace(self, ply=ply) if ply else self.base

    @cached_property
    def _sieve(self) -> Sieve | None:
        return getattr(self.base, "sieve", None) if self.filters.sieve else None


def _cubeful_of(judge: Evaluator, boards: Boards) -> Cubeful | None:
    """What an evaluator says [N, 3] of positions [N, 26] with the cube, if it knows about that."""
    return judge.cubeful(boards) if isinstance(judge, CubeJudge) else None


def lookahead(base: Evaluator, ply: int, rules: Ruleset, filters: Filters | None = None) -> Evaluator:
    """The evaluator looking so many plies further ahead; at 0 the evaluator itself.

    One that looks ahead already does so by these rules and filters from now on. Raises InvalidInput for a ply
    below 0, or above MOST_PLIES in all.
    """
    if isinstance(base, Lookahead):
        return replace(base, ply=base.ply + ply, rules=rules, filters=filters or base.filters)
    return base if ply == 0 else Lookahead(base, ply, rules, filters or Filters())


def plies_of(judge: Evaluator) -> int:
    """How many plies an evaluator looks ahead: lookahead, and other engines with a `ply` of their own."""
    if isinstance(judge, Lookahead):
        return judge.ply + plies_of(judge.base)
    return int(getattr(judge, "ply", 0))


def shortlist(values: npt.NDArray[np.float32], starts: Index, wanted: Filter) -> tuple[Index, Index]:
    """Which of the plays with values [M] in segments [N + 1] a filter leaves: in order, with new segments."""
    if wanted == EVERY:
        return np.arange(len(values)), starts
    if wanted.keep == 1:
        return best_of_segment(values, starts), np.arange(len(starts))
    counts = np.diff(starts)
    segment = np.repeat(np.arange(len(counts)), counts)
    best = np.maximum.reduceat(values, starts[:-1])
    order = np.lexsort((-values, segment))
    rank = np.empty(len(values), np.int64)
    rank[order] = np.arange(len(values)) - starts[segment]
    left = np.flatnonzero((rank < wanted.keep) & (values >= (best - np.float32(wanted.margin))[segment]))
    return left, segment_starts(np.bincount(segment[left], minlength=len(counts)))


def _undecided(left: Index, starts: Index) -> tuple[Index, Index]:
    """What is left of segments [N + 1] once those with a single play are taken out."""
    counts = np.diff(starts)
    open_ = counts > 1
    return left[np.repeat(open_, counts)], segment_starts(counts[open_])
