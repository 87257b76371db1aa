"""What games are worth with the cube, and what they make of the score."""

import pytest
from cases import board as both_sides
from cases import cases

from nardzero.game.board import Board
from nardzero.game.matchstate import MatchState
from nardzero.game.result import NoResult, highest_resignation, result
from nardzero.game.text import parse_position

RESULTS = {case.id: case.values for case in cases("judgement", "result")}
BACKGAMMON = parse_position("x; o 3:15")
GAMMON = parse_position("x; o 13:15")


@pytest.mark.parametrize("name", [name for name in RESULTS if "loser_board" in RESULTS[name][0]])
def test_recorded_points(name):
    given, expected = RESULTS[name]
    loser = {k: v for k, v in given["loser_board"].items() if k not in ("mover_numbering", "off")}
    cube, jacoby = given["cube"], "jacoby" in name
    state = MatchState(both_sides({}, loser), cube=cube, cube_owner="x" if cube > 1 else None, jacoby=jacoby)
    assert result(state).points == expected["points"]


def test_a_passed_double_costs_the_cube_as_it_was():
    given, expected = RESULTS["R09-drop"]
    start = Board().position
    state = MatchState(start, cube=given["cube_before"], cube_owner="x", offered="double", game="dropped")
    found = result(state)
    assert (found.winner, found.points, found.kind) == ("x", expected["points"], "single")


def test_points_beyond_the_match_are_kept():
    given, expected = RESULTS["R13-match-overshoot"]
    x, o = given["score"]
    found = result(MatchState(BACKGAMMON, length=given["length"], score_x=x, score_o=o))
    assert list(found.score) == expected["new_score"]
    assert found.match_over == expected["match_over"]
    assert str(found) == expected["text"]


@pytest.mark.parametrize(
    ("state", "winner", "points", "text"),
    [
        (MatchState(GAMMON), "x", 2, "Wins 2 points"),
        (MatchState(GAMMON, on_roll="o"), "o", 2, "Wins 2 points"),
        (MatchState(parse_position("x 13:15; o")), "o", 2, "Wins 2 points"),
        (MatchState(GAMMON, jacoby=True), "x", 1, "Wins 1 point"),
        (MatchState(GAMMON, jacoby=True, cube=2, cube_owner="o"), "x", 4, "Wins 4 points"),
        (MatchState(GAMMON, jacoby=True, length=5), "x", 2, "Wins 2 points"),
        (MatchState(GAMMON, length=5, score_x=2, cube=2), "x", 4, "Wins 4 points and the match"),
        (MatchState(GAMMON, length=5, score_o=3), "x", 2, "Wins 2 points"),
    ],
)
def test_what_games_are_worth(state, winner, points, text):
    found = result(state)
    assert (found.winner, found.points, str(found)) == (winner, points, text)
    assert found.score[winner == "o"] == (state.score_o if winner == "o" else state.score_x) + points


def test_a_game_that_goes_on_has_no_result():
    with pytest.raises(NoResult, match="not over"):
        result(MatchState(Board().position))


def test_who_has_borne_off_cannot_be_asked_for_a_gammon():
    (case,) = cases("judgement", "resign")
    given, expected = case.values
    loser = both_sides({"6": 15 - given["loser_off"]}, {"1": 2})
    assert expected["max_resign"] == "normal"
    assert highest_resignation(loser) == "single"


@pytest.mark.parametrize(
    ("loser", "kind"),
    [
        ("x 6:15; o 24:2", "gammon"),
        ("x 20:1 6:14; o 21:2", "backgammon"),
        ("x 6:15; o 1:2", "backgammon"),
        ("x bar:1 6:14; o 22:2", "backgammon"),
        ("x bar:1 6:13; o 22:2", "single"),
    ],
)
def test_the_most_that_can_be_resigned(loser, kind):
    assert highest_resignation(parse_position(loser)) == kind
