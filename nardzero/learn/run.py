"""A training run from start to end: progress, logs, duels, saves, and a clean stop."""

import math
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from nardzero.learn.config import Config, ConfigError
from nardzero.learn.monitor import Monitor
from nardzero.learn.ranks import RankLost, joined
from nardzero.learn.saves import restore, save
from nardzero.learn.trainer import Trainer
from nardzero.learn.trainers import new_trainer
from nardzero.model.store import saves


def train(config: Config, run: Path) -> Path:
    """Train from the beginning; returns the folder of the last save.

    Raises ConfigError if the run's folder already holds something.
    """
    with joined() as ranks:
        taken = run.exists() and (not run.is_dir() or any(run.iterdir()))
        if any(ranks.gather(taken)):
            raise ConfigError(f"{run} already exists; resume it, or give the new run another name")
        trainer = new_trainer(config, ranks)
        if config.train.start_from:
            trainer.start_from(config.train.start_from)
        run.mkdir(parents=True, exist_ok=True)
        return _go_on(trainer, run)


def resume(run: Path, overrides: list[str]) -> Path:
    """Go on with a run from its newest save; returns the folder of the last save."""
    with joined() as ranks:
        return _go_on(restore(run, overrides, ranks), run)


def _go_on(trainer: Trainer, run: Path) -> Path:
    """Train until the games are played or somebody interrupts; saves in any case."""
    saved = save(trainer, run)
    try:
        return _windows(trainer, run, saved)
    except RankLost as lost:
        raise SystemExit(f"nardzero: {lost}; the newest save is {saves(run)[-1]}") from lost


def _windows(trainer: Trainer, run: Path, saved: Path) -> Path:
    """Window after window; returns the folder of the last save."""
    goals = trainer.config.train
    next_save, next_duel = _next(trainer.games, goals.save_every), _next(trainer.games, goals.duel_every)
    with _interruptible() as interrupted, Monitor(trainer, run) as monitor:
        while trainer.games < goals.games and not any(trainer.ranks.gather(interrupted.is_set())):
            facts = trainer.window()
            if not math.isfinite(facts["train/loss"]):
                raise ConfigError(
                    f"the net has diverged after {trainer.games:,} games; the last save is {saved}, "
                    "and a lower learn.rate_start may help"
                )
            if next_duel is not None and trainer.games >= next_duel:
                facts |= monitor.duels()
                next_duel = _next(trainer.games, goals.duel_every)
            monitor.log(facts)
            if next_save is not None and trainer.games >= next_save:
                saved = save(trainer, run)
                next_save = _next(trainer.games, goals.save_every)
        saved = save(trainer, run)
        if trainer.games < goals.games:
            monitor.say(f"Stopped after {trainer.games:,} games and saved in {saved}.")
    return saved


def _next(games: int, every: int) -> int | None:
    """The next multiple of `every`, None where that is 0."""
    return (games // every + 1) * every if every else None


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
        print("\nfinishing this window; once more to stop at once, without saving", file=sys.stderr)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
