"""Training runs of a second, and what is left of them."""

from pathlib import Path

import torch
from torch import Tensor

from nardzero.model.checkpoint import load_model

TINY = [
    "net.hidden=[24, 12]",
    "selfplay.games_at_once=64",
    "selfplay.window=16",
    "learn.batch=256",
    "train.games=400",
    "train.save_every=100",
    "train.duel_every=0",
]


def weights(folder: Path) -> dict[str, Tensor]:
    """What a checkpoint plays with."""
    return load_model(folder).net.state_dict()


def equal(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> bool:
    """Whether these are the same tensors, bit for bit."""
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def scalars(run: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows of a run: the steps and values of each tag."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(run))
    events.Reload()
    tags = events.Tags()["scalars"]
    return {tag: [(event.step, event.value) for event in events.Scalars(tag)] for tag in tags}
