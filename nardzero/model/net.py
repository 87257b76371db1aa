"""The value network: board inputs in, logits of the six outcomes and cubeful equities out."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from nardzero.model.cubehead import CUBE_PLACES, CubeHead
from nardzero.model.encoding import ENCODINGS


class ValueNet(nn.Module):
    """A ReLU body of any widths on a first layer that depends on one column at a time.

    Letters in shapes: B boards, H the width of the layer, K outputs: 6 outcomes, and with a cube head the
    three cubeful equities of CUBE_PLACES as well. The head is a linear one, or has hidden layers of its own.
    """

    cube: nn.Linear | CubeHead | None

    def __init__(
        self,
        hidden: Sequence[int],
        encoding: str = "tesauro208",
        cube: bool = False,
        cube_hidden: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.encoding = ENCODINGS[encoding]
        self.hidden = tuple(hidden)
        self.first = nn.Linear(self.encoding.width, self.hidden[0])
        self.body = nn.ModuleList(nn.Linear(narrow, wide) for narrow, wide in pairwise(self.hidden))
        self.outcome = nn.Linear(self.hidden[-1], 6)
        self.cube = None
        if cube:
            width = self.hidden[-1]
            self.cube = CubeHead(width, cube_hidden) if cube_hidden else nn.Linear(width, len(CUBE_PLACES))

    @property
    def cube_hidden(self) -> tuple[int, ...]:
        """The widths of the cube head's own hidden layers; none for a linear one, or for none."""
        return self.cube.hidden if isinstance(self.cube, CubeHead) else ()

    def forward(self, inputs: Tensor) -> Tensor:
        """The outputs [B, K] for the player on roll, from inputs [B, encoding.width].

        The first six are the logits of the outcomes; others are points per unit of the cube.
        """
        hidden = torch.relu(self.first(inputs))
        for layer in self.body:
            hidden = torch.relu(layer(hidden))
        # Always in float32, as in playing: what differs from ply to ply is small against its rounding.
        with torch.autocast(inputs.device.type, enabled=False):
            last = hidden.float()
            outputs: Tensor = self.outcome(last)
            if isinstance(self.cube, CubeHead):
                outputs = torch.cat([outputs, self.cube(last, outputs.softmax(1))], 1)
            elif self.cube is not None:
                outputs = torch.cat([outputs, self.cube(last)], 1)
        return outputs
