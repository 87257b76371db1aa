"""How many rolls a side needs to bear off, whatever the other does.

For each side two distributions: of the rolls until its last checker is off, played so that their mean is
least; and of the rolls until its first of 15 is off, played for that. The player on roll wins if he needs
no more rolls than his opponent, and wins a gammon if he needs no more than his opponent does for his first
checker; so independent distributions give the chances of both.

That is close and not exact. Sides play here for the fewest rolls and not to win: one who is behind would take
risks. And one who may yet lose a gammon plays for his first checker and for his last at once, which no single
way of playing does. EXPERIMENTS.md has the size of the error.

Letters in shapes: N boards, K sides, R rolls.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.game.outcomes import Probs
from nardzero.game.position import CHECKERS, Boards
from nardzero.judge.bearoff.sides import HOME, Moves, both_in, every_side, moves, numbers, require

Chances = npt.NDArray[np.float32]

NEGLIGIBLE = 1e-9
"""Chances below this are left out of the table."""
DIGITS = 9
"""Means are compared to this many digits, so that no noise decides between equals: the first is played."""


@dataclass(frozen=True, eq=False)
class OneSided:
    """The rolls that sides need, by the sides' numbers; an evaluator of the boards that it knows."""

    last: Chances
    """The chance [K, R] that the last checker goes off with the r-th roll."""
    first: Chances
    """The chance [K, R] that the first does; with no roll where one is off already."""
    points: int = HOME
    """How many points a side has."""

    def knows(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Which boards [N, 26] it can evaluate [N]: both sides at home and unfinished."""
        return both_in(boards, self.points, len(self.last))

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of boards [N, 26] for the player on roll, nearly exact.

        The same for every ruleset. Raises InvalidPosition for a board that it does not know.
        """
        require(self.knows(boards))
        own, opponent = numbers(boards, self.points)
        # With his k-th roll the player on roll is in time if the opponent needs more than k - 1.
        win = _in_time(self.last[own], self.last[opponent], 1)
        win_gammon = _in_time(self.last[own], self.first[opponent], 1)
        lose_gammon = _in_time(self.last[opponent], self.first[own], 0)
        probs = np.zeros((6, len(boards)), np.float32)
        probs[1:5] = win_gammon, win - win_gammon, 1 - win - lose_gammon, lose_gammon
        return probs.T

    def mean_rolls(self, boards: Boards) -> npt.NDArray[np.float32]:
        """How many rolls [N] the player on roll needs on average to bear off, on boards [N, 26].

        Raises InvalidPosition for a board that it does not know.
        """
        require(self.knows(boards))
        own, _ = numbers(boards, self.points)
        mean: npt.NDArray[np.float32] = self.last[own] @ np.arange(self.last.shape[1]).astype(np.float32)
        return mean


def _in_time(done: Chances, other: Chances, lead: int) -> npt.NDArray[np.float32]:
    """The chance [N] to be done with some k-th roll while the other needs more than k - lead rolls."""
    later = 1 - other.cumsum(1)
    rolls = min(done.shape[1] - lead, later.shape[1])
    chance: npt.NDArray[np.float32] = np.einsum("nr,nr->n", done[:, lead : lead + rolls], later[:, :rolls])
    return chance


@dataclass(eq=False)
class _Goal:
    """What a side plays for, in as few rolls as it can; filled from the fewest pips up."""

    reached: npt.NDArray[np.bool_]
    """Whether sides [K] are there already."""
    width: int
    """More rolls than any side can need."""
    chances: npt.NDArray[np.float64] = field(init=False)
    """Of needing exactly r rolls [K, R]."""
    mean: npt.NDArray[np.float64] = field(init=False)
    """The rolls needed on average [K]."""

    def __post_init__(self) -> None:
        self.chances = np.zeros((len(self.reached), self.width))
        self.chances[self.reached, 0] = 1
        self.mean = np.zeros(len(self.reached))

    def learn(self, sides: Index, replies: Moves) -> None:
        """Fill in some sides, from those that their plays lead to."""
        chosen = replies.after[best_of_segment(-self.mean[replies.after], replies.starts)]
        after = self.chances[chosen].reshape(len(sides), len(ROLLS), self.width)
        chances = np.einsum("w,kwr->kr", WEIGHTS, after[..., :-1])
        there = self.reached[sides]
        self.chances[sides[~there], 1:] = chances[~there]
        self.mean[sides] = np.round(self.chances[sides] @ np.arange(self.width), DIGITS)

    def table(self) -> Chances:
        """The chances, without negligible ones and the columns beyond."""
        kept = np.where(self.chances < NEGLIGIBLE, 0, self.chances).astype(np.float32)
        return kept[:, : 1 + int(np.flatnonzero(kept.any(0))[-1])]


def build_one_sided(points: int = HOME, checkers: int = CHECKERS) -> OneSided:
    """The table of all sides of up to so many checkers on so many points."""
    sides = every_side(points, checkers)
    pips = sides @ np.arange(1, points + 1)
    # A roll takes two pips at least, or it ends the game.
    width = int(pips.max()) // 2 + 2
    last = _Goal(sides.sum(1) == 0, width)
    first = _Goal(sides.sum(1) < CHECKERS, width)
    for level in range(1, int(pips.max()) + 1):
        here = np.flatnonzero(pips == level)
        replies = moves(sides[here])
        last.learn(here, replies)
        first.learn(here, replies)
    return OneSided(last.table(), first.table(), points)
