"""Self-play of many games in lockstep: the evaluator plays both sides, greedily by equity.

That is the cubeless equity, or the one with the cube where it stands (see cubes.py).

Letters in shapes: T plies of a window, N games at once, M afterstates of all games, K outputs of the net: the
six outcomes, and the cubeful equities of a net with a cube head. Boards are padded to
32 columns throughout (see bits.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, best_of_segment, flip_padded
from nardzero.game.dice import roll_index, throw
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, equity, finished, won_probs
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.learn.backups import back_up
from nardzero.learn.cubes import Cubes
from nardzero.learn.endings import Endings
from nardzero.learn.starts import Starts
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
    backups: Probs | None = None
    """Exact backups of the positions [T, N, K], where all 21 rolls were looked at."""

    @property
    def games(self) -> int:
        """How many games ended in the window."""
        return int(self.done.sum())


class SelfPlay:
    """N games that go on from window to window; a game that ends is followed by a new one.

    First rolls are thrown like all others, doubles included, and whoever is on roll starts: so the start
    position is learned as what it is everywhere else, a position before any of the 21 rolls. A share of the
    games begins in hard positions instead.
    """

    def __init__(
        self,
        rules: Ruleset,
        games: int,
        rng: np.random.Generator,
        hard_starts: float = 0.0,
        endings: Endings | None = None,
        all_rolls: bool = False,
        cube: bool = False,
    ) -> None:
        self.rules = rules
        self.rng = rng
        self.endings = endings
        self.all_rolls = all_rolls
        self.cubes = Cubes(games) if cube else None
        self.starts = Starts(rules, hard_starts, rng)
        self.boards, self.hard = self.starts.draw(games)
        """The positions [N, 32], and which games [N] began in a hard one."""
        self.ages = np.zeros(games, np.int64)

    def window(self, net: FoldedNet, plies: int, watch: Stopwatch, sieve: Sieve | None = None) -> Window:
        """Play on for `plies` plies of every game; with a sieve, the net judges only what it leaves."""
        games = len(self.boards)
        boards = np.empty((plies, games, WIDTH), np.int8)
        done = np.zeros((plies, games), np.bool_)
        results = np.zeros((plies, games, 6), np.float32)
        lengths = np.zeros((plies, games), np.int64)
        first = net.judge(self.boards)
        values = np.empty((plies + 1, *first.shape), np.float32)
        values[0] = first
        backups = np.empty((plies, *first.shape), np.float32) if self.all_rolls else None
        for ply in range(plies):
            boards[ply] = self.boards
            if backups is None:
                after, values[ply + 1] = self._ply(net, watch, sieve)
            else:
                after, values[ply + 1], backups[ply] = self._ply_of_all_rolls(net, watch, sieve)
            over = np.flatnonzero(finished(after))
            self.boards = flip_padded(after)
            self.ages += 1
            if len(over):
                done[ply, over] = True
                results[ply, over] = won_probs(after[over, :COLUMNS])
                lengths[ply, over] = self.ages[over]
                self.ages[over] = 0
                self.boards[over], self.hard[over] = self.starts.draw(len(over))
                values[ply + 1, over] = net.judge(self.boards[over])
            if self.cubes:
                self.cubes.before_roll(values[ply + 1], over)
        self.starts.keep(self.boards[~self.hard])
        return Window(boards, values, done, results, lengths, backups)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """What the games to come depend on, apart from the dice: arrays by name, an item for every game or
        every hard position, so that processes can share them out anew."""
        kept = {f"kept.{phase}": boards for phase, boards in self.starts.kept.items()}
        games: dict[str, npt.NDArray[Any]] = {"boards": self.boards, "ages": self.ages, "hard": self.hard}
        return games | kept | ({"cube": self.cubes.place} if self.cubes else {})

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state()` gave; games that had no cube yet get one. Raises KeyError where something
        else is missing."""
        self.boards, self.ages, self.hard = state["boards"], state["ages"], state["hard"]
        self.starts.kept = {phase: state[f"kept.{phase}"] for phase in self.starts.kept}
        if self.cubes:
            self.cubes = Cubes(len(self.boards))
            self.cubes.place = state.get("cube", self.cubes.place)

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
            if self.endings:
                self.endings.correct(after, theirs)
        with watch("choose"):
            cubeless = equity(mover_probs(theirs[:, :6], after), self.rules.points)
            gain: npt.NDArray[np.floating[Any]] = cubeless
            if self.cubes:
                gain = self.cubes.worth(theirs, after, cubeless, np.repeat(found.game, np.diff(starts)))
            best = best_of_segment(gain, starts)
            chosen, estimate = np.empty_like(self.boards), np.empty((len(best), theirs.shape[-1]), np.float32)
            chosen[found.game] = after.take(best, axis=0)
            estimate[found.game] = theirs[best]
        return chosen, estimate

    def _ply_of_all_rolls(
        self, net: FoldedNet, watch: Stopwatch, sieve: Sieve | None
    ) -> tuple[Boards, Probs, Probs]:
        """The same, and the exact backups [N, K] of the positions before."""
        with watch("judge"):
            found = back_up(net, self.boards, self.rules, sieve, self.endings)
        rolled = np.arange(len(self.boards)), roll_index(throw(self.rng, len(self.boards)))
        return found.after[rolled], found.theirs[rolled], found.targets
