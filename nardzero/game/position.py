"""The position: a signed int8 row of 26 columns, seen by the player on roll.

Column p (1 to 24) is his point p, 25 his bar, 0 the opponent's bar. His checkers count positive, the
opponent's negative; borne-off checkers are implied. Letters in shapes: N boards, 26 columns.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidPosition

Boards = npt.NDArray[np.int8]

COLUMNS = 26
BAR = 25
OPPONENT_BAR = 0
CHECKERS = 15


def flip(boards: Boards) -> Boards:
    """The same boards [..., 26] seen by the other player."""
    turned: Boards = -boards[..., ::-1]
    return turned


def pips(boards: Boards) -> npt.NDArray[np.int64]:
    """Pip count [...] of the player on roll, a checker on the bar counting 25."""
    own = np.maximum(boards, 0).astype(np.int64)
    count: npt.NDArray[np.int64] = own @ np.arange(COLUMNS)
    return count


def off(boards: Boards) -> npt.NDArray[np.int64]:
    """How many checkers [...] the player on roll has borne off, of 15."""
    count: npt.NDArray[np.int64] = CHECKERS - np.maximum(boards, 0).sum(-1, dtype=np.int64)
    return count


def contact(boards: Boards) -> npt.NDArray[np.bool_]:
    """Whether the two sides [...] can still meet: some own checker is behind some opposing one."""
    columns = np.arange(COLUMNS)
    rearmost = np.where(boards > 0, columns, -1).max(-1)
    foremost_opponent = np.where(boards < 0, columns, COLUMNS).min(-1)
    meets: npt.NDArray[np.bool_] = rearmost > foremost_opponent
    return meets


def validate(boards: npt.ArrayLike) -> Boards:
    """The boards as int8 [..., 26], after checking that each could be a position.

    Raises InvalidPosition for a wrong shape or type, a checker of the wrong side on a bar, more than 15
    checkers a side, or two sides that have both borne off everything.
    """
    given = np.asarray(boards)
    if given.ndim == 0 or given.shape[-1] != COLUMNS:
        raise InvalidPosition(
            f"a board has {COLUMNS} columns (opponent's bar, points 1 to 24, own bar), "
            f"not the shape {given.shape}"
        )
    if not np.issubdtype(given.dtype, np.integer):
        raise InvalidPosition(f"a board holds whole numbers of checkers, not {given.dtype}")
    own, opponent = np.maximum(given, 0).sum(-1), -np.minimum(given, 0).sum(-1)
    if np.any(given[..., OPPONENT_BAR] > 0):
        raise InvalidPosition("column 0 is the opponent's bar and holds 0 or a negative count")
    if np.any(given[..., BAR] < 0):
        raise InvalidPosition("column 25 is the own bar and holds 0 or a positive count")
    for side, count in (("player on roll", own), ("opponent", opponent)):
        if np.any(count > CHECKERS):
            most = int(count.max())
            raise InvalidPosition(f"the {side} has {most} checkers; a side has at most {CHECKERS}")
    if np.any((own == 0) & (opponent == 0)):
        raise InvalidPosition("both sides have borne off every checker; only one can have finished")
    return given.astype(np.int8)


def validate_rows(boards: npt.ArrayLike) -> Boards:
    """The same for boards that have to be rows [N, 26]."""
    checked = validate(boards)
    if checked.ndim != 2:
        raise InvalidPosition(f"give boards as rows [N, 26], not in the shape {checked.shape}")
    return checked
