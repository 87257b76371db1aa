"""Position IDs: what GNU Backgammon writes, both ways, and nothing else."""

import string

import numpy as np
import pytest
from cases import board, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards

from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.ids import decode_position, decode_positions, encode_position, encode_positions
from nardzero.game.position import flip
from nardzero.game.rules import ruleset

START = "4HPwATDgc/ABMA"
DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
QUICK = settings(derandomize=True, deadline=None, max_examples=300)


@pytest.mark.parametrize(("given", "expected"), cases("ids", "position_id"))
def test_boards_and_their_ids(given, expected):
    position = board(given["mover"], given["opponent"])
    assert encode_position(position) == expected["position_id"]
    assert np.array_equal(decode_position(expected["position_id"]), position)


@pytest.mark.parametrize(("text", "expected"), cases("ids", "position_id_reject"))
def test_broken_ids_are_refused(text, expected):
    with pytest.raises(InvalidID):
        decode_position(text)


def test_start_positions():
    assert encode_position(ruleset("standard").start_board) == START
    assert encode_position(ruleset("nackgammon").start_board) == "4Dl4ADbgOXgANg"
    hypergammon = {"22": 1, "23": 1, "24": 1}
    assert encode_position(board(hypergammon, hypergammon)) == "AACgAgAAKgAAAA"


def test_the_player_not_on_roll_comes_first():
    position = board({"6": 1}, {"1": 1})
    assert encode_position(position) == "AQAAgAAAAAAAAA"
    assert encode_position(flip(position)) != "AQAAgAAAAAAAAA"


def test_whitespace_around_an_id_does_not_matter():
    assert np.array_equal(decode_position(f" {START}\n"), ruleset("standard").start_board)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("4HPwATDgc/ABM", "13 characters"),
        ("4HPwATDgc/ABMAA", "15 characters"),
        ("4HPwATDgc/ABMA==", "padding"),
        ("4HPwATDgc_ABMA", "'_' is outside the alphabet"),
        ("4HPwATDgc-ABMA", "'-' is outside the alphabet"),
        ("4HPwAT Dgc/ABM", "' ' is outside the alphabet"),
        ("4HPwATDgc/ABMÄ", "outside the alphabet"),
        ("4HPwATDgc/ABMB", "bits beyond the 80"),
        ("4HPwATDgc/ABMI", "bits beyond the 80"),
        ("4HPwATDgc/ABcA", "more than 15 checkers"),
        ("//8AAAAAAAAAAA", "more than 15 checkers"),
        ("AAAAAP//AAAAAA", "more than 15 checkers"),
        ("//////////////", "bits beyond the 80"),
        ("/////////////w", "more than 15 checkers"),
        ("AAAAAAAAAAAAgA", "after the last slot"),
        ("4HPwATDgc/ABMQ", "after the last slot|more than 15"),
        ("AQAAAAAAAgAAAA", "both sides have checkers on one point"),
        ("AAAAAAAAAAAAAA", "both sides have borne off"),
        (START * 10_000, "140000 characters"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, reason):
    with pytest.raises(InvalidID, match=reason) as refused:
        decode_position(text)
    assert len(str(refused.value)) < 200


@QUICK
@given(boards())
def test_every_position_survives_the_round_trip(position):
    text = encode_position(position)
    assert len(text) == 14
    assert np.array_equal(decode_position(text), position)


@QUICK
@given(st.text(DIGITS, min_size=14, max_size=14) | st.text(max_size=16))
def test_any_text_is_a_position_or_refused(text):
    _decodes_to_itself_or_is_refused(text)


@QUICK
@given(boards(), st.integers(0, 83))
def test_an_id_with_one_bit_changed_is_a_position_or_refused(position, bit):
    text = encode_position(position)
    place, shift = divmod(bit, 6)
    digit = DIGITS[DIGITS.index(text[place]) ^ 1 << shift]
    _decodes_to_itself_or_is_refused(text[:place] + digit + text[place + 1 :])


def _decodes_to_itself_or_is_refused(text: str) -> None:
    try:
        position = decode_position(text)
    except InvalidID:
        return
    assert encode_position(position) == text.strip()


def test_many_at_once():
    start = ruleset("standard").start_board
    race = board({"1": 1, "4": 2}, {"bar": 1, "2": 3})
    many = np.stack([start, race, flip(race)] * 1000)
    texts = encode_positions(many)
    assert texts[:3] == [encode_position(each) for each in (start, race, flip(race))]
    assert np.array_equal(decode_positions(texts), many)
    assert decode_positions(texts).dtype == np.int8


def test_none_at_once():
    assert encode_positions(np.zeros((0, 26), np.int8)) == []
    assert decode_positions([]).shape == (0, 26)


def test_one_broken_id_among_many_is_named():
    with pytest.raises(InvalidID, match="AQAAAAAAAgAAAA"):
        decode_positions([START, "AQAAAAAAAgAAAA", START])


@pytest.mark.parametrize("position", [np.zeros(26, np.int8), np.full(26, 3), np.zeros((2, 26)), [1, 2], 7])
def test_only_positions_are_encoded(position):
    with pytest.raises(InvalidPosition):
        encode_position(position)
