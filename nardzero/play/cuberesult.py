"""What games with the cube, or matches, came to, with standard errors. Letters in shapes: P pairs."""

from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from nardzero.play.cubegames import PASSED, CubePlayed, Terms
from nardzero.play.peers.names import ply_note
from nardzero.play.result import Points, less_luck, surer

CAP = 128
"""The most points that a money game counts: a few very high cubes would drown all others."""
KINDS = {"passed": PASSED, "single": 1, "gammon": 2, "backgammon": 3}
"""How a game ends."""


@dataclass(frozen=True)
class CubeResult:
    """Money games with the cube between `a` and `b`."""

    a: str
    """The name of the first agent."""
    b: str
    """The name of the second agent."""
    terms: Terms
    """The rules they played by."""
    seed: int
    """The seed of all dice and all random choices."""
    games: int
    """How many games were played, two for each pair."""
    points: Points
    """Points per game for `a`, each game counted as CAP at most."""
    wins: tuple[dict[str, int], dict[str, int]]
    """How many games `a` and `b` won by each of KINDS."""
    mean_cube: float
    """The mean of the cube at the end."""
    highest_cube: int
    """The highest of them."""
    capped: int
    """How many games were worth more than CAP."""
    mean_plies: float
    """The mean length of a game."""
    judge: str | None = None
    """The name of the evaluator that judged the luck of the rolls, if any did."""
    adjusted: Points | None = None
    """Points per game less the luck in them, whose mean is 0."""

    @classmethod
    def of(
        cls, a: str, b: str, terms: Terms, seed: int, played: CubePlayed, judge: str | None = None
    ) -> "CubeResult":
        """From the games that were played; their luck counts if somebody judged it."""
        counted = played.points.clip(-CAP, CAP)
        wins = tuple(
            {name: int(((played.kinds == kind) & (side * counted > 0)).sum()) for name, kind in KINDS.items()}
            for side in (1, -1)
        )
        return cls(
            a,
            b,
            terms,
            seed,
            games=counted.size,
            points=Points.of(counted.mean(0)),
            wins=(wins[0], wins[1]),
            mean_cube=float(played.cubes.mean()),
            highest_cube=int(played.cubes.max()),
            capped=int((np.abs(played.points) > CAP).sum()),
            mean_plies=float(played.plies.mean()),
            judge=judge,
            adjusted=None if judge is None else Points.of((counted - played.luck).mean(0)),
        )

    @property
    def best(self) -> Points:
        """The points per game to go by, as in `DuelResult`."""
        return surer(self.points, self.adjusted)

    @property
    def unfinished(self) -> int:
        """The games that were broken off for their length; they count as 0 points."""
        return self.games - sum(sum(side.values()) for side in self.wins)

    def to_json(self) -> dict[str, Any]:
        """Everything by name, ready for `json.dumps`; an unknown standard error is None."""
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            **self.points.to_json(),
            "luck": self.adjusted and {"judge": self.judge, **self.adjusted.to_json()},
            "a_wins": self.wins[0],
            "b_wins": self.wins[1],
            "mean_cube": self.mean_cube,
            "highest_cube": self.highest_cube,
            "cap": CAP,
            "capped": self.capped,
            "unfinished": self.unfinished,
            "mean_plies": self.mean_plies,
            "seed": self.seed,
            "rules": self.terms.rules.name,
            "cube": {"jacoby": self.terms.jacoby},
        }

    def __str__(self) -> str:
        width = max(len(self.a), len(self.b))
        jacoby = "the Jacoby rule, " if self.terms.jacoby else ""
        rows = zip((self.a, self.b), self.wins, strict=True)
        lines = [
            f"{self.a} v {self.b}: {self.points} points per game",
            *less_luck(self.judge, self.points, self.adjusted),
            f"{self.games:,} games with the cube, {jacoby}mirrored dice, {self.terms.rules.name} rules, "
            f"seed {self.seed}",
            "",
            f"{'wins':{width}}{'':2}{'all':>9}" + "".join(f"{kind:>15}" for kind in KINDS),
            *(f"{name:{width}}  {sum(won.values()):9,}" + self._shares(won) for name, won in rows),
            "",
            "Passed: the loser passed a double. Gammons do not include backgammons.",
            f"The cube ended at {self.mean_cube:.2f} on average, at {self.highest_cube} at most.",
            f"A game counts for up to {CAP} points; {self.capped:,} were worth more.",
            f"A game took {self.mean_plies:.1f} plies on average.",
        ]
        lines += filter(None, map(ply_note, dict.fromkeys((self.a, self.b))))
        if self.unfinished:
            lines.append(f"{self.unfinished:,} endless games were broken off and count as 0 points.")
        return "\n".join(lines)

    def _shares(self, won: dict[str, int]) -> str:
        return "".join(f"{count:8,}{count / self.games:7.1%}" for count in won.values())


@dataclass(frozen=True)
class MatchResult:
    """Matches between `a` and `b`."""

    a: str
    """The name of the first agent."""
    b: str
    """The name of the second agent."""
    terms: Terms
    """The length of the matches, and the rules they played by."""
    seed: int
    """The seed of all dice and all random choices."""
    matches: int
    """How many matches were played, two for each pair."""
    a_wins: int
    """How many of them `a` won."""
    b_wins: int
    """How many of them `b` won."""
    share: Points
    """The share of matches that `a` won, with its standard error from the pairs. Unfinished ones are half."""
    mean_games: float
    """The mean number of games in a match."""
    mean_plies: float
    """The mean length of a match in plies."""
    judge: str | None = None
    """The name of the evaluator that judged the luck of the rolls, if any did."""
    adjusted: Points | None = None
    """The share of matches won less the luck in it, whose mean is 0."""

    @classmethod
    def of(
        cls, a: str, b: str, terms: Terms, seed: int, played: CubePlayed, judge: str | None = None
    ) -> "MatchResult":
        """From the matches that were played; their luck counts if somebody judged it."""
        share = (1 + played.points) / 2
        return cls(
            a,
            b,
            terms,
            seed,
            matches=played.points.size,
            a_wins=int((played.points > 0).sum()),
            b_wins=int((played.points < 0).sum()),
            share=Points.of(share.mean(0)),
            mean_games=float(played.games.mean()),
            mean_plies=float(played.plies.mean()),
            judge=judge,
            adjusted=None if judge is None else Points.of((share - played.luck).mean(0)),
        )

    @property
    def best(self) -> Points:
        """The share of matches won to go by, as in `DuelResult`."""
        return surer(self.share, self.adjusted)

    @property
    def games(self) -> int:
        """How many matches were played: what a duel of matches counts."""
        return self.matches

    @property
    def unfinished(self) -> int:
        """The matches that were broken off for their length; they count as half won."""
        return self.matches - self.a_wins - self.b_wins

    def to_json(self) -> dict[str, Any]:
        """Everything by name, ready for `json.dumps`; an unknown standard error is None."""
        return {
            "a": self.a,
            "b": self.b,
            "match": self.terms.length,
            "matches": self.matches,
            "a_wins": self.a_wins,
            "b_wins": self.b_wins,
            **_share_json(self.share),
            "luck": self.adjusted and {"judge": self.judge, **_share_json(self.adjusted)},
            "unfinished": self.unfinished,
            "mean_games": self.mean_games,
            "mean_plies": self.mean_plies,
            "seed": self.seed,
            "rules": self.terms.rules.name,
        }

    def __str__(self) -> str:
        lines = [
            f"{self.a} v {self.b}: {_percent(self.share)} of the matches won",
            *less_luck(self.judge, self.share, self.adjusted, _percent),
            f"{self.matches:,} matches to {self.terms.length}, mirrored dice, {self.terms.rules.name} rules, "
            f"seed {self.seed}",
            "",
            f"{self.a} won {self.a_wins:,} and {self.b} {self.b_wins:,}.",
            f"A match took {self.mean_games:.1f} games and {self.mean_plies:.0f} plies on average.",
        ]
        lines += filter(None, map(ply_note, dict.fromkeys((self.a, self.b))))
        if self.unfinished:
            lines.append(f"{self.unfinished:,} endless matches were broken off and count as half won.")
        return "\n".join(lines)


def _percent(share: Points) -> str:
    error = "unknown" if isnan(share.stderr) else f"{share.stderr:.1%}"
    return f"{share.ppg:.1%} ± {error}"


def _share_json(share: Points) -> dict[str, float | None]:
    read = share.to_json()
    return {"share": read["ppg"], "stderr": read["stderr"]}
