"""What positions are worth with the cube and at a score, before the roll and after a play.

In money games values are points per unit of the cube, in matches chances to win the match (MWC); `emg` turns
both into points per unit of the cube. Letters in shapes: N positions, M afterstates.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.outcomes import SINGLE, Probs, finished, flip_outcomes, win_kind
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.bearoff.atscore import chances, sides_of
from nardzero.judge.doubling import CENTRED, OPPONENTS, Cubeful, CubeJudge
from nardzero.judge.exact import exact
from nardzero.judge.janowski import Stakes, Values, dead, efficiencies, janowski
from nardzero.judge.matchcube import MatchCube
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.met.xmlfile import shipped_table
from nardzero.judge.scores import Scores
from nardzero.judge.standing import SWAP, Bools, Standing
from nardzero.model.evaluator import Evaluator


class CubeValues(NamedTuple):
    """What N players on roll get before the roll, per unit of the cube as it stands, or in MWC."""

    no_double: Values
    """If they do not double now [N]."""
    double_take: Values
    """If they double and the opponent takes [N]."""
    double_pass: Values
    """If they double and the opponent passes [N]."""

    @property
    def doubled(self) -> Values:
        """If they double and the opponent answers well [N]."""
        return np.minimum(self.double_take, self.double_pass)


class Judged(NamedTuple):
    """What is known about N positions before any score is looked at."""

    probs: Probs
    """The outcome probabilities [N, 6] of the player on roll."""
    equities: Cubeful
    """His equities [N, 3] in money games, per unit of a cube that is centred, his, and the opponent's."""
    sides: Index | None = None
    """The numbers of both sides [N, 2] in short bear-offs, which are known exactly with any cube and at any
    score, and -1 elsewhere; None where there is none."""

    @property
    def exact(self) -> Bools:
        """Which of them are known exactly, with the cube [N]."""
        return np.zeros(len(self.probs), np.bool_) if self.sides is None else self.sides[:, 0] > 0


@dataclass(frozen=True)
class ScoreJudge:
    """An evaluator, and all that it takes to judge with the cube and at a score."""

    judge: Evaluator
    """What judges the positions. If it has learned the cube, its equities count in money games; in matches,
    and after a play, the efficiency of the cube that they show does; else the usual one. Short bear-offs that
    it knows exactly are exact in matches too."""
    rules: Ruleset
    """What wins pay."""
    table: MatchEquityTable | None = None
    """What scores are worth; None for the table that comes with the package."""
    efficiency: float | None = None
    """The efficiency of the cube to use in place of what the judge has learned."""

    def look(self, boards: Boards) -> Judged:
        """Positions [N, 26] whose games go on."""
        probs = self.judge.evaluate(boards)
        if self.efficiency is not None:
            return Judged(probs, janowski(self._stakes(probs), self.efficiency))
        learned = self.judge.cubeful(boards) if isinstance(self.judge, CubeJudge) else None
        equities = janowski(self._stakes(probs)) if learned is None else learned
        return self._sure(boards, Judged(probs, equities))

    def values(self, judged: Judged, standing: Standing) -> CubeValues:
        """What doubling and not doubling is worth in positions [N], with these cubes and scores."""
        stakes = self._stakes(judged.probs)
        if not standing.length:
            return self._money(stakes, judged.equities, standing)
        scores, x = self.scores(standing), self._efficiency(stakes, judged.equities)
        match = MatchCube(scores, judged.probs)
        values = CubeValues(match.no_double(x), match.double_take(x), scores.cash(standing.cube))
        return values if judged.sides is None else _solved(values, judged.sides, scores)

    def worth(self, judged: Judged, standing: Standing) -> Values:
        """What positions are worth [N] to players on roll who double where they may and it pays."""
        values = self.values(judged, standing)
        better = np.maximum(values.no_double, values.doubled)
        return np.where(standing.may_double, better, values.no_double)

    def efficiencies(self, boards: Boards) -> Values:
        """How efficient a cube at each place is [N, 3] for the players on roll in positions [N, 26]."""
        judged = self.look(boards)
        return self._efficiency(self._stakes(judged.probs), judged.equities)

    def after(self, after: Boards, probs: Probs, standing: Standing, efficiency: Values) -> Values:
        """What afterstates [M, 26] are worth [M] to the players who made the play, with these outcome
        probabilities [M, 6], cubes and scores [M], seen by them.

        The efficiency of the cube [M, 3] is theirs before the roll. So plays of one roll share it: learned
        equities are off by more than such plays differ, and would put them in a worse order.
        """
        over = finished(after)
        worth = np.empty(len(after))
        worth[over] = self._won(after[over], standing.take(over))
        going = ~over
        turned, theirs = flip(after[going]), flip_outcomes(probs[going])
        equities = janowski(self._stakes(theirs), efficiency[going][:, SWAP])
        judged = self._sure(turned, Judged(theirs, equities))
        opponents = self.worth(judged, standing.take(going).turned())
        worth[going] = 1 - opponents if standing.length else -opponents
        return worth

    def payoffs(self, standing: Standing) -> Values:
        """What the six outcomes pay [N, 6] per unit of the cube as it stands, in matches in EMG."""
        if standing.length:
            return self.scores(standing).payoffs()
        points = np.tile(self.rules.points.astype(np.float64), (len(standing), 1))
        return np.where(_single(standing)[:, None], np.sign(points) * self.rules.wins[0], points)

    def emg(self, values: Values, standing: Standing) -> Values:
        """Values [N] as points per unit of the cube, in matches by EMG."""
        return self.scores(standing).emg(values) if standing.length else values

    def scores(self, standing: Standing) -> Scores:
        """What results are worth in games of matches."""
        return Scores(standing, self.table or shipped_table(), self.rules)

    def _money(self, stakes: Stakes, equities: Cubeful, standing: Standing) -> CubeValues:
        """What doubling and not doubling is worth in money games [N]."""
        if standing.jacoby:
            equities = equities.copy()
            equities[:, CENTRED] += self._jacoby(stakes, equities)
        never = dead(stakes)
        # A cube at its limit is turned no more, wherever it is.
        last, full = 2 * standing.cube >= standing.limit, standing.cube >= standing.limit
        single = np.full(len(standing), float(self.rules.wins[0]))
        rows = np.arange(len(standing))
        return CubeValues(
            np.where(full, never[rows, standing.place], equities[rows, standing.place]),
            2 * np.where(last, never[:, OPPONENTS], equities[:, OPPONENTS]),
            single,
        )

    def _won(self, after: Boards, standing: Standing) -> Values:
        """What games are worth [M] that these afterstates [M, 26] have won."""
        kind = np.where(_single(standing), SINGLE, win_kind(after))
        points: Values = np.array(self.rules.wins, np.float64)[kind - SINGLE]
        if standing.length:
            return self.scores(standing).after(points.astype(np.int64) * standing.cube, 0)
        return points

    def _sure(self, boards: Boards, judged: Judged) -> Judged:
        """The same, but exact for the positions [N, 26] that the judge knows exactly."""
        sure = exact(self.judge, boards)
        if self.efficiency is not None or not sure.any() or not isinstance(self.judge, CubeJudge):
            return judged
        probs, equities = np.array(judged.probs), np.array(judged.equities)
        sides = np.full((len(boards), 2), -1)
        known = self.judge.cubeful(boards[sure])
        probs[sure] = self.judge.evaluate(boards[sure])
        equities[sure] = equities[sure] if known is None else known
        sides[sure] = sides_of(boards[sure])
        return Judged(probs, equities, sides)

    def _jacoby(self, stakes: Stakes, equities: Cubeful) -> Cubeful:
        """What the Jacoby rule adds to the equity [N] of a centred cube: as much as in the formula, at the
        efficiency that the equities without the rule have."""
        x = self._efficiency(stakes, equities)
        added: Cubeful = (janowski(stakes, x, jacoby=True) - janowski(stakes, x))[:, CENTRED]
        return added

    def _efficiency(self, stakes: Stakes, equities: Cubeful) -> Values:
        """The efficiency of the cube [N, 3] at each place."""
        if self.efficiency is not None:
            return np.full(equities.shape, self.efficiency)
        return efficiencies(stakes, equities)

    def _stakes(self, probs: Probs) -> Stakes:
        return Stakes.of(probs, self.rules.points)


def _solved(values: CubeValues, sides: Index, scores: Scores) -> CubeValues:
    """The same values in a match, but exact where sides [N, 2] are known: where the cube is dead they are."""
    standing = scores.standing
    live = standing.may_double | standing.turned().may_double
    rows = np.flatnonzero(live & (sides[:, 0] > 0))
    if len(rows):
        here = replace(scores, standing=standing.take(rows))
        values.no_double[rows], values.double_take[rows] = chances(sides[rows], here)
    return values


def _single(standing: Standing) -> Bools:
    """Where gammons do not count [N]: by the Jacoby rule, before the cube was turned."""
    return np.asarray(standing.jacoby & (standing.place == CENTRED))
