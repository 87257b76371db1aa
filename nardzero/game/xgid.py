"""XGID, the position text of eXtreme Gammon, both ways.

`XGID=` and ten fields with colons between them: the board, the cube's logarithm, its owner, the turn, the
dice, the scores of X and of O, the Crawford and Jacoby flags, the length, the logarithm of the cube's limit.
The board is 26 characters as X sees it whoever is on roll: O's bar, points 1 to 24, X's bar; `A` to `O` are 1
to 15 checkers of X, `a` to `o` of O, `-` none. Owner and turn are 1 for X, -1 for O, and the owner 0 for a
centred cube. The dice are `00` before the roll, and `D`, `B` or `R` while a double, a beaver or a raccoon
awaits an answer; the turn then stays with the player who doubled. The flags are 1 for the Crawford game in a
match, and in a money game 1 for Jacoby plus 2 for beavers. Source: 25 XGIDs that people published, which
GNU Backgammon 1.07 (`set xgid`) reads the same way.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.matchstate import HIGHEST_CUBE, MatchState, Offer, Player
from nardzero.game.position import CHECKERS, COLUMNS, Boards, flip

Value = TypeVar("Value")

PREFIX = "XGID="
FIELDS = 10
CHECKER_CHARACTERS: Mapping[str, int] = MappingProxyType(
    {"-": 0}
    | {chr(ord("A") + count - 1): count for count in range(1, CHECKERS + 1)}
    | {chr(ord("a") + count - 1): -count for count in range(1, CHECKERS + 1)}
)
"""How many checkers a character of the board stands for, X's positive."""
TURNS: Mapping[str, Player] = MappingProxyType({"1": "x", "-1": "o"})
OWNERS: Mapping[str, Player | None] = MappingProxyType({"1": "x", "-1": "o", "0": None})
OFFER_LETTERS: Mapping[str, Offer] = MappingProxyType({"D": "double", "B": "beaver", "R": "raccoon"})


def parse_xgid(text: str) -> MatchState:
    """The state of an XGID, with or without its prefix. Raises InvalidID if it does not decode."""
    bare = text.strip()
    if bare[: len(PREFIX)].upper() == PREFIX:
        bare = bare[len(PREFIX) :]
    fields = bare.split(":")
    if len(fields) != FIELDS:
        raise InvalidID(f"an XGID has {FIELDS} fields with colons between them, not {len(fields)}")
    try:
        return _state(fields)
    except InvalidPosition as fault:
        raise InvalidID(f"this is not a legal XGID: {fault}") from fault


def format_xgid(state: MatchState) -> str:
    """The XGID of a state, with its prefix. Raises InvalidID for what it cannot hold: a resignation, a game
    that is not being played."""
    if state.resigned or state.game != "playing":
        raise InvalidID("an XGID holds a game that is being played, without a resignation on offer")
    flags = int(state.crawford) if state.length else state.jacoby + 2 * state.beaver
    fields = (
        _format_board(state.board if state.on_roll == "x" else flip(state.board)),
        state.cube.bit_length() - 1,
        _word(state.cube_owner, OWNERS),
        _word(state.on_roll, TURNS),
        _format_dice(state),
        state.score_x,
        state.score_o,
        flags,
        state.length,
        state.cube_limit.bit_length() - 1,
    )
    return PREFIX + ":".join(map(str, fields))


def _state(fields: list[str]) -> MatchState:
    board, cube, owner, turn, dice, score_x, score_o, flags, length, limit = fields
    on_roll = _meaning("the turn", turn, TURNS)
    points = _number("the length", length)
    rules = _number("the Crawford and Jacoby field", flags)
    if rules > (1 if points else 3):
        raise InvalidID(
            f"the Crawford and Jacoby field is 0 or 1 in a match and 0 to 3 in a money game, not {rules}"
        )
    seen_by_x = _parse_board(board)
    return MatchState(
        board=seen_by_x if on_roll == "x" else flip(seen_by_x),
        on_roll=on_roll,
        dice=_parse_dice(dice),
        offered=OFFER_LETTERS.get(dice),
        cube=_power("the cube", cube),
        cube_owner=_meaning("the cube's owner", owner, OWNERS),
        cube_limit=_power("the cube's limit", limit),
        length=points,
        score_x=_number("the score of X", score_x),
        score_o=_number("the score of O", score_o),
        crawford=points > 0 and rules == 1,
        jacoby=points == 0 and rules & 1 > 0,
        beaver=points == 0 and rules & 2 > 0,
    )


def _parse_board(text: str) -> Boards:
    """The board [26] as X sees it."""
    if len(text) != COLUMNS:
        raise InvalidID(f"the board is {COLUMNS} characters, not {len(text)}")
    for character in text:
        if character not in CHECKER_CHARACTERS:
            raise InvalidID(f"the board has -, and A to O or a to o for 1 to {CHECKERS}, not {character!r}")
    if text[0].isupper() or text[-1].islower():
        raise InvalidID("the board starts with O's bar and ends with X's, and the other side is on one")
    return np.array([CHECKER_CHARACTERS[character] for character in text], np.int8)


def _format_board(board: Boards) -> str:
    return "".join(_word(int(count), CHECKER_CHARACTERS) for count in board)


def _parse_dice(text: str) -> tuple[int, int] | None:
    if text == "00" or text in OFFER_LETTERS:
        return None
    if not re.fullmatch("[1-6][1-6]", text):
        raise InvalidID(f"the dice are two digits from 1 to 6, or 00, D, B or R, not {text!r}")
    return int(text[0]), int(text[1])


def _format_dice(state: MatchState) -> str:
    if state.offered:
        return _word(state.offered, OFFER_LETTERS)
    return "".join(map(str, state.dice or (0, 0)))


def _number(name: str, text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text):
        raise InvalidID(f"{name} is a whole number of up to 9 digits, not {text!r}")
    return int(text)


def _power(name: str, text: str) -> int:
    """Two to the power that a field gives."""
    power = _number(name, text)
    if power >= HIGHEST_CUBE.bit_length():
        raise InvalidID(f"{name} is a power of two from 0 to {HIGHEST_CUBE.bit_length() - 1}, not {power}")
    return 1 << power


def _meaning(name: str, text: str, words: Mapping[str, Value]) -> Value:
    if text not in words:
        raise InvalidID(f"{name} is {' or '.join(words)}, not {text!r}")
    return words[text]


def _word(value: Value, words: Mapping[str, Value]) -> str:
    """The word that has this meaning."""
    return next(word for word, meaning in words.items() if meaning == value)
