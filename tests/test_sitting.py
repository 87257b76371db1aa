"""A person and a bot at a table: whole matches by random clicks, and the rules of what may be done when."""

import json
import random

import pytest
from clicks import ToldHead, click, judging_head, play_out, sit
from fakes import RaceEvaluator
from hypothesis import given, settings
from hypothesis import strategies as st

from nardzero.game.errors import IllegalPlay, InvalidInput
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.game.position import CHECKERS
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.play.sitting import flow
from nardzero.play.sitting.flow import NotNow
from nardzero.play.sitting.setup import start_at
from nardzero.play.sitting.sitting import Sitting
from nardzero.play.sitting.snapshot import snapshot


def codes(sitting):
    return [event.code for event in sitting.table.log.events]


def events(sitting, code):
    return [event.facts for event in sitting.table.log.events if event.code == code]


def at(text, head, length=0, **settings):
    """A sitting that goes on from a position, with the person on roll as x."""
    terms = flow.start(head.rules, length, settings.pop("jacoby", False), settings.pop("beavers", False))
    return Sitting(start_at(text, terms, head.rules), head.rules, head, goes_on=True, **settings)


@pytest.mark.parametrize("length", [0, 1, 3])
@pytest.mark.parametrize("rules", RULESETS)
def test_whole_matches_are_played_by_clicking(rules, length):
    sitting = sit(ToldHead(rules, doubles=True), length, seed=length, jacoby=True, beavers=True)
    play_out(sitting, random.Random(length), games=3)
    scored = [(result.score_x, result.score_o) for result in sitting.table.sheet]
    assert scored == sorted(scored)
    if length:
        assert sitting.phase == "finished"
        assert max(scored[-1]) >= length > max([*(max(score) for score in scored[:-1]), 0])


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(RULESETS)), st.sampled_from([0, 1, 2, 5]), st.booleans())
def test_what_is_shown_is_always_consistent(seed, rules, length, doubles):
    person = random.Random(seed)
    head = ToldHead(rules, doubles, person.choice(["take", "pass", "beaver"]) if length == 0 else "take")
    sitting = sit(head, length, seed, beavers=True)
    for _ in range(150):
        if sitting.phase == "finished":
            break
        last = sitting.table.log.last
        click(sitting, person)
        view = snapshot(sitting)
        json.dumps(view)
        board = view["board"]
        assert sum(max(held, 0) for held in board) + view["off"]["you"] == CHECKERS
        assert sum(max(-held, 0) for held in board) + view["off"]["bot"] == CHECKERS
        assert ("step" in view["actions"]) == bool(view["moves"])
        assert (view["phase"] == "play") == (view["dice"] is not None)
        numbers = [event.number for event in sitting.table.log.since(last)]
        assert numbers == sorted(numbers)
        assert sitting.table.log.last >= last
        if view["cube"]:
            assert view["cube"]["value"] <= 64


def test_the_same_seed_and_clicks_give_the_same_match():
    def told(seed):
        sitting = sit(ToldHead(), 3, seed)
        play_out(sitting, random.Random(4))
        return list(sitting.table.sheet), [game.actions for game in sitting.table.games]

    assert told(1) == told(1) != told(2)


def test_the_higher_die_opens_and_plays_both():
    openers = set()
    for seed in range(40):
        sitting = sit(ToldHead(), seed=seed)
        sitting.roll()
        *ties, last = events(sitting, "opening")
        assert all(tie["you"] == tie["bot"] and tie["first"] is None for tie in ties)
        assert last["first"] == ("you" if last["you"] > last["bot"] else "bot")
        openers.add(last["first"])
        if last["first"] == "you":
            assert sorted(snapshot(sitting)["dice"]["rolled"]) == sorted((last["you"], last["bot"]))
        else:
            assert sorted(events(sitting, "moved")[0]["dice"]) == sorted((last["you"], last["bot"]))
            assert sitting.phase == "roll"
    assert openers == {"you", "bot"}


def test_by_tavla_rules_the_opener_throws_again():
    for seed in range(20):
        sitting = sit(ToldHead("tavla"), seed=seed)
        sitting.roll()
        if events(sitting, "opening")[-1]["first"] == "you":
            assert (sitting.phase, sitting.hand) == ("roll", None)
        else:
            assert "rolled" in codes(sitting)


def test_what_is_not_possible_now_is_refused_and_changes_nothing():
    sitting = at("4HPwATDgc/ABMA", ToldHead())
    before = snapshot(sitting)
    for action in (sitting.done, sitting.undo, sitting.swap, sitting.next, lambda: sitting.step(8)):
        with pytest.raises(NotNow, match="not possible now: it is your turn to roll"):
            action()
    with pytest.raises(NotNow):
        sitting.answer("take")
    assert snapshot(sitting) == before
    sitting.roll()
    with pytest.raises(NotNow, match="you have dice to play"):
        sitting.double()


def test_an_illegal_step_is_refused_with_a_sentence():
    sitting = at("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ToldHead())
    with pytest.raises(IllegalPlay, match="no checker on 7"):
        sitting.step(7)
    with pytest.raises(IllegalPlay, match="2 more dice have to be played"):
        sitting.done()


def test_a_play_stands_once_the_dice_are_picked_up():
    sitting = at("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ToldHead())
    sitting.step(8)
    sitting.step(6)
    assert "done" in sitting.actions
    sitting.done()
    moved = events(sitting, "moved")[0]
    assert (moved["player"], moved["play"], moved["dice"]) == ("you", "8/5 6/5", (3, 1))
    assert [event["player"] for event in events(sitting, "rolled")] == ["bot"]
    assert sitting.phase == "roll"
    with pytest.raises(NotNow):
        sitting.undo()


CLOSED = "x bar:1 6:14; o 24:2 23:2 22:2 21:2 20:2 19:2 13:3"


def test_a_dance_is_told_and_passes_the_turn():
    sitting = at(CLOSED, ToldHead())
    sitting.roll()
    assert codes(sitting)[1:3] == ["rolled", "dance"]
    assert events(sitting, "dance")[0]["player"] == "you"
    assert "moved" in codes(sitting)
    assert sitting.phase == "roll"


def test_a_forced_play_is_told():
    state = MatchState(parse_position("x 2:1; o 24:2 23:5"), dice=(6, 5))
    sitting = Sitting(state, RULESETS["standard"], ToldHead(), goes_on=True)
    assert events(sitting, "forced") == [{"player": "you"}]
    assert snapshot(sitting)["forced"]


def test_a_cube_that_is_taken_belongs_to_the_taker():
    sitting = at("4HPwATDgc/ABMA", ToldHead(says="take"))
    sitting.double()
    assert codes(sitting)[1:] == ["doubled", "took"]
    cube = snapshot(sitting)["cube"]
    assert (cube["value"], cube["owner"]) == (2, "bot")
    assert "double" not in sitting.actions
    assert sitting.phase == "roll"


def test_a_double_that_is_passed_ends_the_game_at_what_the_cube_was():
    sitting = at("4HPwATDgc/ABMA", ToldHead(says="pass"))
    sitting.double()
    (result,) = sitting.table.sheet
    assert (result.winner, result.how, result.points) == ("x", "pass", 1)
    assert sitting.phase == "over"
    sitting.next()
    assert sitting.phase == "opening"
    assert snapshot(sitting)["score"] == {"you": 1, "bot": 0}


def bot_doubles(head, **settings):
    """A sitting in which the bot has doubled."""
    sitting = at("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", head, **settings)
    sitting.step(8)
    sitting.step(6)
    sitting.done()
    assert sitting.phase == "answer"
    return sitting


def test_the_bot_doubles_and_waits_for_the_answer():
    sitting = bot_doubles(ToldHead(doubles=True))
    assert snapshot(sitting)["cube"]["offered"] == {"by": "bot", "kind": "double", "value": 2}
    assert {"take", "pass"} <= set(sitting.actions)
    assert "beaver" not in sitting.actions
    sitting.answer("take")
    assert codes(sitting)[-3:] == ["took", "rolled", "moved"]
    cube = snapshot(sitting)["cube"]
    assert (cube["value"], cube["owner"], cube["offered"]) == (2, "you", None)
    assert "double" in sitting.actions


def test_passing_the_bots_double_loses_what_the_cube_was():
    sitting = bot_doubles(ToldHead(doubles=True))
    sitting.answer("pass")
    (result,) = sitting.table.sheet
    assert (result.winner, result.how, result.points) == ("o", "pass", 1)
    assert snapshot(sitting)["cube"]["offered"] is None


def test_a_beaver_turns_the_cube_once_more_and_keeps_it():
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
    head = ToldHead(doubles=True)
    sitting = at(xgid, head)
    sitting.step(8)
    sitting.step(6)
    sitting.done()
    assert "beaver" in sitting.actions
    sitting.answer("beaver")
    assert [code for code in codes(sitting) if code in ("beavered", "took")] == ["beavered", "took"]
    cube = snapshot(sitting)["cube"]
    assert (cube["value"], cube["owner"]) == (4, "you")


@pytest.mark.parametrize(("answer", "points", "value"), [("take", None, 4), ("pass", -2, 2)])
def test_the_bots_beaver_is_answered(answer, points, value):
    sitting = at("4HPwATDgc/ABMA", ToldHead(says="beaver"), beavers=True)
    sitting.double()
    assert sitting.phase == "answer"
    assert snapshot(sitting)["cube"]["offered"] == {"by": "bot", "kind": "beaver", "value": 4}
    assert "beaver" not in sitting.actions
    sitting.answer(answer)
    assert snapshot(sitting)["cube"]["value"] == value
    if points:
        assert (sitting.table.sheet[0].winner, sitting.table.sheet[0].points) == ("o", 2)
    else:
        assert sitting.phase == "roll"
        assert snapshot(sitting)["cube"]["owner"] == "bot"


GAMMONED = "x 13:15; o 24:1"  # o bears off his last checker next turn and wins a gammon


@pytest.mark.parametrize(
    ("jacoby", "cube", "owner", "points"), [(True, 0, 0, 1), (False, 0, 0, 2), (True, 1, 1, 4)]
)
def test_by_the_jacoby_rule_gammons_count_once_the_cube_was_turned(jacoby, cube, owner, points):
    state = MatchState(
        parse_position(GAMMONED),
        cube=2**cube,
        cube_owner="x" if owner else None,
        jacoby=jacoby,
        dice=(2, 1),
    )
    sitting = Sitting(state, RULESETS["standard"], ToldHead(), goes_on=True)
    while sitting.phase == "play":
        if sitting.hand.complete:
            sitting.done()
        else:
            move = sitting.hand.moves()[0]
            sitting.step(move.source, move.target)
    (result,) = sitting.table.sheet
    assert (result.winner, result.how, result.points) == ("o", "off", points)


def test_the_first_game_at_a_point_from_the_match_is_the_crawford_game():
    sitting = sit(ToldHead(says="pass"), length=3)
    crawford = []
    for _ in range(3):
        crawford.append(sitting.state.crawford)
        while sitting.phase == "opening":
            sitting.roll()
        while sitting.phase == "play":
            move = next(iter(sitting.hand.moves()), None)
            sitting.step(move.source, move.target) if move else sitting.done()
        assert sitting.phase == "roll"
        assert ("double" in sitting.actions) == (not sitting.state.crawford)
        if sitting.state.crawford:
            sitting.resign("single")
        else:
            sitting.double()
        if sitting.phase == "over":
            sitting.next()
    # 1-0, 2-0: the Crawford game, which is resigned: 2-1, and the cube is back.
    assert crawford == [False, False, True]
    assert not sitting.state.crawford
    assert snapshot(sitting)["score"] == {"you": 2, "bot": 1}


def test_nobody_doubles_in_a_match_to_one_point():
    sitting = sit(ToldHead(doubles=True), length=1)
    person = random.Random(0)
    while sitting.phase not in ("over", "finished"):
        assert "double" not in sitting.actions
        click(sitting, person)
    assert sitting.phase == "finished"
    assert sitting.actions == []


def test_the_bot_lets_one_resign_only_for_what_it_can_hope_for():
    # The judge sees one win in four as a gammon, so a lost position costs 1.35 points.
    behind = at("x 24:2 23:2 22:2 13:9; o 19:5 20:5 21:5", judging_head(RaceEvaluator()))
    behind.resign("single")
    assert events(behind, "resignation") == [{"player": "you", "kind": "single", "accepted": False}]
    assert behind.phase == "roll"
    behind.resign("gammon")
    assert behind.phase == "over"
    assert (behind.table.sheet[0].points, behind.table.sheet[0].how) == (2, "resign")


def test_the_bot_doubles_and_answers_by_its_judgement():
    winning = "x 6:2; o 1:13 2:2"
    sitting = at(winning, judging_head(RaceEvaluator()))
    sitting.double()
    assert "passed" in codes(sitting)
    even = at("4HPwATDgc/ABMA", judging_head(RaceEvaluator()))
    even.double()
    assert "took" in codes(even)


def test_without_a_cube_nobody_doubles():
    sitting = sit(ToldHead("tavla", doubles=True), length=0)
    person = random.Random(3)
    for _ in range(60):
        click(sitting, person, resigns=0)
        assert not {"double", "take"} & set(sitting.actions)
        assert snapshot(sitting)["cube"] is None


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "play"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:5:10", "roll"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:5:10", "answer"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:0:5:10", "roll"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:5:10", "roll"),
    ],
)
def test_a_sitting_goes_on_from_any_moment(text, phase):
    assert at(text, ToldHead()).phase == phase


def test_a_pasted_id_brings_score_and_length_and_a_bare_one_takes_those_asked_for():
    sitting = at("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:7:10", ToldHead(), length=3)
    view = snapshot(sitting)
    assert (view["length"], view["score"], view["cube"]["owner"]) == (7, {"you": 2, "bot": 1}, "you")
    assert snapshot(at("4HPwATDgc/ABMA", ToldHead(), length=3))["length"] == 3


def test_one_may_take_the_other_side_of_a_pasted_position():
    rules = RULESETS["standard"]
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"
    swapped = start_at(text, flow.start(rules, 0), rules, swap=True)
    assert (swapped.on_roll, swapped.score_x, swapped.score_o) == ("o", 1, 2)


@pytest.mark.parametrize(
    "text", ["x; o 3:15", "cAkAAAAAAAAA", "nonsense", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:99:10"]
)
def test_moments_from_which_no_game_goes_on_are_refused(text):
    with pytest.raises(InvalidInput, match=r"\w+ \w+ \w+"):
        at(text, ToldHead())


def test_the_ids_shown_lead_back_to_the_same_moment():
    sitting = at("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:7:6", ToldHead())
    shown = snapshot(sitting)["ids"]
    for text in shown.values():
        state = parse_state(text)
        assert state.board.tolist() == sitting.state.board.tolist()
        assert (state.score_x, state.length, state.cube, state.cube_owner) == (2, 7, 2, "x")
    sitting.step(8)
    assert snapshot(sitting)["ids"] == shown
