"""Written plays against the legal ones: the recorded cases, random games in all rulesets, and refusals."""

import numpy as np
import pytest
from cases import cases
from strategies import played

from nardzero.game.errors import IllegalPlay, InvalidDice, InvalidPosition
from nardzero.game.ids import decode_position, encode_position
from nardzero.game.legal import legal_plays, play_between
from nardzero.game.play import Play
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.game.written import find_play, resolve

START = "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5"


@pytest.mark.parametrize(("given", "expected"), cases("moves", "legal_moves"))
def test_legal_plays_print_as_gnu_backgammon_lists_them(given, expected):
    legal = legal_plays(decode_position(given["position_id"]), given["dice"])
    assert sorted(map(str, legal)) == sorted(expected["plays"] or ["(no play)"])
    reached = sorted(encode_position(flip(after)) for after in legal.after)
    assert not expected["plays"] or reached == sorted(expected["next_position_ids"])


@pytest.mark.parametrize(("given", "expected"), cases("moves", "notation"))
def test_recorded_notation_is_read(given, expected):
    _, after = find_play(decode_position(given["position_id"]), given["dice"], given["move"])
    assert encode_position(flip(after)) == expected["next_position_id"]


REASONS = {
    "uses a 6": "uses a 6",
    "only one die used": "only one die is used",
    "hit mark where nothing is hit": "nothing can be hit on 5",
    "no such point": "there is no point 26",
}


@pytest.mark.parametrize(("given", "expected"), cases("moves", "notation_reject"))
def test_recorded_faults_are_refused_with_their_reason(given, expected):
    with pytest.raises(IllegalPlay, match=REASONS[expected["reason"].split(":")[0]]):
        find_play(decode_position(given["position_id"]), given["dice"], given["move"])


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_plays_boards_and_text_agree_in_random_games(rules):
    rng = np.random.default_rng(7)
    for board, dice in played(rules, games=3, seed=20):
        legal = legal_plays(board, dice, rules)
        assert len(set(legal)) == len(set(map(str, legal))) == len(legal)
        for index in rng.permutation(len(legal))[:6].tolist():
            play, after = legal[index], legal.after[index]
            assert np.array_equal(play.apply(board), after)
            assert Play.parse(str(play)) == play
            found, reached = resolve(str(play), legal)
            assert found == play
            assert np.array_equal(reached, after)
        assert play_between(board, after, dice, rules) == play


def test_legal_plays_are_a_sequence():
    legal = legal_plays(parse_position(START), (3, 1))
    play = Play.parse("6/5 8/5")
    assert play in legal
    assert Play.parse("8/5") not in legal
    assert legal[legal.index(play)] == play
    assert len(legal[:3]) == 3
    assert str(play) in repr(legal)
    with pytest.raises(ValueError, match="read-only"):
        legal.after[0] = 0


def test_a_dance_is_the_only_play():
    board = parse_position("x 6:5 bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2")
    legal = legal_plays(board, (6, 5))
    assert list(legal) == [Play()]
    assert find_play(board, (6, 5), "Cannot Move")[0] == Play()
    assert np.array_equal(legal.after, [board])


ONE_BLOT = "x 6:5 24:2; o 1:2 12:2 18:1"
TWO_BLOTS = "x 6:5 24:2; o 1:2 12:2 18:1 19:1"
SECOND_HELD = "x 6:5 24:2; o 1:2 13:1 18:1 19:2"


@pytest.mark.parametrize(
    ("position", "text", "printed"),
    [
        (ONE_BLOT, "24/13", "24/13"),
        (ONE_BLOT, "24/19/13", "24/13"),
        (ONE_BLOT, "24/18/13", "24/18*/13"),
        (ONE_BLOT, "24/18*/13", "24/18*/13"),
        (ONE_BLOT, "24/18 24/19", "24/19 24/18*"),
        (TWO_BLOTS, "24/19/13", "24/19*/13"),
        (TWO_BLOTS, "24/18*/13", "24/18*/13"),
        (TWO_BLOTS, "24/18 24/19", "24/19* 24/18*"),
        (SECOND_HELD, "24/13", "24/18*/13*"),
        (SECOND_HELD, "24/13*", "24/18*/13*"),
    ],
)
def test_stars_left_out_are_found_from_the_points_written(position, text, printed):
    board = parse_position(position)
    assert str(find_play(board, (6, 5), text)[0]) == printed


def test_an_ambiguous_text_names_the_choices():
    with pytest.raises(IllegalPlay, match=r"could be 24/18\*/13 or 24/19\*/13"):
        find_play(parse_position(TWO_BLOTS), (6, 5), "24/13")


@pytest.mark.parametrize(
    ("position", "dice", "text", "reason"),
    [
        (START, (3, 1), "7/4 6/5", "7 is not held by the player"),
        (START, (6, 6), "24/18(3)", "moves 3 checkers from 24, where only 2 stand"),
        (START, (3, 1), "13/12 8/5", "12 is held by the opponent"),
        (START, (6, 5), "24/19/13", "19 is held by the opponent"),
        (START, (5, 5), "24/14", "19 is held by the opponent"),
        ("x 24:2; o 18:2 19:2", (6, 5), "24/13", "19 and 18 are both held by the opponent"),
        (START, (3, 1), "24/21(2)", "uses a 3 more than once"),
        (START, (6, 5), "24/12", "is 12 pips, which 6 and 5 do not make"),
        (START, (2, 1), "13/10 6/5", "more than 2 and 1 allow"),
        (START, (3, 3), "24/18", "plays 2 of the four 3s, but 4 can be played"),
        (START, (3, 1), "-", "can be played, so the turn cannot be passed"),
        ("x 6:5 bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2", (6, 5), "6/1", "no checker can move"),
        ("x 6:5 8:1 bar:2; o 1:2", (6, 3), "bar/19 8/5", "on the bar must enter"),
        ("x bar:1; o 16:2", (6, 3), "bar/22", "must be the larger, as in bar/19"),
        ("x 3:1 5:1 6:1 8:1; o 24:2", (5, 1), "5/off 6/5", "outside the home board, on 8"),
        ("x 1:3 3:1 5:1 6:1; o 24:2", (4, 1), "3/off 6/5", "3/off needs an exact die"),
    ],
)
def test_an_illegal_play_is_refused_with_the_rule_it_breaks(position, dice, text, reason):
    with pytest.raises(IllegalPlay, match=reason):
        find_play(parse_position(position), dice, text)


@pytest.mark.parametrize(("rules", "reason"), [("takhteh", "land on its own side"), ("tavla", "move again")])
def test_the_rule_on_hitting_at_home_is_named(rules, reason):
    board = parse_position("x 1:2 5:1 6:3; o 2:1 24:2")
    assert find_play(board, (3, 1), "5/2*/1")[0] == Play.parse("5/2*/1")
    with pytest.raises(IllegalPlay, match=f"under {rules} rules .* may not {reason}"):
        find_play(board, (3, 1), "5/2*/1", rules)


def test_no_legal_play_leads_to_an_unreachable_board():
    with pytest.raises(IllegalPlay, match="no legal play of 3 and 1"):
        play_between(parse_position(START), parse_position(START), (3, 1))


def test_bad_boards_and_dice_are_named():
    with pytest.raises(InvalidDice):
        legal_plays(parse_position(START), (7, 1))
    with pytest.raises(InvalidPosition):
        find_play([0] * 26, (3, 1), "8/5 6/5")
