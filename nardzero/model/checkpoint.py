"""Checkpoints: a folder with `model.safetensors` (weights) and `model.json` (what they are).

Files are written into a fresh folder that takes its name only when it is complete, so a folder that is
there can be loaded. Nothing is ever unpickled.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import RULESETS
from nardzero.model.encoding import ENCODINGS
from nardzero.model.net import ValueNet

WEIGHTS, CARD = "model.safetensors", "model.json"
SIEVE = "sieve."
"""What the names of the sieve's weights begin with."""
FORMAT = "nardzero checkpoint 1"
Card = dict[str, Any]


class InvalidCheckpoint(InvalidInput):
    """Files that are not a checkpoint, are damaged, or do not fit what is asked of them."""


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, that becomes `path` when the block ends well and vanishes when it does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    filling = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        yield filling
        for file in filling.iterdir():
            _flush(file)
        _flush(filling)
        filling.chmod(0o755)
        filling.rename(path)
        _flush(path.parent)
    except BaseException:
        shutil.rmtree(filling, ignore_errors=True)
        raise


def remove_folder(path: Path) -> None:
    """Remove a folder so that no half-removed one is ever seen under its name."""
    doomed = path.with_name(f".{path.name}-removed")
    path.rename(doomed)
    shutil.rmtree(doomed, ignore_errors=True)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Write tensors as a safetensors file; returns its SHA-256."""
    data = safetensors.torch.save({name: tensor.cpu().contiguous() for name, tensor in tensors.items()})
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def read_tensors(path: Path, sha256: str) -> dict[str, Tensor]:
    """Read a safetensors file. Raises InvalidCheckpoint if it is missing, damaged or another file."""
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InvalidCheckpoint(f"{path} is damaged or belongs to another checkpoint: its checksum differs")
    try:
        return safetensors.torch.load(data)
    except safetensors.SafetensorError as error:
        raise InvalidCheckpoint(f"{path} is not a safetensors file ({error})") from None


def read_json(path: Path) -> Card:
    """Read a JSON object. Raises InvalidCheckpoint if it is missing or something else."""
    try:
        card = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise InvalidCheckpoint(f"{path} is not JSON ({error})") from None
    if not isinstance(card, dict):
        raise InvalidCheckpoint(f"{path} holds no JSON object")
    return card


def write_json(path: Path, card: Card) -> None:
    """Write a JSON object that people can read."""
    path.write_text(json.dumps(card, indent=2) + "\n")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidCheckpoint(f"cannot read {path}: {error.strerror or error}") from None


class Model(NamedTuple):
    """What a checkpoint holds."""

    net: ValueNet
    """The value network."""
    sieve: ValueNet | None
    """The small net that sorts out plays before it, where there is one."""
    card: Card
    """The JSON."""


def save_model(
    folder: Path,
    net: ValueNet,
    card: Card,
    sieve: ValueNet | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write the weights of a net and its sieve, and the card, into a folder; the card gets what it says
    of the weights themselves, in place of anything it said.

    Weights in 16 bits take half the room; whoever loads them has them in 32 again.
    """
    weights = net.state_dict() | _prefixed(sieve)
    digest = write_tensors(folder / WEIGHTS, {name: tensor.to(dtype) for name, tensor in weights.items()})
    architecture: dict[str, object] = {"hidden": list(net.hidden), "cube": net.cube is not None}
    if net.cube_hidden:
        architecture["cube_hidden"] = list(net.cube_hidden)
    if sieve:
        architecture["sieve"] = list(sieve.hidden)
    facts = {
        "format": FORMAT,
        "architecture": architecture,
        "encoding": net.encoding.name,
        "sha256": digest,
    }
    write_json(folder / CARD, facts | card | facts)  # they come first, and they hold


def _prefixed(sieve: ValueNet | None) -> dict[str, Tensor]:
    return {SIEVE + name: tensor for name, tensor in sieve.state_dict().items()} if sieve else {}


def load_model(folder: Path) -> Model:
    """The nets and the card of a checkpoint folder. Raises InvalidCheckpoint, in one sentence."""
    card = read_card(folder)
    path = folder / WEIGHTS
    tensors = read_tensors(path, card["sha256"])
    small = {name: tensors.pop(name) for name in list(tensors) if name.startswith(SIEVE)}
    architecture = card["architecture"]
    head = bool(architecture.get("cube")), architecture.get("cube_hidden", ())
    net = ValueNet(architecture["hidden"], card["encoding"], *head)
    fill(net, tensors, path)
    sieve = None
    if widths := architecture.get("sieve"):
        sieve = ValueNet(widths, card["encoding"]).requires_grad_(False)
        fill(sieve, {name.removeprefix(SIEVE): tensor for name, tensor in small.items()}, path)
    return Model(net.requires_grad_(False), sieve, card)


def read_card(folder: Path) -> Card:
    """The card alone, checked for what loading needs. Raises InvalidCheckpoint."""
    path = folder / CARD
    card = read_json(path)
    if card.get("format") != FORMAT:
        raise InvalidCheckpoint(f"{path} says format {card.get('format')!r}; this version reads {FORMAT!r}")
    if card.get("encoding") not in list(ENCODINGS):
        raise InvalidCheckpoint(
            f"{path} says encoding {card.get('encoding')!r}; this version knows {', '.join(ENCODINGS)}"
        )
    if card.get("ruleset") not in list(RULESETS):
        raise InvalidCheckpoint(
            f"{path} says ruleset {card.get('ruleset')!r}; this version knows {', '.join(RULESETS)}"
        )
    architecture = card.get("architecture")
    if not isinstance(architecture, dict) or not _widths(architecture.get("hidden")):
        raise InvalidCheckpoint(f"{path} gives no list of layer widths as architecture.hidden")
    for part in ("sieve", "cube_hidden"):
        if part in architecture and not _widths(architecture[part]):
            raise InvalidCheckpoint(f"{path} gives something else than layer widths as architecture.{part}")
    if not isinstance(card.get("sha256"), str):
        raise InvalidCheckpoint(f"{path} gives no sha256 of the weights")
    return card


def _widths(value: object) -> bool:
    """Whether this is a list of layer widths, at least one."""
    fits = isinstance(value, list) and all(type(width) is int and 0 < width <= 8192 for width in value)
    return fits and bool(value)


def fill(net: ValueNet, tensors: Mapping[str, Tensor], source: Path) -> None:
    """Put tensors into a net. Raises InvalidCheckpoint unless all fit it and are finite."""
    wanted = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if wanted != found:
        differing = sorted(set(wanted.items()) ^ set(found.items()))
        raise InvalidCheckpoint(
            f"{source} does not fit a net of layers {list(net.hidden)}: {differing[0][0]} differs"
        )
    if not all(torch.isfinite(tensor).all() for tensor in tensors.values()):
        raise InvalidCheckpoint(f"{source} holds weights that are not finite numbers")
    net.load_state_dict(dict(tensors))
