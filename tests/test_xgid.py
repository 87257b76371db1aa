"""XGIDs: every field both ways, agreement with GNU Backgammon, and refusals."""

import numpy as np
import pytest
from cases import board, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards

from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.ids import decode_position
from nardzero.game.matchid import format_gnubg_id
from nardzero.game.matchstate import MatchState
from nardzero.game.position import flip
from nardzero.game.rules import ruleset
from nardzero.game.xgid import format_xgid, parse_xgid

START = ruleset("standard").start_board
START_FIELD = "-b----E-C---eE---c-e----B-"
LETTERS = {"x": "X", "o": "O", None: "centre"}
QUICK = settings(derandomize=True, deadline=None, max_examples=300)


def facts(state: MatchState) -> dict[str, object]:
    """The state in the words of a case, without its board."""
    money = state.length == 0
    return {
        "on_roll": LETTERS[state.on_roll],
        "cube": state.cube,
        "cube_owner": LETTERS[state.cube_owner],
        "dice": list(state.dice or (0, 0)),
        "score": {"X": state.score_x, "O": state.score_o},
        "length": state.length,
        "crawford": None if money else state.crawford,
        "jacoby": state.jacoby if money else None,
        "beaver": state.beaver if money else None,
    }


@pytest.mark.parametrize(("text", "expected"), cases("ids", "xgid"))
def test_xgids_and_their_fields(text, expected):
    state = parse_xgid(text)
    assert format_xgid(state) == text
    assert parse_xgid(text.removeprefix("XGID=")) == state
    if "decision" in expected:
        assert (state.decides, state.decision) == (expected["decision"].split()[1].strip("(").lower(), "take")
        return
    seen_by_x = board(expected["X"], expected["O"])
    assert np.array_equal(state.board, seen_by_x if state.on_roll == "x" else flip(seen_by_x))
    assert facts(state) == {name: expected[name] for name in facts(state)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [case for case in cases("ids", "xgid") if "gnubg_id_player_on_roll_as_player1" in case.values[1]],
)
def test_gnu_backgammon_reads_the_same(text, expected):
    """It makes the player on roll its player 1, exchanging the scores."""
    state = parse_xgid(text)
    named = state if state.on_roll == "x" else state.renamed()
    assert format_gnubg_id(named) == expected["gnubg_id_player_on_roll_as_player1"]


@pytest.mark.parametrize(("given", "expected"), cases("moves", "legal_moves"))
def test_xgids_agree_with_position_ids(given, expected):
    state = parse_xgid(given["xgid"])
    assert np.array_equal(state.board, decode_position(given["position_id"]))
    assert state.dice == tuple(given["dice"])


@pytest.mark.parametrize(("text", "expected"), cases("ids", "xgid_reject"))
def test_broken_xgids_are_refused(text, expected):
    with pytest.raises(InvalidID):
        parse_xgid(text)


@pytest.mark.parametrize(
    ("dice", "offered", "decides"),
    [("00", None, "o"), ("D", "double", "x"), ("B", "beaver", "o"), ("R", "raccoon", "x")],
)
def test_the_turn_stays_with_the_player_who_doubled(dice, offered, decides):
    text = f"XGID={START_FIELD[:-2]}AA:1:0:-1:{dice}:0:0:3:0:10"
    state = parse_xgid(text)
    assert (state.on_roll, state.offered, state.decides) == ("o", offered, decides)
    assert state.board[0] == -1, "the board is seen by O, the player on roll, so X's bar is column 0"
    assert format_xgid(state) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "10 fields"),
        ("XGID=", "10 fields"),
        (START_FIELD, "10 fields"),
        (f"{START_FIELD}:0:0:1:31:0:0:0:0", "10 fields"),
        (f"{START_FIELD}:0:0:1:31:0:0:0:0:10:", "10 fields"),
        (f"XGID=XGID={START_FIELD}:0:0:1:31:0:0:0:0:10", "26 characters"),
        (f"{START_FIELD}-:0:0:1:31:0:0:0:0:10", "26 characters, not 27"),
        (f"{START_FIELD[:-1]}:0:0:1:31:0:0:0:0:10", "26 characters, not 25"),
        (f"{START_FIELD.replace('E', 'P', 1)}:0:0:1:31:0:0:0:0:10", "not 'P'"),
        (f"{START_FIELD.replace('E', '5', 1)}:0:0:1:31:0:0:0:0:10", "not '5'"),
        (f"{START_FIELD.replace('E', ' ', 1)}:0:0:1:31:0:0:0:0:10", "not ' '"),
        (f"{START_FIELD.replace('C', 'D', 1)}:0:0:1:31:0:0:0:0:10", "16 checkers"),
        (f"{START_FIELD.replace('c', 'd', 1)}:0:0:-1:31:0:0:0:0:10", "16 checkers"),
        (f"A{START_FIELD[1:].replace('C', 'B')}:0:0:1:31:0:0:0:0:10", "O's bar"),
        (f"{START_FIELD[:-1].replace('c', 'b')}a:0:0:-1:31:0:0:0:0:10", "O's bar"),
        (f"{'-' * 26}:0:0:1:31:0:0:0:0:10", "both sides"),
        (f"{START_FIELD}:-1:0:1:31:0:0:0:0:10", "the cube is a whole number"),
        (f"{START_FIELD}:16:0:1:31:0:0:0:0:10", "the cube is a power"),
        (f"{START_FIELD}:999999999:0:1:31:0:0:0:0:10", "the cube is a power"),
        (f"{START_FIELD}:0:2:1:31:0:0:0:0:10", "owner is 1 or -1 or 0"),
        (f"{START_FIELD}:0:0:0:31:0:0:0:0:10", "turn is 1 or -1"),
        (f"{START_FIELD}:0:0:1:37:0:0:0:0:10", "dice"),
        (f"{START_FIELD}:0:0:1:30:0:0:0:0:10", "dice"),
        (f"{START_FIELD}:0:0:1:0:0:0:0:0:10", "dice"),
        (f"{START_FIELD}:0:0:1:311:0:0:0:0:10", "dice"),
        (f"{START_FIELD}:0:0:1:DD:0:0:0:0:10", "dice"),
        (f"{START_FIELD}:0:0:1:31:-1:0:0:0:10", "score of X"),
        (f"{START_FIELD}:0:0:1:31:0:x:0:0:10", "score of O"),
        (f"{START_FIELD}:0:0:1:31:0:٣:0:0:10", "score of O"),
        (f"{START_FIELD}:0:0:1:31:7:0:0:7:10", "already won"),
        (f"{START_FIELD}:0:0:1:31:0:0:4:0:10", "0 to 3 in a money game"),
        (f"{START_FIELD}:0:0:1:31:0:0:2:7:10", "0 or 1 in a match"),
        (f"{START_FIELD}:0:0:1:31:5:3:1:7:10", "Crawford game"),
        (f"{START_FIELD}:0:0:1:31:6:6:1:7:10", "Crawford game"),
        (f"{START_FIELD}:1:-1:1:31:6:5:1:7:10", "nobody may double"),
        (f"{START_FIELD}:0:0:1:D:6:5:1:7:10", "nobody may double"),
        (f"{START_FIELD}:1:-1:1:D:0:0:0:0:10", "opponent owns"),
        (f"{START_FIELD}:0:0:1:B:0:0:0:7:10", "money game"),
        (f"{START_FIELD}:0:0:1:31:0:0:0:-7:10", "length"),
        (f"{START_FIELD}:0:0:1:31:0:0:0:0:", "limit"),
        (f"{START_FIELD}:0:0:1:31:0:0:0:0:99", "limit"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, reason):
    with pytest.raises(InvalidID, match=reason):
        parse_xgid(text)


@pytest.mark.parametrize("state", [MatchState(START, resigned=1), MatchState(START, game="over")])
def test_what_an_xgid_cannot_hold_is_refused(state):
    with pytest.raises(InvalidID):
        format_xgid(state)


def test_a_state_is_a_value():
    state = parse_xgid(f"{START_FIELD}:0:0:1:31:0:0:0:0:10")
    assert state == MatchState(START, dice=(3, 1))
    assert hash(state) == hash(MatchState(START.copy(), dice=(3, 1)))
    assert state not in (MatchState(START, dice=(1, 3)), START_FIELD)
    assert state.renamed().renamed() == state != state.renamed()
    with pytest.raises(ValueError, match="read-only"):
        state.board[0] = 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("on_roll", "white"),
        ("cube_owner", "white"),
        ("offered", "redouble"),
        ("resigned", 4),
        ("game", "lost"),
        ("game", "resigned"),
        ("game", "dropped"),
        ("cube", 3),
        ("cube", 0),
        ("cube_limit", 1000),
        ("length", -1),
        ("score_o", -1),
        ("crawford", True),
        ("board", np.zeros((1, 26), np.int8)),
        ("board", START[np.newaxis]),
    ],
)
def test_fields_that_do_not_fit_are_refused(field, value):
    with pytest.raises(InvalidPosition):
        MatchState(**{"board": START, field: value})


@st.composite
def states(draw):
    """Any state that an XGID can hold."""
    length = draw(st.integers(0, 25))
    scores = st.integers(0, max(length - 1, 0))
    score_x, score_o = draw(scores), draw(scores)
    one_away = length > 0 and max(score_x, score_o) == length - 1 and (score_x != score_o or length == 1)
    crawford = one_away and draw(st.booleans())
    offered = draw(st.sampled_from([None, None, "double"] + ["beaver", "raccoon"] * (length == 0)))
    dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
    on_roll = draw(st.sampled_from("xo"))
    return MatchState(
        board=draw(boards()),
        on_roll=on_roll,
        dice=None if offered or draw(st.booleans()) else draw(dice),
        offered=None if crawford else offered,
        cube=1 if crawford else 1 << draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from([None, on_roll])),
        cube_limit=1 << draw(st.integers(0, 15)),
        length=length,
        score_x=score_x,
        score_o=score_o,
        crawford=crawford,
        jacoby=length == 0 and draw(st.booleans()),
        beaver=length == 0 and draw(st.booleans()),
    )


@QUICK
@given(states())
def test_every_state_survives_the_round_trip(state):
    assert parse_xgid(format_xgid(state)) == state


@QUICK
@given(states(), st.data())
def test_a_changed_xgid_is_a_state_or_refused(state, data):
    text = format_xgid(state).removeprefix("XGID=")
    place = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.text("-AEOPaeop0123456789:DBR", max_size=2) | st.text(max_size=1))
    changed = text[:place] + put + text[place + data.draw(st.integers(0, 2)) :]
    try:
        read = parse_xgid(changed)
    except InvalidID:
        return
    assert format_xgid(read) == "XGID=" + changed.strip()
