"""Units that have died begin anew, in a net that goes on saying what it said.

A ReLU unit that no position wakes has no gradient either, so it never comes back: after long training, and
the more the deeper a layer lies, most units of a net can be dead. They begin anew with random weights, and
nobody listens to them yet (Sokar et al., "The Dormant Neuron Phenomenon in Deep Reinforcement Learning",
2023, arXiv:2302.12902).
"""

import copy
from collections.abc import Sequence

import torch
from torch import Tensor

from nardzero.game.position import Boards
from nardzero.model.cubehead import CubeHead
from nardzero.model.net import ValueNet

AT_ONCE = 4096
"""Boards judged at once."""


@torch.no_grad()
def dead_units(net: ValueNet, boards: Boards) -> list[Tensor]:
    """Which units of each hidden layer [H] none of the boards [N, 26 or wider] wakes."""
    dead = [torch.ones(width, dtype=torch.bool) for width in net.hidden]
    for start in range(0, len(boards), AT_ONCE):
        hidden = torch.from_numpy(net.encoding.inputs(boards[start : start + AT_ONCE]))
        for layer, asleep in zip([net.first, *net.body], dead, strict=True):
            hidden = torch.relu(layer(hidden))
            asleep &= (hidden <= 0).all(0)
    return dead


@torch.no_grad()
def revived(net: ValueNet, dead: Sequence[Tensor]) -> ValueNet:
    """A net that says what this one does of all boards that wake no dead unit, by hidden layer [H], in which
    these have random weights, as in a new net, and count for nothing yet."""
    alive = copy.deepcopy(net)
    fresh = ValueNet(net.hidden, net.encoding.name)
    layers = list(zip([alive.first, *alive.body], [fresh.first, *fresh.body], strict=True))
    for place, ((layer, new), units) in enumerate(zip(layers, dead, strict=True)):
        layer.weight[units] = new.weight[units]
        layer.bias[units] = new.bias[units]
        for weight in _listening(alive, place):
            weight[:, : len(units)][:, units] = 0
    return alive


def _listening(net: ValueNet, place: int) -> list[Tensor]:
    """The weights of the layers that read a hidden layer; their first columns are for its units."""
    if place < len(net.body):
        return [net.body[place].get_parameter("weight")]
    cube = net.cube.layers[0] if isinstance(net.cube, CubeHead) else net.cube
    return [layer.get_parameter("weight") for layer in (net.outcome, cube) if layer is not None]
