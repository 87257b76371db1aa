"""The net, its folded form for playing, and the targets it learns towards."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from strategies import boards, played

from nardzero import RULESETS, flip
from nardzero.game.bits import pad
from nardzero.game.outcomes import equity, finished, win_kind
from nardzero.game.position import off
from nardzero.game.text import parse_position
from nardzero.learn.targets import lambda_returns
from nardzero.model.encoding import ENCODINGS
from nardzero.model.evaluator import after_probs
from nardzero.model.folded import CHUNK, FoldedNet
from nardzero.model.net import ValueNet

POSITIONS = np.stack([board for board, _ in played(RULESETS["standard"], 6, 11)])


def test_a_cube_head_of_its_own_begins_with_the_equity_without_a_cube():
    torch.manual_seed(1)
    folded = FoldedNet(ValueNet((32, 16), cube=True, cube_hidden=(8,)))
    without = equity(folded.evaluate(POSITIONS), RULESETS["standard"].points)
    assert np.abs(folded.judge(POSITIONS)[:, 6:] - without[:, None]).max() < 1e-5


def trained_probs(net: ValueNet, positions: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return net(torch.from_numpy(net.encoding.inputs(positions))).softmax(1).numpy()


def random_net(*hidden: int) -> ValueNet:
    torch.manual_seed(1)
    net = ValueNet(hidden)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(2).add_(0.02)
    return net


@pytest.mark.parametrize("cube_hidden", [(), (8,), (8, 4)])
def test_the_cube_head_folds_with_the_outcomes(cube_hidden):
    torch.manual_seed(1)
    net = ValueNet((32, 16), cube=True, cube_hidden=cube_hidden)
    with torch.no_grad():
        for parameter in net.cube.parameters():
            parameter.add_(0.1)
        wanted = net(torch.from_numpy(net.encoding.inputs(POSITIONS)))
    folded = FoldedNet(net)
    assert folded.has_cube
    for judged in (folded.judge(POSITIONS), folded.judge_flipped(flip(POSITIONS))):
        assert np.abs(judged[:, 6:] - wanted[:, 6:].numpy()).max() < 1e-5
        assert np.abs(judged[:, :6] - wanted[:, :6].softmax(1).numpy()).max() < 1e-5
    assert np.array_equal(folded.evaluate(POSITIONS), folded.judge(POSITIONS)[:, :6])
    assert not FoldedNet(random_net(8)).has_cube


@pytest.mark.parametrize("hidden", [(7,), (128, 64), (64, 32, 16, 8)])
def test_folded_and_trained_outputs_agree(hidden):
    net = random_net(*hidden)
    folded = FoldedNet(net)
    wanted = trained_probs(net, POSITIONS)
    assert np.abs(folded.evaluate(POSITIONS) - wanted).max() < 1e-5
    assert np.abs(folded.evaluate(pad(POSITIONS)) - wanted).max() < 1e-5
    assert np.abs(folded.evaluate_flipped(flip(POSITIONS)) - wanted).max() < 1e-5


def test_folded_bfloat16_is_close():
    net = random_net(128, 64)
    assert np.abs(FoldedNet(net, "bfloat16").evaluate(POSITIONS) - trained_probs(net, POSITIONS)).max() < 0.02


def test_batches_of_any_size_give_the_same():
    folded = FoldedNet(random_net(32))
    many = np.resize(POSITIONS, (2 * CHUNK + 3, 26))
    together = folded.evaluate(many)
    assert folded.evaluate(many[:0]).shape == (0, 6)
    assert np.abs(folded.evaluate(many[CHUNK - 1 : CHUNK + 1]) - together[CHUNK - 1 : CHUNK + 1]).max() < 1e-6
    assert np.abs(folded.evaluate(many[-1:]) - together[-1:]).max() < 1e-6


def test_folded_net_does_not_follow_training():
    net = random_net(16, 8)
    folded = FoldedNet(net)
    before = folded.evaluate(POSITIONS)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.5)
    assert np.array_equal(folded.evaluate(POSITIONS), before)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(board=boards())
def test_an_encoding_tells_all_counts_apart(board):
    inputs = ENCODINGS["tesauro208"].inputs(board[None]).reshape(26, 8)
    own = inputs[:, 0] + 2 * inputs[:, 1] + inputs[:, 2] + 2 * inputs[:, 3]
    theirs = inputs[:, 4] + 2 * inputs[:, 5] + inputs[:, 6] + 2 * inputs[:, 7]
    assert (own - theirs).tolist() == board.tolist()
    assert off(board) == 15 - own.sum()


def test_afterstates_are_judged_from_the_other_side():
    folded = FoldedNet(random_net(16))
    after = POSITIONS[50:60]
    assert np.allclose(after_probs(folded, after), folded.evaluate(flip(after))[:, ::-1], atol=1e-6)


def test_a_won_game_is_certain():
    after = np.stack([parse_position(f"x; o {o}") for o in ("19:14", "13:15", "3:15")])
    assert finished(after).all()
    assert win_kind(after).tolist() == [1, 2, 3]
    probs = after_probs(FoldedNet(random_net(16)), after)
    assert probs.tolist() == [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]


def returns_by_definition(values, done, results, lam, ply):
    """One game's λ-return as the weighted mean of its n-step returns, all seen by the player at `ply`."""

    def seen(probs, at):
        return probs[::-1] if (at - ply) % 2 else probs

    total, weight = np.zeros(6), 1.0
    for at in range(ply, len(done)):
        if done[at]:
            return total + weight * seen(results[at], at)
        last = at + 1 == len(done)
        share = weight if last else weight * (1 - lam)
        total = total + share * seen(values[at + 1], at + 1)
        weight *= lam
    return total


@pytest.mark.parametrize("lam", [0.0, 0.3, 0.7, 1.0])
def test_lambda_returns_are_the_weighted_means_of_n_step_returns(lam):
    rng = np.random.default_rng(4)
    plies, games = 9, 5
    values = rng.dirichlet(np.ones(6), (plies + 1, games)).astype(np.float32)
    done = rng.random((plies, games)) < 0.2
    results = np.zeros((plies, games, 6), np.float32)
    results[done] = np.eye(6, dtype=np.float32)[rng.integers(0, 3, done.sum())]
    targets = lambda_returns(values, done, results, lam)
    assert np.allclose(targets.sum(-1), 1, atol=1e-5)
    for game in range(games):
        for ply in range(plies):
            wanted = returns_by_definition(values[:, game], done[:, game], results[:, game], lam, ply)
            assert np.allclose(targets[ply, game], wanted, atol=1e-5)
