"""Sitting down: at the start of a match, or at a position that somebody pasted."""

import re
from dataclasses import replace

import numpy as np

from nardzero.game.errors import InvalidInput, InvalidPosition
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.game.rules import Ruleset
from nardzero.play.matchfile.record import MatchRecord
from nardzero.play.sitting.flow import NotNow
from nardzero.play.sitting.sitting import Sitting

LONGEST = 25
"""The longest match that is played here, in points."""


def check_length(length: int) -> int:
    """The length of a match. Raises InvalidInput beyond what is played here."""
    if not 0 <= length <= LONGEST:
        raise InvalidInput(f"a match goes to 1 to {LONGEST} points, and 0 is a money game, not {length}")
    return length


def start_at(text: str, terms: MatchState, rules: Ruleset, swap: bool = False) -> MatchState:
    """The moment that an ID or a text describes, with the person as X, or as O where they `swap`.

    Where the notation holds the board alone, length, Jacoby rule and beavers are those of `terms`.
    Raises InvalidPosition or InvalidID, and InvalidInput for a match that is too long.
    """
    state = parse_state(text)
    if _holds_board_alone(text.strip()):
        state = replace(terms, board=state.board)
    check_length(state.length)
    if rules.cube_limit == 1 and (state.cube > 1 or state.offered):
        raise InvalidPosition(f"there is no cube by {rules.name} rules")
    if state.offered and 2 * state.cube > rules.cube_limit:
        raise InvalidPosition(f"the cube goes up to {rules.cube_limit}, so that double cannot be offered")
    return replace(state.renamed() if swap else state, cube_limit=rules.cube_limit)


def record(sitting: Sitting, names: tuple[str, str]) -> MatchRecord:
    """What was played so far, as a match file holds it, with the names of person and bot.

    Raises NotNow where the first game did not begin at the beginning, for which files have no place.
    """
    table = sitting.table
    first = table.games[0].start
    at_start = np.array_equal(first.board, table.rules.start_board) and first.cube == 1 and not first.offered
    if not at_start:
        raise NotNow("a game that began from a pasted position cannot be written as a match file")
    return MatchRecord(names, table.rules, first.length, first.jacoby, first.beaver, list(table.games))


def _holds_board_alone(text: str) -> bool:
    described = ";" in text or re.match(r"[xo](\s|$)", text, re.IGNORECASE)
    return bool(described) or ":" not in text
