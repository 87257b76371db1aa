"""The arena: mirrored dice, error bars, reproducible results."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.game.dice import Dice
from nardzero.game.errors import InvalidRules
from nardzero.game.outcomes import finished
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.play import arena, pairs
from nardzero.play.agents import Agent, EvaluatorAgent, PipsAgent, RandomAgent
from nardzero.play.arena import duel
from nardzero.play.pairs import play_pairs
from nardzero.play.result import UNFINISHED, DuelResult, Played

PIPS, RANDOM = PipsAgent(), RandomAgent()
RACE = EvaluatorAgent(RaceEvaluator(), "race")
TAKHTEH = EvaluatorAgent(RaceEvaluator(), "race", RULESETS["takhteh"])


@pytest.mark.parametrize("rules", RULESETS)
def test_an_agent_without_chance_scores_exactly_0_against_itself(rules):
    result = duel(PIPS, PipsAgent("twin"), 200, rules)
    assert (result.ppg, result.stderr) == (0, 0)
    assert result.outcomes == result.outcomes[::-1]


@dataclass
class Recorder:
    """An agent that plays like another and writes down what was rolled and what it did."""

    plays_like: Agent
    turns: list[tuple[Dice, Boards]]
    name: str = "recorder"
    rules: None = None

    def choose(self, turn, rng):
        chosen = self.plays_like.choose(turn, rng)
        self.turns.append((turn.dice, turn.after[chosen]))
        return chosen


def rolls(turns: list[tuple[Dice, Boards]], pairs: int) -> list[list[list[Dice]]]:
    """What was rolled in each game, by seating and pair, from the turns of both agents in their order."""
    rolled: list[list[list[Dice]]] = [[[] for _ in range(pairs)] for _ in range(2)]
    running = [np.arange(pairs), np.arange(pairs)]
    while turns:
        for seating in (0, 1):
            if len(running[seating]):
                dice, after = turns.pop(0)
                for pair, throw in zip(running[seating], dice.tolist(), strict=True):
                    rolled[seating][pair].append(throw)
                running[seating] = running[seating][~finished(after)]
    return rolled


def test_both_games_of_a_pair_have_the_same_dice_however_long_they_last():
    turns: list[tuple[Dice, Boards]] = []
    players = Recorder(PIPS, turns), Recorder(RANDOM, turns)
    plies = play_pairs(players, 20, RULESETS["standard"], np.random.SeedSequence(1)).plies
    rolled = rolls(turns, 20)
    assert [[len(game) for game in seating] for seating in rolled] == plies.tolist()
    assert (plies[0] != plies[1]).sum() > 10
    for first, second in zip(*rolled, strict=True):
        both = min(len(first), len(second))
        assert first[:both] == second[:both]
    assert len({str(game[:10]) for game in rolled[0]}) == 20


@pytest.mark.parametrize(("rules", "doubles"), [("standard", False), ("tavla", True)])
def test_only_where_the_opening_is_rolled_again_may_it_be_a_double(rules, doubles):
    turns: list[tuple[Dice, Boards]] = []
    players = Recorder(PIPS, turns), Recorder(RANDOM, turns)
    play_pairs(players, 60, RULESETS[rules], np.random.SeedSequence(2))
    seen = [(dice[:, 0] == dice[:, 1]).any() for dice, _ in turns[:4]]
    assert seen == [doubles, doubles, True, True]


def test_what_an_agent_leaves_to_chance_does_not_depend_on_its_opponent():
    class Careless(PipsAgent):
        def choose(self, turn, rng):
            rng.random()
            return super().choose(turn, rng)

    assert duel(RANDOM, Careless(), 60) == duel(RANDOM, PIPS, 60)
    assert duel(Careless(), RANDOM, 60) == duel(PIPS, RANDOM, 60)


def test_exchanging_the_agents_turns_the_result_round():
    here, there = duel(PIPS, RACE, 300, seed=5), duel(RACE, PIPS, 300, seed=5)
    assert here.ppg == -there.ppg != 0
    assert here.stderr == there.stderr
    assert here.outcomes == there.outcomes[::-1]


def test_the_seed_decides_everything():
    assert duel(PIPS, RANDOM, 100, seed=8) == duel(PIPS, RANDOM, 100, seed=8)
    assert duel(PIPS, RANDOM, 100, seed=8) != duel(PIPS, RANDOM, 100, seed=9)


def test_it_does_not_matter_who_plays_which_chunk(monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", 16)
    whole = duel(RANDOM, PIPS, 80, seed=4)
    counts = np.zeros(6, int)
    for size, seed in zip((16, 16, 8), np.random.SeedSequence(4).spawn(3), strict=True):
        part = play_pairs((RANDOM, PIPS), size, RULESETS["standard"], seed)
        counts += np.bincount(part.outcomes.ravel(), minlength=6)
    assert whole.outcomes == tuple(counts)


def test_the_clear_favourite_wins():
    result = duel(PIPS, RANDOM, 1000)
    assert result.ppg > 2
    assert result.a_wins > 950
    assert result.a_gammons > 0
    assert result.a_backgammons > 0


def test_random_play_is_even():
    result = duel(RANDOM, RANDOM, 2000)
    assert abs(result.ppg) < 4 * result.stderr
    assert 0.5 < result.stderr * np.sqrt(2000 / 3) < 1.5


def test_the_standard_error_is_that_of_the_pairs():
    # The pairs' means are 1, 0, 0 and -1; the pair that balances says nothing about luck.
    outcomes = np.array([[2, 2, UNFINISHED, 3], [2, 3, UNFINISHED, 3]], np.int8)
    played = Played(outcomes, np.full((2, 4), 50), np.zeros((2, 4)))
    result = DuelResult.of("a", "b", RULESETS["standard"], 0, played)
    assert result.ppg == 0
    assert result.stderr == pytest.approx(np.sqrt(2 / 3) / 2)
    assert (result.games, result.a_wins, result.b_wins, result.unfinished) == (8, 3, 3, 2)


@pytest.mark.parametrize("rules", ["standard", "tavla"])
def test_the_figures_fit_each_other(rules):
    result = duel(PIPS, RANDOM, 400, rules)
    assert result.a_wins + result.b_wins == result.games == 400
    assert result.ppg == pytest.approx(np.dot(RULESETS[rules].points, result.outcomes) / 400)
    assert result.a_gammons + result.a_backgammons <= result.a_wins
    assert 20 < result.mean_plies < 120


def test_an_odd_number_of_games_is_rounded_up_to_pairs():
    assert duel(PIPS, RANDOM, 7).games == 8


def test_a_single_pair_has_no_error_bar():
    result = duel(PIPS, RANDOM, 1)
    assert result.games == 2
    assert result.to_json()["stderr"] is None
    assert "unknown" in str(result)


def test_endless_games_are_broken_off_and_said_to_be(monkeypatch):
    monkeypatch.setattr(pairs, "MAX_PLIES", 12)
    result = duel(RANDOM, RANDOM, 20)
    assert (result.unfinished, result.ppg, result.mean_plies) == (20, 0, 12)
    assert "20 endless games" in str(result)


def test_the_rules_are_those_of_the_first_bot():
    assert duel(RANDOM, PIPS, 2).rules == "standard"
    assert duel(TAKHTEH, RANDOM, 2).rules == "takhteh"
    assert duel(RANDOM, TAKHTEH, 2).rules == "takhteh"
    assert duel(TAKHTEH, RANDOM, 2, "tavla").rules == "tavla"


def test_progress_counts_the_games():
    told: list[int] = []
    duel(PIPS, RANDOM, 60, progress=told.append)
    assert sum(told) == 60


def test_the_result_goes_into_json():
    result = duel(PIPS, RANDOM, 100, seed=3)
    read = json.loads(json.dumps(result.to_json()))
    assert read["a"] == "pips"
    assert read["b"] == "random"
    assert (read["games"], read["seed"], read["rules"]) == (100, 3, "standard")
    assert read["a_wins"] + read["b_wins"] == 100
    assert read["ppg"] == result.ppg
    assert {"a_gammons", "a_backgammons", "b_gammons", "b_backgammons", "stderr"} <= set(read)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [({"games": 0}, ValueError), ({"seed": -1}, ValueError), ({"rules": "chess"}, InvalidRules)],
)
def test_nonsense_is_refused(wrong, fault):
    with pytest.raises(fault):
        duel(PIPS, RANDOM, **({"games": 2} | wrong))
