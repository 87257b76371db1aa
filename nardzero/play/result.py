"""What a duel gave: points per game with their standard error, and how the games ended.

Letters in shapes: P pairs of games; the two games of a pair use the same dice.
"""

from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import OUTCOMES
from nardzero.game.rules import Ruleset
from nardzero.play.peers.names import ply_note

Outcomes = npt.NDArray[np.int8]

UNFINISHED = len(OUTCOMES)
"""Stands for an outcome where a game was broken off; it pays nothing."""


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

    @classmethod
    def of(
        cls,
        a: str,
        b: str,
        rules: Ruleset,
        seed: int,
        outcomes: Outcomes,
        plies: npt.NDArray[np.int64],
    ) -> "DuelResult":
        """From the outcomes for `a` [2, P], columns of OUTCOMES or UNFINISHED, and the plies [2, P]."""
        pairs = np.append(rules.points, 0).take(outcomes).mean(0)
        return cls(
            a=a,
            b=b,
            rules=rules.name,
            seed=seed,
            games=outcomes.size,
            ppg=float(pairs.mean()),
            stderr=float(pairs.std(ddof=1) / np.sqrt(len(pairs))) if len(pairs) > 1 else nan,
            outcomes=tuple(np.bincount(outcomes.ravel(), minlength=UNFINISHED + 1)[:UNFINISHED].tolist()),
            mean_plies=float(plies.mean()),
        )

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

    def to_json(self) -> dict[str, object]:
        """Everything above by name, ready for `json.dumps`; an unknown standard error is None."""
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "ppg": self.ppg,
            "stderr": None if isnan(self.stderr) else self.stderr,
            "a_wins": self.a_wins,
            "a_gammons": self.a_gammons,
            "a_backgammons": self.a_backgammons,
            "b_wins": self.b_wins,
            "b_gammons": self.b_gammons,
            "b_backgammons": self.b_backgammons,
            "unfinished": self.unfinished,
            "mean_plies": self.mean_plies,
            "seed": self.seed,
            "rules": self.rules,
        }

    def __str__(self) -> str:
        error = "unknown" if isnan(self.stderr) else f"{self.stderr:.3f}"
        width = max(len(self.a), len(self.b))
        lines = [
            f"{self.a} v {self.b}: {self.ppg:+.3f} ± {error} points per game",
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
