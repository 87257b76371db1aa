"""The bench from start to end, each part in a process of its own with one thread."""

from collections.abc import Callable
from functools import partial

from nardzero.learn.bench.effort import FULL, QUICK, Effort
from nardzero.learn.bench.generator import GeneratorRow, measure_generator
from nardzero.learn.bench.judging import JudgingRow, measure_judging
from nardzero.learn.bench.lesson import Lesson, play_lesson
from nardzero.learn.bench.looking import LookingRow, measure_looking
from nardzero.learn.bench.peers import PeerSpeed, measure_peers
from nardzero.learn.bench.report import Machine, Report
from nardzero.learn.bench.training import measure_training
from nardzero.play.peers.gnubg import gnubg_nn
from nardzero.play.workers import Progress, share


def bench(
    quick: bool = False, peers: bool = False, progress: Callable[[str], object] = lambda part: None
) -> Report:
    """Measure everything; with peers, another engine as well. `progress` hears what is measured next.

    Raises PeerMissing where there is no other engine, and whatever `share` raises.
    """
    if peers:
        gnubg_nn()  # at once, rather than after minutes
    effort = QUICK if quick else FULL
    progress("trained play")
    (lesson,) = share(play_lesson, [effort], 1)
    progress("finding and judging plays")
    ((generator, judging, looking, peer),) = share(partial(_measure_parts, effort, peers), [lesson], 1)
    training = []
    for case in effort.cases:
        progress(f"training, {case} in {case.precision}")
        training += share(partial(measure_training, lesson, effort), [case], 1)
    return Report(Machine.this(), quick, lesson.length, generator, judging, looking, training, peer)


def _measure_parts(
    effort: Effort, peers: bool, lesson: Lesson, progress: Progress
) -> tuple[list[GeneratorRow], list[JudgingRow], list[LookingRow], PeerSpeed | None]:
    """What needs no training, in one process; `share` wants its last two arguments as they are."""
    peer = measure_peers(lesson, effort) if peers else None
    return (
        measure_generator(lesson, effort),
        measure_judging(lesson, effort),
        measure_looking(lesson, effort),
        peer,
    )
