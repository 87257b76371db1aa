"""Exact endings in training: what the table knows takes the place of what the net thinks."""

import shutil

import numpy as np
import pytest
import torch
from fakes import RaceEvaluator
from tiny import TINY, equal, weights

from nardzero.game.bits import flip_padded, pad
from nardzero.game.board import Board
from nardzero.game.dice import ROLLS
from nardzero.game.rules import RULESETS
from nardzero.judge.analysis import analyse
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.bearoff.tables import two_sided
from nardzero.judge.doubling import before
from nardzero.learn.config import load_config
from nardzero.learn.endings import Endings
from nardzero.learn.run import resume, train
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import saves

RULES = RULESETS["standard"]
IN_TABLE = ["x 6:3 5:1; o 24:2 20:2", "x 1:1; o 19:6", "x 6:6; o 19:6"]
OTHER = ["x 6:7; o 24:1", "x 7:1; o 24:1", "x 6:1; o 3:1", "x; o 24:1", "x 1:1; o"]


def rows(texts):
    return pad(np.stack([Board.parse(text).position for text in texts]))


def net(cube=True):
    torch.manual_seed(0)
    return FoldedNet(ValueNet((8,), cube=cube))


@pytest.mark.parametrize("cube", [False, True])
def test_estimates_are_corrected_where_the_table_knows_and_nowhere_else(cube):
    positions = rows(IN_TABLE + OTHER)
    theirs = net(cube).judge(positions).copy()
    estimates = theirs.copy()
    Endings(two_sided()).correct(flip_padded(positions), theirs)
    known, boards = len(IN_TABLE), positions[: len(IN_TABLE), :26]
    assert np.array_equal(theirs[:known, :6], two_sided().evaluate(boards))
    assert np.array_equal(theirs[:known, 6:], two_sided().cubeful(boards)[:, : 3 * cube])
    assert np.array_equal(theirs[known:], estimates[known:])


def test_games_in_the_table_are_played_perfectly():
    selfplay = SelfPlay(RULES, 64, np.random.default_rng(1), endings=Endings(two_sided()))
    selfplay.boards = np.tile(rows(["x 6:2 5:1 4:1 1:2; o 24:1 22:2 19:3"]), (64, 1))
    window = selfplay.window(net(), 2, Stopwatch())
    reached = window.boards[1][:, :26]
    assert np.array_equal(window.values[1, :, :6], two_sided().evaluate(reached))
    assert np.array_equal(window.values[1, :, 6:], two_sided().cubeful(reached))
    ending = Board(RULES, window.boards[0, 0, :26])
    best = [analyse(ending, BearoffEvaluator(RaceEvaluator()), dice)[0].equity for dice in map(tuple, ROLLS)]
    for equity in -two_sided().equity(reached):
        assert np.abs(np.array(best) - equity).min() < 1e-6


def test_targets_come_from_exact_values():
    trainer = Trainer(load_config(None, [*TINY, "net.cube=true", "selfplay.exact_endings=true"]))
    trainer.selfplay.boards = np.tile(rows(IN_TABLE[2:]), (64, 1))
    window = trainer.selfplay.window(net(), 2, Stopwatch())
    targets = trainer._targets(window, 0.0)
    following = window.boards[1][:, :26]
    assert np.allclose(targets[0, :, :6], two_sided().evaluate(following)[:, ::-1], atol=1e-6)
    assert np.allclose(targets[0, :, 6:], before(two_sided().cubeful(following)), atol=1e-6)


def test_a_run_with_exact_endings_resumes_alike(tmp_path):
    settings = [*TINY, "net.cube=true", "selfplay.exact_endings=true"]
    whole = train(load_config(None, settings), tmp_path / "whole")
    plain = train(load_config(None, [*TINY, "net.cube=true"]), tmp_path / "plain")
    assert not equal(weights(whole), weights(plain))
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    assert equal(weights(whole), weights(resume(tmp_path / "stopped", [])))
