"""What a training run depends on from where it stands: tensors, and the rest as JSON.

Processes that train one model together keep theirs in one state, from which another number of them can go on.
"""

from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, as_tensor, from_numpy

from nardzero.learn.trainer import Trainer
from nardzero.model.checkpoint import InvalidCheckpoint, fill
from nardzero.model.net import ValueNet

COUNTERS = ("games", "steps", "seconds", "earlier_games", "earlier_hours", "sieve_from")
"""What a trainer counts; `earlier` is what the bot that it started from had behind it."""
ADAM, REPLAY = "adam.", "replay."
"""What the names of the optimiser's memory, and of remembered positions and targets, begin with."""


def state_of(trainer: Trainer) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Everything by name. All ranks must call it."""
    tensors = {
        f"{name}.{part}": tensor
        for name, net in _nets(trainer).items()
        for part, tensor in net.state_dict().items()
    }
    for index, memory in trainer.optimiser.state_dict()["state"].items():
        tensors |= {f"{ADAM}{index}.{name}": as_tensor(value) for name, value in memory.items()}
    remembered = {REPLAY + name: array for name, array in trainer.replay.state().items()}
    mine = (trainer.selfplay.state() | remembered, trainer.rng.bit_generator.state)
    games, generators = zip(*trainer.ranks.gather(mine), strict=True)
    for rank, arrays in enumerate(games):
        tensors |= {f"games.{rank}.{name}": from_numpy(array) for name, array in arrays.items()}
    counters = {name: getattr(trainer, name) for name in COUNTERS}
    return tensors, {"counters": counters, "generators": list(generators)}


def restore_state(trainer: Trainer, tensors: dict[str, Tensor], rest: dict[str, Any], source: Path) -> None:
    """Go on from what `state_of` gave. Raises InvalidCheckpoint where it does not fit."""
    for name, net in _nets(trainer).items():
        fill(net, _part(tensors, f"{name}."), source)
    memory: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _part(tensors, ADAM).items():
        index, _, key = name.partition(".")
        memory.setdefault(int(index), {})[key] = tensor
    groups = trainer.optimiser.state_dict()["param_groups"]
    try:
        trainer.optimiser.load_state_dict({"state": memory, "param_groups": groups})
        for name in COUNTERS:
            setattr(trainer, name, rest["counters"][name])
        generators = rest["generators"]
        saved = [_part(tensors, f"games.{rank}.") for rank in range(len(generators))]
        _restore_games(trainer, saved, generators)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidCheckpoint(f"{source} does not hold the state of a training run ({error})") from None


def _restore_games(
    trainer: Trainer, saved: list[dict[str, Tensor]], generators: list[dict[str, Any]]
) -> None:
    """Go on with this rank's part of all games; a rank that was not there before has new dice."""
    whole = {name: np.concatenate([part[name].numpy() for part in saved]) for name in saved[0]}
    rank, world = trainer.ranks.rank, trainer.ranks.world
    mine = {name: np.array_split(array, world)[rank].copy() for name, array in whole.items()}
    trainer.selfplay.restore(mine)
    trainer.replay.restore(
        {name[len(REPLAY) :]: array for name, array in mine.items() if name.startswith(REPLAY)}
    )
    if rank < len(generators):
        trainer.rng.bit_generator.state = generators[rank]
    else:
        seeds = (trainer.config.train.seed, rank, trainer.games)
        trainer.rng.bit_generator.state = np.random.default_rng(seeds).bit_generator.state


def _nets(trainer: Trainer) -> dict[str, ValueNet]:
    """The nets of a run by the names that their tensors begin with."""
    nets: dict[str, ValueNet] = {"net": trainer.net, "averaged": trainer.averaged}
    return nets | ({"sieve": trainer.sieve} if trainer.sieve else {})


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}
