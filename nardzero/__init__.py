"""nardzero: a backgammon (takhteh nard) bot that teaches itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nardzero.game.board import Board, Outcome
from nardzero.game.dice import ROLLS
from nardzero.game.errors import (
    IllegalPlay,
    InvalidDice,
    InvalidID,
    InvalidInput,
    InvalidPosition,
    InvalidRules,
)
from nardzero.game.matchstate import MatchState
from nardzero.game.movegen import afterstates
from nardzero.game.notation import parse_state
from nardzero.game.play import Play
from nardzero.game.position import contact, flip, off, pips
from nardzero.game.result import Result, highest_resignation, result
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.cube import CubeDecision, cube
from nardzero.judge.rolledout import RolledOut, RolledOutPlay
from nardzero.judge.rollout import rollout
from nardzero.play.arena import duel
from nardzero.play.cubearena import cube_duel
from nardzero.play.cuberesult import CubeResult, MatchResult
from nardzero.play.ladder import ladder
from nardzero.play.result import DuelResult
from nardzero.play.standings import Ladder
from nardzero.version import __version__

if TYPE_CHECKING:
    from nardzero.model.store import Bot

__all__ = [
    "ROLLS",
    "RULESETS",
    "BearoffEvaluator",
    "Board",
    "Candidate",
    "CubeDecision",
    "CubeResult",
    "DuelResult",
    "Evaluation",
    "IllegalPlay",
    "InvalidDice",
    "InvalidID",
    "InvalidInput",
    "InvalidPosition",
    "InvalidRules",
    "Ladder",
    "MatchResult",
    "MatchState",
    "Outcome",
    "Play",
    "Result",
    "RolledOut",
    "RolledOutPlay",
    "Ruleset",
    "__version__",
    "afterstates",
    "analyse",
    "contact",
    "cube",
    "cube_duel",
    "duel",
    "evaluate",
    "flip",
    "highest_resignation",
    "ladder",
    "load",
    "off",
    "parse_state",
    "pips",
    "result",
    "rollout",
]


def load(name: str | Path, precision: Literal["float32", "bfloat16", "auto"] = "float32") -> "Bot":
    """A bot by name: a shipped one, a checkpoint folder or the folder of a training run.

    bfloat16 is faster for wide nets on processors that have it, and differs by some 0.0002 in probability;
    auto takes what is faster here.
    Raises a ValueError, in one sentence, for a name that is none of these and for files that are broken.
    """
    # PyTorch takes seconds to import, and only a bot needs it.
    from nardzero.model.store import load as load_bot

    return load_bot(name, precision)
