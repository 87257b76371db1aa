"""What a sieve learns from a finished net: how the plays of one roll compare.

A sieve only has to tell which of some siblings, afterstates of one position and one roll, are near the best
of them. So it need not learn what a position is worth, and it need not learn from games: the net says what it
thinks of every sibling, without the noise of dice. Letters in shapes: N positions, S sets of siblings, M
siblings of all sets.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from nardzero.game.bits import Index, flip_padded, gather_segments, segment_starts
from nardzero.game.dice import throw
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import equity, finished
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.model.folded import FoldedNet

AT_ONCE = 2048
"""Positions whose plays are found and judged at once."""
NEAR = 0.1
"""Points behind the best at which a sibling counts e times less than it."""


@dataclass(frozen=True)
class Siblings:
    """Sets of siblings, two or more in each, as a net judges them."""

    boards: Boards
    """The siblings as the opponent finds them [M, 32], set by set."""
    worth: npt.NDArray[np.float32]
    """The opponent's equity in each [M], in points."""
    starts: Index
    """Where each set starts, and where the last one ends [S + 1]."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, chosen: Index) -> "Siblings":
        """Some of the sets."""
        rows = gather_segments(self.starts, chosen)
        counts = np.diff(self.starts)[chosen]
        return Siblings(self.boards.take(rows, axis=0), self.worth.take(rows), segment_starts(counts))


def siblings(net: FoldedNet, boards: Boards, rules: Ruleset, rng: np.random.Generator) -> Siblings:
    """Throw dice in positions [N, 32] and judge all plays. Where there is but one, or one that wins, there is
    nothing to learn."""
    parts = [
        _some(net, boards[start : start + AT_ONCE], rules, rng) for start in range(0, len(boards), AT_ONCE)
    ]
    counts = np.concatenate([np.diff(part.starts) for part in parts])
    return Siblings(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.worth for part in parts]),
        segment_starts(counts),
    )


def _some(net: FoldedNet, boards: Boards, rules: Ruleset, rng: np.random.Generator) -> Siblings:
    found = candidates(boards, throw(rng, len(boards)), rules)
    after, starts = found.boards(), found.starts
    won = np.logical_or.reduceat(finished(after), starts[:-1])
    worth = equity(net.evaluate_flipped(after), rules.points)
    return Siblings(flip_padded(after), worth, starts).take(np.flatnonzero((np.diff(starts) > 1) & ~won))


def disagreement(ours: Tensor, worth: Tensor, starts: Index) -> Tensor:
    """How differently two equities [M] of the opponent rank siblings in sets [S + 1]; 0 if both differ by the
    same in all siblings of a set.

    It is the Kullback-Leibler divergence of two softmaxes over each set, of what the siblings leave the mover
    in units of NEAR: ListNet (Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach",
    2007). So it matters where the best are, and of all others only that they are far behind.
    """
    counts = np.diff(starts)
    row = np.repeat(np.arange(len(counts)), counts)
    places = torch.from_numpy(row), torch.from_numpy(np.arange(len(row)) - starts[row])
    shape = len(counts), int(counts.max())

    def log_softmax(values: Tensor) -> Tensor:
        table = values.new_full(shape, -torch.inf).index_put(places, -values / NEAR)
        return table.log_softmax(1)[places]

    wanted = log_softmax(worth)
    return (wanted.exp() * (wanted - log_softmax(ours))).sum() / len(counts)
