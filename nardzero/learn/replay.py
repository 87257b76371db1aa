"""Positions of the newest windows with their targets, to learn from more than once.

Targets without the noise of the dice cost some ten times what a gradient step on them does, and a net that is
nearly finished changes them little: so each serves several times, in ever other company. Letters in shapes: B
positions of a window, R those remembered, K outputs of the net. In place of a position there may be several
that are learned together, with one more axis.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards


class Replay:
    """Remembers some windows; with 1, none but the one that has just been played."""

    def __init__(self, windows: int, outputs: int, together: tuple[int, ...] = ()) -> None:
        self.windows = windows
        self.boards: Boards = np.empty((0, *together, WIDTH), np.int8)
        self.targets: Probs = np.empty((0, *together, outputs), np.float32)

    def add(self, boards: Boards, targets: Probs) -> tuple[Boards, Probs]:
        """Remember positions [B, 32] and targets [B, K] of a window, forget the oldest, and return all
        that is remembered [R, ...]."""
        kept = len(boards) * (self.windows - 1)
        first = max(len(self.boards) - kept, 0)
        self.boards = np.concatenate([self.boards[first:], boards])
        self.targets = np.concatenate([self.targets[first:], targets])
        return self.boards, self.targets

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """What the windows to come are learned with: arrays by name, an item for every position."""
        return {"boards": self.boards, "targets": self.targets} if self.windows > 1 else {}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state()` gave, or from nothing."""
        if state:
            self.boards, self.targets = state["boards"], state["targets"]
