"""Positions of trained play: what is found and judged quickly there is quick where it matters.

Letters in shapes: K positions, T plies, N games at once.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from nardzero.game.dice import Dice, throw
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.learn.bench.effort import Effort
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.checkpoint import load_model
from nardzero.model.device import pick_precision
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import find
from nardzero.play.workers import Progress

TEACHER = "standard"
"""The shipped bot that plays."""
MINGLED = 60
"""Plies after which games that began together are at all stages."""
RATE, BATCH = 2e-3, 512
"""Adam's learning rate at the start of a lesson, and positions a step."""


@dataclass(frozen=True)
class Lesson:
    """Trained play."""

    boards: Boards
    """Positions before the roll [K, 32], padded, ply by ply."""
    values: Probs
    """What the teacher thinks of them [K, 6], for the player on roll."""
    dice: Dice
    """A roll [K, 2] for each."""
    length: float
    """The mean number of plies of a game."""
    mingled: int
    """The position from which on all stages of a game are as frequent as in long play."""

    def turns(self, count: int, repeat: int) -> tuple[Boards, Dice]:
        """So many positions [count, 32] with dice [count, 2], others for each repeat while they last."""
        rng = np.random.default_rng(0)
        order = self.mingled + rng.permutation(len(self.boards) - self.mingled)
        chosen = order.take(np.arange(repeat * count, (repeat + 1) * count), mode="wrap")
        return self.boards.take(chosen, axis=0), self.dice.take(chosen, axis=0)


def play_lesson(effort: Effort, progress: Progress) -> Lesson:
    """Let the shipped bot play itself."""
    net, _, card = load_model(find(TEACHER))
    judge = FoldedNet(net, pick_precision("auto", net.hidden, "cpu"))
    rng = np.random.default_rng(0)
    selfplay = SelfPlay(RULESETS[card["ruleset"]], effort.lesson_games, rng)
    played = selfplay.window(judge, effort.lesson_plies, Stopwatch())
    later = slice(MINGLED, None)
    return Lesson(
        boards=played.boards.reshape(-1, played.boards.shape[-1]),
        values=np.ascontiguousarray(played.values[:-1]).reshape(-1, 6),
        dice=throw(rng, played.done.size),
        length=float(played.lengths[later][played.done[later]].mean()),
        mingled=min(MINGLED, effort.lesson_plies - 1) * effort.lesson_games,
    )


def teach(net: ValueNet, lesson: Lesson, passes: int) -> None:
    """Have a new net learn the lesson, so that it plays real games soon: random play goes on for ages."""
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    decay = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0, passes * (len(lesson.boards) // BATCH + 1))
    rng = np.random.default_rng(0)
    for _ in range(passes):
        order = rng.permutation(len(lesson.boards))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            inputs = torch.from_numpy(net.encoding.inputs(lesson.boards.take(chosen, axis=0)))
            wanted = torch.from_numpy(lesson.values.take(chosen, axis=0))
            optimiser.zero_grad()
            F.cross_entropy(net(inputs), wanted).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            decay.step()
