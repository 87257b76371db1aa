"""Luck with the cube and in matches: 0 on average, in the units of the result, and most of its noise."""

import numpy as np
import pytest
from fakes import RACE, RaceEvaluator, SolvedRace

from nardzero.cli.main import main
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.cubeluck import cube_luck
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED
from nardzero.judge.standing import AFTER, BEFORE, Standing
from nardzero.play.cubeagents import CubeBot
from nardzero.play.cubearena import cube_duel
from nardzero.play.cubegames import Terms, play_cube_pairs

STANDARD = RULESETS["standard"]
RACER = RaceEvaluator()
LAST = parse_position("x 6:1; o 24:1")[None]
"""With 27 rolls of 36 the player on roll wins; with the others he loses."""


def luck_of(dice: tuple[int, int], standing: Standing) -> float:
    known = BearoffEvaluator(RACER)
    return float(cube_luck(known, LAST, np.array([dice]), standing, STANDARD, np.zeros(1, np.bool_))[0])


@pytest.mark.parametrize("place", [CENTRED, OWNED, OPPONENTS])
def test_money_luck_is_in_points_at_the_height_of_the_cube(place):
    standing = Standing(*(np.array([value]) for value in (4, place, 0, 0, 0)))
    assert luck_of((6, 1), standing) == pytest.approx(4 * (1 - 0.5), abs=1e-5)
    assert luck_of((2, 1), standing) == pytest.approx(4 * (-1 - 0.5), abs=1e-5)


def test_match_luck_is_in_chances_to_win_the_match():
    one = np.array([1])
    assert luck_of((6, 1), Standing.match(3, one, one, one * AFTER)) == pytest.approx(0.25, abs=1e-5)
    assert luck_of((2, 1), Standing.match(3, one, one, one * AFTER)) == pytest.approx(-0.75, abs=1e-5)
    level = Standing.match(5, 5 * one, 5 * one, one * BEFORE)
    won, lost = luck_of((6, 1), level), luck_of((2, 1), level)
    assert 27 * won == pytest.approx(-9 * lost, abs=1e-4)
    assert 0.02 < won < 0.1


@pytest.mark.parametrize("length", [0, 3])
def test_luck_is_nothing_on_average_and_most_of_the_noise(length):
    solved = SolvedRace(RACE)
    players = CubeBot(solved, "best"), CubeBot(solved, "best")
    played = play_cube_pairs(players, 300, Terms(RACE, length), np.random.SeedSequence(5), judge=solved)
    result = (1 + played.points) / 2 if length else played.points
    # Both contests of a pair have the same dice with the seats swapped, and here the same players too.
    assert played.luck.sum(0) == pytest.approx(0, abs=1e-9)
    luck, points = played.luck[0], result[0]
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(300)
    assert (points - luck).std() < 0.6 * points.std()


def test_a_duel_is_adjusted_with_any_number_of_workers(monkeypatch):
    monkeypatch.setattr("nardzero.play.arena.CHUNK", 10)
    for match in (0, 3):
        alone, shared = (
            cube_duel("pips", "random", 40, match=match, luck=RACER, workers=workers) for workers in (1, 2)
        )
        assert alone == shared
        assert alone.judge == "RaceEvaluator"
        plain = cube_duel("pips", "random", 40, match=match)
        assert (plain.adjusted, plain.games) == (None, alone.games)


@pytest.mark.parametrize("how", [["--cube"], ["--match", "2"]])
def test_the_verb_tells_it(capsys, how):
    assert main(["arena", "standard", "pips", "--games", "8", "--luck", "standard", *how]) == 0
    assert "less the luck, as standard sees it: " in capsys.readouterr().out.splitlines()[1]
