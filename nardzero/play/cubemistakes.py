"""What a bot gives away with the cube where the truth is known: by its cube head, and by Janowski's formula
over its own outcome probabilities.

Two kinds of truth: a referee's, for close decisions in contact, and the exact two-sided bear-off table.
Letters in shapes: N positions.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidInput
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.judge.bearoff.sides import every_pair
from nardzero.judge.bearoff.tables import two_sided
from nardzero.judge.cubeerrors import CLOSE, DECISIONS, gain, lost
from nardzero.judge.doubling import CENTRED, Cubeful, CubeJudge
from nardzero.judge.janowski import EFFICIENCY, Stakes, dead, live
from nardzero.model.evaluator import Evaluator
from nardzero.play.cubedecisions import CubeDecisions
from nardzero.play.mistakes import MEQ, Loss
from nardzero.play.peers.names import ply_note

EFFICIENCIES = np.linspace(0, 1, 51)
"""What the best efficiency of the formula is looked for among."""
AT_ONCE = 32_768
"""Positions judged in one call."""
NAME, COLUMN = 14, 20
"""Widths in the table."""

Bools = npt.NDArray[np.bool_]
Progress = Callable[[int], object]


class NoCubeHead(InvalidInput):
    """A bot that has not learned the cube."""


@dataclass(frozen=True, eq=False)
class Truth:
    """Positions whose cubeful equities are known."""

    name: str
    """What they are."""
    boards: Boards
    """The positions [N, 26] before the roll."""
    equities: Cubeful
    """Their equities [N, 3]."""
    counted: Bools
    """Which decisions [N, 3] of each are looked at, in the order of DECISIONS."""
    drawn: bool
    """Whether they are a sample, so that there is an error of sampling."""

    @classmethod
    def close(cls, name: str, boards: Boards, equities: Cubeful, drawn: bool) -> "Truth":
        """The decisions in which doubling is close, and to take or not where it is so with a centred cube."""
        near = np.abs(gain(equities)) < CLOSE
        counted = np.column_stack([near, near[:, CENTRED]])
        some = counted.any(1)
        return cls(name, boards[some], equities[some], counted[some], drawn)


def known_truths(decisions: CubeDecisions) -> Iterator[Truth]:
    """What there is: the referee's decisions, the whole bear-off table, and what is close in it."""
    yield Truth.close(f"contact, close, by {decisions.referee}", decisions.boards, decisions.equities, True)
    boards = every_pair(len(two_sided().equities[0]), two_sided().points)
    equities = two_sided().cubeful(boards)
    yield Truth("bear-off, exact", boards, equities, np.ones((len(boards), len(DECISIONS)), np.bool_), False)
    yield Truth.close("bear-off, exact, close", boards, equities, False)


@dataclass(frozen=True)
class Judged:
    """What one way to judge the cube gives away."""

    judge: str
    """The way."""
    losses: tuple[Loss, ...]
    """What each of DECISIONS loses, and all of them together."""
    agreement: float
    """The share of all decisions that are right."""


@dataclass(frozen=True)
class Saving:
    """How much less one loses than another."""

    percent: float
    """In per cent of what the other loses."""
    stderr: float
    """The standard error, of the same decisions for both; 0 where they are not a sample."""

    def __str__(self) -> str:
        return f"{self.percent:.0f} ± {self.stderr:.0f} %" if self.stderr else f"{self.percent:.0f} %"


@dataclass(frozen=True)
class Row:
    """What is lost in the positions of one truth."""

    name: str
    """What they are."""
    decisions: tuple[int, ...]
    """How many of each of DECISIONS, and of all."""
    judges: tuple[Judged, ...]
    """The cube head, the formula as it is, and with the efficiency that is best here."""
    saved: Saving
    """How much less the head loses than the formula as it is."""
    saved_best: Saving
    """The same against the efficiency that is best here."""


@dataclass(frozen=True)
class CubeMistakes:
    """What a bot gives away with the cube."""

    agent: str
    """Its name."""
    rows: tuple[Row, ...]
    """A row for each truth."""

    def to_json(self) -> dict[str, object]:
        """Everything above by name, ready for `json.dumps`."""
        return {
            "agent": self.agent,
            "unit": "mEq lost a cube decision, per unit of the cube before the double",
            "decisions": [*DECISIONS, "all"],
            "sets": [asdict(row) for row in self.rows],
        }

    def __str__(self) -> str:
        tables = "\n".join("\n".join(_table(row)) for row in self.rows)
        notes = filter(None, [ply_note(row.name.rpartition(" ")[2]) for row in self.rows])
        return "\n".join(
            [
                f"{self.agent}: mEq lost a cube decision",
                "",
                tables,
                "Thousandths of a point, per unit of the cube before the double; money games without Jacoby.",
                f"Close: doubling gains or loses less than {CLOSE:g} points.",
                *notes,
            ]
        )


def cube_mistakes(
    name: str, judge: Evaluator, truths: Iterator[Truth], progress: Progress = lambda done: None
) -> CubeMistakes:
    """What an evaluator with a cube head gives away. `progress` hears how many more positions it has judged.

    Raises NoCubeHead for one without.
    """
    return CubeMistakes(name, tuple(_row(name, judge, truth, progress) for truth in truths))


def _row(name: str, judge: Evaluator, truth: Truth, progress: Progress) -> Row:
    head, stakes = _judge(name, judge, truth.boards, progress)
    flat, lively = dead(stakes), live(stakes)

    def formula(x: float) -> npt.NDArray[np.float32]:
        return lost(truth.equities, ((1 - x) * flat + x * lively).astype(np.float32)) * truth.counted

    best = float(min(EFFICIENCIES, key=lambda x: formula(x).sum(dtype=np.float64)))
    learned, usual, fitted = lost(truth.equities, head) * truth.counted, formula(EFFICIENCY), formula(best)
    ways = {"cube head": learned, f"x = {EFFICIENCY:g}": usual, f"best x = {best:.2f}": fitted}
    return Row(
        truth.name,
        (*truth.counted.sum(0).tolist(), int(truth.counted.sum())),
        tuple(_judged(way, losses, truth) for way, losses in ways.items()),
        _saved(learned, usual, truth.drawn),
        _saved(learned, fitted, truth.drawn),
    )


def _judge(name: str, judge: Evaluator, boards: Boards, progress: Progress) -> tuple[Cubeful, Stakes]:
    """What the evaluator says of positions [N, 26]: with the cube, and without."""
    cubeful, probs = [], []
    for start in range(0, len(boards), AT_ONCE):
        some = boards[start : start + AT_ONCE]
        told = judge.cubeful(some) if isinstance(judge, CubeJudge) else None
        if told is None:
            raise NoCubeHead(
                f"{name} has not learned the cube; give a bot with a cube head, such as standard"
            )
        cubeful.append(told)
        probs.append(judge.evaluate(some))
        progress(len(some))
    return np.concatenate(cubeful), Stakes.of(np.concatenate(probs), RULESETS["standard"].points)


def _judged(way: str, losses: npt.NDArray[np.float32], truth: Truth) -> Judged:
    means = [
        _loss(losses[:, [kind]], truth.counted[:, [kind]], truth.drawn) for kind in range(len(DECISIONS))
    ]
    right = 1 - np.count_nonzero(losses) / truth.counted.sum()
    return Judged(way, (*means, _loss(losses, truth.counted, truth.drawn)), float(right))


def _loss(losses: npt.NDArray[np.float32], counted: Bools, drawn: bool) -> Loss:
    """The mean of the losses [N, K] that are counted; decisions of one position hang together."""
    total = max(int(counted.sum()), 1)
    mean = losses.sum(dtype=np.float64) / total
    apart = losses.sum(1, dtype=np.float64) - mean * counted.sum(1)
    return Loss(MEQ * float(mean), MEQ * float(np.sqrt((apart**2).sum())) / total if drawn else 0.0)


def _saved(losses: npt.NDArray[np.float32], others: npt.NDArray[np.float32], drawn: bool) -> Saving:
    """How much less the first lose [N, 3] than the others [N, 3]."""
    mine, theirs = losses.sum(1, dtype=np.float64), others.sum(1, dtype=np.float64)
    whole = max(theirs.sum(), 1e-12)
    share = mine.sum() / whole
    error = np.sqrt(((mine - share * theirs) ** 2).sum()) / whole if drawn else 0.0
    return Saving(100 * float(1 - share), 100 * float(error))


def _table(row: Row) -> Iterator[str]:
    yield f"{row.name:{NAME + 9}}" + "".join(f"{judged.judge:>{COLUMN}}" for judged in row.judges)
    for number, (decision, count) in enumerate(zip((*DECISIONS, "all"), row.decisions, strict=True)):
        losses = "".join(f"{_figure(judged.losses[number]):>{COLUMN}}" for judged in row.judges)
        yield f"  {decision:{NAME - 2}}{count:9,}{losses}"
    yield f"  {'right':{NAME + 7}}" + "".join(f"{judged.agreement:>{COLUMN}.1%}" for judged in row.judges)
    less = "".join(f"{saved!s:>{COLUMN}}" for saved in (row.saved, row.saved_best))
    yield f"  {'head loses less by':{NAME + 7}}{'':{COLUMN}}{less}"
    yield ""


def _figure(loss: Loss) -> str:
    return str(loss) if loss.stderr else f"{loss.meq:.2f}"
