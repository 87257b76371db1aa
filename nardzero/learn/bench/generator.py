"""How fast plays are found."""

from dataclasses import dataclass

from nardzero.game.movegen import afterstates, candidates
from nardzero.game.position import COLUMNS
from nardzero.game.rules import RULESETS
from nardzero.learn.bench.effort import Effort
from nardzero.learn.bench.lesson import Lesson
from nardzero.learn.bench.measure import median_seconds


@dataclass(frozen=True)
class GeneratorRow:
    """Distinct afterstates a second, boards included, for one ruleset and batch size."""

    rules: str
    """The ruleset."""
    games: int
    """Games at once."""
    afterstates_per_second: float
    """Through `nardzero.afterstates`, which checks what it is given."""
    inside_per_second: float
    """As training does it, without checks, on padded boards."""


def measure_generator(lesson: Lesson, effort: Effort) -> list[GeneratorRow]:
    """Every ruleset of the effort with every batch size."""
    return [_measure(lesson, effort, rules, games) for rules in effort.rulesets for games in effort.batches]


def _measure(lesson: Lesson, effort: Effort, name: str, games: int) -> GeneratorRow:
    rules = RULESETS[name]
    batches = [
        [
            (boards[start : start + games], dice[start : start + games])
            for start in range(0, effort.turns, games)
        ]
        for boards, dice in (lesson.turns(effort.turns, repeat) for repeat in range(effort.repeats + 1))
    ]

    def public(repeat: int) -> int:
        return sum(len(afterstates(boards[:, :COLUMNS], dice, rules)[0]) for boards, dice in batches[repeat])

    def inside(repeat: int) -> None:
        for boards, dice in batches[repeat]:
            candidates(boards, dice, rules).boards()

    found = sum(map(public, range(1, effort.repeats + 1))) / effort.repeats
    return GeneratorRow(
        rules=name,
        games=games,
        afterstates_per_second=found / median_seconds(public, effort.repeats),
        inside_per_second=found / median_seconds(inside, effort.repeats),
    )
