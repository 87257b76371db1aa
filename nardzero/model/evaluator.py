"""What judges positions: anything that turns boards into outcome probabilities.

Nets, tables, lookahead and rollouts are evaluators that wrap each other. Letters in shapes: N boards.
"""

from typing import Protocol, runtime_checkable

import numpy as np

from nardzero.game.outcomes import Probs, finished, flip_outcomes, won_probs
from nardzero.game.position import Boards, flip


@runtime_checkable
class Evaluator(Protocol):
    """Judges positions for the player on roll."""

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll."""
        ...


@runtime_checkable
class FlippedEvaluator(Protocol):
    """An evaluator that can judge boards from the other side without turning them first."""

    def evaluate_flipped(self, boards: Boards) -> Probs:
        """`evaluate(flip(boards))` [N, 6]: for the opponent, who is on roll."""
        ...


def evaluate_flipped(evaluator: Evaluator, boards: Boards) -> Probs:
    """`evaluator.evaluate(flip(boards))` [N, 6] of boards [N, 26], turned only where it has to be."""
    if isinstance(evaluator, FlippedEvaluator):
        return evaluator.evaluate_flipped(boards)
    return evaluator.evaluate(flip(boards))


def after_probs(evaluator: Evaluator, after: Boards) -> Probs:
    """The mover's outcome probabilities [N, 6] of afterstates [N, 26] that stay on his side.

    The one place where a judgement changes sides. A game that the play has finished gets its outcome.
    """
    return mover_probs(evaluate_flipped(evaluator, after), after)


def mover_probs(theirs: Probs, after: Boards) -> Probs:
    """The same from the opponent's probabilities [N, 6] of these afterstates, which he is on roll in."""
    probs = flip_outcomes(theirs)
    over = np.flatnonzero(finished(after))
    if len(over):
        probs[over] = won_probs(after[over])
    return probs
