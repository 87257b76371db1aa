"""What kind of position it is: eight phases of a game, told from the board alone.

Letters in shapes: N boards, 26 columns. "A side" is either; a position has the same phase seen by the other.
"""

import numpy as np
import numpy.typing as npt

from nardzero.game.position import BAR, Boards, contact, flip, pips
from nardzero.game.rules import RULESETS

PHASES = ("opening", "contact", "holding", "prime", "back game", "bear-off v contact", "race", "bear-off")
"""Their names, in the order of a game."""

Mask = npt.NDArray[np.bool_]

MOVED = 4
"""So many checkers a side may have left where they started, in an opening."""
PRIME = 5
"""How many points in a row are a prime."""
BEHIND = 50
"""By how many pips a side is behind in a back game, at least."""
HOME, THEIR_HOME, ADVANCED = slice(1, 7), slice(19, 25), slice(18, 23)
"""The own home, the opponent's home, and where an anchor holds: his bar point and his 5, 4 and 3."""


def phase_of(boards: Boards) -> npt.NDArray[np.int64]:
    """The phase [N] of boards [N, 26], as an index into PHASES. The first of these that holds:

    bear-off: no contact, and all checkers of both sides that are left are at home;
    race: no contact;
    bear-off v contact: all checkers of a side that are left are at home, on his points 1 to 6;
    opening: no side has more than 4 checkers that left their places of the start position;
    back game: a side holds two or more points in the other's home and is 50 pips or more behind;
    prime: a side holds 5 or 6 points in a row before a checker of the other;
    holding: a side holds the other's bar point, 5, 4 or 3 point;
    contact: whatever is left.
    """
    other = flip(boards)
    met = contact(boards)
    tests = [
        ("bear-off", ~met & _home(boards) & _home(other)),
        ("race", ~met),
        ("bear-off v contact", _home(boards) | _home(other)),
        ("opening", (_moved(boards) <= MOVED) & (_moved(other) <= MOVED)),
        ("back game", _back(boards) | _back(other)),
        ("prime", _primes(boards) | _primes(other)),
        ("holding", _holds(boards) | _holds(other)),
    ]
    names, masks = zip(*tests, strict=True)
    return np.select(masks, list(map(PHASES.index, names)), PHASES.index("contact"))


def _home(boards: Boards) -> Mask:
    return np.asarray((boards[:, HOME.stop : BAR + 1] <= 0).all(1))


def _moved(boards: Boards) -> npt.NDArray[np.int64]:
    """How many own checkers [N] are missing from where they started."""
    start = np.maximum(RULESETS["standard"].start_board, 0)
    missing: npt.NDArray[np.int64] = np.maximum(start - np.maximum(boards, 0), 0).sum(1, dtype=np.int64)
    return missing


def _back(boards: Boards) -> Mask:
    behind = pips(boards) - pips(flip(boards)) >= BEHIND
    return np.asarray(behind & ((boards[:, THEIR_HOME] >= 2).sum(1) >= 2))


def _primes(boards: Boards) -> Mask:
    """Whether [N] a prime of one's own stands before a checker of the opponent, who moves upwards."""
    made = np.lib.stride_tricks.sliding_window_view(boards[:, 1:BAR] >= 2, PRIME, axis=1).all(-1)
    behind = np.logical_or.accumulate(boards[:, : made.shape[1]] < 0, axis=1)
    return np.asarray((made & behind).any(1))


def _holds(boards: Boards) -> Mask:
    return np.asarray((boards[:, ADVANCED] >= 2).any(1))
