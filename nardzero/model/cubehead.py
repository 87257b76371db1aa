"""A cube head with layers of its own: what the right to double adds to the equity without a cube.

It sees what the body makes of a board and the outcome probabilities, and starts from the cubeless equity of
these. So it need not learn the equity once more, with errors of its own; what it learns is small and smooth.
No take point and no formula for the cube is in it. Letters in shapes: B boards, H the width of the body.
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

CUBE_PLACES = ("centred", "owned", "opponent's")
"""Where the cube may be, as the columns of a cube head stand for it, for the player on roll."""
OUTCOMES = 6
POINTS = (3.0, 2.0, 1.0, -1.0, -2.0, -3.0)
"""What it starts from pays so much for the outcomes, whatever the rules: the rest is learned."""


class CubeHead(nn.Module):
    """Hidden ReLU layers of any widths on body and outcomes; at first it tells the cubeless equity."""

    points: Tensor

    def __init__(self, width: int, hidden: Sequence[int]) -> None:
        super().__init__()
        self.hidden = tuple(hidden)
        widths = (width + OUTCOMES, *self.hidden)
        self.layers = nn.ModuleList(nn.Linear(narrow, wide) for narrow, wide in pairwise(widths))
        self.out = nn.Linear(widths[-1], len(CUBE_PLACES))
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        self.register_buffer("points", torch.tensor(POINTS), persistent=False)

    def forward(self, body: Tensor, chances: Tensor) -> Tensor:
        """Equities [B, 3] per unit of the cube from the body's last layer [B, H] and the outcome
        probabilities [B, 6]."""
        hidden = torch.cat([body, chances], 1)
        for layer in self.layers:
            hidden = torch.relu(layer(hidden))
        found: Tensor = self.out(hidden) + (chances @ self.points).unsqueeze(1)
        return found
