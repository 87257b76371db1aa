"""Any evaluator, but right about bear-offs: `BearoffEvaluator(nardzero.load("standard"))`."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.outcomes import Probs
from nardzero.game.position import BAR, Boards, flip, validate_rows
from nardzero.judge.bearoff.sides import HOME
from nardzero.judge.bearoff.tables import one_sided, two_sided
from nardzero.judge.bearoff.twosided import Equities
from nardzero.judge.doubling import CubeJudge
from nardzero.model.evaluator import Evaluator, evaluate_flipped


class EndingTable(Protocol):
    """An evaluator that says what it knows."""

    def knows(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Which boards [N, 26] it can evaluate [N]."""
        ...

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of boards [N, 26] that it knows, for the player on roll."""
        ...


class BearoffEvaluator:
    """Answers from the bear-off tables where they know the position, and from another evaluator elsewhere.

    Exact where both sides are at home, past each other and down to six checkers; nearly exact, as
    `onesided.py` explains, where they are at home with more. Good for every ruleset: where nobody can be hit
    any more they do not differ, and the probabilities do not depend on the pay.
    """

    def __init__(
        self, base: Evaluator, tables: Sequence[Callable[[], EndingTable]] = (two_sided, one_sided)
    ) -> None:
        """The evaluator for all other positions, and what gives the tables, called when first needed."""
        self.base = base
        self.tables = tables

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll.

        Raises InvalidPosition for boards that cannot be.
        """
        return self._answer(validate_rows(boards), np.asarray, self.base.evaluate)

    def evaluate_flipped(self, boards: Boards) -> Probs:
        """`evaluate(flip(boards))` [N, 6]: for the opponent, who is on roll. For boards that were checked."""
        return self._answer(boards, flip, lambda others: evaluate_flipped(self.base, others))

    def cubeful(self, boards: Boards) -> Equities | None:
        """Equities [N, 3] of positions [N, 26] with the cube centred, the player's, and the opponent's: exact
        in the two-sided table, else those of the base; None if that does not know them all."""
        exact = two_sided()
        known = exact.knows(validate_rows(boards))
        equities = np.empty((len(boards), 3), np.float32)
        if not known.all():
            others = self.base.cubeful(boards[~known]) if isinstance(self.base, CubeJudge) else None
            if others is None:
                return None
            equities[~known] = others
        equities[known] = exact.cubeful(boards[known])
        return equities

    def _answer(
        self, boards: Boards, seen: Callable[[Boards], Boards], judge: Callable[[Boards], Probs]
    ) -> Probs:
        """Probabilities [N, 6] of boards [N, 26], which the player on roll has as `seen`."""
        rows = _at_home(boards)
        if not len(rows):
            return judge(boards)
        probs = np.empty((len(boards), 6), np.float32)
        open_rows = np.ones(len(boards), np.bool_)
        for table in self.tables:
            known = rows[table().knows(seen(boards[rows]))]
            probs[known] = table().evaluate(seen(boards[known]))
            open_rows[known] = False
            rows = rows[open_rows[rows]]
        if open_rows.any():
            probs[open_rows] = judge(boards[open_rows])
        return probs


def _at_home(boards: Boards) -> Index:
    """The rows [K] of boards [N, 26] with no checkers between the two home boards.

    Those few are looked at more closely. The twelve columns are read as three words: several times faster.
    """
    middle = np.ascontiguousarray(boards[:, HOME + 1 : BAR - HOME]).view(np.uint32)
    return np.flatnonzero((middle[:, 0] | middle[:, 1] | middle[:, 2]) == 0)
