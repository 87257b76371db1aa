"""A net that grows computes what it did before."""

import pytest
import torch

from nardzero.model.grow import CannotGrow, grown
from nardzero.model.net import ValueNet


def outputs(net: ValueNet) -> torch.Tensor:
    boards = torch.rand(50, net.encoding.width, generator=torch.Generator().manual_seed(0)).round()
    with torch.no_grad():
        return net(boards)


@pytest.mark.parametrize("hidden", [(24, 16), (24, 24, 16), (24, 16, 16), (24, 24, 24, 16, 16, 16)])
def test_a_deeper_net_says_the_same(hidden):
    torch.manual_seed(0)
    net = ValueNet((24, 16))
    larger = grown(net, hidden, cube=False)
    assert larger.hidden == hidden
    assert torch.allclose(outputs(larger), outputs(net), atol=1e-6)


def test_a_cube_head_is_kept_added_or_left_out():
    torch.manual_seed(0)
    net, bare = ValueNet((24, 16), cube=True), ValueNet((24, 16))
    assert torch.allclose(outputs(grown(net, (24, 24, 16), cube=True)), outputs(net), atol=1e-6)
    assert torch.allclose(outputs(grown(net, (24, 16), cube=False)), outputs(net)[:, :6], atol=1e-6)
    added = outputs(grown(bare, (24, 16), cube=True))
    assert added.shape[1] == 9
    assert torch.allclose(added[:, :6], outputs(bare), atol=1e-6)


def test_a_cube_head_with_other_layers_is_a_new_one():
    torch.manual_seed(0)
    net = ValueNet((24, 16), cube=True, cube_hidden=(8,))
    torch.nn.init.ones_(net.cube.out.weight)
    assert torch.allclose(outputs(grown(net, (24, 24, 16), True, (8,))), outputs(net), atol=1e-6)
    for head in ((), (4,)):
        other = outputs(grown(net, (24, 16), True, head))
        assert torch.allclose(other[:, :6], outputs(net)[:, :6], atol=1e-6)
        assert not torch.allclose(other[:, 6:], outputs(net)[:, 6:], atol=1e-2)


@pytest.mark.parametrize("hidden", [(32, 16), (40, 40, 16), (32, 32, 16, 16)])
def test_a_wider_net_says_the_same_and_its_new_units_can_learn(hidden):
    torch.manual_seed(0)
    net = ValueNet((24, 16), cube=True, cube_hidden=(8,))
    larger = grown(net, hidden, cube=True, cube_hidden=(8,))
    assert larger.hidden == hidden
    assert torch.allclose(outputs(larger), outputs(net), atol=1e-6)
    loss = larger(torch.ones(1, net.encoding.width)).square().sum()
    loss.backward()
    assert larger.body[0].weight.grad[:24, 24:].abs().max() > 0


@pytest.mark.parametrize("hidden", [(16, 24), (16, 16), (24,), (24, 16, 8), (24, 20, 16), (24, 24), (32, 24)])
def test_other_layers_are_refused_in_a_sentence(hidden):
    with pytest.raises(CannotGrow, match="cannot grow into"):
        grown(ValueNet((24, 16)), hidden, cube=False)
