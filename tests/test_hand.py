"""A turn played a checker at a time: it leads to the legal plays, to all of them, and to nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ROLLS, boards, played

from nardzero.game.errors import IllegalPlay
from nardzero.game.outcomes import finished
from nardzero.game.play import Play
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.play.sitting.hand import Hand

START = RULESETS["standard"].start_board


def ends(hand):
    """Every board that some sequence of legal steps leads to, found by clicking through all of them."""
    found, seen = set(), set()

    def explore():
        key = (tuple(hand.board.tolist()), tuple(sorted(hand.left)), hand._moments[-1].markings)
        if key in seen:
            return
        seen.add(key)
        if hand.complete:
            found.add(key[0])
            return
        for move in hand.moves():
            if len(move.steps) == 1:
                hand.step(move.source, move.target)
                explore()
                hand.undo()

    explore()
    return found


@pytest.mark.parametrize("rules", RULESETS)
def test_steps_lead_to_all_legal_plays_and_to_no_other(rules):
    for seed in range(2):
        for number, (board, dice) in enumerate(played(RULESETS[rules], 1, seed)):
            if number % 5 == 0:
                hand = Hand(board, dice, RULESETS[rules])
                assert ends(hand) == {tuple(after) for after in hand.legal.after.tolist()}


@settings(max_examples=60, deadline=None)
@given(boards(), ROLLS, st.sampled_from(sorted(RULESETS)))
def test_any_position_can_be_played_by_steps(board, dice, rules):
    if finished(board) or finished(flip(board)):
        return
    hand = Hand(board, dice, RULESETS[rules])
    for play in list(hand.legal)[:8]:
        hand.follow(play)
        assert hand.complete
        assert hand.play == play


def test_a_tap_uses_the_larger_die_first_and_the_other_after_a_swap():
    hand = Hand(START, (3, 5), RULESETS["standard"])
    assert hand.step(13).target == 8
    hand.undo()
    hand.swap()
    assert hand.left == (3, 5)
    assert hand.step(13).target == 10


def test_a_tap_uses_the_die_that_can_be_played():
    hand = Hand(START, (5, 1), RULESETS["standard"])
    assert hand.step(24).target == 23  # 24/19 is blocked


def test_one_checker_can_be_dragged_by_both_dice():
    hand = Hand(START, (6, 5), RULESETS["standard"])
    move = hand.step(24, 13)
    assert [(step.source, step.target, step.die) for step in move.steps] == [(24, 18, 6), (18, 13, 5)]
    assert hand.complete
    assert hand.play == Play.parse("24/18/13")


def test_doubles_are_four_moves():
    hand = Hand(START, (3, 3), RULESETS["standard"])
    assert hand.left == (3, 3, 3, 3)
    for source in (8, 8, 6, 6):
        assert not hand.complete
        hand.step(source)
    assert hand.complete
    assert hand.play == Play.parse("8/5(2) 6/3(2)")
    assert hand.moves() == []


def test_undo_takes_back_one_step_or_all():
    hand = Hand(START, (3, 1), RULESETS["standard"])
    hand.step(8)
    hand.step(6)
    hand.undo()
    assert [step.source for step in hand.steps] == [8]
    hand.undo(everything=True)
    assert hand.board.tolist() == START.tolist()
    with pytest.raises(IllegalPlay, match="no step to take back"):
        hand.undo()


def test_a_step_that_would_leave_a_die_unplayed_is_refused():
    # 24/18 leaves no 5, since 13 and 5 are blocked; 24/19 leaves 10/4.
    board = parse_position("x 24:1 10:1; o 13:2 5:2")
    hand = Hand(board, (6, 5), RULESETS["standard"])
    with pytest.raises(IllegalPlay, match="too few dice playable"):
        hand.step(24, 18)
    assert hand.step(24).target == 19


REFUSED = {
    "no checker": ("x 6:2; o 24:2", (3, 1), 5, None, "no checker on 5"),
    "bar first": ("x bar:1 6:2; o 24:2", (3, 1), 6, None, "bar must enter"),
    "blocked": ("x 8:2 6:2; o 5:2 24:2", (3, 1), 8, 5, "8/5 cannot be played with 3 and 1"),
    "no such die": ("x 8:2 6:2; o 24:2", (3, 1), 8, 6, "8/6 cannot be played with 3 and 1"),
    "bearing off too soon": ("x 8:2 6:2; o 24:2", (6, 1), 6, 0, "6/off cannot be played"),
}


@pytest.mark.parametrize(("text", "dice", "source", "target", "reason"), REFUSED.values(), ids=REFUSED)
def test_illegal_steps_are_refused_with_the_reason(text, dice, source, target, reason):
    hand = Hand(parse_position(text), dice, RULESETS["standard"])
    with pytest.raises(IllegalPlay, match=reason):
        hand.step(source, target)
    assert hand.steps == ()


def test_nothing_more_can_be_moved_once_everything_is_played():
    hand = Hand(START, (3, 1), RULESETS["standard"])
    hand.follow(Play.parse("8/5 6/5"))
    with pytest.raises(IllegalPlay, match="pick up the dice"):
        hand.step(8)


def test_the_play_is_known_only_when_it_is_complete():
    hand = Hand(START, (3, 1), RULESETS["standard"])
    hand.step(8)
    with pytest.raises(IllegalPlay, match="1 more die has to be played"):
        _ = hand.play


def test_a_dance_is_known_at_once():
    hand = Hand(parse_position("x bar:1 6:14; o 24:2 23:2 22:2 21:2 20:2 19:2"), (6, 5), RULESETS["standard"])
    assert hand.dances
    assert hand.complete
    assert hand.play == Play()


def test_a_checker_that_hit_at_home_may_not_cover_under_takhteh_rules():
    board = parse_position("x 6:1 4:2; o 5:1 24:2")
    free, strict, still = (Hand(board, (1, 1), RULESETS[rules]) for rules in ("standard", "takhteh", "tavla"))
    for hand in (free, strict, still):
        hand.step(6, 5)
    assert 5 in {move.source for move in free.moves()}
    assert 5 not in {move.source for move in still.moves()}
    assert (5, 4) not in {(move.source, move.target) for move in strict.moves()}
