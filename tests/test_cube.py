"""The cube in money games: the formula, the decision, and cases with known answers at any score."""

import json

import numpy as np
import pytest
from cases import cases
from fakes import RaceEvaluator

import nardzero as nz
from nardzero.cli.main import main
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.cube import CubeDecision, NoCubeAction, cube
from nardzero.judge.janowski import Stakes, efficiency_of, janowski
from nardzero.judge.lookahead import Lookahead

POINTS = RULESETS["standard"].points
RECORDED = cases("judgement", "cube")
MONEY = [case for case in RECORDED if ":0:10" in case.values[0].get("xgid", "")]
REFUSED = ("do not own the cube", "cube is dead")
LAST = [case for case in MONEY if case.values[0]["xgid"].count("-") > 23]
EXACT = BearoffEvaluator(RaceEvaluator())


def race(*wins: float) -> Stakes:
    """Chances to win where there are no gammons."""
    probs = np.array([[0, 0, win, 1 - win, 0, 0] for win in wins], np.float32)
    return Stakes.of(probs, POINTS)


def test_a_live_cube_is_cashed_at_four_fifths():
    centred, owned, opponents = janowski(race(0.2, 0.5, 0.8, 0.9), 1).T
    assert centred == pytest.approx([-1, 0, 1, 1])
    assert owned == pytest.approx([-0.5, 0.25, 1, 1])
    assert opponents == pytest.approx([-1, -0.25, 0.5, 0.75])


def test_a_dead_cube_is_worth_what_the_game_is():
    assert janowski(race(0.3, 0.75), 0) == pytest.approx(np.array([[-0.4] * 3, [0.5] * 3]))


def test_gammons_move_the_points_at_which_a_live_cube_turns():
    """Half of the games won are gammons: W = 1.5, L = 1; take at 0.5 / 3, cash at 2 / 3."""
    probs = np.array([[0, win / 2, win / 2, 1 - win, 0, 0] for win in (1 / 6, 2 / 3)], np.float32)
    assert janowski(Stakes.of(probs, POINTS), 1)[:, 0] == pytest.approx([-1, 1], abs=1e-5)


def test_under_jacoby_a_centred_cube_counts_gammons_once():
    probs = np.array([[0, 0.4, 0.3, 0.2, 0.1, 0]], np.float32)
    stakes = Stakes.of(probs, POINTS)
    assert janowski(stakes, 0, jacoby=True)[0] == pytest.approx([0.4, 1.1 - 0.4, 0.7], abs=1e-5)
    assert janowski(stakes, 1, jacoby=True)[0, 0] <= 1


def test_the_efficiency_can_be_read_off_again():
    stakes = race(0.3, 0.55, 0.7)
    found = efficiency_of(stakes, janowski(stakes, [0.5, 0.6, 0.7]))
    assert found[:, 1] == pytest.approx([0.5, 0.6, 0.7], abs=1e-4)
    assert np.isnan(efficiency_of(race(0.5), janowski(race(0.5), 0.5))[0, 0])


@pytest.mark.parametrize(
    ("decision", "action", "equity"),
    [
        (CubeDecision(0.1, -0.2), "No double, take", 0.1),
        (CubeDecision(0.5, 0.6), "Double, take", 0.6),
        (CubeDecision(0.8, 1.2), "Double, pass", 1),
        (CubeDecision(1.1, 1.8, redouble=True), "Too good to redouble, pass", 1.1),
        (CubeDecision(-0.1, -0.2, beavers=True), "No double, beaver", -0.1),
        (CubeDecision(-0.5, -0.2, beavers=True), "Double, beaver", -0.4),
        (CubeDecision(0.5, 1.0, redouble=True), "Redouble, take", 1),
        (CubeDecision(1.2, 0.9), "Too good to double, take", 1.2),
    ],
)
def test_actions_are_said_as_players_say_them(decision, action, equity):
    assert decision.action == action
    assert decision.equity == pytest.approx(equity)
    assert decision.doubles == (not action.startswith(("No", "Too")))


@pytest.mark.parametrize("ply", [0, 1])
@pytest.mark.parametrize(("given", "expected"), RECORDED)
def test_recorded_verdicts(given, expected, ply):
    state = parse_state(given.get("xgid") or given["gnubg_id"])
    bot = nz.BearoffEvaluator(nz.load("standard"))
    if expected["verdict"] in REFUSED:
        with pytest.raises(NoCubeAction, match=expected["verdict"]):
            cube(state, bot, ply=ply)
        return
    assert cube(state, bot, ply=ply).action in [expected["verdict"], *expected["also_accept"]]


@pytest.mark.parametrize(("given", "expected"), LAST)
def test_equities_of_the_last_rolls_are_exact(given, expected):
    found = cube(parse_state(given["xgid"]), EXACT)
    known = expected["gnubg_2ply"]["equities"]
    if known:
        assert found.no_double == pytest.approx(known["no double"], abs=6e-4)
        assert found.double_take == pytest.approx(known["double, take"], abs=6e-4)


def test_looking_ahead_agrees_with_the_exact_table():
    texts = ("x 6:1 5:2; o 22:1 20:2", "x 4:2; o 23:1 19:1", "x 1:1; o 24:1")
    boards = np.stack([parse_position(text) for text in texts])
    for ply in (1, 2):
        ahead = Lookahead(EXACT, ply, RULESETS["standard"])
        assert ahead.cubeful(boards) == pytest.approx(EXACT.cubeful(boards), abs=2e-3)
    assert Lookahead(RaceEvaluator(), 1, RULESETS["standard"]).cubeful(boards) is None


def test_who_may_not_double_is_told():
    start = nz.Board().position
    for state, said in (
        (MatchState(start, cube=2, cube_owner="o"), "do not own"),
        (MatchState(start, dice=(3, 1)), "before the roll"),
        (MatchState(start, length=5, score_o=4, crawford=True), "Crawford"),
        (MatchState(start, length=5, score_x=4), "dead"),
        (MatchState(start, length=5, score_x=3, cube=2, cube_owner="x"), "dead"),
        (MatchState(start, cube=1024, cube_owner="x"), "dead"),
    ):
        with pytest.raises(NoCubeAction, match=said):
            cube(state, RaceEvaluator())
    with pytest.raises(NoCubeAction, match="no cube by tavla rules"):
        cube(nz.Board("tavla"), RaceEvaluator())
    for over in ("x; o 24:1", "x 6:3 5:2; o"):
        with pytest.raises(NoCubeAction, match="the game is over"):
            cube(nz.Board.parse(over), RaceEvaluator())


def test_jacoby_changes_nothing_where_nobody_wins_a_gammon():
    ending = parse_position("x 3:1 4:1; o 24:1")
    plain, jacoby = (cube(MatchState(ending, jacoby=on), EXACT) for on in (False, True))
    assert jacoby == plain


def test_the_verb_says_what_to_do(capsys):
    assert main(["cube", MONEY[0].values[0]["xgid"], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["action"] == "No double, take"
    assert told["equity"] == told["no_double"]
    assert main(["cube", "start", "--efficiency", "0"]) == 0
    shown = capsys.readouterr().out
    assert "\nDouble, take" in shown
    assert "efficiency 0" in shown
    assert main(["cube", "start", "--efficiency", "2"]) == 2
    assert "from 0 to 1" in capsys.readouterr().err
