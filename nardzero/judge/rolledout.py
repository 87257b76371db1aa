"""What a rollout says of a position, and of a play."""

from dataclasses import dataclass
from math import isnan

from nardzero.judge.analysis import Candidate, Evaluation, percents
from nardzero.judge.sample import Sample


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RolledOut(Evaluation):
    """A position before the roll, rolled out for the player on roll."""

    stderr: float
    """The standard error of the equity; nan for a single game."""
    games: int
    """How many games were played; 0 where none was needed, the outcome being exact."""

    @classmethod
    def of(cls, sample: Sample) -> "RolledOut":
        """From the games played."""
        return cls(sample.probs, sample.equity, stderr=sample.stderr, games=sample.games)

    def to_json(self) -> dict[str, object]:
        """Everything by name, ready for `json.dumps`; an unknown standard error is None."""
        return _to_json(self)

    def __str__(self) -> str:
        return f"{plus_minus(self.equity, self.stderr)}  {percents(self.probs)}  {counted(self.games)}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RolledOutPlay(Candidate):
    """A legal play, rolled out for the player who makes it, by players who look `ply` plies ahead; its
    difference is to the best of those that were not given up before the end."""

    stderr: float
    """The standard error of the equity; nan for a single game."""
    difference_stderr: float
    """The standard error of the difference, which is not theirs added up: both met the same dice."""
    games: int
    """How many games were played; few if it was given up early."""

    @classmethod
    def of(cls, candidate: Candidate, ply: int, sample: Sample, best: Sample) -> "RolledOutPlay":
        """From the games played after the play and after the best one."""
        difference, error = (0.0, 0.0) if sample is best else sample.ahead(best)
        return cls(
            candidate.play,
            candidate.after,
            sample.equity,
            difference,
            sample.probs,
            ply,
            candidate.exact,
            stderr=sample.stderr,
            difference_stderr=error,
            games=sample.games,
        )

    def to_json(self) -> dict[str, object]:
        """Everything by name, ready for `json.dumps`; an unknown standard error is None."""
        return {
            "play": str(self.play),
            "difference": self.difference,
            "difference_stderr": _known(self.difference_stderr),
            **_to_json(self),
        }

    def __str__(self) -> str:
        found = plus_minus(self.equity, self.stderr)
        behind = plus_minus(self.difference, self.difference_stderr)
        return f"{self.play}  {found} ({behind})  {percents(self.probs)}  {counted(self.games)}"


def plus_minus(value: float, error: float) -> str:
    """A number of points with its standard error as people read it."""
    return f"{value:+.4f} ± {'unknown' if isnan(error) else f'{error:.4f}'}"


def counted(games: int) -> str:
    """A number of games as people read it."""
    return f"{games:,} game{'' if games == 1 else 's'}"


def _known(error: float) -> float | None:
    return None if isnan(error) else error


def _to_json(rolled: RolledOut | RolledOutPlay) -> dict[str, object]:
    return {
        "probs": rolled.probs.tolist(),
        "equity": rolled.equity,
        "stderr": _known(rolled.stderr),
        "games": rolled.games,
        "exact": rolled.exact,
        "cumulative": rolled.cumulative._asdict(),
    }
