"""Self-play of many games in lockstep: the evaluator plays both sides, greedily by equity.

Letters in shapes: T plies of a window, N games at once, M afterstates of all games, K outputs of the net: the
six outcomes, and the cubeful equities of a net with a cube head. Boards are padded to
32 columns throughout (see bits.py).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, best_of_segment, flip_padded, pad
from nardzero.game.dice import throw
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, equity, finished, won_probs
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.evaluator import mover_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.sieve import Sieve


@dataclass(frozen=True)
class Window:
    """T plies of N games, as learning needs them."""

    boards: Boards
    """The positions before the roll [T, N, 32]."""
    values: Probs
    """The estimates [T + 1, N, K] of these and of the positions after the window, for the player on roll."""
    done: npt.NDArray[np.bool_]
    """Where a ply ended its game [T, N]; the next ply then belongs to a new one."""
    results: Probs
    """The mover's outcome [T, N, 6] where a ply ended its game, else zeros."""
    lengths: npt.NDArray[np.int64]
    """How many plies [T, N] a game took that a ply ended, else zero."""

    @property
    def games(self) -> int:
        """How many games ended in the window."""
        return int(self.done.sum())


class SelfPlay:
    """N games that go on from window to window; a game that ends is followed by a new one.

    First rolls are thrown like all others, doubles included, and whoever is on roll starts: so the start
    position is learned as what it is everywhere else, a position before any of the 21 rolls.
    """

    def __init__(self, rules: Ruleset, games: int, rng: np.random.Generator) -> None:
        self.rules = rules
        self.rng = rng
        self.start = pad(rules.start_board[None])
        self.boards = np.repeat(self.start, games, axis=0)
        self.ages = np.zeros(games, np.int64)

    def window(self, net: FoldedNet, plies: int, watch: Stopwatch, sieve: Sieve | None = None) -> Window:
        """Play on for `plies` plies of every game; with a sieve, the net judges only what it leaves."""
        games = len(self.boards)
        boards = np.empty((plies, games, WIDTH), np.int8)
        done = np.zeros((plies, games), np.bool_)
        results = np.zeros((plies, games, 6), np.float32)
        lengths = np.zeros((plies, games), np.int64)
        start_value = net.judge(self.start)
        values = np.empty((plies + 1, games, start_value.shape[-1]), np.float32)
        values[0] = net.judge(self.boards)
        for ply in range(plies):
            boards[ply] = self.boards
            after, values[ply + 1] = self._ply(net, watch, sieve)
            over = np.flatnonzero(finished(after))
            self.boards = flip_padded(after)
            self.ages += 1
            if len(over):
                done[ply, over] = True
                results[ply, over] = won_probs(after[over, :COLUMNS])
                lengths[ply, over] = self.ages[over]
                self.ages[over] = 0
                self.boards[over] = self.start
                values[ply + 1, over] = start_value
        return Window(boards, values, done, results, lengths)

    def _ply(self, net: FoldedNet, watch: Stopwatch, sieve: Sieve | None) -> tuple[Boards, Probs]:
        """One ply of all games: the boards [N, 32] on the mover's side after his best play, and the net's
        estimate [N, K] of each for the opponent."""
        with watch("generate"):
            found = candidates(self.boards, throw(self.rng, len(self.boards)), self.rules)
            after, starts = found.boards(), found.starts
        if sieve is not None:
            with watch("sieve"):
                after, starts = sieve.shortlist(after, starts, self.rules)
        with watch("judge"):
            theirs = net.judge_flipped(after)
        with watch("choose"):
            best = best_of_segment(equity(mover_probs(theirs[:, :6], after), self.rules.points), starts)
            chosen, estimate = np.empty_like(self.boards), np.empty((len(best), theirs.shape[-1]), np.float32)
            chosen[found.game] = after.take(best, axis=0)
            estimate[found.game] = theirs[best]
        return chosen, estimate
