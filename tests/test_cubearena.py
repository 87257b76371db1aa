"""The arena with the cube: who is asked what, what games are worth, and matches from start to end."""

import json
import re
from dataclasses import dataclass, field

import numpy as np
import pytest
from fakes import RaceEvaluator

import nardzero as nz
from nardzero.cli.main import main
from nardzero.game.errors import InvalidInput
from nardzero.game.position import flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.standing import AFTER, BEFORE, CRAWFORD, Standing
from nardzero.model.evaluator import after_probs
from nardzero.play import arena
from nardzero.play.agents import EvaluatorAgent, PipsAgent, RandomAgent, Turn, expected_lead
from nardzero.play.cubeagents import BeforeRoll, CubeBot, CubeCounter, CubePeer, cube_agent
from nardzero.play.cubearena import cube_duel
from nardzero.play.cubegames import CubePlayed, Terms, play_cube_pairs
from nardzero.play.cuberesult import CubeResult, MatchResult

STANDARD = RULESETS["standard"]
PIPS = PipsAgent()


class LeadEvaluator(RaceEvaluator):
    """Judges by what pips plays for, so that its games end."""

    def evaluate(self, boards):
        win = 1 / (1 + np.exp(expected_lead(flip(boards)) / 20))
        shares = np.array([0.05, 0.25, 0.7])
        return np.concatenate([np.outer(win, shares), np.outer(1 - win, shares[::-1])], 1).astype(np.float32)


LEAD = CubeBot(LeadEvaluator(), "lead")


@dataclass
class Scripted:
    """An agent that plays like pips, doubles and takes always or never, and writes down what it was asked."""

    doubles: bool
    takes: bool
    name: str = "scripted"
    rules: None = None
    offers: list[BeforeRoll] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

    def choose(self, turn, rng):
        self.turns.append(turn)
        return PIPS.choose(turn, rng)

    def offer(self, before, rng):
        self.offers.append(before)
        return np.full(len(before.boards), self.doubles)

    def take(self, before, rng):
        return np.full(len(before.boards), self.takes)


def play(a, b, pairs=6, length=0, seed=1, **terms) -> CubePlayed:
    return play_cube_pairs((a, b), pairs, Terms(STANDARD, length, **terms), np.random.SeedSequence(seed))


def test_a_double_that_is_passed_ends_the_game_for_the_cube_as_it_was():
    found = play(Scripted(True, False), Scripted(True, False))
    # Who starts may not double before the first roll; so the other one does, on his.
    assert (found.plies == 1).all()
    assert found.points.tolist() == [[-1] * 6, [1] * 6]
    assert (found.kinds == 0).all()


def test_a_double_that_is_taken_turns_the_cube_and_hands_it_over():
    bold = Scripted(True, True)
    found = play(bold, Scripted(False, True))
    assert (found.cubes == 2).all()
    assert set(np.unique(np.abs(found.points))) <= {2, 4, 6}
    # Once doubled he is never asked again: the other owns the cube.
    assert sum(len(before.boards) for before in bold.offers) == 12


def test_the_cube_stops_at_its_limit_and_a_game_counts_for_no_more_than_128():
    found = play(Scripted(True, True), Scripted(True, True), 40)
    assert (found.cubes == STANDARD.cube_limit).all()
    found.points[0, 0] = 3 * 64
    result = CubeResult.of("a", "b", Terms(STANDARD), 0, found)
    assert result.capped >= 1
    assert result.points.ppg == pytest.approx(found.points.clip(-128, 128).mean())
    assert f"{result.capped} were worth more" in str(result)


def test_under_the_jacoby_rule_gammons_count_once_the_cube_was_turned():
    calm = Scripted(False, True)
    plain, jacoby = (play(calm, RandomAgentWithCube(), 20, jacoby=on) for on in (False, True))
    assert plain.kinds.tolist() == jacoby.kinds.tolist()
    assert (plain.points == plain.kinds).all()
    assert (jacoby.points == 1).all()
    turned = play(Scripted(True, True), RandomAgentWithCube(), 20, jacoby=True)
    assert (np.abs(turned.points) == turned.kinds * turned.cubes).all()


def RandomAgentWithCube():
    """An agent that never doubles and takes everything."""

    class Taker(CubeCounter):
        def take(self, before, rng):
            return np.ones(len(before.boards), np.bool_)

    return Taker(RandomAgent())


@pytest.mark.parametrize("length", [0, 1, 5])
def test_an_agent_without_chance_is_even_with_itself(length):
    result = cube_duel(LEAD, CubeBot(LeadEvaluator(), "twin"), 20, match=length)
    assert (result.best.ppg, result.best.stderr) == (0.5 if length else 0, 0)


def test_exchanging_the_agents_turns_the_result_round():
    other = CubeBot(LeadEvaluator(), "formula", efficiency=0.2)
    here, there = cube_duel(LEAD, other, 40, seed=5), cube_duel(other, LEAD, 40, seed=5)
    assert here.points.ppg == -there.points.ppg != 0
    assert here.wins == there.wins[::-1]
    assert cube_duel(LEAD, PIPS, 20, match=3).a_wins == cube_duel(PIPS, LEAD, 20, match=3).b_wins


def test_both_contests_of_a_pair_have_the_same_dice():
    """Both play alike and never double, so the second match is the first with the seats swapped."""
    one, two = Scripted(False, True), Scripted(False, True)
    found = play(one, two, 5, length=5)
    assert (found.points[0] == -found.points[1]).all()
    assert found.games[0].tolist() == found.games[1].tolist()
    assert found.plies[0].tolist() == found.plies[1].tolist()
    assert found.games.max() > 1


def test_a_match_goes_through_its_phases():
    """Nobody is asked in the Crawford game, nor with a dead cube; afterwards the one who trails is."""
    one, two = Scripted(False, True), Scripted(False, True)
    play(one, two, 20, length=4)
    turns = [turn.standing for turn in one.turns + two.turns]
    for standing in turns:
        low, high = np.minimum(standing.away, standing.other), np.maximum(standing.away, standing.other)
        assert ((low >= 1) & (high <= 4)).all()
        assert ((standing.phase == BEFORE) == (low > 1)).all()
    assert {phase for standing in turns for phase in standing.phase} == {BEFORE, CRAWFORD, AFTER}
    for before in one.offers + two.offers:
        assert before.standing.may_double.all()
        assert (before.standing.phase != CRAWFORD).all()
        assert (before.standing.away > 1).all()


def test_the_crawford_game_is_played_once():
    one = Scripted(False, True)
    played = play(one, Scripted(False, True), 1, length=3, seed=4)
    assert played.games.max() >= 3
    phases = [turn.standing.phase[0] for turn in one.turns]
    assert phases == sorted(phases)


def test_a_passed_double_counts_in_a_match():
    """One point for each pass, up to the Crawford game, which has to be played."""
    found = play(Scripted(True, False), Scripted(False, False), 10, length=3)
    assert found.points.sum() > 0
    assert found.games.min() >= 3


def test_bots_double_and_take_by_their_head_and_others_by_formula():
    assert isinstance(cube_agent(EvaluatorAgent(LeadEvaluator(), "race")), CubeBot)
    assert isinstance(cube_agent(PIPS), CubeCounter)
    assert cube_agent(LEAD) is LEAD

    class Engine(LeadEvaluator):
        name = "engine"

        def choose(self, turn, rng):
            return turn.starts[:-1]

    engine = cube_agent(Engine())
    assert isinstance(engine, CubePeer)
    assert engine.name == "engine"
    # Behind by 20 pips, and ahead by 20: at 20 pips a factor of e, less the shots.
    boards = np.stack([parse_position("x 8:10; o 19:10"), parse_position("x 6:10; o 17:10")])
    before = BeforeRoll(boards, Standing.money(2), STANDARD)
    rng = np.random.default_rng(0)
    for agent in (engine, LEAD):
        assert agent.offer(before, rng).tolist() == [False, True]
        assert agent.take(before, rng).tolist() == [True, False]


def test_who_tells_no_probabilities_takes_by_the_race():
    boards = np.stack([parse_position(f"x 10:10; o {25 - 10}:10 {25 - behind}:1") for behind in (12, 13)])
    before = BeforeRoll(boards, Standing.money(2), STANDARD)
    counter, rng = cube_agent(PIPS), np.random.default_rng(0)
    assert not counter.offer(before, rng).any()
    assert counter.take(before, rng).tolist() == [True, False]


def test_at_the_last_point_a_bot_plays_to_win_and_nothing_else():
    class Gammons(RaceEvaluator):
        """Who has left his own bar point wins more gammons, and fewer games."""

        def evaluate(self, boards):
            probs = super().evaluate(boards)
            wild = boards[:, 25 - 5] < 0
            probs[wild] = [0, 0, 0.4, 0.1, 0.5, 0]
            return probs

    bot = CubeBot(Gammons(), "wild")
    board, dice = nz.Board().position[None], np.array([[3, 1]])
    one = np.array([1])
    last = Standing.match(1, one, one, np.array([CRAWFORD]))
    chosen = {}
    for name, standing in (("money", Standing.money(1)), ("last", last)):
        turn = Turn.of(board, dice, STANDARD, standing)
        chosen[name] = turn.after[bot.choose(turn, np.random.default_rng(0))][0]
        probs = after_probs(Gammons(), turn.after)
        if name == "last":
            best = probs[:, :3].sum(1)
            index = bot.choose(turn, np.random.default_rng(0))[0]
            assert best[index] == best.max()
    assert chosen["money"][5] > 0


@pytest.mark.parametrize("how", [{"jacoby": True}, {"match": 2}])
def test_workers_change_nothing(monkeypatch, how):
    monkeypatch.setattr(arena, "CHUNK", 8)
    alone, shared = (cube_duel("pips", "random", 40, workers=k, **how) for k in (1, 2))
    assert alone == shared


def test_a_match_result_counts_the_unfinished_as_half():
    shape = (2, 2)
    points = np.array([[1, 1], [0, -1]])
    filled = [np.ones(shape, np.int64)] * 4
    result = MatchResult.of("a", "b", Terms(STANDARD, 7), 0, CubePlayed(points, *filled, np.zeros(shape)))
    assert (result.a_wins, result.b_wins, result.unfinished) == (2, 1, 1)
    assert result.share.ppg == pytest.approx(0.625)
    assert result.share.stderr == pytest.approx(0.125)
    assert "1 endless matches" in str(result)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"match": 26}, "1 to 25 points"),
        ({"match": 3, "jacoby": True}, "Jacoby"),
        ({"rules": "tavla"}, "no cube by tavla rules"),
        ({"games": 0}, "1 or more"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong, said):
    with pytest.raises(InvalidInput, match=said):
        cube_duel(PIPS, PIPS, **({"games": 2} | wrong))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--jacoby"], "--cube"),
        (["--match", "0"], "1 or more"),
        (["--match", "99"], "25"),
    ],
)
def test_bad_options_get_one_sentence(capsys, argv, said):
    assert main(["arena", "pips", "random", *argv]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"nardzero: [^\n]+\n", printed.err)
    assert said in printed.err


def test_the_verb_plays_money_games_and_matches(capsys, tmp_path):
    log = tmp_path / "duels.jsonl"
    argv = ["arena", "pips", "random", "--games", "40", "--log", str(log)]
    for how, said in ((["--cube"], "points per game"), (["--match", "3"], "% of the matches won")):
        assert main([*argv, *how]) == 0
        text = capsys.readouterr().out
        assert said in text.splitlines()[0]
        assert max(map(len, text.splitlines())) <= 80
        assert main([*argv, *how, "--json"]) == 0
        read = json.loads(capsys.readouterr().out)
        assert read["a"] == "pips"
    first, *_, last = map(json.loads, log.read_text().splitlines())
    assert first["asked"]["cube"] == {"match": 0, "jacoby": False}
    assert last["asked"]["cube"] == {"match": 3, "jacoby": False}
    assert last["share"] > 0.5 < first["ppg"]
    assert first["cap"] == 128


def test_plays_that_are_doubled_out_are_told_apart_without_the_cube():
    """Far behind, the opponent cashes after every play; a bot still plays as well as it can."""
    board = parse_position("x 13:8 20:2; o 24:5 23:5")[None]
    turn = Turn.of(board, np.array([[6, 5]]), STANDARD, Standing.money(1))
    chosen = LEAD.choose(turn, np.random.default_rng(0))[0]
    chances = after_probs(LeadEvaluator(), turn.after)[:, :3].sum(1)
    assert len(chances) > 3
    assert chances[chosen] == chances.max() < 0.2
