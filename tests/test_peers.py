"""Other engines by name, without any of them: what is offered, what is refused, what needs none to run."""

import re
import sys

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.cli.main import main
from nardzero.game.bits import pad
from nardzero.game.board import Board
from nardzero.game.outcomes import equity, exclusive
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.game.text import parse_position
from nardzero.judge.analysis import cumulative
from nardzero.play.agents import AGENTS, EvaluatorAgent, NoJudge, PipsAgent, Turn, agent, evaluator_of
from nardzero.play.peers.bgsage import Bgsage
from nardzero.play.peers.bgsage import their_boards as bgsage_boards
from nardzero.play.peers.engine import OtherGame, PeerMissing, StrangePlay, check_rules, first_legal
from nardzero.play.peers.gnubg import Gnubg, boards_of_keys
from nardzero.play.peers.gnubg import their_boards as gnubg_boards
from nardzero.play.peers.names import PEERS, UnknownPeer
from nardzero.play.result import DuelResult

STANDARD = RULESETS["standard"]
ENGINES = {
    name: "bgsage" if name.startswith("bgsage") else "gnubg-nn"
    for name in PEERS
    if not name.startswith("gnubg-ext")  # a program, not a package: see test_gnubgext.py
}


@pytest.fixture
def _no_engine(monkeypatch):
    for module in ("gnubg_nn", "bgbot_cpp"):
        monkeypatch.setitem(sys.modules, module, None)


def test_the_engines_are_offered_by_name():
    of_kind = {"gnubg": (0, 1, 2), "gnubg-ext": (0, 1, 2), "bgsage": (1, 2, 3)}
    named = {f"{kind}:{ply}" for kind, plies in of_kind.items() for ply in plies}
    assert set(PEERS) == {"pubeval", *named}
    assert set(PEERS) < set(AGENTS)


@pytest.mark.parametrize(
    "name", ["gnubg:7", "gnubg:x", "gnubg:", "gnubg", "gnubg:00", "bgsage:0", "pubeval:0"]
)
def test_a_ply_that_is_not_offered_is_refused_with_those_that_are(capsys, name):
    with pytest.raises(UnknownPeer):
        agent(name)
    assert main(["arena", "random", name]) == 2
    told = capsys.readouterr().err
    engine = name.partition(":")[0]
    assert re.fullmatch(r"nardzero: [^\n]+\n", told)
    assert all(offered in told for offered in PEERS if offered.partition(":")[0] == engine)


@pytest.mark.usefixtures("_no_engine")
@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_is_not_installed_is_said_to_be_missing(capsys, name):
    with pytest.raises(PeerMissing):
        agent(name)
    for argv in (["arena", "random", name], ["eval", "start", "--bot", name]):
        assert main(argv) == 2
        told = capsys.readouterr().err
        assert re.fullmatch(r"nardzero: [^\n]+\n", told)
        assert f"pip install {ENGINES[name]}" in told
        assert "nardzero[peers]" in told


@pytest.mark.usefixtures("_no_engine")
def test_who_asks_for_no_engine_needs_none(capsys):
    assert main(["arena", "random", "pips", "--games", "2"]) == 0


def test_engines_play_where_only_start_opening_and_cube_differ():
    check_rules("gnubg:0", RULESETS["nackgammon"])
    check_rules("gnubg:0", Ruleset("rerolled", opening="rerolled", cube_limit=1))
    for rules in (
        RULESETS["takhteh"],
        RULESETS["tavla"],
        Ruleset("no triples", wins=(1, 2, 2)),
        Ruleset("any die", larger_die=False),
    ):
        with pytest.raises(OtherGame, match=f"gnubg:0 .* {rules.name} rules"):
            check_rules("gnubg:0", rules)


def test_engines_are_made_for_standard_rules():
    assert Gnubg(0).rules == Bgsage(1).rules == STANDARD


def test_plies_are_told_as_we_count_them():
    assert [Gnubg(ply).ply for ply in (0, 1, 2)] == [Bgsage(ply).ply for ply in (1, 2, 3)] == [0, 1, 2]
    told = str(DuelResult("gnubg:2", "bgsage:3", "standard", 0, 2, 0.0, 0.1, (0, 0, 1, 1, 0, 0), 50.0))
    assert "bgsage:3 is 2-ply as we count." in told
    assert "gnubg:2 is" not in told


def test_the_first_legal_of_ranked_plays_is_taken():
    turn = Turn.of(np.array([STANDARD.start_board] * 2), np.array([[3, 1], [6, 5]]), STANDARD)
    boards = [row.tobytes() for row in turn.after]
    third = turn.starts[1] + 2
    assert first_legal(turn, 1, [boards[0], boards[third], boards[-1]]) == third
    with pytest.raises(StrangePlay):
        first_legal(turn, 1, boards[: turn.starts[1]])


def test_exclusive_outcomes_are_those_whose_sums_others_tell():
    told = np.array([[0.6, 0.25, 0.05, 0.1, 0.02], [1, 1, 0, 0, 0]], np.float32)
    probs = exclusive(told)
    assert probs[0] == pytest.approx([0.05, 0.2, 0.35, 0.3, 0.08, 0.02])
    assert cumulative(probs[0]) == pytest.approx(tuple(told[0].tolist()))
    win, gammon, backgammon, lost_gammon, lost_backgammon = told.T
    theirs = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    assert equity(probs, STANDARD.points) == pytest.approx(theirs)


def test_outcomes_that_contradict_each_other_give_no_negative_chance():
    probs = exclusive(np.array([[0.5, 0.1, 0.101, 0.52, 0.0]], np.float32))
    assert probs.min() >= 0
    assert probs.sum() == pytest.approx(1)
    assert probs[0] == pytest.approx([0.1, 0, 0.4, 0, 0.5, 0])


def test_gnubg_gets_boards_as_it_takes_them():
    start = [0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 10 + [2, 0]
    assert gnubg_boards(pad(STANDARD.start_board[None])) == [[start, start]]
    ((opponent, own),) = gnubg_boards(parse_position("x 6:2 bar:1; o bar:1 22:3")[None])
    assert (own[5], own[24], sum(own)) == (2, 1, 3)
    assert (opponent[2], opponent[24], sum(opponent)) == (3, 1, 4)


def test_keys_of_gnubg_are_position_ids_in_other_letters():
    keys = ["OAHDPAABDAOAHDPAABDA", "LAGHPAABDAOAHDPAABDA"]
    start, after_31 = boards_of_keys(keys)
    assert np.array_equal(start, STANDARD.start_board)
    assert Board(position=after_31).id == "sGfwATDgc/ABMA"
    assert boards_of_keys([]).shape == (0, 26)


def test_bgsage_counts_checkers_on_the_bar_upwards():
    board = parse_position("x 6:2 bar:1; o bar:2 22:3")
    (theirs,) = bgsage_boards(board[None])
    assert (theirs[0], theirs[25], theirs[6], theirs[22]) == (2, 1, 2, -3)
    assert board[0] == -2


def test_only_what_tells_probabilities_judges_positions():
    race = RaceEvaluator()
    assert evaluator_of(EvaluatorAgent(race, "race")) is race
    assert evaluator_of(Gnubg(0)) == Gnubg(0)
    with pytest.raises(NoJudge, match="pips"):
        evaluator_of(PipsAgent())
