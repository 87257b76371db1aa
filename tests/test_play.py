"""Plays as players write them: what is read, what is equal, how it prints, what it does to a board."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nardzero.game.errors import IllegalPlay
from nardzero.game.play import Play
from nardzero.game.text import format_position, parse_position

HOPS = st.tuples(st.integers(0, 25), st.integers(0, 25)).filter(lambda hop: hop[0] > hop[1])


@st.composite
def any_play(draw):
    hops = draw(st.lists(HOPS, max_size=4))
    landings = sorted({target for _, target in hops if target})
    hits = draw(st.sets(st.sampled_from(landings))) if landings else set()
    return Play(tuple(hops), frozenset(hits))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("8/5 6/5", "6/5 8/5"),
        ("8/5 6/5", "8/5,6/5"),
        ("24/18/14", "24/14"),
        ("24/18/14", "24-14"),
        ("24/18 18/14", "24/14"),
        ("25/20", "bar/20"),
        ("6/0", "6/off"),
        ("BAR/22(2) 6/OFF", "6/off Bar/22 bar/22"),
        ("6/5 (2)", "6/5 6/5"),
        (" 24 / 18* / 14 ", "24/18*/14"),
        ("24/22*/20 24/22", "24/20 24/22*"),
        ("8/5* 6/5", "8/5 6/5*"),
        ("8/5*(2)", "8/5* 8/5*"),
    ],
)
def test_plays_that_do_the_same_are_equal(one, other):
    assert Play.parse(one) == Play.parse(other)
    assert len({Play.parse(one), Play.parse(other)}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("24/18*/14", "24/14"), ("8/5 6/5", "8/5*/4"), ("8/5", "8/5(2)"), ("6/off", "6/1"), ("-", "6/5")],
)
def test_plays_that_do_something_else_differ(one, other):
    assert Play.parse(one) != Play.parse(other)


@pytest.mark.parametrize(
    "text", ["(no play)", "No Play", "dance", "dances", "Cannot Move", "can't  move", "-"]
)
def test_a_dance_is_a_play_without_moves(text):
    assert Play.parse(text) == Play()
    assert str(Play.parse(text)) == "(no play)"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("6/5 8/5", "8/5 6/5"),
        ("24-18-14", "24/14"),
        ("24/18*/14", "24/18*/14"),
        ("8/3 8/7", "8/7 8/3"),
        ("bar/19* bar/19/13 8/2", "bar/19*/13 bar/19 8/2"),
        ("bar/19* bar/19 19/13(2)", "bar/19*/13(2)"),
        ("6/off 6/0", "6/off(2)"),
        ("11/10 11/10 10/9 6/5", "11/9 11/10 6/5"),
    ],
)
def test_it_prints_like_gnu_backgammon(text, printed):
    assert str(Play.parse(text)) == printed
    assert repr(Play.parse(text)) == f"Play({printed!r})"


@settings(derandomize=True, max_examples=300, deadline=None)
@given(any_play())
def test_what_is_printed_reads_back(play):
    assert Play.parse(str(play)) == play


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no move"),
        ("hello", "is no move"),
        ("????", "is no move"),
        ("8", "is no move"),
        ("8/", "is no move"),
        ("8//5", "is no move"),
        ("8*/5", "is no move"),
        ("8/5 6/5 x", "'x' is no move"),
        ("8/5 resigns", "'resigns' is no move"),
        ("8/5(2", "is no move"),
        ("٨/5", "is no move"),
        ("9" * 5000 + "/5", "is no move"),
        (f"8/5({'9' * 5000})", "is no move"),
        ("26/23", "no point 26"),
        ("8/5(0)", "moves 0 checkers"),
        ("8/5(5)", "moves 5 checkers"),
        ("8/7(3) 6/5(2)", "at most 4 moves, not 5"),
        ("5/8", "does not move forward"),
        ("8/8", "does not move forward"),
        ("24/bar", "does not move forward"),
        ("off/6", "does not move forward"),
        ("6/off*", "a hit on off"),
    ],
)
def test_text_that_is_no_play_is_refused_with_a_sentence(text, reason):
    with pytest.raises(IllegalPlay, match=reason):
        Play.parse(text)


@pytest.mark.parametrize(
    ("before", "play", "after"),
    [
        ("x 6:2 8:1; o 5:1", "8/5* 6/5", "x 5:2 6:1; o bar:1"),
        ("x 24:1; o 14:1 18:1", "24/18*/14*", "x 14:1; o bar:2"),
        ("x 6:1 bar:2; o 1:2", "bar/20(2)", "x 6:1 20:2; o 1:2"),
        ("x 2:3 6:1; o 1:2", "6/off 2/off", "x 2:2; o 1:2"),
        ("x 6:1; o 1:2", "(no play)", "x 6:1; o 1:2"),
    ],
)
def test_it_moves_and_hits(before, play, after):
    board = parse_position(before)
    assert format_position(Play.parse(play).apply(board)) == after
    assert format_position(board) == before


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("7/4", "more checkers from 7"),
        ("6/3(3)", "more checkers from 6"),
        ("bar/20", "more checkers from bar"),
        ("6/5*", "nothing can be hit on 5"),
        ("6/2*", "nothing can be hit on 2"),
        ("6/2", "lands on 2, where the opponent stands, without a hit"),
        ("6/1", "lands on 1, where the opponent stands, without a hit"),
    ],
)
def test_it_is_not_applied_to_a_board_it_does_not_fit(play, reason):
    with pytest.raises(IllegalPlay, match=reason):
        Play.parse(play).apply(parse_position("x 6:2; o 1:1 2:2"))


def test_it_cannot_be_changed():
    play = Play.parse("8/5")
    with pytest.raises(AttributeError):
        play.hops = ()
    assert np.array_equal(play.net, [0] * 5 + [1, 0, 0, -1] + [0] * 17)
