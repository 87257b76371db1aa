"""Where games of self-play begin: at the start, or, for a share of them, in a hard position met before.

Back games and primes are rare in games between good players, so a net sees few of them and stays weak there.
Letters in shapes: N games at once, K games that begin.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import WIDTH, pad
from nardzero.game.phases import PHASES, phase_of
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset

HARD = ("back game", "prime")
"""The phases from which hard positions are kept."""
KEPT = 2048
"""How many positions of each are kept; the oldest give way."""


class Starts:
    """Gives games their first positions, and keeps hard ones for that."""

    def __init__(self, rules: Ruleset, share: float, rng: np.random.Generator) -> None:
        self.share = share
        self.rng = rng
        self.start = pad(rules.start_board[None])
        self.kept = {phase: np.empty((0, WIDTH), np.int8) for phase in HARD}
        """Hard positions by phase, the newest last."""

    def draw(self, games: int) -> tuple[Boards, npt.NDArray[np.bool_]]:
        """First positions [K, 32], and which games [K] begin in a hard one."""
        boards = np.repeat(self.start, games, axis=0)
        chosen = np.zeros(games, np.bool_)
        if self.share:
            draws, phases = self.rng.random(games), self.rng.integers(len(HARD), size=games)
            for number, kept in enumerate(self.kept.values()):
                mine = np.flatnonzero((draws < self.share) & (phases == number))
                if len(kept):
                    boards[mine] = kept[self.rng.integers(len(kept), size=len(mine))]
                    chosen[mine] = True
        return boards, chosen

    def keep(self, boards: Boards) -> None:
        """Keep what is hard among positions [N, 32] of games that began at the start."""
        if self.share:
            phases = phase_of(boards[:, :COLUMNS])
            for name, kept in self.kept.items():
                found = boards[phases == PHASES.index(name)]
                self.kept[name] = np.concatenate([kept, found])[-KEPT:]
