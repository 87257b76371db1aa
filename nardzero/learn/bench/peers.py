"""Other engines, measured on the same positions. They are imported only when asked for.

Letters in shapes: N positions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import Any

import numpy as np

from nardzero.game.dice import Dice
from nardzero.game.movegen import afterstates
from nardzero.game.position import COLUMNS, Boards, flip
from nardzero.learn.bench.effort import Effort
from nardzero.learn.bench.lesson import Lesson
from nardzero.learn.bench.measure import median_seconds
from nardzero.play.peers.gnubg import PACKAGE, gnubg_nn, their_boards

Inputs = list[tuple[Any, ...]]
"""The arguments of many calls."""


@dataclass(frozen=True)
class PeerSpeed:
    """What GNU Backgammon does a second of CPU time, called from Python."""

    version: str
    """The version of its package."""
    afterstates_per_second: float
    """Distinct afterstates found."""
    positions_per_second: float
    """Distinct positions judged, without lookahead."""
    games_per_second: float
    """Games played against itself without learning, at the length of trained play."""
    decisions_per_second: float
    """Plays chosen at 2-ply, with its own filters."""


def measure_peers(lesson: Lesson, effort: Effort) -> PeerSpeed:
    """GNU Backgammon on the positions that the generator was measured on, and on their afterstates.

    It remembers what it has judged, so every repeat gets positions that it has not met.
    """
    engine = gnubg_nn()
    blocks = range(effort.repeats + 1)
    turns = [lesson.turns(effort.turns, block) for block in blocks]
    others = [lesson.turns(effort.turns, len(blocks) + block) for block in blocks]
    boards, dice = (np.concatenate(parts) for parts in zip(*turns, strict=True))
    after, parent = afterstates(boards[:, :COLUMNS], dice)
    found = np.bincount(parent // effort.turns)[1:].mean()
    distinct = np.random.default_rng(0).permutation(np.unique(flip(after), axis=0))
    judged = np.split(distinct[: len(blocks) * effort.turns], len(blocks))

    def seconds(call: Callable[..., object], inputs: Sequence[Inputs]) -> float:
        return median_seconds(partial(_call_each, call, inputs), effort.repeats)

    find = seconds(engine.moves, [_with_rolls(*turn) for turn in turns])
    play = seconds(partial(engine.best_move, n=0, b=1), [_with_rolls(*turn) for turn in others])
    deep = [_with_rolls(*lesson.turns(effort.deep_turns, block)) for block in blocks]
    look = seconds(partial(engine.best_move, n=2), deep)
    judge = seconds(engine.probabilities, [[(board, 0) for board in their_boards(part)] for part in judged])
    return PeerSpeed(
        version=metadata.version(PACKAGE),
        afterstates_per_second=float(found) / find,
        positions_per_second=effort.turns / judge,
        games_per_second=effort.turns / play / lesson.length,
        decisions_per_second=effort.deep_turns / look,
    )


def _call_each(call: Callable[..., object], inputs: Sequence[Inputs], repeat: int) -> None:
    for arguments in inputs[repeat]:
        call(*arguments)


def _with_rolls(boards: Boards, dice: Dice) -> Inputs:
    return [(board, *roll) for board, roll in zip(their_boards(boards), dice.tolist(), strict=True)]
