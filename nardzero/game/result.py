"""What a game was worth in the end: its kind times the cube, and what that makes of the score."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.board import KINDS, Kind
from nardzero.game.errors import InvalidInput
from nardzero.game.matchstate import MatchState, Player, other
from nardzero.game.outcomes import BACKGAMMON, GAMMON, SINGLE, finished, win_kind
from nardzero.game.position import CHECKERS, contact, flip, validate
from nardzero.game.rules import Ruleset, ruleset

HOME = 6
"""The points of a home board."""


class NoResult(InvalidInput):
    """A game that has not ended."""


class Score(NamedTuple):
    """The points of both players."""

    x: int
    """Those of X."""
    o: int
    """Those of O."""


@dataclass(frozen=True)
class Result:
    """How a game ended, with the cube."""

    winner: Player
    """Who won it."""
    kind: Kind
    """What it counted as; a passed double is a single game."""
    points: int
    """What it was worth."""
    score: Score
    """The score after it. It may go past the length of the match."""
    match_over: bool
    """Whether that has won the match."""

    def __str__(self) -> str:
        """As match records say it: `Wins 3 points and the match`."""
        points = f"Wins {self.points} point{'s' if self.points > 1 else ''}"
        return f"{points} and the match" if self.match_over else points


def result(state: MatchState, rules: str | Ruleset = "standard") -> Result:
    """The result of a game that is over on the board, or in which a double was passed.

    A passed double is worth the cube as it was before it. By the Jacoby rule gammons count only once the cube
    was turned; in a match that rule means nothing. Raises NoResult for a game that has not ended so.
    """
    played_by = ruleset(rules)
    if state.game == "dropped":
        return _settled(state, other(state.decides), SINGLE, played_by)
    for winner, board in ((state.on_roll, state.board), (other(state.on_roll), flip(state.board))):
        if finished(board):
            jacoby = state.jacoby and not state.length and state.cube_owner is None and state.cube == 1
            return _settled(state, winner, SINGLE if jacoby else int(win_kind(board)), played_by)
    raise NoResult("the game is not over: both sides have checkers left, and no double was passed")


def _settled(state: MatchState, winner: Player, kind: int, rules: Ruleset) -> Result:
    points = state.cube * rules.wins[kind - SINGLE]
    score = Score(
        state.score_x + (points if winner == "x" else 0), state.score_o + (points if winner == "o" else 0)
    )
    over = state.length > 0 and max(score) >= state.length
    return Result(winner, KINDS[kind - SINGLE], points, score, over)


def highest_resignation(loser: npt.ArrayLike) -> Kind:
    """The most that can be lost from a board [26] seen by who might lose it, and so the most that he can
    sensibly offer to resign.

    With a checker off it is a single game (R10). A backgammon can come about while he has a checker on the
    bar or in the other's home board, or could be hit back there.
    """
    board = validate(loser)
    if int(np.maximum(board, 0).sum()) < CHECKERS:
        return KINDS[SINGLE - 1]
    behind = bool((board[-1 - HOME :] > 0).any())
    return KINDS[(BACKGAMMON if behind or bool(contact(board)) else GAMMON) - 1]
