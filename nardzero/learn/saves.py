"""The saves of a training run: each a checkpoint for play with the state of the trainer beside it."""

import shutil
from pathlib import Path

from nardzero.learn.config import Config, ConfigError, config_from_dict
from nardzero.learn.ranks import Ranks
from nardzero.learn.state import restore_state, state_of
from nardzero.learn.trainer import Trainer
from nardzero.learn.trainers import new_trainer
from nardzero.model.checkpoint import (
    Card,
    InvalidCheckpoint,
    new_folder,
    read_card,
    read_json,
    read_tensors,
    remove_folder,
    save_model,
    write_json,
    write_tensors,
)
from nardzero.model.store import saves
from nardzero.version import __version__

STATE, STATE_CARD = "trainer.safetensors", "trainer.json"


def save(trainer: Trainer, run: Path) -> Path:
    """Save the run as it stands and let go of the oldest saves; returns the new save's folder.

    All ranks must call it; rank 0 writes.
    """
    path = run / f"step-{trainer.steps:010d}"
    tensors, rest = state_of(trainer)
    if not trainer.ranks.leads:
        return path
    if not path.exists():
        with new_folder(path) as folder:
            save_model(folder, trainer.play_net, _card(trainer), trainer.sieve)
            digest = write_tensors(folder / STATE, tensors)
            write_json(folder / STATE_CARD, {"sha256": digest} | rest)
    for old in saves(run)[: -trainer.config.train.keep]:
        remove_folder(old)
    return path


def _card(trainer: Trainer) -> dict[str, object]:
    # With the arithmetic that was picked here, so that another machine goes on in the same.
    config = config_from_dict(trainer.config.to_dict(), [f"train.precision={trainer.precision}"])
    return {
        "ruleset": trainer.rules.name,
        "games": trainer.games,
        "hours": round(trainer.seconds / 3600, 4),
        "earlier_games": trainer.earlier_games,
        "earlier_hours": trainer.earlier_hours,
        "seed": trainer.config.train.seed,
        "version": __version__,
        "config": config.to_dict(),
    }


def restore(run: Path, overrides: list[str], ranks: Ranks | None = None) -> Trainer:
    """A trainer that goes on from the newest save of a run, with `section.field=value` overrides.

    Raises InvalidCheckpoint where there is nothing to go on from, or it does not fit the run's net and rules.
    """
    if ranks is None or ranks.leads:
        _sweep(run)
    found = saves(run)
    if not found:
        raise InvalidCheckpoint(f"{run} holds no save of a training run to resume")
    newest = found[-1]
    card = read_card(newest)
    before = _saved_config(card, newest)
    config = config_from_dict(before.to_dict(), overrides)
    for what, ours, saved in (
        ("ruleset", config.selfplay.rules, before.selfplay.rules),
        ("encoding", config.net.encoding, before.net.encoding),
        ("layers", list(config.net.hidden), list(before.net.hidden)),
        ("cube", config.net.cube, before.net.cube),
        ("cube_hidden", list(config.net.cube_hidden), list(before.net.cube_hidden)),
        ("sieve", list(config.net.sieve), list(before.net.sieve)),
        ("games_at_once", config.selfplay.games_at_once, before.selfplay.games_at_once),
    ):
        if ours != saved:
            raise InvalidCheckpoint(f"{newest} was trained with {what} {saved} and cannot go on with {ours}")
    trainer = new_trainer(config, ranks)
    rest = read_json(newest / STATE_CARD)
    restore_state(trainer, read_tensors(newest / STATE, str(rest.get("sha256"))), rest, newest)
    return trainer


def _saved_config(card: Card, source: Path) -> Config:
    """The configuration that a save was trained with. Raises InvalidCheckpoint if it does not say."""
    saved = card.get("config")
    if not isinstance(saved, dict):
        raise InvalidCheckpoint(f"{source} does not say with which configuration it was trained")
    try:
        return config_from_dict(saved)
    except ConfigError as error:
        raise InvalidCheckpoint(f"{source} has a configuration of another version: {error}") from None


def _sweep(run: Path) -> None:
    """Remove what a killed run left half-written or half-removed."""
    for rubbish in run.glob(".step-*"):
        shutil.rmtree(rubbish, ignore_errors=True)
