"""Gradient steps as if every linear layer saw its inputs centred and scaled.

What comes out of ReLU layers is never negative, and units differ in how strongly and how often they speak. So
most of a gradient lies along the mean of a layer's inputs, and the rest is learned slowly. Written for inputs
x' = (x - m) r instead, with their means m and scales r, the layer is W' x' + b' with W = W' diag(r) and
b = b' - W m, and its gradient is

    G' = (G - g mᵀ) diag(r),

where G and g are those of W and b. Adam steps for W' and b', and what the net computes changes by the step
alone, never by a change of m and r (N. Schraudolph, "Centering neural network gradient factors", 1998;
G. Desjardins et al., "Natural neural networks", 2015, arXiv:1507.00210, of which this is the diagonal case).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

DAMPING = 0.1
"""What is added to the variance of every input, as a share of the layer's mean one."""
TINY = 1e-12
"""The least variance, for layers of which no input ever changes."""


class Centring:
    """Layers of which an optimiser moves stand-ins, between `gradients` and `steps`.

    Letters in shapes: I inputs and O outputs of a layer.
    """

    def __init__(self, nets: Sequence[nn.Module]) -> None:
        linear = [part for net in nets for part in net.modules() if isinstance(part, nn.Linear)]
        self.layers = [layer for layer in linear if layer.weight.requires_grad]
        """The linear layers that learn."""
        pairs = [(layer.weight, layer.bias) for layer in self.layers]
        self._stand_ins = [tuple(nn.Parameter(torch.zeros_like(part)) for part in pair) for pair in pairs]
        self._means = [layer.weight.new_zeros(layer.in_features) for layer in self.layers]
        self._scales = [layer.weight.new_ones(layer.in_features) for layer in self.layers]

    @property
    def parameters(self) -> list[nn.Parameter]:
        """What the optimiser moves in place of the layers' weights [O, I] and biases [O]."""
        return [part for pair in self._stand_ins for part in pair]

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Take the means and scales of the layers' inputs from what passes through them inside the block."""
        seen: dict[nn.Module, Tensor] = {}

        def note(layer: nn.Module, given: tuple[Tensor, ...]) -> None:
            seen[layer] = given[0].float()

        hooks = [layer.register_forward_pre_hook(note) for layer in self.layers]
        with torch.no_grad():
            yield
        for hook in hooks:
            hook.remove()
        for index, layer in enumerate(self.layers):
            variance, self._means[index] = torch.var_mean(seen[layer], 0, correction=0)
            scales = (variance + DAMPING * variance.mean()).clamp_min(TINY).rsqrt()
            self._scales[index] = scales / scales.mean()

    @torch.no_grad()
    def gradients(self) -> None:
        """Give the stand-ins the gradients that the layers have."""
        for layer, (weight, bias), mean, scale in self._all():
            assert layer.weight.grad is not None
            assert layer.bias.grad is not None
            bias.grad = layer.bias.grad
            weight.grad = (layer.weight.grad - torch.outer(layer.bias.grad, mean)).mul_(scale)

    @torch.no_grad()
    def steps(self) -> None:
        """Move the layers as the optimiser has moved the stand-ins, and put those back."""
        for layer, (weight, bias), mean, scale in self._all():
            weight.mul_(scale)
            layer.weight.add_(weight)
            layer.bias.add_(bias).sub_(weight @ mean)
            weight.zero_()
            bias.zero_()

    def _all(self) -> Iterator[tuple[nn.Linear, tuple[nn.Parameter, ...], Tensor, Tensor]]:
        """The layers, each with its stand-ins and its inputs' means and scales [I]."""
        return zip(self.layers, self._stand_ins, self._means, self._scales, strict=True)
