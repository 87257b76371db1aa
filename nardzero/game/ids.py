"""GNU Backgammon's position ID, both ways, for many boards at once.

The key is 80 bits, the lowest bit of the first byte first. Two players take 25 slots each, the player not on
roll before the player on roll: his own points 1 to 24, then his bar; a slot is one 1 for each checker and a
0 to close it. The rest of the bits are 0. Borne-off checkers are implied; dice, cube and score are not held.
Source: the GNU Backgammon manual, "A technical description of the Position ID". Its worked example is
symmetric and hides the order of the players, which was checked against GNU Backgammon 1.07.

Letters in shapes: N boards, 26 columns, 50 slots, 80 bits.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nardzero.game.base64key import key_texts, text_keys
from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.position import BAR, CHECKERS, COLUMNS, Boards, flip, validate

SLOTS = 25
BITS = 80
KEY_BYTES = BITS // 8


def encode_position(board: npt.ArrayLike) -> str:
    """The position ID of one board [26]. Raises InvalidPosition where it is none."""
    return encode_positions(np.asarray(board)[np.newaxis])[0]


def encode_positions(boards: npt.ArrayLike) -> list[str]:
    """The position IDs of boards [N, 26]. Raises InvalidPosition if any is none."""
    valid = validate(boards)
    if valid.ndim != 2:
        raise InvalidPosition(f"boards are rows [N, {COLUMNS}], not shape {valid.shape}")
    slots = np.concatenate([_own_slots(flip(valid)), _own_slots(valid)], axis=1)
    ends = np.cumsum(slots + 1, axis=1) - 1
    bits = np.arange(BITS) < ends[:, -1:]
    np.put_along_axis(bits, ends, False, axis=1)
    return key_texts(np.packbits(bits, axis=1, bitorder="little"))


def decode_position(text: str) -> Boards:
    """The board [26] of a position ID, seen by the player on roll. Raises InvalidID where it is none."""
    board: Boards = decode_positions([text])[0]
    return board


def decode_positions(texts: Sequence[str]) -> Boards:
    """The boards [N, 26] of position IDs. Raises InvalidID, with the first wrong one, if any is none."""
    bits = np.unpackbits(text_keys(texts, KEY_BYTES, "position ID"), axis=1, bitorder="little")
    # A slot ends at a 0. A stable sort brings the places of the zeros to the front, in their order.
    ends = np.argsort(bits, axis=1, kind="stable")[:, : 2 * SLOTS]
    slots = np.diff(ends, axis=1, prepend=-1) - 1
    _check(texts, slots, bits.sum(axis=1, dtype=np.int64))
    boards = np.zeros((len(texts), COLUMNS), np.int8)
    boards[:, 1:] = slots[:, SLOTS:]
    boards[:, :BAR] -= slots[:, SLOTS - 1 :: -1].astype(np.int8)
    return boards


def _own_slots(boards: Boards) -> npt.NDArray[np.int64]:
    """How many own checkers stand in each slot [N, 25] of the side the boards [N, 26] are seen by."""
    return np.maximum(boards[:, 1:], 0).astype(np.int64)


def _check(texts: Sequence[str], slots: npt.NDArray[np.int64], ones: npt.NDArray[np.int64]) -> None:
    """Raise InvalidID unless slots [N, 50] of keys with that many ones [N] are positions."""
    opponent, own = slots[:, :SLOTS], slots[:, SLOTS:]
    shared = (own[:, :-1] > 0) & (opponent[:, -2::-1] > 0)  # my point p is his 25 - p; the bars are apart
    # The order matters: with more than 30 ones fewer than 50 slots were closed, and `slots` means nothing.
    crowded = (ones > 2 * CHECKERS) | (own.sum(axis=1) > CHECKERS) | (opponent.sum(axis=1) > CHECKERS)
    for wrong, reason in (
        (crowded, f"a side has more than {CHECKERS} checkers"),
        (slots.sum(axis=1) != ones, "bits are set after the last slot of the player on roll"),
        (shared.any(axis=1), "both sides have checkers on one point"),
        (ones == 0, "both sides have borne off every checker, and only one can have finished"),
    ):
        if wrong.any():
            raise InvalidID(f"{texts[int(wrong.argmax())].strip()!r} is not a legal position: {reason}")
