"""How fast sibling afterstates are judged: those of one position after the other, as play meets them."""

from dataclasses import dataclass

import torch

from nardzero.game.movegen import candidates
from nardzero.game.rules import RULESETS
from nardzero.learn.bench.effort import Effort, Hidden
from nardzero.learn.bench.lesson import Lesson
from nardzero.learn.bench.measure import median_seconds
from nardzero.model.device import pick_precision
from nardzero.model.folded import FoldedNet, Precision
from nardzero.model.net import ValueNet

GAMES = 1024
"""Games whose afterstates are judged together."""


@dataclass(frozen=True)
class JudgingRow:
    """Microseconds of CPU time a board for one net, and which arithmetic is faster here."""

    hidden: Hidden
    """Widths of the net's hidden layers."""
    float32: float
    """µs a board in float32."""
    bfloat16: float
    """µs a board in bfloat16."""
    automatic: Precision
    """What `train.precision = "auto"` takes here."""

    @property
    def gain(self) -> float:
        """How many times as fast bfloat16 is."""
        return self.float32 / self.bfloat16


def measure_judging(lesson: Lesson, effort: Effort) -> list[JudgingRow]:
    """Every net of the effort. Its weights are random, which makes no difference to the time."""
    boards, dice = lesson.turns(min(GAMES, effort.turns), 0)
    after = candidates(boards, dice, RULESETS["standard"]).boards()

    def microseconds(hidden: Hidden, precision: Precision) -> float:
        net = FoldedNet(ValueNet(hidden), precision)
        return 1e6 * median_seconds(lambda _: net.evaluate_flipped(after), effort.repeats) / len(after)

    torch.manual_seed(0)
    return [
        JudgingRow(
            hidden,
            microseconds(hidden, "float32"),
            microseconds(hidden, "bfloat16"),
            pick_precision("auto", hidden, "cpu"),
        )
        for hidden in effort.nets
    ]
