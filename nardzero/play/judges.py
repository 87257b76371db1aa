"""Who judges the luck of a duel."""

from pathlib import Path
from typing import TypeAlias

from nardzero.game.errors import InvalidInput
from nardzero.model.evaluator import Evaluator

Judge: TypeAlias = str | Path | Evaluator
"""What may stand for an evaluator: itself, or what `nardzero.load` takes."""


def find_judge(judge: Judge | None) -> Evaluator | None:
    """The evaluator that is meant; a bot in the arithmetic that is fastest here, as all are fair.

    Raises InvalidInput for something that judges nothing, UnknownBot where there is no such bot, and
    InvalidCheckpoint for one whose files are broken.
    """
    if isinstance(judge, str | Path):
        # Only a bot needs PyTorch, which takes seconds to import.
        from nardzero.model.store import load

        return load(judge, "auto")
    if judge is not None and not hasattr(judge, "evaluate"):
        raise InvalidInput(f"{judge!r} cannot judge luck; give the name of a bot, or one that is loaded")
    return judge


def judge_name(judge: Evaluator | None) -> str | None:
    """What people call it."""
    return None if judge is None else str(getattr(judge, "name", type(judge).__name__))
