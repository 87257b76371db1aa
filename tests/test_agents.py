"""Agents: what they choose, and how names become agents."""

import numpy as np
import pytest
from fakes import RaceEvaluator, write_bot

from nardzero.game.board import Board
from nardzero.game.errors import InvalidInput
from nardzero.game.movegen import afterstates
from nardzero.game.rules import RULESETS
from nardzero.game.text import format_position, parse_position
from nardzero.judge.analysis import analyse
from nardzero.model.store import load
from nardzero.play.agents import (
    Agent,
    EvaluatorAgent,
    PipsAgent,
    RandomAgent,
    Turn,
    agent,
    expected_lead,
    settle,
)
from nardzero.play.arena import duel

STANDARD = RULESETS["standard"]
START = STANDARD.start_board


def turn_of(position: str, *dice: int) -> Turn:
    return Turn.of(parse_position(position)[None], np.array([dice]), STANDARD)


def chosen(player: Agent, position: str, *dice: int) -> str:
    turn = turn_of(position, *dice)
    (index,) = player.choose(turn, np.random.default_rng(0))
    return format_position(turn.after[index])


def test_a_turn_holds_the_afterstates_game_by_game():
    boards = np.array([START, parse_position("x bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2"), START])
    dice = np.array([[3, 1], [6, 6], [5, 5]])
    turn = Turn.of(boards, dice, STANDARD)
    assert np.diff(turn.starts).tolist() == [16, 1, 4]
    for game in range(3):
        alone, _ = afterstates(boards[game], dice[game])
        assert np.array_equal(turn.after[turn.starts[game] : turn.starts[game + 1]], alone)


def test_random_takes_every_afterstate_equally_often():
    games = 16_000
    turn = Turn.of(np.tile(START, (games, 1)), np.tile([3, 1], (games, 1)), STANDARD)
    choice = RandomAgent().choose(turn, np.random.default_rng(1)) - turn.starts[:-1]
    counts = np.bincount(choice, minlength=16)
    assert len(counts) == 16
    assert np.abs(counts - games / 16).max() < 5 * np.sqrt(games / 16)


def test_random_repeats_itself_with_the_same_generator():
    turn = Turn.of(np.tile(START, (50, 1)), np.tile([6, 2], (50, 1)), STANDARD)
    first, second = (RandomAgent().choose(turn, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize(
    ("position", "lead"),
    [
        ("x 8:1 6:2; o 24:3", 3 - 20),  # nobody behind the blot
        ("x 8:1 6:2; o 3:2", 44 - 20 - 11 / 36 * 17),  # a direct five
        ("x 8:1 6:2; o 3:2 5:1 1:3", 44 + 20 + 72 - 20 - 20 / 36 * 17),  # a five and a three; a seven is none
        ("x 6:2; o bar:1", 25 - 12),  # a made point is safe
        ("x 4:1; o bar:1", 25 - 4 - 11 / 36 * 21),  # a checker on the bar shoots too
    ],
)
def test_pips_weighs_the_race_against_direct_shots(position, lead):
    assert expected_lead(parse_position(position)[None])[0] == pytest.approx(lead)


@pytest.mark.parametrize(
    ("position", "dice", "after"),
    [
        ("x 24:2 6:2; o 20:1 12:2", (4, 1), "x 6:2 19:1 24:1; o 12:2 bar:1"),
        ("x 8:3 6:4; o 24:2 4:2", (3, 1), "x 5:2 6:3 8:2; o 4:2 24:2"),
        ("x 3:2 2:2; o 24:1", (3, 2), "x 2:1 3:1; o 24:1"),
    ],
    ids=["hits", "makes a point where it can be shot at", "bears off"],
)
def test_pips_plays_like_a_careful_beginner(position, dice, after):
    assert chosen(PipsAgent(), position, *dice) == after


def test_an_evaluator_agent_takes_the_highest_equity():
    player = EvaluatorAgent(RaceEvaluator(), "race")
    assert chosen(player, "x 8:1; o 5:1 20:1", 3, 1) == "x 4:1; o 20:1 bar:1"


def test_an_evaluator_agent_knows_a_finished_game():
    # Bearing off the last checker wins for certain, whatever the evaluator says of the empty board.
    player = EvaluatorAgent(RaceEvaluator(), "race")
    assert chosen(player, "x 1:1; o 24:1", 2, 1) == "x; o 24:1"


def test_names_become_agents(tmp_path):
    bot = write_bot(tmp_path / "small", rules="takhteh")
    assert agent("random") == RandomAgent()
    assert agent("pips") == PipsAgent()
    player = agent(str(bot))
    assert player.name == str(bot)
    assert player.rules == RULESETS["takhteh"]
    turn = turn_of("x 8:3 6:5; o 1:2 24:2", 3, 1)
    assert 0 <= player.choose(turn, np.random.default_rng(0))[0] < len(turn.after)


def test_an_unknown_name_is_refused(tmp_path):
    with pytest.raises(ValueError, match="gnu"):
        agent("gnu")


def test_a_name_may_end_with_how_far_to_look_ahead(tmp_path):
    folder = write_bot(tmp_path / "bot")
    ahead = agent(f"{folder}@1")
    assert ahead.name == f"{folder}@1"
    board = Board(dice=(4, 3))
    turn = Turn.of(board.position[None], np.array([[4, 3]]), RULESETS["standard"])
    (chosen,) = ahead.choose(turn, np.random.default_rng(0))
    best = analyse(board, load(folder), ply=1)[0]
    assert np.array_equal(turn.after[chosen], best.after)
    assert best.ply == 1


def test_looking_no_ply_ahead_is_the_bot_itself(tmp_path):
    folder = write_bot(tmp_path / "bot")
    assert duel(f"{folder}@0", folder, 10).ppg == 0


def test_who_looks_ahead_plays_by_the_rules_of_the_duel(tmp_path):
    folder = write_bot(tmp_path / "bot")
    result = duel(f"{folder}@1", "random", 4, "takhteh")
    assert result.rules == "takhteh"
    assert sum(result.outcomes) == 4


def test_a_settled_name_keeps_its_plies(tmp_path):
    run = tmp_path / "run"
    save = write_bot(run / "step-0000000001")
    assert settle(f"{run}@2") == f"{save}@2"


@pytest.mark.parametrize(
    ("name", "said"), [("standard@9", "from 0 to 4 plies"), ("random@1", "no probabilities")]
)
def test_looking_ahead_that_cannot_be_is_refused(name, said):
    with pytest.raises(InvalidInput, match=said):
        agent(name)
