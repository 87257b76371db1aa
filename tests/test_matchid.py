"""Match IDs: GNU Backgammon's fields, its offers, its finished games, and what contradicts itself."""

from base64 import b64decode, b64encode

import numpy as np
import pytest
from cases import board, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards

from nardzero.game.errors import InvalidID
from nardzero.game.matchid import decode_match, encode_match, format_gnubg_id, parse_gnubg_id
from nardzero.game.matchstate import MatchState
from nardzero.game.rules import ruleset

START = ruleset("standard").start_board
QUICK = settings(derandomize=True, deadline=None, max_examples=300)


def facts(state: MatchState, raw: bool) -> dict[str, object]:
    """The state in the words of a case: its named fields, or the raw numbers of the key."""
    owner = {"o": 0, "x": 1, None: 3}[state.cube_owner]
    first, second = state.dice or (0, 0)
    if raw:
        return {
            "cube_log": state.cube.bit_length() - 1,
            "owner": owner,
            "roller": int(state.on_roll == "x"),
            "crawford": int(state.crawford),
            "state": 1 if state.game == "playing" else None,
            "turn": int(state.decides == "x"),
            "doubled": int(state.offered is not None),
            "resigned": state.resigned,
            "d1": first,
            "d2": second,
            "length": state.length,
            "s0": state.score_o,
            "s1": state.score_x,
            "nojacoby": int(not state.jacoby),
        }
    return {
        "cube": state.cube,
        "owner": {0: "player0", 1: "player1", 3: "centre"}[owner],
        "on_roll": "player1" if state.on_roll == "x" else "player0",
        "crawford": state.crawford,
        "dice": [first, second],
        "length": state.length,
        "score": [state.score_o, state.score_x],
        "jacoby": None if state.length else state.jacoby,
    }


@pytest.mark.parametrize(("text", "expected"), cases("ids", "match_id"))
def test_ids_and_their_fields(text, expected):
    state = decode_match(text)
    assert facts(state, raw="cube_log" in expected) == expected
    assert encode_match(state) == text


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("cAkAAAAAAAAA", MatchState(START, jacoby=True)),
        ("cAkAAAAAAAAE", MatchState(START)),
        ("MAEAAAAAAAAA", MatchState(START, on_roll="o", jacoby=True)),
        ("cIkFAAAAAAAA", MatchState(START, dice=(3, 1), jacoby=True)),
        ("8AngAGAAGAAA", MatchState(START, length=7, score_x=3, score_o=6, crawford=True, jacoby=True)),
        # The rest was written by GNU Backgammon 1.07 while a game was played in it.
        ("cBEAAAAAAAAA", MatchState(START, offered="double", jacoby=True)),
        ("QRkAAAAAAAAA", MatchState(START, offered="beaver", cube=2, cube_owner="o", jacoby=True)),
        ("QhEAAAAAAAAA", MatchState(START, offered="raccoon", cube=4, cube_owner="o", jacoby=True)),
        ("cEEAAAAAAAAA", MatchState(START, resigned=2, jacoby=True)),
        ("cKEFAAAAAAAA", MatchState(START, dice=(3, 1), resigned=1, jacoby=True)),
        ("cFkAAAAAAAAA", MatchState(START, offered="double", resigned=2, jacoby=True)),
        ("MAIAAAAACAAA", MatchState(START, on_roll="o", score_x=1, game="over", jacoby=True)),
        ("cEMAACAAAAAA", MatchState(START, resigned=2, score_o=2, game="resigned", jacoby=True)),
        ("cGNgAFAACAAE", MatchState(START, resigned=3, length=3, score_o=5, score_x=1, game="resigned")),
        ("cAQAAAAACAAA", MatchState(START, offered="double", score_x=1, game="dropped", jacoby=True)),
        (
            "QQwAACAAAAAA",
            MatchState(
                START, offered="beaver", cube=2, cube_owner="o", score_o=2, game="dropped", jacoby=True
            ),
        ),
        (
            "QgQAAAAAIAAA",
            MatchState(
                START, offered="raccoon", cube=4, cube_owner="o", score_x=4, game="dropped", jacoby=True
            ),
        ),
    ],
)
def test_what_gnu_backgammon_writes(text, state):
    assert decode_match(text) == state
    assert encode_match(state) == text


@pytest.mark.parametrize(
    ("state", "decides", "decision"),
    [
        (MatchState(START), "x", "roll"),
        (MatchState(START, on_roll="o", dice=(6, 1)), "o", "play"),
        (MatchState(START, offered="double"), "o", "take"),
        (MatchState(START, offered="beaver"), "x", "take"),
        (MatchState(START, offered="raccoon"), "o", "take"),
        (MatchState(START, resigned=1), "o", "resignation"),
        (MatchState(START, resigned=1, offered="double"), "x", "resignation"),
        (MatchState(START, game="over"), "x", "none"),
    ],
)
def test_who_decides_what(state, decides, decision):
    assert (state.decides, state.decision) == (decides, decision)


def test_a_gnubg_id_has_the_board_of_the_player_on_roll():
    given = "4LsHgEGGBxwAXw:cBEAAAAAAAAA"
    state = parse_gnubg_id(f" {given} ")
    position = board(
        {"6": 4, "2": 2, "13": 3, "bar": 1, "24": 5}, {"6": 5, "8": 4, "7": 3, "20": 2, "bar": 1}
    )
    assert np.array_equal(state.board, position)
    assert (state.on_roll, state.decides) == ("x", "o")
    assert format_gnubg_id(state) == given


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("cAkAAAAAAAA", "11 characters"),
        ("cAkAAAAAAAA=", "padding"),
        ("cAkAAAAAAAA_", "'_' is outside"),
        ("cAkAAAAAAAAI", "after its last field"),
        ("YAkAAAAAAAAA", "owner"),
        ("cAUAAAAAAAAA", "state is 0 to 4|decide"),
        ("cA0AAAAAAAAA", "state is 0 to 4"),
        ("cAEAAAAAAAAA", "decide"),
        ("cBkAAAAAAAAA", "decide"),
        ("cIkDAAAAAAAA", "dice are 1 to 6"),
        ("cAkEAAAAAAAA", "dice are 1 to 6"),
        ("cIkfAAAAAAAA", "dice are 1 to 6"),
        ("cJEFAAAAAAAA", "before the roll"),
        ("8AkAAAAAAAAA", "money game has no Crawford"),
        ("8AngAAAAAAAA", "Crawford game"),
        ("cAngAHAAAAAA", "already won"),
        ("cBHgAGAAGAAA:4HPwATDgc/ABMA", "outside the alphabet"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, reason):
    with pytest.raises(InvalidID, match=reason):
        decode_match(text)


@pytest.mark.parametrize(
    "text", ["", ":", "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:", "a:b:c", "cAkAAAAAAAAA:4HPwATDgc/ABMA"]
)
def test_broken_gnubg_ids_are_refused(text):
    with pytest.raises(InvalidID):
        parse_gnubg_id(text)


@pytest.mark.parametrize(
    "state",
    [
        MatchState(START, length=40_000),
        MatchState(START, score_x=40_000),
        MatchState(START, offered="beaver"),
    ],
)
def test_what_a_match_id_cannot_hold_is_refused(state):
    with pytest.raises(InvalidID):
        encode_match(state)


@QUICK
@given(
    st.sampled_from(
        ["cAkAAAAAAAAA", "QYkqASAAIAAA", "8AngAGAAGAAA", "QhEAAAAAAAAA", "cKEFAAAAAAAA", "QQwAACAAAAAA"]
    ),
    st.sets(st.integers(0, 71), max_size=3),
)
def test_an_id_with_some_bits_changed_is_a_state_or_refused(text, bits):
    key = int.from_bytes(b64decode(text), "little") ^ sum(1 << bit for bit in bits)
    changed = b64encode(key.to_bytes(9, "little")).decode()
    try:
        state = decode_match(changed)
    except InvalidID:
        return
    assert decode_match(encode_match(state)) == state


@QUICK
@given(
    boards(), st.sampled_from("xo"), st.integers(0, 15), st.sampled_from(["x", "o", None]), st.integers(1, 25)
)
def test_states_survive_the_round_trip(position, on_roll, power, owner, length):
    state = MatchState(
        position,
        on_roll=on_roll,
        cube=1 << power,
        cube_owner=owner,
        length=length,
        score_x=length - 1,
        dice=(5, 2),
    )
    assert parse_gnubg_id(format_gnubg_id(state)) == state
