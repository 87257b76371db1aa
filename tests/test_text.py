"""Positions as text: read liberally, written one way, refused with a sentence."""

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import boards

from nardzero.game.errors import InvalidPosition
from nardzero.game.rules import ruleset
from nardzero.game.text import format_position, parse_position

START = "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5"


def test_the_start_position_is_written_as_players_say_it():
    assert format_position(ruleset("standard").start_board) == START


@pytest.mark.parametrize(
    "text",
    [
        "o 1:2 12:5 17:3 19:5; x 6:5 8:3 13:5 24:2",
        " X 24:2 13:5\n 8:3 6:5 ;\tO 19:5 17:3 12:5 1:2 ; ",
        "x 6 : 5 8: 3 13 :5 24:2;o 1:2 12:5 17:3 19:5",
    ],
)
def test_order_spaces_and_capitals_do_not_matter(text):
    assert format_position(parse_position(text)) == START


def test_each_side_has_its_own_bar():
    board = parse_position("x 6:1 bar:2; o bar:3 19:1")
    assert (board[25], board[0], board[6], board[19]) == (2, -3, 1, -1)
    assert format_position(board) == "x 6:1 bar:2; o 19:1 bar:3"


@pytest.mark.parametrize("text", ["x 6:2", "x 6:2;", "x 6:2; o", "o; x 6:2"])
def test_a_side_without_checkers_has_finished(text):
    assert format_position(parse_position(text)) == "x 6:2; o"


@settings(derandomize=True, max_examples=200, deadline=None)
@given(boards())
def test_every_position_survives_the_round_trip(board):
    assert np.array_equal(parse_position(format_position(board)), board)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no position"),
        (" ; ", "no position"),
        ("hello", "'hello' is no side"),
        ("6:5 8:3", "'6:5' is no side"),
        ("x 6:5; x 8:3", "x is given twice"),
        ("x 6:5 6:5; o 1:2", "point 6 is given twice"),
        ("x 6:5; o 6:2", "point 6 is given twice"),
        ("x bar:1 bar:1; o 1:2", "bar is given twice"),
        ("x 0:1; o 1:2", "names no point"),
        ("x 25:1; o 1:2", "names no point"),
        ("x 6:0; o 1:2", "no checker"),
        ("x 6:-1; o 1:2", "not a point and its checkers"),
        ("x 6; o 1:2", "not a point and its checkers"),
        ("x 6:5 o 1:2", "'o' is not a point and its checkers"),
        ("x off:3; o 1:2", "not a point and its checkers"),
        ("x 6:9999; o 1:2", "not a point and its checkers"),
        ("x 6:300; o 1:2", "has 300 checkers"),
        ("x 6:8 8:8; o 1:2", "the player on roll has 16 checkers"),
        ("x 6:8; o 1:16", "the opponent has 16 checkers"),
        ("x; o", "both sides"),
    ],
)
def test_bad_text_is_refused_with_a_sentence(text, reason):
    with pytest.raises(InvalidPosition, match=reason):
        parse_position(text)


def test_only_one_board_is_written():
    with pytest.raises(InvalidPosition, match="one board"):
        format_position(np.zeros((2, 26), np.int8) + np.eye(1, 26, 6, dtype=np.int8))
