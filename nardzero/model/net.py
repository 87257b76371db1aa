"""The value network: board inputs in, logits of the six outcomes out."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from nardzero.model.encoding import ENCODINGS


class ValueNet(nn.Module):
    """A ReLU body of any widths on a first layer that depends on one column at a time.

    Letters in shapes: B boards, H the width of the layer.
    """

    def __init__(self, hidden: Sequence[int], encoding: str = "tesauro208") -> None:
        super().__init__()
        self.encoding = ENCODINGS[encoding]
        self.hidden = tuple(hidden)
        self.first = nn.Linear(self.encoding.width, self.hidden[0])
        self.body = nn.ModuleList(nn.Linear(narrow, wide) for narrow, wide in pairwise(self.hidden))
        self.outcome = nn.Linear(self.hidden[-1], 6)
        # The cube head joins here: three more outputs of the same last hidden layer.

    def forward(self, inputs: Tensor) -> Tensor:
        """Logits [B, 6] of the outcomes, for the player on roll, from inputs [B, encoding.width]."""
        hidden = torch.relu(self.first(inputs))
        for layer in self.body:
            hidden = torch.relu(layer(hidden))
        # Always in float32, as in playing: what differs from ply to ply is small against its rounding.
        with torch.autocast(inputs.device.type, enabled=False):
            logits: Tensor = self.outcome(hidden.float())
        return logits
