"""How fast the shipped bot decides on plays when it looks ahead."""

from dataclasses import dataclass

from nardzero.game.position import COLUMNS
from nardzero.judge.lookahead import Lookahead
from nardzero.learn.bench.effort import Effort
from nardzero.learn.bench.lesson import TEACHER, Lesson
from nardzero.learn.bench.measure import median_seconds
from nardzero.model.store import load
from nardzero.play.agents import Turn

DECISIONS = 32
"""How many plays a repeat chooses at least: some take no time, as nothing comes near the best."""


@dataclass(frozen=True)
class LookingRow:
    """Decisions of one depth."""

    ply: int
    """How many plies ahead."""
    at_once: int
    """How many decisions are made together."""
    decisions_per_second: float
    """Plays chosen a second of CPU time."""


def measure_looking(lesson: Lesson, effort: Effort) -> list[LookingRow]:
    """Every depth and number of the effort, in positions of trained play, others for each repeat."""
    bot = load(TEACHER, "auto")

    def rate(ply: int, at_once: int) -> float:
        ahead = Lookahead(bot, ply, bot.rules)
        decisions = max(DECISIONS, at_once)

        def decide(repeat: int) -> None:
            boards, dice = lesson.turns(decisions, repeat)
            for start in range(0, decisions, at_once):
                some = slice(start, start + at_once)
                turn = Turn.of(boards[some, :COLUMNS], dice[some], bot.rules)
                ahead.best(turn.after, turn.starts)

        return decisions / median_seconds(decide, effort.repeats)

    return [LookingRow(ply, at_once, rate(ply, at_once)) for ply, at_once in effort.looks]
