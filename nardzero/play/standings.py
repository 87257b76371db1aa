"""The standings of a ladder: agents by strength, and how well one figure each tells what happened."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nardzero.play.rating import rate_elo, rate_points, sides
from nardzero.play.result import DuelResult


@dataclass(frozen=True)
class Standing:
    """How strong an agent is, relative to the mean of all or to an anchor."""

    name: str
    """The agent."""
    elo: float
    """Elo, from single games won and lost."""
    elo_stderr: float
    """Its standard error."""
    ppg: float
    """Points per game, adjusted for luck where that was judged and made the error smaller."""
    ppg_stderr: float
    """Its standard error."""
    games: int
    """How many games it played."""
    won: float
    """The share of them that it won."""

    def __str__(self) -> str:
        elo, ppg = f"{self.elo:+.0f} ± {self.elo_stderr:.0f}", f"{self.ppg:+.3f} ± {self.ppg_stderr:.3f}"
        return f"{elo:>13}  {ppg:>15}  {self.won:6.1%}  {self.games:9,}"


@dataclass(frozen=True)
class Ladder:
    """Agents by strength, and the duels that say so."""

    standings: tuple[Standing, ...]
    """The agents, by points per game, from the best."""
    duels: tuple[DuelResult, ...]
    """The duels."""
    anchor: str | None
    """The agent whose figures are 0; None where their mean is."""

    @classmethod
    def of(cls, names: Sequence[str], duels: Sequence[DuelResult], anchor: str | None = None) -> "Ladder":
        """From duels between agents of these names, that link all of them."""
        number = {name: index for index, name in enumerate(names)}
        first, second = (np.array([number[getattr(duel, side)] for duel in duels]) for side in "ab")
        played, zero = sides(first, second, len(names)), None if anchor is None else number[anchor]
        won, lost, games = np.array([(duel.a_wins, duel.b_wins, duel.games) for duel in duels], np.float64).T
        ppg, errors = np.array([duel.best for duel in duels]).T
        total = np.abs(played).T @ games
        share = ((played > 0).T @ won + (played < 0).T @ lost) / total
        elo, points = rate_elo(played, won, lost, zero), rate_points(played, ppg, errors, games / 2, zero)
        columns = (names, *elo, *points, total.astype(int), share)
        rows = zip(*(np.asarray(column).tolist() for column in columns), strict=True)
        standings = sorted((Standing(*row) for row in rows), key=lambda standing: -standing.ppg)
        return cls(tuple(standings), tuple(duels), anchor)

    @property
    def misfit(self) -> tuple[DuelResult, float]:
        """The duel that the figures tell worst, and what they make of it, in points per game for its `a`."""
        ppg = {standing.name: standing.ppg for standing in self.standings}
        told = [(duel, ppg[duel.a] - ppg[duel.b]) for duel in self.duels]
        return max(told, key=lambda each: abs(each[0].best.ppg - each[1]))

    def to_json(self) -> dict[str, Any]:
        """Everything above by name, ready for `json.dumps`."""
        return {
            "anchor": self.anchor,
            "standings": [asdict(standing) for standing in self.standings],
            "duels": [duel.to_json() for duel in self.duels],
        }

    def __str__(self) -> str:
        width = max(len(standing.name) for standing in self.standings)
        duel, told = self.misfit
        worst = f"{duel.a} v {duel.b}, {duel.best}, here {told:+.3f}"
        return "\n".join(
            [
                f"{'':{width}}{'Elo':>13}  {'points a game':>15}  {'won':>6}  {'games':>9}",
                *(f"{standing.name:{width}}{standing}" for standing in self.standings),
                "",
                f"Relative to {self.anchor or 'the mean of all'}, ± one standard error.",
                f"{len(self.duels)} duels. The figures fit one least: {worst}.",
            ]
        )
