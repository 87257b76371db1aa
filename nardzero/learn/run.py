"""A training run from start to end: progress, logs, duels, saves, and a clean stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from nardzero.game.outcomes import flip_outcomes
from nardzero.learn.config import Config, ConfigError
from nardzero.learn.saves import restore, save
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet
from nardzero.play.agents import EvaluatorAgent, agent
from nardzero.play.arena import duel

YARDSTICKS = ("random", "pips")
"""The fixed opponents that a net is measured against while it learns."""


def train(config: Config, run: Path) -> Path:
    """Train from the beginning; returns the folder of the last save.

    Raises ConfigError if the run's folder already holds something.
    """
    if run.exists() and (not run.is_dir() or any(run.iterdir())):
        raise ConfigError(f"{run} already exists; resume it, or give the new run another name")
    trainer = Trainer(config)
    if config.train.start_from:
        trainer.start_from(config.train.start_from)
    run.mkdir(parents=True, exist_ok=True)
    return _go_on(trainer, run)


def resume(run: Path, overrides: list[str]) -> Path:
    """Go on with a run from its newest save; returns the folder of the last save."""
    return _go_on(restore(run, overrides), run)


def _go_on(trainer: Trainer, run: Path) -> Path:
    """Train until the games are played or somebody interrupts; saves in any case."""
    goals = trainer.config.train
    saved = save(trainer, run)
    next_save, next_duel = _next(trainer.games, goals.save_every), _next(trainer.games, goals.duel_every)
    with (
        _interruptible() as interrupted,
        SummaryWriter(str(run), purge_step=trainer.games) as writer,
        tqdm(total=goals.games, initial=trainer.games, unit="game", smoothing=0.05, desc=run.name) as bar,
    ):
        while trainer.games < goals.games and not interrupted.is_set():
            facts = trainer.window()
            facts |= _start_value(trainer) | _time_shares(trainer)
            if next_duel is not None and trainer.games >= next_duel:
                facts |= _duels(trainer)
                next_duel = _next(trainer.games, goals.duel_every)
            for name, value in facts.items():
                writer.add_scalar(name, value, trainer.games)
            bar.set_postfix(loss=f"{facts['train/loss']:.4f}", refresh=False)
            bar.update(trainer.games - bar.n)
            if next_save is not None and trainer.games >= next_save:
                saved = save(trainer, run)
                next_save = _next(trainer.games, goals.save_every)
        saved = save(trainer, run)
        if interrupted.is_set():
            bar.write(f"Stopped after {trainer.games:,} games and saved in {saved}.")
    return saved


def _next(games: int, every: int) -> int | None:
    """The next multiple of `every`, None where that is 0."""
    return (games // every + 1) * every if every else None


def _start_value(trainer: Trainer) -> dict[str, float]:
    """The net's opinion of the start position; gammons include backgammons."""
    probs = FoldedNet(trainer.play_net).evaluate(trainer.selfplay.start)[0]
    return {
        "start/wins": float(probs[:3].sum()),
        "start/gammons": float(probs[:2].sum()),
        "start/gammons lost": float(flip_outcomes(probs)[:2].sum()),
        "start/equity": float(probs @ trainer.rules.points),
    }


def _time_shares(trainer: Trainer) -> dict[str, float]:
    return {f"time/{stage}": share for stage, share in trainer.watch.shares().items()}


def _duels(trainer: Trainer) -> dict[str, float]:
    """Points a game against each of the yardsticks, with dice of their own."""
    goals = trainer.config.train
    with trainer.watch("duel"):
        bot = EvaluatorAgent(FoldedNet(trainer.play_net), trainer.rules.points, "net", trainer.rules)
        return {
            f"duel/{name}": duel(bot, agent(name), goals.duel_games, trainer.rules, goals.seed).ppg
            for name in YARDSTICKS
        }


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that is set by Ctrl-C or SIGTERM, so that the window in play is finished first."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def stop(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
