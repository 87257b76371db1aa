"""The phases of the game, told from the board."""

import numpy as np
import pytest
from strategies import played

from nardzero.game.phases import PHASES, phase_of
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position

EXAMPLES = [
    ("opening", "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5"),
    ("opening", "x 5:2 6:4 8:2 13:5 24:2; o bar:1 1:1 12:4 14:1 17:3 19:4 21:1"),
    ("contact", "x 4:1 5:2 6:4 7:1 8:3 9:1 13:2 bar:1; o 1:1 12:3 14:2 17:3 19:4 21:2"),
    ("holding", "x 5:2 6:4 7:2 8:3 13:2 21:2; o 1:1 2:1 12:3 14:2 17:3 19:4 16:1"),
    ("prime", "x 4:2 5:2 6:3 7:2 8:2 13:2 20:2; o 1:2 12:3 14:2 17:3 19:4 22:1"),
    ("prime", "x 3:2 4:2 5:2 6:3 7:2 8:2 13:2; o bar:1 12:3 14:2 17:3 19:4 22:2"),
    # Nobody is behind the five points: what is left is contact.
    ("contact", "x 5:2 6:3 7:2 8:2 9:2 13:4; o 10:2 12:3 14:2 17:3 19:4 23:1"),
    ("back game", "x 4:3 5:3 6:5 20:2 22:2; o 17:3 18:3 19:3 21:3 23:3"),
    ("bear-off v contact", "x 1:2 3:3 5:4 6:3; o 2:1 19:5 20:4 21:5"),
    ("race", "x 6:5 5:5 8:5; o 12:2 19:8 20:5"),
    ("bear-off", "x 6:5 5:5; o 19:8 20:5"),
]


@pytest.mark.parametrize(("phase", "position"), EXAMPLES)
def test_examples(phase, position):
    board = parse_position(position)[None]
    assert PHASES[phase_of(board)[0]] == phase


def test_both_sides_see_the_same_phase():
    positions = [board for board, _ in played(RULESETS["standard"], 20, seed=3)]
    boards = np.stack([*positions, *(parse_position(position) for _, position in EXAMPLES)])
    assert np.array_equal(phase_of(flip(boards)), phase_of(boards))
