"""Other engines as they are, where they are installed: each trap that our adapters step around."""

import numpy as np
import pytest

from nardzero.game.bits import best_of_segment
from nardzero.game.dice import ROLLS, WEIGHTS, throw
from nardzero.game.errors import InvalidDice
from nardzero.game.outcomes import equity, finished
from nardzero.game.position import contact, flip
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.bearoff.tables import two_sided
from nardzero.model.evaluator import after_probs
from nardzero.play import arena
from nardzero.play.agents import PipsAgent, RandomAgent, Turn, agent
from nardzero.play.arena import duel
from nardzero.play.cubedecisions import shipped_cube_decisions
from nardzero.play.decisions import ordered_turn, shipped_decisions
from nardzero.play.peers import bgsage, gnubg, pubeval
from nardzero.play.peers.bgsage import Bgsage
from nardzero.play.peers.gnubg import Gnubg, boards_of_keys
from nardzero.play.peers.names import PEERS

pytestmark = pytest.mark.peer

STANDARD = RULESETS["standard"]
POINTS = STANDARD.points


@pytest.fixture(scope="module")
def gnubg_nn():
    return pytest.importorskip("gnubg_nn")


@pytest.fixture(scope="module")
def bgbot():
    return pytest.importorskip("bgbot_cpp")


@pytest.fixture(scope="module")
def turn():
    """Some thousand turns of mixed play: sound, odd, and some that nobody would get into."""
    rng = np.random.default_rng(1)
    players = [PipsAgent(), RandomAgent(), PipsAgent(), PipsAgent(), PipsAgent()]
    boards = np.tile(STANDARD.start_board, (60, 1))
    met = []
    for ply in range(100):
        turn = Turn.of(boards, throw(rng, len(boards)), STANDARD)
        met.append(turn.boards)
        after = turn.after[players[ply % len(players)].choose(turn, rng)]
        boards = np.where(finished(after)[:, None], STANDARD.start_board, flip(after))
    boards = np.concatenate(met)
    return Turn.of(boards, throw(rng, len(boards)), STANDARD)


def part(turn, games):
    """The first so many games of a turn."""
    return Turn.of(turn.boards[:games], turn.dice[:games], STANDARD)


def game_of(turn):
    """The game that each afterstate belongs to."""
    return np.repeat(np.arange(len(turn.boards)), np.diff(turn.starts))


def best_by_judgement(judge, turn):
    """The choice by what an evaluator says of each afterstate, and all it says."""
    values = equity(after_probs(judge, turn.after), POINTS)
    return best_of_segment(values, turn.starts), values


@pytest.mark.parametrize("name", PEERS)
def test_engines_have_the_names_that_get_them(gnubg_nn, bgbot, name):
    assert agent(name).name == name


def test_gnubg_reads_boards_as_we_mean_them(gnubg_nn, turn):
    for board in turn.boards[:200]:
        key = gnubg_nn.key_of_board(gnubg.their_boards(board[None])[0])
        assert np.array_equal(boards_of_keys([key])[0], board)


def test_gnubg_swaps_the_sides_in_keys_of_best_move_but_not_in_those_of_moves(gnubg_nn):
    board, dice = STANDARD.start_board, (3, 1)
    ours = {row.tobytes() for row in Turn.of(board[None], np.array([dice]), STANDARD).after}
    theirs = gnubg.their_boards(board[None])[0]
    assert {row.tobytes() for row in boards_of_keys(list(gnubg_nn.moves(theirs, *dice)))} == ours
    rows = gnubg_nn.best_move(theirs, *dice, n=0, b=1, list=1)[-1]
    assert {row.tobytes() for row in flip(boards_of_keys([row[0] for row in rows]))} == ours
    # And what it lists are the opponent's chances, but the mover's equity.
    for key, _, (win, *_rest), value in rows:
        there = Gnubg(0).evaluate(boards_of_keys([key]))
        assert there[0, :3].sum() == pytest.approx(win, abs=1e-5)
        assert -equity(there, POINTS)[0] == pytest.approx(value, abs=1e-4)


def test_gnubg_answers_to_a_seven_that_it_is_never_asked_about(gnubg_nn):
    assert gnubg_nn.moves(gnubg.their_boards(STANDARD.start_board[None])[0], 7, 1)
    with pytest.raises(InvalidDice):
        Turn.of(STANDARD.start_board[None], np.array([[7, 1]]), STANDARD)


def test_gnubg_plays_what_its_own_net_judges_best(gnubg_nn, turn):
    chosen = Gnubg(0).choose(turn, np.random.default_rng(0))
    best, values = best_by_judgement(Gnubg(0), turn)
    assert (game_of(turn)[chosen] == np.arange(len(turn.boards))).all()
    # It differs only where plays are worth the same to it.
    assert values[best] - values[chosen] == pytest.approx(0, abs=2e-5)
    assert (chosen == best).mean() > 0.9


def test_bgsage_rates_boards_after_the_play_for_who_made_it(bgbot, gnubg_nn, turn):
    boards = turn.boards[:1000]
    probs = Bgsage(1).evaluate(boards)
    assert probs.min() >= 0
    assert probs.sum(1) == pytest.approx(1, abs=1e-5)
    assert np.abs(probs - Gnubg(0).evaluate(boards)).mean() < 0.02
    assert np.array_equal(Bgsage(1).evaluate_flipped(flip(boards)), probs)
    winning = Bgsage(1).evaluate(parse_position("x 1:2; o 24:1 20:14")[None])
    assert winning[0, :2].sum() > 0.99


def test_bgsage_takes_its_net_by_the_board_before_the_play(bgbot, turn):
    chosen = Bgsage(1).choose(turn, np.random.default_rng(0))
    best, values = best_by_judgement(Bgsage(1), turn)
    assert (game_of(turn)[chosen] == np.arange(len(turn.boards))).all()
    differ = values[best] - values[chosen] > 1e-5
    assert 0.01 < differ.mean() < 0.2
    # As its own checker play does.
    static = bgsage.strategies(1).static
    for game in np.flatnonzero(differ)[:50]:
        asked = {"board": bgsage.their_boards(turn.boards[game][None])[0], "cube_value": 1}
        asked |= {"die1": int(turn.dice[game, 0]), "die2": int(turn.dice[game, 1])}
        asked |= {"cube_owner": bgbot.CubeOwner.CENTERED}
        (told,) = bgbot.batch_checker_play([asked], static, n_threads=1, jacoby=False)
        top = max(told["moves"], key=lambda row: row["cubeless_equity"])
        assert top["board"] == bgsage.their_boards(turn.after[chosen[game]][None])[0]


def test_bgsage_lists_a_play_that_is_not_legal(bgbot):
    board = parse_position("x 2:1; o 1:1 3:1 4:1 5:1 9:4 20:3 23:2 24:2")
    theirs = bgsage.their_boards(board[None])[0]
    turn = Turn.of(board[None], np.array([[2, 1]]), STANDARD)
    assert len(turn.after) == 1
    assert len(bgbot.possible_moves(theirs, 2, 1)) == 2
    assert Bgsage(1).choose(turn, np.random.default_rng(0)) == [0]


def mean_of_best_replies(name, board):
    """The equity of a board [26] for the player on roll, as the engine's next lower ply plays and judges."""
    engine = agent(name)
    turn = Turn.of(np.tile(board, (21, 1)), ROLLS, STANDARD)
    after = turn.after[engine.choose(turn, np.random.default_rng(0))]
    return float(WEIGHTS @ equity(after_probs(engine, after), POINTS))


@pytest.mark.parametrize(("shallow", "deep"), [("gnubg:0", "gnubg:1"), ("bgsage:1", "bgsage:2")])
def test_one_ply_more_is_the_mean_over_the_rolls_of_the_best_replies(gnubg_nn, bgbot, shallow, deep):
    boards = [STANDARD.start_board, parse_position("x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:4 19:4")]
    for board in boards:
        told = equity(agent(deep).evaluate(board[None]), POINTS)[0]
        assert told == pytest.approx(mean_of_best_replies(shallow, board), abs=0.006)
        assert told == pytest.approx(equity(agent(shallow).evaluate(board[None]), POINTS)[0], abs=0.1)


@pytest.mark.parametrize("name", ["gnubg:1", "gnubg:2", "bgsage:2", "bgsage:3"])
def test_lookahead_plays_well_known_openings(gnubg_nn, bgbot, name):
    turn = Turn.of(np.tile(STANDARD.start_board, (3, 1)), np.array([[3, 1], [4, 2], [6, 1]]), STANDARD)
    chosen = turn.after[agent(name).choose(turn, np.random.default_rng(0))]
    assert [np.flatnonzero(row[1:9] == 2).tolist() for row in chosen] == [[4, 7], [3, 7], [6, 7]]


def test_pubeval_is_recovered_exactly(gnubg_nn, turn):
    """From boards of play, which its weights were not taken from."""
    after = turn.after[::20]
    after = after[~finished(after)]
    told = [gnubg_nn.pub_eval_score(board) for board in gnubg.their_boards(flip(after))]
    row = (~contact(after)).astype(int)
    found = (pubeval.inputs(after) @ pubeval.weights().T)[np.arange(len(after)), row]
    assert row.mean() > 0.02
    assert found == pytest.approx(told, abs=1e-4)


def played(board, hops):
    """The board [26] after hops from, to, … as pub_best_move writes them: 0 is the ace point."""
    after = board.copy()
    for start, end in zip(hops[::2], hops[1::2], strict=True):
        after[start + 1] -= 1
        if end >= 0:
            if after[end + 1] < 0:
                after[[0, end + 1]] = after[0] - 1, 0
            after[end + 1] += 1
    return after


def test_pubeval_takes_its_weights_by_the_board_before_the_play(gnubg_nn, turn):
    player = agent("pubeval")
    chosen = player.choose(turn, np.random.default_rng(0))
    asked = zip(gnubg.their_boards(turn.boards), turn.dice.tolist(), strict=True)
    hops = [gnubg_nn.pub_best_move(board, *dice) for board, dice in asked]
    theirs = np.stack([played(*pair) for pair in zip(turn.boards, hops, strict=True)])
    assert (turn.after[chosen] != theirs).any(1).sum() <= 1  # a tie
    # Taken by the board after it, they would choose otherwise now and then.
    scores = pubeval.inputs(turn.after) @ pubeval.weights().T
    own = np.where(contact(turn.after), scores[:, 0], scores[:, 1]).astype(np.float32)
    assert (best_of_segment(own, turn.starts) != chosen).sum() > 5


def test_the_shipped_verdicts_are_those_of_the_referees(gnubg_nn, bgbot):
    decisions = shipped_decisions()
    some = slice(6)
    turn = ordered_turn(decisions.boards[some], decisions.dice[some])
    game = game_of(turn)
    rated = decisions.rated[: len(game)]
    for column, name in enumerate(decisions.referees):
        values = np.full(len(game), -np.inf, np.float32)
        values[rated] = equity(after_probs(agent(name), turn.after[rated]), POINTS)
        best = np.maximum.reduceat(values, turn.starts[:-1])
        told = decisions.lost[: len(game), column][rated]
        assert told == pytest.approx((best[game] - values)[rated], rel=1e-3, abs=1e-5)
        assert told.max() > 0.02


def test_a_duel_of_engines_does_not_depend_on_the_workers(gnubg_nn, bgbot, monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", 8)
    for pair in (("gnubg:0", "pubeval"), ("bgsage:1", "gnubg:0")):
        assert duel(*pair, games=32, workers=2) == duel(*pair, games=32)


def test_an_engine_judges_luck(gnubg_nn):
    plain, adjusted = (duel("pips", "random", 200, luck=judge) for judge in (None, "gnubg:0"))
    assert (adjusted.judge, adjusted.ppg) == ("gnubg:0", plain.ppg)
    gap = abs(adjusted.adjusted.ppg - adjusted.ppg)
    assert 0 < gap < 4 * (adjusted.adjusted.stderr + adjusted.stderr)


def test_bgsage_judges_the_cube_from_our_side(bgbot):
    """Exactly where the last roll decides, closely in a bear-off, for every place of the cube."""
    texts = ("x 6:1 2:1; o 24:1", "x 6:1; o 24:1", "x 1:3; o 24:2", "x 6:3 4:2; o 21:3 19:2")
    boards = np.stack([parse_position(text) for text in texts])
    told, known = Bgsage(3).cubeful(boards), two_sided().cubeful(boards)
    assert told[:3] == pytest.approx(known[:3], abs=1e-4)
    assert told[3] == pytest.approx(known[3], abs=0.03)
    assert Bgsage(3).cubeful(boards[::-1]) == pytest.approx(told[::-1], abs=1e-6)


def test_the_shipped_cube_verdicts_are_those_of_the_referee(bgbot):
    shipped = shipped_cube_decisions()
    assert shipped.referee == "bgsage:3"
    told = Bgsage(3).cubeful(shipped.boards[:8])
    assert told == pytest.approx(shipped.equities[:8], abs=2e-3)
