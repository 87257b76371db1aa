"""A board drawn in characters, in the manner of GNU Backgammon: the player on roll sits at the bottom."""

import numpy.typing as npt

from nardzero.game.matchstate import Player
from nardzero.game.outcomes import finished
from nardzero.game.position import BAR, OPPONENT_BAR, Boards, flip, off, pips, validate

TALLEST = 5
"""How many checkers a stack shows; a taller one shows its number instead of the last."""
TOP_EDGE = " +13-14-15-16-17-18------19-20-21-22-23-24-+     "
MIDDLE = "v|                  |BAR|                  |     "
BOTTOM_EDGE = " +12-11-10--9--8--7-------6--5--4--3--2--1-+     "
UPPER = (*range(13, 19), OPPONENT_BAR, *range(19, 25))
LOWER = (*range(12, 6, -1), BAR, *range(6, 0, -1))
"""The columns of the board from left to right."""


def draw(board: npt.ArrayLike, dice: tuple[int, int] | None = None, turn: Player = "x") -> str:
    """The board [26] as 13 lines of text.

    Capitals of `turn` are the checkers of the player on roll. Checkers borne off stand in columns of five
    beside the board. Raises InvalidPosition.
    """
    own = validate(board)
    opponent = flip(own)
    counts = own.tolist()
    lines = [
        f"{TOP_EDGE}O: {_counts(opponent)}",
        *_half([counts[column] for column in UPPER], "O" * int(off(opponent))),
        MIDDLE + caption(own, dice, "X"),
        *reversed(_half([counts[column] for column in LOWER], "X" * int(off(own)))),
        f"{BOTTOM_EDGE}X: {_counts(own)}",
    ]
    drawn = "\n".join(lines)
    return drawn if turn == "x" else drawn.translate(str.maketrans("XO", "OX"))


def _counts(board: Boards) -> str:
    """What the player on roll of a board [26] has to go and has borne off."""
    left = int(pips(board))
    return f"{left} pip{'' if left == 1 else 's'}, {off(board)} off"


def caption(board: Boards, dice: tuple[int, int] | None, turn: str) -> str:
    """What is to be done on a board [26]: `x to roll`, `x to play 31`, or `game over`."""
    if finished(board) or finished(flip(board)):
        return "game over"
    return f"{turn} to play {dice[0]}{dice[1]}" if dice else f"{turn} to roll"


def _half(counts: list[int], borne_off: str) -> list[str]:
    """The lines of one half of the board from its edge to the middle: six stacks, the bar, six stacks."""
    rows = zip(*map(_stack, counts), strict=True)
    lines = []
    for level, row in enumerate(rows):
        left, bar, right = "".join(row[:6]), row[6], "".join(row[7:])
        lines.append(f" |{left}|{bar}|{right}| {borne_off[level::TALLEST]}".rstrip())
    return lines


def _stack(count: int) -> list[str]:
    """The cells of a stack from the edge to the middle, own checkers counting positive."""
    letter, height = "X" if count > 0 else "O", abs(count)
    cells = [f" {letter} " if height > level else "   " for level in range(TALLEST)]
    if height > TALLEST:
        cells[-1] = f"{height:^3}"
    return cells
