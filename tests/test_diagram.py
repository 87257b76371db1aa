"""The board in characters: every checker, number and count where GNU Backgammon puts it."""

import pytest
from hypothesis import given, settings
from strategies import boards

from nardzero.game.diagram import draw
from nardzero.game.errors import InvalidPosition
from nardzero.game.position import flip, off, pips
from nardzero.game.text import parse_position

START = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: 167 pips, 0 off
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
v|                  |BAR|                  |     X to play 31
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: 167 pips, 0 off"""

CROWDED = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+     X: 152 pips, 7 off
 |                  | X |                X | XX
 |                  | X |                X | XX
 |                  | X |                  | X
 |                  | X |                  | X
 |                  | 6 |                  | X
v|                  |BAR|                  |     O to roll
 |                  |   |10                |
 |                  |   | O                |
 |                  |   | O                |
 |                  | O | O                | O
 |                  | O | O              O | O
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: 111 pips, 2 off"""


def test_the_start_position_with_dice():
    board = parse_position("x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5")
    assert draw(board, (3, 1)) == START


def test_bars_trays_and_stacks_of_more_than_five_with_o_on_roll():
    board = parse_position("x 1:1 6:10 bar:2; o 24:2 bar:6")
    assert draw(board, turn="o") == CROWDED


def test_a_finished_game_has_nobody_on_roll():
    drawn = draw(parse_position("x; o 19:15"))
    assert "game over" in drawn
    assert drawn.count("X") == 3 * 5 + 1


def test_a_single_pip_is_not_many():
    first, *_, last = draw(parse_position("x 2:1; o 24:1")).split("\n")
    assert first.endswith("O: 1 pip, 14 off")
    assert last.endswith("X: 2 pips, 14 off")


@settings(derandomize=True, max_examples=100, deadline=None)
@given(boards())
def test_every_position_shows_its_checkers_and_counts(board):
    lines = draw(board).split("\n")
    assert len(lines) == 13
    rows = [line.ljust(50) for line in (*lines[1:6], *lines[7:12])]
    for letter, seen in (("X", board), ("O", flip(board))):
        told = f"{letter}: {pips(seen)} {'pip' if pips(seen) == 1 else 'pips'}, {off(seen)} off"
        assert told in lines[0 if letter == "O" else -1]
        # A stack of n shows n letters, or from six on four letters and the number.
        expected = sum(n if n <= 5 else 4 for n in seen[seen > 0].tolist())
        assert sum(row[:44].count(letter) for row in rows) == expected
        assert sum(row[44:].count(letter) for row in rows) == off(seen)


def test_a_board_that_cannot_occur_is_refused():
    with pytest.raises(InvalidPosition):
        draw([0] * 26)
