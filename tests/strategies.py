"""Positions for property tests: any that can occur, and those that come up in play."""

from collections.abc import Iterator

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from nardzero.game.movegen import afterstates
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset

ROLLS = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def boards(draw: st.DrawFn) -> Boards:
    """Any board [26] that can occur, finished ones too."""
    own = draw(st.lists(st.integers(1, 25), max_size=15))
    opponent = draw(st.lists(st.integers(0, 24), max_size=15))
    opponent = [column for column in opponent if column not in own]
    assume(own or opponent)
    board = np.zeros(26, np.int8)
    np.add.at(board, own, 1)
    np.subtract.at(board, opponent, 1)
    return board


def played(rules: Ruleset, games: int, seed: int) -> Iterator[tuple[Boards, tuple[int, int]]]:
    """The positions [26] and rolls of random games."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        board = rules.start_board
        while (board > 0).any() and (board < 0).any():
            first, second = rng.integers(1, 7, 2).tolist()
            yield board, (first, second)
            after, _ = afterstates(board[None], [(first, second)], rules)
            board = flip(after[rng.integers(len(after))])
