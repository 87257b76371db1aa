"""Self-play of many games in lockstep: the evaluator plays both sides, greedily by equity.

Letters in shapes: T plies of a window, N games at once, M afterstates of all games. Boards are padded to
32 columns throughout (see bits.py).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, best_of_segment, flip_padded, pack, pad
from nardzero.game.dice import opening_throw, throw
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, equity, flip_outcomes, win_kind, won_probs
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.folded import FoldedNet


@dataclass(frozen=True)
class Window:
    """T plies of N games, as learning needs them."""

    boards: Boards
    """The positions before the roll [T, N, 32]."""
    values: Probs
    """The estimates [T + 1, N, 6] of these and of the positions after the window, for the player on roll."""
    done: npt.NDArray[np.bool_]
    """Where a ply ended its game [T, N]; the next ply then belongs to a new one."""
    results: Probs
    """The mover's outcome [T, N, 6] where a ply ended its game, else zeros."""

    @property
    def games(self) -> int:
        """How many games ended in the window."""
        return int(self.done.sum())


class SelfPlay:
    """N games that go on from window to window; a game that ends is followed by a new one."""

    def __init__(self, rules: Ruleset, games: int, rng: np.random.Generator) -> None:
        self.rules = rules
        self.rng = rng
        self.start = pad(rules.start_board[None])
        self.boards = np.repeat(self.start, games, axis=0)
        self.opening = np.ones(games, np.bool_)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that the next window depends on, but for the random generator."""
        return {"boards": self.boards, "opening": self.opening}

    def restore(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state()` gave."""
        self.boards, self.opening = state["boards"].copy(), state["opening"].copy()

    def window(self, net: FoldedNet, plies: int, watch: Stopwatch) -> Window:
        """Play on for `plies` plies of every game."""
        games = len(self.boards)
        boards = np.empty((plies, games, WIDTH), np.int8)
        values = np.empty((plies + 1, games, 6), np.float32)
        done = np.zeros((plies, games), np.bool_)
        results = np.zeros((plies, games, 6), np.float32)
        start_value = net.evaluate(self.start)
        values[0] = net.evaluate(self.boards)
        for ply in range(plies):
            boards[ply] = self.boards
            after, values[ply + 1] = self._ply(net, watch)
            over = np.flatnonzero(pack(after > 0) == 0)
            self.boards = flip_padded(after)
            if len(over):
                done[ply, over] = True
                results[ply, over] = won_probs(after[over, :COLUMNS])
                self.boards[over] = self.start
                values[ply + 1, over] = start_value
                self.opening[over] = True
        return Window(boards, values, done, results)

    def _ply(self, net: FoldedNet, watch: Stopwatch) -> tuple[Boards, Probs]:
        """One ply of all games: the boards [N, 32] on the mover's side after his best play, and the net's
        estimate [N, 6] of each for the opponent."""
        with watch("generate"):
            found = candidates(self.boards, self._dice(), self.rules)
            after = found.boards()
        with watch("judge"):
            theirs = net.evaluate_flipped(after)
            gain = equity(flip_outcomes(theirs), self.rules.points)
            over = np.flatnonzero(pack(after > 0) == 0)
            gain[over] = self.rules.points[3 - win_kind(after[over, :COLUMNS])]
        with watch("choose"):
            best = best_of_segment(gain, found.starts)
            chosen, estimate = np.empty_like(self.boards), np.empty((len(best), 6), np.float32)
            chosen[found.game] = after.take(best, axis=0)
            estimate[found.game] = theirs[best]
        return chosen, estimate

    def _dice(self) -> npt.NDArray[np.int64]:
        dice = throw(self.rng, len(self.boards))
        first = np.flatnonzero(self.opening)
        dice[first] = opening_throw(self.rng, len(first), self.rules)
        self.opening[:] = False
        return dice
