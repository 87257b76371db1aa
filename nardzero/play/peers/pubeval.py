"""pubeval, Gerald Tesauro's public benchmark of 1993: a linear judge of 122 inputs, as gnubg-nn holds it.

It has two rows of weights, for races and for contact. They are asked out of gnubg-nn: a linear function is
known from what it says of enough boards. It takes a row by the position before the play and keeps it for all
afterstates. Letters in shapes: M boards after a play, seen by the player who made it.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment
from nardzero.game.outcomes import finished
from nardzero.game.position import BAR, CHECKERS, COLUMNS, OPPONENT_BAR, Boards, contact, flip, off
from nardzero.game.rules import Ruleset
from nardzero.play.agents import Turn
from nardzero.play.peers.engine import STANDARD, check_rules
from nardzero.play.peers.gnubg import gnubg_nn, their_boards

Weights = npt.NDArray[np.float64]

PROBES = 5_000
"""Boards asked about for each row of weights."""


def _point_inputs() -> Weights:
    """What a point shows [31, 5] by its count of -15 to 15: his blot, my blot, 2 or more, 3, beyond 3."""
    count = np.arange(-CHECKERS, CHECKERS + 1)
    shown = [count == -1, count == 1, count >= 2, count == 3, np.maximum(count - 3, 0) / 2]
    return np.stack(shown, axis=1).astype(np.float64)


POINT = _point_inputs()


def inputs(after: Boards) -> Weights:
    """The 122 inputs [M, 122]: five of each point, the opponent's checkers on the bar, the own ones off."""
    points = POINT.take(after[:, 1:BAR] + np.int8(CHECKERS), axis=0).reshape(len(after), -1)
    return np.column_stack([points, -after[:, OPPONENT_BAR] / 2, off(after) / CHECKERS])


@cache
def weights() -> Weights:
    """Its two rows [2, 122], for contact and for races, by least squares from what gnubg-nn scores.

    It takes an eighth of a second, once a process. Raises PeerMissing where gnubg-nn is not installed.
    """
    score = gnubg_nn().pub_eval_score
    rng = np.random.default_rng(0)
    rows = []
    for race in (False, True):
        after = _strewn(rng, race)
        # It rates the side that is not on roll.
        told = np.array([score(board) for board in their_boards(flip(after))])
        rows.append(np.linalg.lstsq(inputs(after), told)[0])
    return np.stack(rows)


def _strewn(rng: np.random.Generator, race: bool) -> Boards:
    """Boards [up to PROBES, 26] with checkers strewn about, all in contact or all in a race."""
    column = np.arange(COLUMNS)
    if race:
        border = rng.integers(1, BAR - 1, (PROBES, 1))
        own, opponent = (column > 0) & (column <= border), (column > border) & (column < BAR)
    else:
        own = (rng.random((PROBES, COLUMNS)) < 0.5) & (column > OPPONENT_BAR) | (column == BAR)
        opponent = ~own
    boards: Boards = _placed(rng, own) - _placed(rng, opponent)
    met = contact(boards)
    return boards[~met if race else met]


def _placed(rng: np.random.Generator, columns: npt.NDArray[np.bool_]) -> Boards:
    """1 to 15 checkers [PROBES, 26] on columns that are allowed [PROBES, 26], more on some than on others."""
    share = rng.random(columns.shape) ** 8 * columns
    share /= share.sum(1, keepdims=True)
    placed: Boards = rng.multinomial(rng.integers(1, CHECKERS + 1, len(columns)), share).astype(np.int8)
    return placed


@dataclass(frozen=True)
class Pubeval:
    """The play that pubeval scores highest."""

    name: str = "pubeval"
    rules: Ruleset = STANDARD

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        check_rules(self.name, turn.rules)
        row = np.repeat(~contact(turn.boards), np.diff(turn.starts)).astype(np.int64)
        scores = (inputs(turn.after) @ weights().T)[np.arange(len(row)), row]
        scores[finished(turn.after)] = np.inf
        return best_of_segment(scores.astype(np.float32), turn.starts)
