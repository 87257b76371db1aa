"""Who judges the luck of a duel."""

from pathlib import Path
from typing import TypeAlias

from nardzero.game.errors import InvalidInput
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import AHEAD, agent, evaluator_of, maker

Judge: TypeAlias = str | Path | Evaluator
"""What may stand for an evaluator: itself, what `nardzero.load` takes, or the name of an agent with one."""


def find_judge(judge: Judge | None) -> Evaluator | None:
    """The evaluator that is meant; a bot in the arithmetic that is fastest here, as all are fair.

    Raises InvalidInput for something that judges nothing, UnknownBot where there is no such bot,
    InvalidCheckpoint for one whose files are broken, PeerMissing for an engine that is not installed.
    """
    if isinstance(judge, str) and (maker(judge) or AHEAD.fullmatch(judge)):
        return evaluator_of(agent(judge))
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
