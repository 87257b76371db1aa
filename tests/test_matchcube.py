"""The cube at a score, where the right answer is known by hand."""

from dataclasses import dataclass

import numpy as np
import pytest
from fakes import RaceEvaluator

import nardzero as nz
from nardzero.game.matchstate import MatchState
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.cube import cube
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED
from nardzero.judge.matchcube import MatchCube
from nardzero.judge.met.table import InvalidTable
from nardzero.judge.met.xmlfile import shipped_table
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.scores import Scores
from nardzero.judge.standing import AFTER, BEFORE, CRAWFORD, Standing
from nardzero.model.evaluator import after_probs

STANDARD, TABLE = RULESETS["standard"], shipped_table()
START = nz.Board().position


@dataclass
class Sure:
    """An evaluator that gives every position the same chances."""

    win: float
    gammons: float = 0

    def evaluate(self, boards: Boards) -> Probs:
        won, lost = self.win, 1 - self.win
        row = [
            0,
            won * self.gammons,
            won * (1 - self.gammons),
            lost * (1 - self.gammons),
            lost * self.gammons,
            0,
        ]
        return np.tile(np.array(row, np.float32), (len(boards), 1))


def at(away: int, other: int, length: int = 9, **fields) -> MatchState:
    """The start position at a score."""
    return MatchState(START, length=length, score_x=length - away, score_o=length - other, **fields)


def match_cube(win: float, standing: Standing) -> MatchCube:
    return MatchCube(Scores(standing, TABLE, STANDARD), Sure(win).evaluate(START[None]))


def standing(away: int, other: int, cube: int = 1, place: int = CENTRED, phase: int = BEFORE) -> Standing:
    arrays = (np.array([value]) for value in (cube, place, away, other, phase))
    return Standing(*arrays, length=25)


def test_two_away_both_everything_hangs_on_the_next_game():
    """Once doubled, the game is the match: what is taken is the chance to win it."""
    found = cube(at(2, 2), Sure(0.6))
    assert found.mwc.double_take == pytest.approx(0.6, abs=1e-6)
    assert found.mwc.double_pass == pytest.approx(TABLE.mwc(1, 2))
    assert found.action == "Double, take"
    assert cube(at(2, 2), Sure(0.49)).action == "No double, take"
    assert cube(at(2, 2), Sure(0.75)).action == "Double, pass"


def test_equal_scores_are_seen_alike_by_both():
    mine, theirs = (cube(at(5, 5, on_roll=who), Sure(0.7, 0.2)) for who in ("x", "o"))
    assert mine == theirs
    assert cube(at(3, 6), Sure(0.7)) == cube(at(6, 3, on_roll="o"), Sure(0.7))


def test_the_chances_of_both_sides_add_up_to_one():
    """A double that was taken, seen by the one and by the other."""
    x = np.full((1, 3), 0.6)
    for away, other in ((3, 7), (7, 3), (5, 5), (9, 2)):
        mine = match_cube(0.55, standing(away, other, 2, OPPONENTS)).no_double(x)
        theirs = match_cube(0.45, standing(other, away, 2, OWNED)).no_double(x)
        assert mine + theirs == pytest.approx(1)
        taken = match_cube(0.55, standing(away, other)).double_take(x)
        assert taken == pytest.approx(match_cube(0.55, standing(away, other, 2, OPPONENTS)).no_double(x))


@pytest.mark.parametrize("phase", [CRAWFORD, BEFORE])
def test_a_dead_cube_makes_the_match_of_the_game(phase):
    """By hand: half of 2 away against 5 and half of 4 away against 3; in the Crawford game nobody doubles."""
    away, other = (1, 4) if phase == CRAWFORD else (3, 4)
    game = standing(away, other, phase=phase)
    after = phase == CRAWFORD
    by_hand = 0.3 * TABLE.mwc(away - 1, other, after) + 0.7 * TABLE.mwc(away, other - 1, after)
    assert match_cube(0.3, game).no_double(np.zeros((1, 3))) == pytest.approx(by_hand)
    if phase == CRAWFORD:
        assert match_cube(0.3, game).no_double(np.ones((1, 3))) == pytest.approx(by_hand)


def test_in_money_like_scores_the_points_are_those_of_money():
    """Far from the end the live cube is cashed at about four fifths, as for money."""
    long_match = standing(25, 25)
    found = match_cube(0.8, long_match)
    assert found.no_double(np.ones((1, 3))) == pytest.approx(TABLE.mwc(24, 25), abs=0.01)


@pytest.mark.parametrize("away", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("win", [0.2, 0.5, 0.6])
def test_after_the_crawford_game_who_trails_doubles_at_once(away, win):
    for efficiency in (None, 0.3, 0.8, 1 if win <= 0.5 else 0):
        found = cube(at(away, 1), Sure(win, 0.25), efficiency=efficiency)
        assert found.doubles


def test_who_leads_passes_for_free_at_an_even_number_of_points():
    """Two away: 2 points or 1 make no difference to who trails, so a pass costs nothing and a take may."""
    assert cube(at(2, 1), Sure(0.52)).action == "Double, pass"
    assert cube(at(3, 1), Sure(0.52)).action == "Double, take"


def test_who_cannot_lose_more_redoubles_at_once():
    """At 2 away against 4 a double makes the cube 2: the opponent turns it to 4 whatever happens, so taking
    makes the game the match."""
    found = cube(at(2, 4), Sure(0.7), efficiency=0.68)
    assert found.mwc.double_take == pytest.approx(0.7, abs=1e-6)


def test_the_last_roll_is_exact_at_a_score():
    """X bears off with 19 of 36 rolls; else O does."""
    ending = parse_position("x 2:1 5:1; o 24:1")
    win = 19 / 36
    chances = [win * TABLE.mwc(4 - value, 2) + (1 - win) * TABLE.mwc(4, 2 - value) for value in (1, 2)]
    for bot in (RaceEvaluator(), nz.load("standard")):
        found = cube(MatchState(ending, length=7, score_x=3, score_o=5), nz.BearoffEvaluator(bot))
        assert found.mwc[:2] == pytest.approx(chances, abs=1e-5)


def test_efficiency_is_between_dead_and_live():
    game = standing(4, 6)
    dead, half, live = (match_cube(0.65, game).no_double(np.full((1, 3), x)) for x in (0, 0.5, 1))
    assert half == pytest.approx((dead + live) / 2)
    assert live > dead


def test_emg_is_one_for_a_game_won_and_minus_one_for_a_game_lost():
    found = cube(at(4, 6), Sure(0.6))
    assert found.double_pass == pytest.approx(1)
    scores = Scores(standing(4, 6, 2, OWNED), TABLE, STANDARD)
    assert scores.payoffs()[0, [2, 3]] == pytest.approx([1, -1])


def test_a_match_longer_than_the_table_is_refused():
    with pytest.raises(InvalidTable, match="25 points away"):
        cube(MatchState(START, length=31), Sure(0.5))


def test_plays_at_the_last_point_are_ranked_by_the_chance_to_win():
    judge = ScoreJudge(RaceEvaluator(), STANDARD)
    texts = ("x 6:9; o 24:8", "x 6:8; o 19:9", "x 3:7; o 24:7")
    after = np.stack([parse_position(text) for text in texts])
    last = Standing.of(at(1, 1), STANDARD).take(np.zeros(3, np.int64))
    probs = after_probs(RaceEvaluator(), after)
    found = judge.after(after, probs, last, np.full((3, 3), 0.7))
    assert found == pytest.approx(probs[:, :3].sum(1), abs=1e-6)


def test_a_gammon_is_worth_what_it_does_to_the_score():
    """To who needs a single point a gammon brings no more, and to who needs four it brings two."""
    pays = Scores(standing(1, 4, phase=CRAWFORD), TABLE, STANDARD).payoffs()[0]
    assert pays[0] == pytest.approx(pays[2])
    assert pays[4] < pays[3]


def test_by_the_jacoby_rule_gammons_do_not_count_before_the_cube_is_turned():
    judge = ScoreJudge(Sure(0.5, 0.5), STANDARD)
    centred, owned = Standing.money(1, jacoby=True), Standing.money(1, jacoby=True).doubled()
    assert judge.payoffs(centred)[0].tolist() == [1, 1, 1, -1, -1, -1]
    assert judge.payoffs(owned)[0].tolist() == [3, 2, 1, -1, -2, -3]
    won = parse_position("x; o 13:15")[None]
    probs, x = after_probs(Sure(0.5), won), np.full((1, 3), 0.7)
    assert judge.after(won, probs, centred, x) == 1
    assert judge.after(won, probs, owned, x) == 2


def test_at_its_limit_the_cube_is_worth_what_the_game_is():
    judge = ScoreJudge(Sure(0.6), STANDARD)
    money = Standing.money(1, limit=2)
    values = judge.values(judge.look(START[None]), money)
    assert values.double_take == pytest.approx(0.4, abs=1e-6)
    full = judge.values(judge.look(START[None]), money.doubled())
    assert full.no_double == pytest.approx(0.2, abs=1e-6)


def test_a_score_is_read_from_the_side_on_roll():
    state = MatchState(START, on_roll="o", length=7, score_x=2, score_o=6, cube=1)
    seen = Standing.of(state, STANDARD)
    assert (seen.away[0], seen.other[0], seen.phase[0]) == (1, 5, AFTER)
    turned = seen.turned()
    assert (turned.away[0], turned.other[0]) == (5, 1)
    assert seen.dead[0]
    assert turned.may_double[0]


def test_an_ending_after_a_play_is_exact():
    """The opponent bears off with 27 of 36 rolls, and may have doubled: with his cube he would, to win 1."""
    judge = ScoreJudge(nz.BearoffEvaluator(RaceEvaluator()), STANDARD)
    after = parse_position("x 1:1; o 19:1")[None]
    probs, x = after_probs(RaceEvaluator(), after), np.full((1, 3), 0.7)
    money = Standing.money(1)
    assert judge.after(after, probs, money, x) == pytest.approx(-1)
    assert judge.after(after, probs, money.doubled().turned(), x) == pytest.approx(-0.5)
