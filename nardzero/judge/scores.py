"""What results of games are worth in a match, for many games at once. Letters in shapes: N games."""

from dataclasses import dataclass

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.rules import Ruleset
from nardzero.judge.janowski import Values
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.standing import BEFORE, Standing


@dataclass(frozen=True, eq=False)
class Scores:
    """Games of matches, and what scores are worth: chances to win the match (MWC) of the player on roll."""

    standing: Standing
    """Cube and score of the games."""
    table: MatchEquityTable
    """What scores are worth."""
    rules: Ruleset
    """What wins pay."""

    def after(self, won: Index | int, lost: Index | int) -> Values:
        """The chances [N] after so many points were won, or lost. Raises InvalidTable for a match that is
        longer than the table."""
        away, other = self.standing.away - won, self.standing.other - lost
        return self.table.mwc(away, other, self.standing.phase > BEFORE)

    def cash(self, cube: Index) -> Values:
        """The chances [N] once the opponent has passed a double from cubes [N]."""
        return self.after(self.rules.wins[0] * cube, 0)

    def concede(self, cube: Index) -> Values:
        """The chances [N] once the player on roll has passed a double from cubes [N]."""
        return self.after(0, self.rules.wins[0] * cube)

    def ends(self, cube: Index) -> tuple[Values, Values]:
        """The chances after a single game, a gammon, a backgammon [N, 3] won, and lost, with cubes [N]."""
        won = [self.after(points * cube, 0) for points in self.rules.wins]
        lost = [self.after(0, points * cube) for points in self.rules.wins]
        return np.stack(won, axis=1), np.stack(lost, axis=1)

    def emg(self, chances: Values) -> Values:
        """Chances [N, ...] as equivalent money games: +1 is what a single game won with the cube as it stands
        leads to, -1 what one lost does, and the rest on the line through both."""
        best, worst = self.cash(self.standing.cube), self.concede(self.standing.cube)
        shape = (-1,) + (1,) * (chances.ndim - 1)
        middle, half = ((best + worst) / 2).reshape(shape), ((best - worst) / 2).reshape(shape)
        points: Values = (chances - middle) / np.where(half > 0, half, 1)
        return points

    def payoffs(self) -> Values:
        """What the six outcomes pay [N, 6] in EMG, with the cube as it stands."""
        won, lost = self.ends(self.standing.cube)
        return self.emg(np.concatenate([won[:, ::-1], lost], axis=1))
