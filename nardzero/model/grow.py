"""A deeper net that computes what another one does, to go on learning from there.

A new hidden layer as wide as the one before it starts as the identity, which ReLU leaves alone, since what
comes out of a ReLU layer is never negative (Chen, Goodfellow and Shlens, "Net2Net", 2016, §2.3).
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import nn

from nardzero.game.errors import InvalidInput
from nardzero.model.net import ValueNet


class CannotGrow(InvalidInput):
    """Layers that a net cannot grow into."""


def grown(net: ValueNet, hidden: Sequence[int], cube: bool, cube_hidden: Sequence[int] = ()) -> ValueNet:
    """A net of these hidden layers with the same outcome probabilities; a cube head that it lacked, or had
    with other hidden layers, is a new one.

    Raises CannotGrow unless they are those of the net with layers added, each as wide as the one before it.
    """
    larger = ValueNet(hidden, net.encoding.name, cube, cube_hidden)
    keeps_head = cube and net.cube is not None and net.cube_hidden == larger.cube_hidden
    old = iter(net.body)
    spare = len(hidden) - len(net.hidden)
    with torch.no_grad():
        for layer, (narrow, wide) in zip(larger.body, pairwise(hidden), strict=True):
            if spare > 0 and narrow == wide:
                spare -= 1
                nn.init.eye_(layer.weight)  # type: ignore[arg-type]
                nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
            else:
                _copy(next(old, None), layer, net, hidden)
        if spare:
            raise _no_way(net, hidden)
        for name in ("first", "outcome", *(["cube"] if keeps_head else [])):
            _copy(getattr(net, name), getattr(larger, name), net, hidden)
    return larger


def _copy(source: nn.Module | None, target: nn.Module, net: ValueNet, hidden: Sequence[int]) -> None:
    """Copy a layer. Raises CannotGrow where there is none of that shape."""
    try:
        target.load_state_dict(source.state_dict() if source else {})
    except RuntimeError:
        raise _no_way(net, hidden) from None


def _no_way(net: ValueNet, hidden: Sequence[int]) -> CannotGrow:
    return CannotGrow(
        f"a net of layers {list(net.hidden)} cannot grow into {list(hidden)}: "
        "only layers as wide as the one before them can be added"
    )
