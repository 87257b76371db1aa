"""Learning from pairs of plays, and by how much they differ."""

import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from strategies import played
from tiny import TINY, equal

from nardzero import RULESETS, afterstates, flip
from nardzero.game.bits import WIDTH, pad
from nardzero.game.text import parse_position
from nardzero.learn.backups import back_up
from nardzero.learn.config import ConfigError, load_config
from nardzero.learn.pairs import CLOSE, pairs
from nardzero.learn.pairtrainer import PairTrainer
from nardzero.learn.run import resume, train
from nardzero.learn.saves import STATE
from nardzero.model.checkpoint import load_model
from nardzero.model.folded import STEP, FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.sieve import Sieve
from nardzero.model.store import saves

RULES = RULESETS["standard"]
PAIRS = [*TINY, "net.sieve=[8]", "learn.pairs=true", "learn.replay=3", "learn.epochs=2"]


def net() -> FoldedNet:
    torch.manual_seed(3)
    return FoldedNet(ValueNet([8]))


def thrown(monkeypatch, *dice: tuple[int, int]) -> None:
    monkeypatch.setattr("nardzero.learn.pairs.throw", lambda rng, games: np.array(dice[:games]))


def test_a_pair_is_the_best_play_and_a_close_one_each_with_its_exact_backup(monkeypatch):
    judge = net()
    boards, dice = zip(*[(b, d) for b, d in played(RULES, 1, 5) if d[0] != d[1]][:40], strict=True)
    thrown(monkeypatch, *dice)
    found, targets = pairs(judge, pad(np.stack(boards)), RULES, np.random.default_rng(0))
    wanted = []
    for board, roll in zip(boards, dice, strict=True):
        after = afterstates(board[None], [roll], RULES)[0]
        theirs = judge.evaluate(flip(after)) @ RULES.points
        close = np.flatnonzero(theirs < theirs.min() + CLOSE)
        best = int(theirs.argmin())
        others = close[close != best] if len(close) > 1 else [best]
        wanted.append(
            (flip(after[best : best + 1])[0].tolist(), {tuple(row) for row in flip(after[others]).tolist()})
        )
    assert len(found) == len(wanted) == 40
    assert sum(len(others) > 1 for _, others in wanted) > 20
    for (first, second), (best, others) in zip(found[:, :, :26].tolist(), wanted, strict=True):
        assert first == best
        assert tuple(second) in others
    exact = back_up(judge, found.reshape(-1, WIDTH), RULES).targets
    assert targets.reshape(exact.shape) == pytest.approx(exact, abs=1e-6)


def test_a_play_without_a_choice_is_its_own_rival_and_a_win_teaches_nothing(monkeypatch):
    positions = "x bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2", "x 1:1 3:1; o 24:2"
    thrown(monkeypatch, (2, 1), (3, 1))
    boards = pad(np.stack([parse_position(text) for text in positions]))
    found, targets = pairs(net(), boards, RULES, np.random.default_rng(0))
    assert found.shape == (1, 2, WIDTH)
    assert (found[0, 0] == found[0, 1]).all()
    assert (targets[0, 0] == targets[0, 1]).all()
    thrown(monkeypatch, (3, 1))
    assert pairs(net(), boards[1:], RULES, np.random.default_rng(0))[1].shape == (0, 2, 6)


def test_another_sieve_leaves_out_replies_in_the_backups_alone():
    judge = net()
    boards = pad(np.stack([board for board, _ in played(RULES, 1, 5)][:40]))
    few = Sieve(judge, 10.0, 1)  # what it leaves is what the judge takes for the best itself
    plain = pairs(judge, boards, RULES, np.random.default_rng(0))
    sieved = pairs(judge, boards, RULES, np.random.default_rng(0), None, few)
    assert sieved[0].tolist() == plain[0].tolist()
    assert sieved[1] == pytest.approx(plain[1], abs=1e-6)
    torch.manual_seed(4)
    blind = Sieve(FoldedNet(ValueNet([8])), 10.0, 1)
    chances = pairs(judge, boards, RULES, np.random.default_rng(0), None, blind)[1]
    assert (chances @ RULES.points < plain[1] @ RULES.points + 1e-5).all()
    assert (chances @ RULES.points < plain[1] @ RULES.points - 1e-5).any()


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_plays_that_come_twice_are_judged_once_and_learned_twice(monkeypatch, precision):
    trainer = PairTrainer(load_config(None, [*PAIRS, f"train.precision={precision}"]))
    boards = pad(np.stack([board for board, _ in played(RULES, 1, 5)][:10]))
    rows = np.random.default_rng(0).integers(0, 10, 30)
    seen = []
    see = trainer._see
    monkeypatch.setattr(trainer, "_see", lambda some: seen.append(len(some)) or see(some))
    gradients = []
    for outputs in (trainer._outputs(boards[rows]), see(boards[rows])):
        trainer.net.zero_grad()
        sum(found.float().square().sum() for found in outputs).backward()
        gradients.append([p.grad.clone() for p in trainer.net.parameters() if p.grad is not None])
    assert seen == [len(np.unique(rows)) if precision == "float32" else STEP]
    close = 1e-4 if precision == "float32" else 5e-2
    for found, plain in zip(*gradients, strict=True):
        assert found.numpy() == pytest.approx(plain.numpy(), abs=close * float(plain.abs().max()))


def test_only_the_replies_in_backups_are_limited(monkeypatch):
    given = []
    monkeypatch.setattr(
        "nardzero.learn.pairtrainer.pairs", lambda *rest: given.extend(rest[4:6]) or pairs(*rest)
    )
    trainer = PairTrainer(load_config(None, [*PAIRS, "selfplay.sieve_most=2"]))
    trainer.sieve_from = 0
    trainer.window()
    assert [sieve.most for sieve in given] == [0, 2]
    assert trainer.sorter().margin == trainer.sorter(backups=True).margin


def test_what_both_plays_of_a_pair_are_off_by_costs_nothing_more_and_their_difference_does():
    trainer = PairTrainer(load_config(None, [*PAIRS, "learn.pair_weight=7"]))
    chances = torch.tensor([[0, 0, 0.6, 0.4, 0, 0], [0, 0, 0.5, 0.5, 0, 0]])
    better = torch.tensor([[0, 0, 0.7, 0.3, 0, 0], [0, 0, 0.6, 0.4, 0, 0]])
    assert float(trainer._extra_loss(better.log(), chances)) == pytest.approx(0, abs=1e-6)
    one = torch.stack([better[0], chances[1]])
    assert float(trainer._extra_loss(one.log(), chances)) == pytest.approx(7 * 0.2**2, rel=1e-4)


def test_a_run_learns_from_pairs_and_resumes_as_if_it_had_not_stopped(tmp_path):
    settings = [*PAIRS, "net.cube=true", "learn.centred=true"]
    whole = train(load_config(None, settings), tmp_path / "whole")
    assert saves(tmp_path / "whole")[0] != whole
    before, after = (load_model(save).net.state_dict() for save in (saves(tmp_path / "whole")[0], whole))
    assert not equal(before, after)
    assert load_file(whole / STATE)["games.0.replay.boards"].shape[1:] == (2, WIDTH)
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    resumed = resume(tmp_path / "stopped", [])
    assert equal(*(load_file(save / STATE) for save in (whole, resumed)))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["learn.exact_backups=true"], r"learn\.exact_backups"),
        (["learn.part=sieve", "train.start_from=standard"], r"learn\.part"),
        (["learn.pair_weight=-1"], "from 0 to 1000"),
    ],
)
def test_what_does_not_go_with_pairs_is_said(settings, why):
    with pytest.raises(ConfigError, match=why):
        load_config(None, [*PAIRS, *settings])
