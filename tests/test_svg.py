"""The board as SVG: well-formed, complete and described in words."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import ROLLS, boards

from nardzero.game.errors import InvalidPosition
from nardzero.game.position import flip, off, pips
from nardzero.game.svg import CHECKERS, RADIUS, SPOTS, draw_svg
from nardzero.game.text import parse_position

TAG = "{http://www.w3.org/2000/svg}"
START = parse_position("x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5")


def circles(svg, radius):
    return [c for c in ElementTree.fromstring(svg).iter(f"{TAG}circle") if c.get("r") == str(radius)]


def test_a_screen_reader_hears_the_position_from_the_side_on_roll():
    root = ElementTree.fromstring(draw_svg(START, (3, 1), turn="o"))
    assert root.get("role") == "img"
    assert root.findtext(f"{TAG}title") == "Backgammon position, o to play 31"
    description = root.findtext(f"{TAG}desc")
    assert "The checkers of o, as point:count: 6:5 8:3 13:5 24:2." in description
    assert "Those of x, in the same numbering: 1:2 12:5 17:3 19:5." in description


def test_it_stands_alone():
    svg = draw_svg(START, (6, 6))
    assert all(word not in svg for word in ("<style", "<script", "href", " id=", "class="))


def test_x_is_light_whoever_is_on_roll():
    lowest = {turn: circles(draw_svg(parse_position("x 1:1; o 24:1"), turn=turn), RADIUS) for turn in "xo"}
    for turn, drawn in lowest.items():
        bottom = max(drawn, key=lambda circle: float(circle.get("cy")))
        assert bottom.get("fill") == CHECKERS[turn][0]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(boards(), ROLLS)
def test_every_checker_number_and_spot_lies_on_the_board(board, dice):
    svg = draw_svg(board, dice)
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    checkers = circles(svg, RADIUS)
    assert len(checkers) == np.minimum(np.abs(board.astype(int)), 5).sum()
    centres = [(float(c.get("cx")), float(c.get("cy"))) for c in checkers]
    assert len(set(centres)) == len(centres)
    assert all(RADIUS < x < width - RADIUS and RADIUS < y < height - RADIUS for x, y in centres)
    assert len(circles(svg, 3.6)) == sum(len(SPOTS[die]) for die in dice)
    labels = sorted(text.text for text in root.iter(f"{TAG}text"))
    tall = [str(n) for n in np.abs(board.astype(int)) if n > 5]
    sides = (board, flip(board))
    gone = [str(off(seen)) for seen in sides if off(seen)]
    assert labels == sorted([*map(str, range(1, 25)), *tall, *gone, *(str(pips(seen)) for seen in sides)])


def test_a_board_that_cannot_occur_is_refused():
    with pytest.raises(InvalidPosition):
        draw_svg([0] * 26)
