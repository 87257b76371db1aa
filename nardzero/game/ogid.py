"""OGID, the position text of OpenGammon, both ways, for positions where the next thing is a roll or a play.

Fields with colons between them: White's checkers, Black's checkers, cube, dice, colour, state, the scores of
White and of Black, length, move number, checkers a side; the last two may be missing. A checker is one
character, its point in base 26 (`0` to `9`, `a` to `p`) on one scale for both: 0 is White's bar, White moves
up and Black down, 25 is Black's bar. The cube is its owner (W, B, or N for nobody), its logarithm and its
action. The colour names the player who ACTED last, so the other one is on roll; only at the opening without
dice (state IW) is White on roll whatever it says. White is X here. Source: pairs of OGID and XGID that
OpenGammon itself made, and gvformat 3.1, which reads them the same way.

The states of an offered, taken or passed double and of a finished game are refused: no position with its
answer was at hand to check them by.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.matchstate import MatchState, Player, other
from nardzero.game.position import BAR, COLUMNS, OPPONENT_BAR, Boards, flip

PREFIX = "OGID="
POINTS = "0123456789abcdefghijklmnop"
COLOURS: Mapping[str, Player] = MappingProxyType({"W": "x", "B": "o"})
CUBE_LIMIT = 256
"""The limit of the cube in the XGIDs that OpenGammon writes; an OGID has none."""
SYNTAX = (
    ("White's checkers are", "[0-9a-p]{0,15}", "up to 15 of the characters 0-9 a-p"),
    ("Black's checkers are", "[0-9a-p]{0,15}", "up to 15 of the characters 0-9 a-p"),
    ("the cube is", "[NWB]([0-9]|1[0-5])N", "N, W or B, a power of two and N, like N0N"),
    ("the dice are", "|[1-6]{2}", "two digits from 1 to 6, or nothing"),
    ("the colour is", "[WB]", "W or B"),
    ("the state is", "R|C|IW", "R, C or IW"),
    ("the score of White is", "[0-9]{1,5}", "a number of points"),
    ("the score of Black is", "[0-9]{1,5}", "a number of points"),
    ("the length is", "[0-9]{1,5}C?", "a number of points, with a C in the Crawford game"),
    ("the move number is", "[0-9]+", "a whole number"),
    ("the checkers a side are", "15", "15"),
)
"""For each field what introduces it, what it must match, and that in words."""
REQUIRED = 9


def parse_ogid(text: str) -> MatchState:
    """The state of an OGID, with or without the prefix `OGID=`; the move number is not kept. Raises
    InvalidID if it does not decode, or tells of a state of the game that is not understood here."""
    bare = text.strip()
    if bare[: len(PREFIX)].upper() == PREFIX:
        bare = bare[len(PREFIX) :]
    fields = bare.split(":")
    if not REQUIRED <= len(fields) <= len(SYNTAX):
        raise InvalidID(
            f"an OGID has {REQUIRED} to {len(SYNTAX)} fields with colons between them, not {len(fields)}"
        )
    for field, (name, pattern, accepted) in zip(fields, SYNTAX, strict=False):
        if not re.fullmatch(pattern, field):
            raise InvalidID(f"this is not an OGID that can be read: {name} {accepted}, not {field!r}")
    try:
        return _state(fields)
    except InvalidPosition as fault:
        raise InvalidID(f"this is not a legal OGID: {fault}") from fault


def format_ogid(state: MatchState) -> str:
    """The OGID of a state, without a move number, Jacoby, beavers and the cube's limit. Raises InvalidID for
    an offer, a resignation or a game that is not being played."""
    if state.decision not in ("roll", "play"):
        raise InvalidID("an OGID is written only where the next thing is to roll or to play")
    seen_by_white = state.board if state.on_roll == "x" else flip(state.board)
    colours: dict[Player | None, str] = {player: colour for colour, player in COLOURS.items()} | {None: "N"}
    fields = (
        _checkers(np.maximum(seen_by_white, 0)),
        _checkers(np.maximum(-seen_by_white, 0)),
        f"{colours[state.cube_owner]}{state.cube.bit_length() - 1}N",
        "".join(map(str, state.dice or ())),
        colours[other(state.on_roll)],
        "R" if state.dice else "C",
        state.score_x,
        state.score_o,
        f"{state.length}{'C' if state.crawford else ''}",
    )
    return ":".join(map(str, fields))


def _state(fields: list[str]) -> MatchState:
    white, black, cube, dice, colour, state, score_x, score_o, length = fields[:REQUIRED]
    if state != "IW" and (state == "R") != (dice != ""):
        raise InvalidID("state R has dice and state C has none")
    opening = state == "IW" and not dice
    on_roll: Player = "x" if opening else other(COLOURS[colour])
    seen_by_white = _board(white, black)
    return MatchState(
        board=seen_by_white if on_roll == "x" else flip(seen_by_white),
        on_roll=on_roll,
        dice=(int(dice[0]), int(dice[1])) if dice else None,
        cube=1 << int(cube[1:-1]),
        cube_owner=COLOURS.get(cube[0]),
        cube_limit=CUBE_LIMIT,
        length=int(length.removesuffix("C")),
        score_x=int(score_x),
        score_o=int(score_o),
        crawford=length.endswith("C"),
    )


def _board(white: str, black: str) -> Boards:
    """The board [26] as White sees it; his own point p is 25 - p of the common scale."""
    board = np.zeros(COLUMNS, np.int8)
    for checkers, sign in ((white, 1), (black, -1)):
        for checker in checkers:
            column = BAR - POINTS.index(checker)
            if board[column] * sign < 0:
                raise InvalidID("both sides have checkers on one point")
            board[column] += sign
    if board[BAR] < 0 or board[OPPONENT_BAR] > 0:
        raise InvalidID("0 is White's bar and p is Black's, and the other side is on one")
    return board


def _checkers(own: Boards) -> str:
    """The checkers of counts [26] as White sees them, in the order of the common scale."""
    return "".join(POINTS[BAR - column] * int(own[column]) for column in range(BAR, -1, -1))
