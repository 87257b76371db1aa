"""The shipped bots know what is known: the start, exact endings, and what cannot happen."""

import numpy as np
import pytest
from cases import cases

import nardzero as nz
from nardzero.game.dice import throw
from nardzero.model.store import shipped_bots
from nardzero.play.agents import EvaluatorAgent, Turn


@pytest.fixture(scope="module")
def standard():
    return nz.load("standard")


def test_there_is_a_bot_for_each_way_to_play():
    assert {"standard", "takhteh"} <= set(shipped_bots())
    assert nz.load("takhteh").rules.name == "takhteh"


@pytest.mark.parametrize("name", shipped_bots())
def test_shipped_bots_say_where_they_come_from(name):
    card = nz.load(name).card
    assert card["games"] > 0
    assert card["config"]["selfplay"]["rules"] == card["ruleset"]
    assert card["version"]


@pytest.mark.parametrize("name", shipped_bots())
def test_the_start_position_is_sound(name):
    start = nz.evaluate(nz.Board(nz.load(name).rules), nz.load(name)).cumulative
    assert 0.50 < start.win < 0.55
    assert 0.10 < start.win_gammon < 0.20
    assert 0.10 < start.lose_gammon < 0.20


@pytest.mark.parametrize(("given", "expected"), cases("judgement", "eval"))
def test_recorded_evaluations(standard, given, expected):
    board = nz.Board.from_id(given["gnubg_id"])
    found = nz.evaluate(board, standard).cumulative
    ranges = {"win": found.win, "win_gammon": found.win_gammon, "lose_gammon": found.lose_gammon}
    for name, value in ranges.items():
        if isinstance(expected.get(name), list):
            low, high = expected[name]
            assert low <= value <= high, name
    for name, value in {"win_gammon": found.win_gammon, "win_bg": found.win_backgammon}.items():
        if expected.get(name) == 0:
            assert value == 0, name
    if "lose_gammon_after_any_legal_54" in expected:
        plays = nz.analyse(board, standard, dice=(5, 4))
        assert all(play.cumulative.lose_gammon == 0 for play in plays if nz.off(play.after))


@pytest.mark.parametrize(("given", "expected"), cases("judgement", "eval_exact"))
def test_exact_endings_are_known_roughly(standard, given, expected):
    found = nz.evaluate(nz.Board.from_id(given["position_id"]), standard)
    assert found.cumulative.win == pytest.approx(expected["win_float"], abs=0.12)
    assert found.cumulative.win_gammon == found.cumulative.lose_gammon == expected["gammon"]


@pytest.mark.parametrize(("given", "expected"), cases("judgement", "property"))
def test_positions_are_judged_alike_from_both_sides(standard, given, expected):
    del expected
    board = nz.Board.from_id(given)
    position = board.position[None]
    there = standard.evaluate(position)
    assert np.allclose(standard.evaluate_flipped(nz.flip(position)), there, atol=1e-6)
    assert there.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("dice", "best"),
    [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((5, 3), "8/3 6/3")],
)
def test_undisputed_openings_are_found(standard, dice, best):
    assert nz.analyse(nz.Board(dice=dice), standard)[0].play == nz.Play.parse(best)


def test_the_standard_bot_beats_the_yardsticks():
    assert nz.duel("standard", "random", games=400).ppg > 2.3
    assert nz.duel("standard", "pips", games=1000).ppg > 1.0


@pytest.mark.parametrize("boards", [np.zeros((1, 26), np.int8), np.full((1, 26), 2), np.ones((1, 26)) * 0.5])
def test_boards_that_cannot_be_are_not_judged(standard, boards):
    with pytest.raises(nz.InvalidPosition):
        standard.evaluate(boards)


def test_boards_are_judged_in_rows(standard):
    with pytest.raises(nz.InvalidPosition, match="rows"):
        standard.evaluate(nz.Board().position)


@pytest.mark.parametrize("name", shipped_bots())
def test_bfloat16_costs_next_to_nothing(name):
    exact, rough = nz.load(name), nz.load(name, "bfloat16")
    rng = np.random.default_rng(0)
    boards = np.tile(exact.rules.start_board, (64, 1))
    met = []
    for _ in range(60):
        turn = Turn.of(boards, throw(rng, len(boards)), exact.rules)
        met.append(turn.after)
        after = turn.after[EvaluatorAgent(rough, name).choose(turn, rng)]
        boards = nz.flip(after[(after > 0).any(-1)])
    after = np.concatenate(met)
    off_by = np.abs(exact.evaluate_flipped(after) - rough.evaluate_flipped(after))
    assert len(after) > 20_000
    # The weights themselves are rounded, so a few boards in 10,000 are further off.
    assert np.quantile(off_by, 0.999) < 0.005
    assert off_by.max() < 0.02
    assert off_by.mean() < 0.0005
