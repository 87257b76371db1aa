"""Positions whose chances are known exactly, so that nobody need look further."""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from nardzero.game.position import COLUMNS, Boards
from nardzero.model.evaluator import Evaluator


@runtime_checkable
class ExactJudge(Protocol):
    """An evaluator that is exact about some positions, and knows which."""

    def exact(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Of which boards [N, 26] the probabilities, and the cubeful equities, are exact [N]."""
        ...


def exact(judge: Evaluator, boards: Boards) -> npt.NDArray[np.bool_]:
    """Of which boards [N, 26 or wider] an evaluator knows the exact probabilities [N]."""
    if isinstance(judge, ExactJudge):
        return judge.exact(boards[:, :COLUMNS])
    return np.zeros(len(boards), np.bool_)
