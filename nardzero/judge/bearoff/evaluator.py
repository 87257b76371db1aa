"""Any evaluator, but right about bear-offs: `BearoffEvaluator(nardzero.load("standard"))`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards, flip, validate_rows
from nardzero.judge.bearoff.sides import at_home
from nardzero.judge.bearoff.tables import one_sided, two_sided
from nardzero.judge.bearoff.twosided import Equities
from nardzero.judge.doubling import CubeJudge
from nardzero.judge.lookahead import Lookahead, plies_of
from nardzero.model.evaluator import Evaluator, evaluate_flipped
from nardzero.model.sieve import Sieve


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

    @property
    def ply(self) -> int:
        """How many plies the other evaluator looks ahead."""
        return plies_of(self.base)

    @property
    def sieve(self) -> Sieve | None:
        """What may sort out plays before the other evaluator, if it has that."""
        return getattr(self.base, "sieve", None)

    def exact(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Of which boards [N, 26] its answers are exact [N]: those of the two-sided table."""
        known = np.zeros(len(boards), np.bool_)
        rows = at_home(boards)
        if len(rows):
            known[rows] = two_sided().knows(boards[rows])
        return known

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
        known = self.exact(validate_rows(boards))
        equities = np.empty((len(boards), 3), np.float32)
        if not known.all():
            others = self.base.cubeful(boards[~known]) if isinstance(self.base, CubeJudge) else None
            if others is None:
                return None
            equities[~known] = others
        if known.any():
            equities[known] = two_sided().cubeful(boards[known])
        return equities

    def _answer(
        self, boards: Boards, seen: Callable[[Boards], Boards], judge: Callable[[Boards], Probs]
    ) -> Probs:
        """Probabilities [N, 6] of boards [N, 26], which the player on roll has as `seen`."""
        rows = at_home(boards)
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


def with_tables(judge: Evaluator) -> Evaluator:
    """The evaluator with the bear-off tables before it; one that looks ahead finds them at the end."""
    if isinstance(judge, Lookahead):
        return replace(judge, base=with_tables(judge.base))
    return judge if isinstance(judge, BearoffEvaluator) else BearoffEvaluator(judge)
