"""OGIDs: the pairs that OpenGammon made, and refusals."""

import pytest
from cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards

from nardzero.game.errors import InvalidID
from nardzero.game.matchstate import MatchState
from nardzero.game.ogid import CUBE_LIMIT, format_ogid, parse_ogid
from nardzero.game.rules import ruleset
from nardzero.game.xgid import format_xgid, parse_xgid

START = ruleset("standard").start_board
START_FIELDS = "11ccccchhhjjjjj:66666888dddddoo"


@pytest.mark.parametrize(("text", "expected"), cases("ids", "ogid"))
def test_ogids_say_what_their_xgids_say(text, expected):
    state = parse_ogid(text)
    assert state == parse_xgid(expected["xgid"])
    assert format_xgid(state) == expected["xgid"]
    assert {"x": "white", "o": "black"}[state.on_roll] == expected["on_roll"]
    without_move = text.rpartition(":")[0]
    assert format_ogid(state) == without_move
    assert parse_ogid(f"OGID={without_move} ") == state


@pytest.mark.parametrize(
    ("fields", "on_roll"),
    [
        ("31:W:R", "o"),
        ("31:B:R", "x"),
        (":W:C", "o"),
        (":B:C", "x"),
        (":W:IW", "x"),
        (":B:IW", "x"),
        ("31:W:IW", "o"),
    ],
)
def test_the_player_who_did_not_act_is_on_roll(fields, on_roll):
    state = parse_ogid(f"{START_FIELDS}:N0N:{fields}:3:6:7C:0:15")
    assert state == MatchState(
        START,
        on_roll=on_roll,
        dice=(3, 1) if fields.startswith("31") else None,
        cube_limit=CUBE_LIMIT,
        length=7,
        score_x=3,
        score_o=6,
        crawford=True,
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "9 to 11 fields"),
        (START_FIELDS, "9 to 11 fields"),
        (f"{START_FIELDS}q:N0N:31:W:R:0:0:0", "Black's checkers"),
        (f"1{START_FIELDS}:N0N:31:W:R:0:0:0", "White's checkers"),
        ("11:1:N0N:31:W:R:0:0:0", "on one point"),
        ("11p:6:N0N:31:W:R:0:0:0", "the other side"),
        ("11:06:N0N:31:W:R:0:0:0", "the other side"),
        ("::N0N:31:W:R:0:0:0", "both sides"),
        (f"{START_FIELDS}:D0N:31:W:R:0:0:0", "the cube"),
        (f"{START_FIELDS}:N0O::W:D:0:0:0", "the cube"),
        (f"{START_FIELDS}:N0N::W:D:0:0:0", "the state"),
        (f"{START_FIELDS}:N0N:71:W:R:0:0:0", "the dice"),
        (f"{START_FIELDS}:N0N:31:X:R:0:0:0", "the colour"),
        (f"{START_FIELDS}:N0N::W:R:0:0:0", "state R has dice"),
        (f"{START_FIELDS}:N0N:31:W:C:0:0:0", "state C has none"),
        (f"{START_FIELDS}:N0N:31:W:R:7:0:7", "already won"),
        (f"{START_FIELDS}:N0N:31:W:R:0:0:7C", "Crawford"),
        (f"{START_FIELDS}:N0N:31:W:R:0:0:7G9", "the length"),
        (f"{START_FIELDS}:N0N:31:W:R:0:0:7:0:3", "the checkers a side"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, reason):
    with pytest.raises(InvalidID, match=reason):
        parse_ogid(text)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(boards(), st.sampled_from("xo"), st.sampled_from(["x", "o", None]), st.sampled_from([None, (6, 5)]))
def test_states_survive_the_round_trip(position, on_roll, owner, dice):
    state = MatchState(
        position,
        on_roll=on_roll,
        dice=dice,
        cube=4,
        cube_owner=owner,
        cube_limit=CUBE_LIMIT,
        length=9,
        score_o=2,
    )
    assert parse_ogid(format_ogid(state)) == state


def test_an_offer_is_not_written():
    with pytest.raises(InvalidID):
        format_ogid(MatchState(START, offered="double"))
