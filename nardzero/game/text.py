"""Positions as a player says them: `x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5`.

x is the player on roll and o the opponent, both in the numbering of x. Each word is a point and the checkers
on it; `bar` is the own bar of the side named. A side that is not named has borne off everything.
"""

import re

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidPosition
from nardzero.game.position import BAR, COLUMNS, OPPONENT_BAR, Boards, validate

EXAMPLE = "x 6:5 8:3; o 17:3 19:5"
SIDES = {"x": (1, BAR), "o": (-1, OPPONENT_BAR)}
"""The sign of each side's checkers, and the column of its bar."""
_WORD = re.compile(r"(\d{1,2}|bar):(\d{1,3})", re.ASCII)


def parse_position(text: str) -> Boards:
    """The board [26] that the text describes.

    The parts come in either order; spaces, capitals and a closing semicolon do not matter. Raises
    InvalidPosition for text that is no position, and for a position that cannot occur.
    """
    parts = [part.split() for part in re.sub(r"\s*:\s*", ":", text.lower()).split(";")]
    counts: dict[int, int] = {}
    seen: set[str] = set()
    for side, *words in filter(None, parts):
        if side not in SIDES:
            raise InvalidPosition(f"{side!r} is no side: a part starts with x or o, as in {EXAMPLE!r}")
        if side in seen:
            raise InvalidPosition(f"{side} is given twice")
        seen.add(side)
        for word in words:
            column, count = _read_word(side, word)
            if column in counts:
                raise InvalidPosition(f"{_name(column)} is given twice; a point holds checkers of one side")
            counts[column] = count
    if not seen:
        raise InvalidPosition(f"there is no position in {text!r}; write one like {EXAMPLE!r}")
    board = np.zeros(COLUMNS, np.int64)
    board[list(counts)] = list(counts.values())
    return validate(board)


def _read_word(side: str, word: str) -> tuple[int, int]:
    """The column and signed count of one word such as `6:5`."""
    match = _WORD.fullmatch(word)
    if match is None:
        raise InvalidPosition(f"{word!r} is not a point and its checkers, as in 6:5 or bar:1")
    sign, bar = SIDES[side]
    column = bar if match[1] == "bar" else int(match[1])
    if match[1] != "bar" and not 1 <= column <= 24:
        raise InvalidPosition(f"{word!r} names no point; they are 1 to 24 and bar")
    if int(match[2]) == 0:
        raise InvalidPosition(f"{word!r} puts no checker there; leave out empty points")
    return column, sign * int(match[2])


def _name(column: int) -> str:
    return "bar" if column in (BAR, OPPONENT_BAR) else f"point {column}"


def format_position(board: npt.ArrayLike) -> str:
    """The text for a board [26]: x first, points ascending, the bar last; `x` alone has borne off all.

    Raises InvalidPosition for a board that cannot occur.
    """
    checked = validate(board)
    if checked.ndim != 1:
        raise InvalidPosition(f"a position is one board of {COLUMNS} columns, not shape {checked.shape}")
    return "; ".join(" ".join([side, *_words(checked, *SIDES[side])]) for side in SIDES)


def _words(board: Boards, sign: int, bar: int) -> list[str]:
    counts = [sign * int(count) for count in board]
    names = [*((str(point), counts[point]) for point in range(1, 25)), ("bar", counts[bar])]
    return [f"{name}:{count}" for name, count in names if count > 0]
