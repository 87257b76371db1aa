"""The plays of one roll, judged and put in order, with or without the cube. Letters in shapes: M plays."""

from typing import NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.outcomes import Probs, equity, finished
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.exact import exact
from nardzero.judge.janowski import Values
from nardzero.judge.lookahead import Lookahead, plies_of
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.standing import Bools, Standing
from nardzero.model.evaluator import Evaluator, after_probs


class AtScore(NamedTuple):
    """One game's cube and score, and who judges there."""

    judge: ScoreJudge
    """What judges with the cube."""
    standing: Standing
    """The cube and the score."""

    def after(self, board: Boards, after: Boards, probs: Probs) -> tuple[Values, Values | None]:
        """What afterstates [M, 26] of a board [26] are worth to the mover: points per unit of the cube, or
        EMG, [M], and in a match the chances to win it [M]; see `ScoreJudge.after`."""
        rows = np.zeros(len(after), np.int64)
        standing, efficiency = self.standing.take(rows), self.judge.efficiencies(board[None])[rows]
        worth = self.judge.after(after, probs, standing, efficiency)
        return self.judge.emg(worth, standing), worth if standing.length else None


class Ranked(NamedTuple):
    """M plays, judged."""

    probs: Probs
    """The outcome probabilities [M, 6]."""
    plies: Index
    """How far each was looked ahead [M]."""
    equities: Values
    """The equities without the cube [M]."""
    exact: Bools
    """Which are known exactly [M]: with the cube as well, but by a formula that was asked for."""
    cubeful: Values | None
    """Those with it [M], where cube and score are known."""
    mwc: Values | None
    """The chances to win the match [M], in one."""

    @classmethod
    def of(
        cls, judge: Evaluator, board: Boards, after: Boards, rules: Ruleset, score: AtScore | None
    ) -> "Ranked":
        """The plays that lead from a board [26] to afterstates [M, 26]."""
        if isinstance(judge, Lookahead):
            pay = score and np.broadcast_to(score.judge.payoffs(score.standing), (len(after), 6))
            probs, plies = judge.rank(after, np.array([0, len(after)]), pay=pay)
            plies = plies + plies_of(judge.base)
        else:
            probs, plies = after_probs(judge, after), np.full(len(after), plies_of(judge))
        equities = equity(probs, rules.points).astype(np.float64)
        cubeful, mwc = score.after(board, after, probs) if score else (None, None)
        sure = finished(after) | exact(judge, flip(after))
        return cls(probs, plies, equities, sure, cubeful, mwc)

    @property
    def values(self) -> Values:
        """What ranks them [M]."""
        return self.equities if self.cubeful is None else self.cubeful

    @property
    def order(self) -> Index:
        """From the best to the worst [M], those that were looked at further first; nobody can look further
        than at what is exact. Where the opponent doubles the player out after any of them, the equities
        without the cube decide."""
        plies = np.where(self.exact, self.plies.max(initial=0), self.plies)
        return np.lexsort((-self.equities, -self.values, -plies))
