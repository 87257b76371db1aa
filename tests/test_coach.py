"""The coach: what a decision gave away, what counts, and the rating."""

import pytest
from clicks import judging_head
from fakes import RaceEvaluator

from nardzero.game.matchstate import MatchState
from nardzero.game.play import Play
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.play.sitting.coach import Tally, Verdict, judge_answer, judge_double, judge_play
from nardzero.play.sitting.head import Head

START = RULESETS["standard"].start_board
HEAD = judging_head(RaceEvaluator())


def at(text, **fields):
    return MatchState(parse_position(text), **fields)


def test_the_best_play_loses_nothing_and_a_worse_one_what_it_is_behind():
    # By the race alone hitting is best: it costs the opponent pips.
    state = at("x 8:2 6:2 24:1; o 5:1 17:5", dice=(3, 1))
    ranked = HEAD.plays(state)
    best = judge_play(HEAD, state, ranked[0].play)
    assert (best.lost, best.grade, best.best) == (0, "fine", str(ranked[0].play))
    worst = judge_play(HEAD, state, ranked[-1].play)
    assert worst.lost == pytest.approx(-ranked[-1].difference, abs=1e-6)
    assert worst.done in {str(play.play) for play in worst.plays}
    assert len(worst.plays) == 5


@pytest.mark.parametrize(
    ("lost", "grade"), [(0, "fine"), (0.019, "fine"), (0.02, "error"), (0.08, "blunder")]
)
def test_classes_begin_where_players_draw_them(lost, grade):
    assert Verdict("play", "8/5 6/5", "13/9", lost, False).grade == grade


def test_the_rating_is_500_times_the_mean_loss_of_what_was_not_forced():
    tally = Tally()
    assert tally.rating is None
    for lost, forced in ((0.0, False), (0.1, False), (0.0, True)):
        tally.add(Verdict("play", "", "", lost, forced))
    assert tally.rating == pytest.approx(500 * 0.1 / 2)
    assert (tally.decisions, tally.errors, tally.blunders) == (2, 0, 1)


def test_a_play_that_was_put_aside_is_looked_at_as_far_as_the_best():
    head = Head(HEAD.agent, HEAD.rules, ply=1)
    state = MatchState(START, dice=(3, 1))
    last = head.plays(state)[-1]
    assert last.ply == 0
    verdict = judge_play(head, state, last.play)
    (made,) = (play for play in verdict.plays if play.play == last.play)
    assert made.ply == 1
    assert made.difference == -verdict.lost


def test_a_play_without_a_choice_is_forced():
    state = at("x 2:1; o 24:2 23:5", dice=(6, 5))
    assert judge_play(HEAD, state, Play.parse("2/off")).forced


def test_doubling_too_early_loses_and_rolling_on_does_not():
    state = MatchState(START)
    doubled, rolled = (judge_double(HEAD, state, choice) for choice in (True, False))
    assert doubled.best == rolled.best == "roll"
    assert doubled.lost == pytest.approx(doubled.cube.no_double - doubled.cube.double_take)
    assert rolled.lost == 0
    assert rolled.forced == (doubled.lost > 0.2)


FAR_AHEAD = "x 6:5 5:5 4:5; o 1:5 2:5 3:5"


@pytest.mark.parametrize("answer", ["take", "pass"])
def test_answers_are_judged_for_him_who_answers(answer):
    state = at(FAR_AHEAD, offered="double")
    verdict = judge_answer(HEAD, state, answer, False)
    assert verdict.best == "pass"
    cost = max(0.0, verdict.cube.double_take - verdict.cube.double_pass) if answer == "take" else 0
    assert verdict.lost == pytest.approx(cost)


def test_a_beaver_is_best_against_a_double_from_behind():
    state = at("x 24:5 23:5 22:5; o 19:5 20:5 21:5", offered="double", beaver=True)
    verdict = judge_answer(HEAD, state, "take", True)
    assert verdict.best == "beaver"
    assert verdict.lost == pytest.approx(-verdict.cube.double_take)


def test_taking_a_beaver_is_weighed_against_the_doubled_cube():
    state = at(FAR_AHEAD, offered="beaver", beaver=True, cube=2, cube_owner="o")
    verdict = judge_answer(HEAD, state, "pass", False)
    assert verdict.best == "take"
    assert verdict.lost == pytest.approx(2 + 2 * verdict.cube.double_take)


def test_gammons_do_not_count_where_one_point_wins_the_match():
    behind = {"dice": None, "length": 5, "score_x": 4, "score_o": 4}
    text = "x 24:2 23:2 22:2 13:9; o 19:5 20:5 21:5"
    assert not HEAD.accepts(at(text), "single")
    assert HEAD.accepts(at(text, **behind), "single")


def test_in_a_match_plays_and_cubes_tell_the_chances_to_win_it():
    state = MatchState(START, dice=(3, 1), length=5, score_x=2, score_o=3)
    assert all(0 < play.mwc < 1 for play in HEAD.plays(state))
    assert HEAD.cube(MatchState(START, length=5, score_x=2, score_o=3)).mwc
