"""A net folded for playing: its first linear layer becomes a sum of 26 table rows.

Every input depends on one column, so the layer's part for (column, count) is one fixed row of a table
[26 * 31, H], and an embedding bag adds them up. The turn of the board folds in as well: the row of (p, n) in
the flipped table is the row of (25 - p, -n) in the plain one, so afterstates are judged without turning
them. Both are exact. Letters in shapes: N boards, H the width of the first layer, K outputs.
"""

import copy
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nardzero.game.outcomes import Probs
from nardzero.game.position import CHECKERS, COLUMNS, Boards
from nardzero.model.cubehead import CUBE_PLACES, CubeHead
from nardzero.model.encoding import COUNTS
from nardzero.model.net import ValueNet

CHUNK = 2048
"""Boards judged at once, so that the hidden layers stay in the processor's cache."""
DEVICE_CHUNK = 65536
"""The same on a graphics processor, where only its memory sets a limit."""
STEP = 128
"""Batches in bfloat16 are filled up to a multiple of this."""
ROW_OF_COLUMN = (np.arange(COLUMNS) * COUNTS + CHECKERS).astype(np.int32)
"""The table row [26] of an empty column."""

Precision = Literal["float32", "bfloat16"]


class FoldedNet:
    """An evaluator that gives what the net gives, several times faster."""

    def __init__(self, net: ValueNet, precision: Precision = "float32") -> None:
        dtype = getattr(torch, precision)
        self._device = net.first.weight.device
        self._pads = self._device.type == "cpu" and dtype == torch.bfloat16
        self._chunk = CHUNK if self._device.type == "cpu" else DEVICE_CHUNK
        with torch.no_grad():
            table = _fold(net)
            # Every board takes one row of column 0, so the bias can live there.
            plain, flipped = table.clone(), table.flip(0, 1)
            plain[0] += net.first.bias
            flipped[0] += net.first.bias
            self._plain = plain.reshape(COLUMNS * COUNTS, -1).to(dtype)
            self._flipped = flipped.reshape(COLUMNS * COUNTS, -1).to(dtype)
            self._body = [_parameters(layer, dtype) for layer in net.body]
            self._cube = copy.deepcopy(net.cube) if isinstance(net.cube, CubeHead) else None
            linear = (net.outcome, None if self._cube else net.cube)
            heads = [_parameters(head, torch.float32) for head in linear if head]
            self._heads = torch.cat([weight for weight, _ in heads])
            self._heads_bias = torch.cat([bias for _, bias in heads]).unsqueeze(1)
            self._outputs = len(self._heads) + (len(CUBE_PLACES) if self._cube else 0)

    @property
    def has_cube(self) -> bool:
        """Whether the net has a cube head."""
        return self._outputs > 6

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26 or wider], for the player on roll."""
        return self.judge(boards)[:, :6]

    def evaluate_flipped(self, boards: Boards) -> Probs:
        """`evaluate(flip(boards))` [N, 6]: for the opponent, who is on roll."""
        return self.judge_flipped(boards)[:, :6]

    def judge(self, boards: Boards) -> Probs:
        """All outputs [N, K] for the player on roll: the six outcome probabilities, and with a cube head his
        equities per unit of a cube that is centred, his, and the opponent's."""
        return self._judge(boards, self._plain)

    def judge_flipped(self, boards: Boards) -> Probs:
        """`judge(flip(boards))` [N, K]: for the opponent, who is on roll."""
        return self._judge(boards, self._flipped)

    @torch.inference_mode()
    def _judge(self, boards: Boards, table: Tensor) -> Probs:
        outputs = torch.empty(self._outputs, len(boards), device=self._device)
        for start in range(0, len(boards), self._chunk):
            chunk = boards[start : start + self._chunk, :COLUMNS]
            size = padded(len(chunk)) if self._pads else len(chunk)
            rows = np.zeros((size, COLUMNS), np.int32)
            np.add(chunk, ROW_OF_COLUMN, out=rows[: len(chunk)])
            hidden = F.relu_(F.embedding_bag(torch.from_numpy(rows).to(self._device), table, mode="sum"))
            for weight, bias in self._body:
                hidden = F.relu_(F.linear(hidden, weight, bias))
            # Few rows of many columns: both this product and the softmax run along memory.
            last = hidden[: len(chunk)].float()
            judged = torch.mm(self._heads, last.t()) + self._heads_bias
            judged[:6] = judged[:6].softmax(0)
            if self._cube:
                judged = torch.cat([judged, self._cube(last, judged.t()).t()])
            outputs[:, start : start + self._chunk] = judged
        transposed: Probs = outputs.cpu().numpy().T
        return transposed


def padded(rows: int) -> int:
    """A batch size for so many boards, one of few.

    For bfloat16 on a CPU, PyTorch compiles and keeps a kernel for every size that it meets, which takes time
    and memory.
    """
    return -(-rows // STEP) * STEP


def _parameters(layer: nn.Module, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Copies of a linear layer's weight and bias, which training does not touch."""
    assert isinstance(layer, nn.Linear)
    return layer.weight.to(dtype, copy=True), layer.bias.to(dtype, copy=True)


def _fold(net: ValueNet) -> Tensor:
    """The first layer's rows [26, 31, H] of every (column, count), without the bias."""
    inputs = torch.from_numpy(net.encoding.table)
    weight = net.first.weight.view(-1, COLUMNS, inputs.shape[1])
    return torch.einsum("nk,hck->cnh", inputs, weight)
