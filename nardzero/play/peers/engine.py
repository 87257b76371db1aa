"""What the adapters of other engines have in common: the import, the rules they know, the play they mean."""

import importlib
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from nardzero.game.errors import InvalidInput, InvalidRules
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.play.agents import Turn

STANDARD = RULESETS["standard"]


class PeerMissing(InvalidInput):
    """An engine that is not installed."""


class OtherGame(InvalidRules):
    """Rules that an engine does not know."""


class StrangePlay(InvalidInput):
    """An engine that makes no legal play."""


def engine(module: str, package: str) -> ModuleType:
    """The module of an engine. Raises PeerMissing where the package that brings it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        raise PeerMissing(
            f'{package} is not installed ({fault}): pip install {package}, or "nardzero[peers]" for all'
        ) from None


def check_rules(name: str, rules: Ruleset) -> None:
    """Raises OtherGame unless plays are legal and pay as in the game that the engines know.

    Where a game starts, how its first dice are thrown and how high its cube goes makes no difference to them.
    """
    known = replace(
        STANDARD, name=rules.name, start=rules.start, opening=rules.opening, cube_limit=rules.cube_limit
    )
    if rules != known:
        raise OtherGame(
            f"{name} plays by the international rules and would play another game under {rules.name} rules; "
            "let both play by standard rules"
        )


def first_legal(turn: Turn, game: int, ranked: Iterable[bytes]) -> int:
    """The index into `turn.after` of the first of the ranked afterstates that is one of that game's.

    Afterstates are the 26 bytes of a board each. Raises StrangePlay where none of them is legal.
    """
    places = {turn.after[index].tobytes(): index for index in range(*turn.starts[game : game + 2].tolist())}
    for board in ranked:
        if board in places:
            return places[board]
    raise StrangePlay(
        f"the engine makes no legal play on {turn.boards[game].tolist()} with {turn.dice[game].tolist()}"
    )
