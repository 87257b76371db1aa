"""How a board becomes the inputs of a net: every input depends on one column alone.

So an encoding is a small table, one row of inputs for each count from -15 to 15, used for all 26 columns,
and the first linear layer of a net can be folded into a lookup table (see folded.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from nardzero.game.position import CHECKERS, COLUMNS, Boards

COUNTS = 2 * CHECKERS + 1
"""The counts a column can hold, -15 to 15."""


@dataclass(frozen=True)
class Encoding:
    """A way to present a board to a net."""

    name: str
    """What it is called in checkpoints and configs."""
    table: npt.NDArray[np.float32]
    """The inputs [31, K] of a column with -15, -14, …, 15 checkers."""

    @property
    def width(self) -> int:
        """How many inputs a board has, 26 * K."""
        return COLUMNS * int(self.table.shape[1])

    def inputs(self, boards: Boards) -> npt.NDArray[np.float32]:
        """The inputs [N, width] of boards [N, 26 or wider]."""
        counts = boards[:, :COLUMNS].astype(np.intp) + CHECKERS
        return self.table.take(counts.reshape(-1), axis=0).reshape(len(boards), self.width)


def _tesauro() -> npt.NDArray[np.float32]:
    """Per side: exactly 1, at least 2, at least 3, (n - 3) / 2 beyond.

    After G. Tesauro, "Temporal Difference Learning and TD-Gammon" (1995), with his blot and made-point
    units. Borne-off checkers need no input: their number is linear in the others.
    """
    table = np.zeros((COUNTS, 8), np.float32)
    for count in range(1, CHECKERS + 1):
        units = (count == 1, count >= 2, count >= 3, max(count - 3, 0) / 2)
        table[CHECKERS + count, :4] = units
        table[CHECKERS - count, 4:] = units
    return table


ENCODINGS: Mapping[str, Encoding] = MappingProxyType(
    {encoding.name: encoding for encoding in (Encoding("tesauro208", _tesauro()),)}
)
