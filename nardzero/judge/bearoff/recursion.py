"""Bear-offs of two sides solved from the last checkers back, whatever games pay and with any cube.

A *state* of the cube says what a game pays and who may double. A player who will roll now, and has not
doubled, has N_s in state s: the mean over the rolls of the best play's -W_s, where W_s is what his opponent
has then, who may double before his roll if the cube lets him:

    W_s = max(N_s, min(f N_t + o, P_s))

A double that is taken leads to state t, of which f and o turn the units into those of s. One that is passed
pays P_s, as much as a game won. What one player has the other has not: the values of both add up to 0.

All that the first player has on roll with a side, against any, follows from what the second has on roll
against sides of fewer pips; and all that the second has on roll against that side follows from what the first
has with it. So one level of equal pips of the first player's sides is solved after the other.

Letters in shapes: S states; A sides of the first player, B of the second; K sides, C columns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nardzero.judge.bearoff.pools import Pool, Values


class Double(NamedTuple):
    """What a player may do about the cube in a state."""

    state: int
    """The state s."""
    to: int
    """The state t that a take leads to."""
    factor: float = 1.0
    """The f above."""
    offset: float = 0.0
    """The o above."""


class Terms(NamedTuple):
    """What games pay, and who may double."""

    won: Values
    """What a game pays the first player who wins it, and the second [2, S]. It costs the other as much."""
    doubles: tuple[Sequence[Double], Sequence[Double]]
    """What the first player, and the second, may do about the cube."""


class Solution(NamedTuple):
    """What all sides are worth against all others, by their places in the pools. An empty side has won."""

    first: Values
    """N_s of the first player on roll [A, S, B]."""
    second: Values
    """N_s of the second player on roll [B, S, A]."""


def solve(terms: Terms, first: Pool, second: Pool) -> Solution:
    """Every side of a pool against every side of another, with either on roll."""
    (pays, costs), sides, others = terms.won[..., None], len(first.sides), len(second.sides)
    mine, theirs = np.empty((sides, len(pays), others)), np.empty((others, len(pays), sides))
    mine[0], theirs[0] = pays, costs
    mine[1:, :, :1], theirs[1:, :, :1] = -costs, -pays
    # What it is worth to the first player to leave a side against another, with the second on roll.
    left = np.tile(pays, (sides, 1, others))
    replies = list(second.plays(slice(1, others)))
    for level in first.levels:
        lower = left[: level.start].reshape(level.start, -1)
        for some, plays in first.plays(level):
            mine[some, :, 1:] = plays.mean(lower).reshape(-1, *left.shape[1:])[..., 1:]
        facing = _turned(_with_double(mine[level], terms, 0))
        facing[0] = costs
        for some, plays in replies:
            found = plays.mean(facing.reshape(others, -1))
            theirs[some, :, level] = found.reshape(-1, *facing.shape[1:])
        left[level] = _turned(_with_double(theirs[:, :, level], terms, 1))
    return Solution(mine, theirs)


def _with_double(values: Values, terms: Terms, player: int) -> Values:
    """W_s [K, S, C] of a player on roll, from his N_s."""
    worth = values.copy()
    for state, to, factor, offset in terms.doubles[player]:
        answered = np.minimum(factor * values[:, to] + offset, terms.won[player, state])
        np.maximum(worth[:, state], answered, out=worth[:, state])
    return worth


def _turned(values: Values) -> Values:
    """What values [K, S, C] of one player leave to the other [C, S, K]."""
    return np.ascontiguousarray(-values.transpose(2, 1, 0))
