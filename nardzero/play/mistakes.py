"""What an agent gives away in judged decisions, for each phase of the game and in all.

Letters in shapes: D decisions, R referees.
"""

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.phases import PHASES
from nardzero.play.decisions import Decisions
from nardzero.play.differences import CLOSE, Differences
from nardzero.play.peers.names import ply_note

MEQ = 1000
"""mEq a point."""
NAME, COUNT, COLUMN = 18, 6, 14
"""Widths in the table."""
CLOSE_PLAYS = (
    f"Differences between plays within {CLOSE} of the best are off by so much: standard\n"
    "deviation within a decision, the referees' own share included."
)


@dataclass(frozen=True)
class Loss:
    """A mean over decisions, with its standard error."""

    meq: float
    """mEq lost a decision: thousandths of a point, cubeless."""
    stderr: float
    """The standard error; decisions of one game count as independent."""

    def __str__(self) -> str:
        return f"{self.meq:.2f} ± {self.stderr:.2f}"


@dataclass(frozen=True)
class Row:
    """One phase, or all of them."""

    phase: str
    """Its name."""
    decisions: int
    """How many decisions."""
    losses: tuple[Loss, ...]
    """What is lost as each referee sees it [R], and then on their average."""


@dataclass(frozen=True)
class Mistakes:
    """What an agent gave away."""

    agent: str
    """Its name."""
    referees: tuple[str, ...]
    """The engines [R] that judged."""
    phases: tuple[Row, ...]
    """Each phase."""
    overall: Row
    """All decisions, each phase weighted by how often it came up."""
    unrated: float
    """The share of its choices that the referees judged without looking ahead: far worse ones, as a rule."""
    differences: Differences | None = None
    """How well it tells close plays apart, where that was asked."""

    @classmethod
    def of(
        cls, agent: str, decisions: Decisions, chosen: Index, differences: Differences | None = None
    ) -> "Mistakes":
        """From the afterstates chosen [D]."""
        seen = MEQ * decisions.lost[chosen]
        lost = np.column_stack([seen, seen.mean(1)])
        groups = [(phase, lost[decisions.phase == number]) for number, phase in enumerate(PHASES)]
        means = np.stack([_mean(group) for _, group in groups])
        errors = np.stack([_error(group) for _, group in groups])
        share = decisions.share[:, None]
        return cls(
            agent,
            decisions.referees,
            tuple(
                Row(phase, len(group), _losses(mean, error))
                for (phase, group), mean, error in zip(groups, means, errors, strict=True)
            ),
            Row("all", len(lost), _losses((share * means).sum(0), np.sqrt(((share * errors) ** 2).sum(0)))),
            float(1 - decisions.rated[chosen].mean()),
            differences,
        )

    def to_json(self) -> dict[str, object]:
        """Everything above by name, ready for `json.dumps`."""
        return {
            "agent": self.agent,
            "unit": "mEq lost a decision, cubeless",
            "columns": [*self.referees, "mean"],
            "overall": asdict(self.overall),
            "phases": [asdict(row) for row in self.phases],
            "unrated": self.unrated,
        } | ({"differences": asdict(self.differences)} if self.differences else {})

    def __str__(self) -> str:
        told = self.differences
        columns = [*self.referees, "mean", *(["differences"] if told else [])]
        heads = "".join(f"{head:>{COLUMN}}" for head in columns)
        off = [*told.phases, told.overall] if told else [None] * (len(self.phases) + 1)
        return "\n".join(
            [
                f"{self.agent}: {self.overall.losses[-1]} mEq lost a decision",
                "",
                f"{'':{NAME}}{'':>{COUNT}}{heads}",
                *map(_line, (*self.phases, self.overall), off),
                "",
                "Thousandths of a point, cubeless, as each referee sees it, and their mean.",
                "All weighs each kind of position as often as it came up in mixed play.",
                *([CLOSE_PLAYS] if told else []),
                *filter(None, map(ply_note, dict.fromkeys((self.agent, *self.referees)))),
                f"{self.unrated:.1%} of the plays were so far off that no referee looked ahead for them.",
            ]
        )


def _line(row: Row, off: float | None) -> str:
    losses = "".join(f"{loss!s:>{COLUMN}}" for loss in row.losses)
    last = "" if off is None else f"{MEQ * off:{COLUMN}.1f}"
    return f"{row.phase:{NAME}}{row.decisions:{COUNT},}{losses}{last}"


def _mean(lost: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """The mean of each column; 0 for none."""
    mean: npt.NDArray[np.float64] = lost.sum(0, dtype=np.float64) / max(len(lost), 1)
    return mean


def _error(lost: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """The standard error of each column's mean; 0 for fewer than two rows."""
    spread = ((lost - _mean(lost)) ** 2).sum(0)
    error: npt.NDArray[np.float64] = np.sqrt(spread / (max(len(lost) - 1, 1) * max(len(lost), 1)))
    return error


def _losses(means: npt.NDArray[np.float64], errors: npt.NDArray[np.float64]) -> tuple[Loss, ...]:
    return tuple(map(Loss, means.tolist(), errors.tolist()))
