"""What a duel gave: points per game with their standard error, and how the games ended.

Letters in shapes: P pairs of games; the two games of a pair use the same dice.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.outcomes import OUTCOMES
from nardzero.game.rules import Ruleset
from nardzero.play.peers.names import ply_note

UNFINISHED = len(OUTCOMES)
"""Stands for an outcome where a game was broken off; it pays nothing."""
COUNTS = ("a_wins", "a_gammons", "a_backgammons", "b_wins", "b_gammons", "b_backgammons")
"""The games counted in a result, by name."""


class Played(NamedTuple):
    """P pairs of games; row 0 are those that the first agent starts, row 1 those that the second starts."""

    outcomes: npt.NDArray[np.int8]
    """How each game ended [2, P] for the first agent: a column of OUTCOMES, or UNFINISHED."""
    plies: Index
    """How long each game was [2, P]."""
    luck: npt.NDArray[np.float64]
    """The luck [2, P] of the first agent's rolls less that of the second's, in points; 0 if nobody judged."""

    @classmethod
    def unfinished(cls, pairs: int, plies: int) -> "Played":
        """So many pairs that are broken off after so many plies, unless they end."""
        shape = (2, pairs)
        return cls(np.full(shape, UNFINISHED, np.int8), np.full(shape, plies), np.zeros(shape))

    @classmethod
    def join(cls, parts: Sequence["Played"]) -> "Played":
        """All pairs of the parts, in order."""
        return cls(*(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True)))


class Points(NamedTuple):
    """Points per game for the first agent."""

    ppg: float
    """The mean."""
    stderr: float
    """Its standard error, from the means of the pairs; nan for a single pair."""

    @classmethod
    def of(cls, pairs: npt.NDArray[np.floating[Any]]) -> "Points":
        """From the mean points [P] of each pair."""
        error = float(pairs.std(ddof=1) / np.sqrt(len(pairs))) if len(pairs) > 1 else nan
        return cls(float(pairs.mean()), error)

    def to_json(self) -> dict[str, float | None]:
        """By name; an unknown standard error is None."""
        return {"ppg": self.ppg, "stderr": None if isnan(self.stderr) else self.stderr}

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> "Points":
        """What `to_json` gave."""
        return cls(float(read["ppg"]), nan if read["stderr"] is None else float(read["stderr"]))

    def __str__(self) -> str:
        digits = 4 if 0 < self.stderr < 0.002 else 3
        error = "unknown" if isnan(self.stderr) else f"{self.stderr:.{digits}f}"
        return f"{self.ppg:+.{digits}f} ± {error}"


def surer(raw: Points, adjusted: Points | None) -> Points:
    """Of points as they were played, and less the luck if that was judged, those with the smaller error."""
    return min(adjusted or raw, raw, key=lambda points: points.stderr)


def gain(raw: Points, adjusted: Points | None) -> float:
    """How many times smaller the adjustment for luck makes the standard error; nan where unknown."""
    return raw.stderr / adjusted.stderr if adjusted and adjusted.stderr else nan


def less_luck(
    judge: str | None, raw: Points, adjusted: Points | None, show: Callable[[Points], str] = str
) -> list[str]:
    """The line on luck for people, where it was judged."""
    if adjusted is None:
        return []
    times = gain(raw, adjusted)
    smaller = f", its error {times:.1f} times smaller" if times >= 1 else ""
    larger = f", its error {1 / times:.1f} times larger" if 0 < times < 1 else ""
    return [f"less the luck, as {judge} sees it: {show(adjusted)}{smaller}{larger}"]


@dataclass(frozen=True)
class DuelResult:
    """A duel of `a` against `b`.

    Outcomes are exclusive: a game counts as a gammon or as a backgammon, never as both. `a_wins` counts all
    the games that `a` won, of whatever kind; `a_gammons` and `a_backgammons` say how many of them were such.
    """

    a: str
    """The name of the first agent."""
    b: str
    """The name of the second agent."""
    rules: str
    """The ruleset they played by."""
    seed: int
    """The seed of all dice and all random choices."""
    games: int
    """How many games were played, two for each pair."""
    ppg: float
    """Points per game for `a`, without the cube."""
    stderr: float
    """The standard error of `ppg`, from the means of the pairs; nan for a single pair."""
    outcomes: tuple[int, ...]
    """How many games ended with each of the six outcomes, seen by `a`, in the order of OUTCOMES."""
    mean_plies: float
    """The mean length of a game; each player's turn is one ply."""
    judge: str | None = None
    """The name of the evaluator that judged the luck of the rolls, if any did."""
    adjusted: Points | None = None
    """Points per game less the luck in them, whose mean is 0: the same on average, with a smaller error."""

    @classmethod
    def of(
        cls, a: str, b: str, rules: Ruleset, seed: int, played: Played, judge: str | None = None
    ) -> "DuelResult":
        """From the games that were played; their luck counts if somebody judged it."""
        points = np.append(rules.points, 0).take(played.outcomes)
        raw = Points.of(points.mean(0))
        counts = np.bincount(played.outcomes.ravel(), minlength=UNFINISHED + 1)[:UNFINISHED]
        return cls(
            a=a,
            b=b,
            rules=rules.name,
            seed=seed,
            games=played.outcomes.size,
            ppg=raw.ppg,
            stderr=raw.stderr,
            outcomes=tuple(counts.tolist()),
            mean_plies=float(played.plies.mean()),
            judge=judge,
            adjusted=None if judge is None else Points.of((points - played.luck).mean(0)),
        )

    @property
    def best(self) -> Points:
        """The points per game to go by: adjusted for luck if that was judged, else as they were played; and
        also where the adjustment made the error larger, as it does with who plays at random."""
        return surer(Points(self.ppg, self.stderr), self.adjusted)

    @property
    def gain(self) -> float:
        """How many times smaller the adjustment for luck makes the standard error; nan where unknown."""
        return gain(Points(self.ppg, self.stderr), self.adjusted)

    @property
    def a_wins(self) -> int:
        """The games that `a` won, gammons and backgammons among them."""
        return sum(self.outcomes[:3])

    @property
    def a_gammons(self) -> int:
        """The games that `a` won by a gammon but not a backgammon."""
        return self.outcomes[1]

    @property
    def a_backgammons(self) -> int:
        """The games that `a` won by a backgammon."""
        return self.outcomes[0]

    @property
    def b_wins(self) -> int:
        """The games that `b` won, gammons and backgammons among them."""
        return sum(self.outcomes[3:])

    @property
    def b_gammons(self) -> int:
        """The games that `b` won by a gammon but not a backgammon."""
        return self.outcomes[4]

    @property
    def b_backgammons(self) -> int:
        """The games that `b` won by a backgammon."""
        return self.outcomes[5]

    @property
    def unfinished(self) -> int:
        """The games that were broken off for their length; they count as 0 points."""
        return self.games - self.a_wins - self.b_wins

    def to_json(self) -> dict[str, Any]:
        """Everything above by name, ready for `json.dumps`; an unknown standard error is None."""
        counts = {name: getattr(self, name) for name in COUNTS}
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            **Points(self.ppg, self.stderr).to_json(),
            "luck": self.adjusted and {"judge": self.judge, **self.adjusted.to_json()},
            **counts,
            "unfinished": self.unfinished,
            "mean_plies": self.mean_plies,
            "seed": self.seed,
            "rules": self.rules,
        }

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> "DuelResult":
        """What `to_json` gave; other names are left aside. Raises KeyError, TypeError or ValueError."""
        won, gammons, backgammons, lost, lost_gammons, lost_backgammons = (int(read[what]) for what in COUNTS)
        raw, luck = Points.from_json(read), read["luck"]
        outcomes = (backgammons, gammons, won - gammons - backgammons)
        return cls(
            a=str(read["a"]),
            b=str(read["b"]),
            rules=str(read["rules"]),
            seed=int(read["seed"]),
            games=int(read["games"]),
            ppg=raw.ppg,
            stderr=raw.stderr,
            outcomes=(*outcomes, lost - lost_gammons - lost_backgammons, lost_gammons, lost_backgammons),
            mean_plies=float(read["mean_plies"]),
            judge=luck and str(luck["judge"]),
            adjusted=luck and Points.from_json(luck),
        )

    def __str__(self) -> str:
        width = max(len(self.a), len(self.b))
        lines = [
            f"{self.a} v {self.b}: {Points(self.ppg, self.stderr)} points per game",
            *less_luck(self.judge, Points(self.ppg, self.stderr), self.adjusted),
            f"{self.games:,} games, mirrored dice, {self.rules} rules, no cube, seed {self.seed}",
            "",
            f"{'':{width}}  {'wins':>15}  {'gammons':>15}  {'backgammons':>15}",
            f"{self.a:{width}}" + self._shares(self.a_wins, self.a_gammons, self.a_backgammons),
            f"{self.b:{width}}" + self._shares(self.b_wins, self.b_gammons, self.b_backgammons),
            "",
            "Wins are of every kind; gammons do not include backgammons.",
            f"A game took {self.mean_plies:.1f} plies on average.",
        ]
        lines += filter(None, map(ply_note, dict.fromkeys((self.a, self.b))))
        if self.unfinished:
            lines.append(f"{self.unfinished:,} endless games were broken off and count as 0 points.")
        return "\n".join(lines)

    def _shares(self, *counts: int) -> str:
        return "".join(f"{count:9,}{count / self.games:8.1%}" for count in counts)
