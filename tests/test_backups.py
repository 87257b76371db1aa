"""Exact backups: the mean over all rolls, and the reply to the one that came."""

import shutil

import numpy as np
import pytest
import torch
from strategies import played
from tiny import TINY, equal, weights

from nardzero.game.bits import pad
from nardzero.game.dice import ROLLS, WEIGHTS, throw
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import finished
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.doubling import before
from nardzero.learn.backups import back_up
from nardzero.learn.config import load_config
from nardzero.learn.run import resume, train
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.evaluator import after_probs
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import saves

RULES = RULESETS["standard"]


def folded(cube: bool = True) -> FoldedNet:
    torch.manual_seed(3)
    return FoldedNet(ValueNet((16,), cube=cube))


def by_loops(net: FoldedNet, board: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """What a position [26] is worth by its rolls, and the best afterstate for each."""
    worth, best = np.zeros(9), []
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        after, _ = afterstates(board[None], roll[None], RULES)
        chances = after_probs(net, after)
        chosen = int((chances @ RULES.points).argmax())
        best.append(after[chosen])
        points = float(chances[chosen] @ RULES.points)
        cubeful = before(net.judge_flipped(after[[chosen]])[0, 6:])
        over = finished(after)[chosen]
        worth += weight * np.concatenate([chances[chosen], np.full(3, points) if over else cubeful])
    return worth, best


def test_a_backup_is_the_mean_over_the_best_replies_to_all_rolls():
    net = folded()
    ending = parse_position("x 6:1 1:1; o 24:2")
    boards = np.stack([*[board for board, _ in played(RULES, 1, 2)][::9], ending])
    found = back_up(net, pad(boards), RULES)
    for board, targets, after in zip(boards, found.targets, found.after[..., :26], strict=True):
        worth, best = by_loops(net, board)
        assert targets == pytest.approx(worth, abs=1e-5)
        assert (after == np.stack(best)).all(1).mean() > 0.9  # but for ties
    assert found.targets[:, :6].sum(1) == pytest.approx(1, abs=1e-5)
    assert back_up(folded(cube=False), pad(boards), RULES).targets.shape == (len(boards), 6)


def test_equal_afterstates_are_judged_once(monkeypatch):
    net, judged = folded(), []
    judge = net.judge_flipped
    monkeypatch.setattr(net, "judge_flipped", lambda after: judged.append(after) or judge(after))
    back_up(net, pad(np.stack([board for board, _ in played(RULES, 1, 2)][::9])), RULES)
    rows = np.concatenate(judged)
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_games_go_on_by_the_roll_that_comes(monkeypatch):
    rolled = []

    def recorded(rng, games):
        rolled.append(throw(rng, games))
        return rolled[-1]

    monkeypatch.setattr("nardzero.learn.selfplay.throw", recorded)
    windows = [
        SelfPlay(RULES, 30, np.random.default_rng(1), all_rolls=all_rolls).window(folded(), 90, Stopwatch())
        for all_rolls in (False, True)
    ]
    plain, exact = windows
    assert (rolled[0] == rolled[90]).all()
    assert (plain.boards == exact.boards).all(-1).mean() > 0.99  # but for ties
    assert plain.backups is None
    assert exact.backups.shape == (90, 30, 9)
    # One roll after the other, the values that follow vary about the backups.
    gap = before(exact.values[1:, :, 6:])[~exact.done] - exact.backups[..., 6:][~exact.done]
    assert abs(gap.mean()) < 0.1 * gap.std()


def test_a_run_with_exact_backups_learns_without_noise_and_resumes_alike(tmp_path):
    settings = [*TINY, "train.games=60", "train.save_every=20", "selfplay.games_at_once=16"]
    whole = train(load_config(None, [*settings, "learn.exact_backups=true"]), tmp_path / "whole")
    assert not equal(weights(whole), weights(train(load_config(None, settings), tmp_path / "noisy")))
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(weights(whole), weights(resume(tmp_path / "stopped", [])))
