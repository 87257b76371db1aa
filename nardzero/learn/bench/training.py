"""How fast a bot learns: playing, judging and gradient steps together."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from nardzero.learn.bench.effort import Case, Effort
from nardzero.learn.bench.lesson import Lesson, teach
from nardzero.learn.bench.measure import cpu_seconds, peak_memory
from nardzero.learn.config import Config, LearnConfig, NetConfig, SelfPlayConfig, TrainConfig
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.trainer import Trainer
from nardzero.play.workers import Progress

CALM = 2e-5
"""A learning rate at which a net stays what it is while its training is measured."""


@dataclass(frozen=True)
class TrainingRow:
    """The whole of training, for one way to train."""

    case: Case
    """What was trained."""
    games_per_second: float
    """Games a second of CPU time, at the length of trained play."""
    plies_per_second: float
    """Plies a second."""
    shares: Mapping[str, float]
    """The share of each stage in the time of all."""
    peak_mb: float
    """The most memory its process held, in MB."""


def measure_training(lesson: Lesson, effort: Effort, case: Case, progress: Progress) -> TrainingRow:
    """Train a net that plays well already. Meant for a process of its own, whose memory is told.

    Every window begins in positions of trained play. Games are counted by plies, at the length of trained
    play: those that happen to end in few windows would give a figure that depends on luck.
    """
    trainer = Trainer(_config(case, effort))
    for net in filter(None, (trainer.net, trainer.sieve)):
        teach(net, lesson, effort.passes)
    trainer.sieve_from = 0

    def window(repeat: int) -> None:
        trainer.selfplay.boards, _ = lesson.turns(case.games_at_once, repeat)
        trainer.window()

    window(0)
    trainer.watch = Stopwatch()
    seconds = statistics.median(cpu_seconds(window, repeat) for repeat in range(1, effort.windows + 1))
    plies = case.games_at_once * effort.plies / seconds
    return TrainingRow(
        case=case,
        games_per_second=plies / lesson.length,
        plies_per_second=plies,
        shares=trainer.watch.shares(),
        peak_mb=peak_memory(),
    )


def _config(case: Case, effort: Effort) -> Config:
    return Config(
        NetConfig(hidden=case.hidden, sieve=case.sieve),
        SelfPlayConfig(games_at_once=case.games_at_once, window=effort.plies),
        LearnConfig(lambda_start=0, rate_start=CALM, rate_end=CALM, batch=case.batch),
        TrainConfig(precision=case.precision),
    )
