"""Learning from centred inputs: the steps, and that looking alone changes nothing."""

import torch
from torch import Tensor, nn

from nardzero.learn.centring import DAMPING, Centring
from nardzero.model.net import ValueNet

RATE = 0.01


def lopsided(rows: int) -> Tensor:
    """Inputs [rows, 5] that are far from zero on average and differ in size a hundredfold."""
    sizes = torch.tensor([0.01, 0.1, 0.3, 1.0, 1.0])
    return (3 + torch.randn(rows, 5, generator=torch.Generator().manual_seed(1))) * sizes


def taught(layer: nn.Linear, inputs: Tensor, wanted: Tensor, steps: int) -> Centring:
    """Teach a layer by Adam in centred inputs."""
    centring = Centring([layer])
    adam = torch.optim.Adam(centring.parameters, lr=RATE)
    with centring.measuring():
        layer(inputs)
    for _ in range(steps):
        layer.zero_grad()
        (layer(inputs) - wanted).square().mean().backward()
        centring.gradients()
        adam.step()
        centring.steps()
    return centring


def test_steps_are_those_of_a_layer_that_sees_centred_and_scaled_inputs():
    inputs, wanted = lopsided(50), torch.randn(50, 3, generator=torch.Generator().manual_seed(2))
    variance, mean = torch.var_mean(inputs, 0, correction=0)
    scale = (variance + DAMPING * variance.mean()).rsqrt()
    scale = scale / scale.mean()
    layer, other = nn.Linear(5, 3), nn.Linear(5, 3)
    with torch.no_grad():
        other.weight.copy_(layer.weight / scale)
        other.bias.copy_(layer.bias + layer.weight @ mean)
    adam = torch.optim.Adam(other.parameters(), lr=RATE)
    for _ in range(20):
        adam.zero_grad()
        (other((inputs - mean) * scale) - wanted).square().mean().backward()
        adam.step()
    taught(layer, inputs, wanted, 20)
    assert torch.allclose(layer(inputs), other((inputs - mean) * scale), atol=1e-4)


def test_it_learns_what_plain_adam_has_not_learned_yet():
    generator = torch.Generator().manual_seed(3)
    inputs = 3 + torch.randn(500, 5, generator=generator) / 10
    wanted = (inputs - inputs.mean(0)) @ torch.randn(5, 1, generator=generator)
    plain, centred = nn.Linear(5, 1), nn.Linear(5, 1)
    for layer in (plain, centred):
        nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)
    adam = torch.optim.Adam(plain.parameters(), lr=RATE)
    for _ in range(400):
        adam.zero_grad()
        (plain(inputs) - wanted).square().mean().backward()
        adam.step()
    taught(centred, inputs, wanted, 400)
    losses = [(layer(inputs) - wanted).square().mean() for layer in (plain, centred)]
    print(losses)
    assert losses[1] < losses[0] / 2


def test_measuring_changes_nothing_that_the_net_says():
    net, inputs = ValueNet([16, 8], cube=True, cube_hidden=[4]), torch.rand(64, 208)
    before = net(inputs)
    centring = Centring([net])
    with centring.measuring():
        net(inputs)
    assert torch.equal(net(inputs), before)
    assert not any(stand_in.any() for stand_in in centring.parameters)


def test_only_layers_that_learn_are_moved():
    net = ValueNet([16, 8], cube=True).requires_grad_(False)
    net.cube.requires_grad_(True)
    assert Centring([net]).layers == [net.cube]


def test_inputs_that_never_change_are_no_trouble():
    layer = nn.Linear(5, 3)
    taught(layer, torch.zeros(10, 5), torch.ones(10, 3), 5)
    assert all(torch.isfinite(parameter).all() for parameter in layer.parameters())
