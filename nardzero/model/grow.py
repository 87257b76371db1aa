"""A deeper or wider net that computes what another one does, to go on learning from there.

A new hidden layer as wide as the one before it starts as the identity, which ReLU leaves alone, since what
comes out of a ReLU layer is never negative (Chen, Goodfellow and Shlens, "Net2Net", 2016, §2.3). New units
start with random weights, as in a new net, and no unit that was there before listens to them yet.
"""

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import nn

from nardzero.game.errors import InvalidInput
from nardzero.model.net import ValueNet


class CannotGrow(InvalidInput):
    """Layers that a net cannot grow into."""


def grown(net: ValueNet, hidden: Sequence[int], cube: bool, cube_hidden: Sequence[int] = ()) -> ValueNet:
    """A net of these hidden layers with the same outcome probabilities; a cube head that it lacked, or had
    with other hidden layers, is a new one.

    Raises CannotGrow unless they are those of the net, or wider but for the last, with layers added, each as
    wide as the one before it.
    """
    larger = ValueNet(hidden, net.encoding.name, cube, cube_hidden)
    old = dict(zip(_places(net.hidden, hidden), [net.first, *net.body], strict=True))
    with torch.no_grad():
        for place, layer in enumerate([larger.first, *larger.body]):
            if place in old:
                _widen(old[place], layer)
            else:
                nn.init.eye_(layer.weight)
                nn.init.zeros_(layer.bias)
    larger.outcome.load_state_dict(net.outcome.state_dict())
    if larger.cube and net.cube and larger.cube_hidden == net.cube_hidden:
        larger.cube.load_state_dict(net.cube.state_dict())
    return larger


def _places(old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
    """Where in the new layers the old ones go; all others are added. Raises CannotGrow if they do not fit."""
    for places in combinations(range(len(new)), len(old)):
        widens = all(new[place] >= width for place, width in zip(places, old, strict=True))
        added = set(range(len(new))) - set(places)
        if widens and new[-1] == old[-1] and 0 in places and all(new[k] == new[k - 1] for k in added):
            return places
    raise CannotGrow(
        f"a net of layers {list(old)} cannot grow into {list(new)}: layers may become wider, but "
        "for the last, and layers as wide as the one before them can be added"
    )


def _widen(source: nn.Module, target: nn.Module) -> None:
    """Copy a layer into the first units of a wider one; they do not listen to the others."""
    assert isinstance(source, nn.Linear)
    assert isinstance(target, nn.Linear)
    target.weight[: source.out_features] = 0
    target.weight[: source.out_features, : source.in_features] = source.weight
    target.bias[: source.out_features] = source.bias
