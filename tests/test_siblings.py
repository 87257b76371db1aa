"""A sieve that learns from a finished net how the plays of one roll compare."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from strategies import played
from tiny import TINY, equal

from nardzero import RULESETS, afterstates, flip
from nardzero.game.bits import pad
from nardzero.game.text import parse_position
from nardzero.learn.config import ConfigError, load_config
from nardzero.learn.run import resume, train
from nardzero.learn.siblings import NEAR, disagreement, siblings
from nardzero.learn.trainer import Trainer
from nardzero.model.checkpoint import load_model
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import find, load, saves

RULES = RULESETS["standard"]
BOT = [*TINY, "net.sieve=[8]", "net.cube=true"]
ALONE = [*BOT, "learn.part='sieve'", "learn.batch=16", "learn.rate_start=1e-2"]


@pytest.fixture(scope="module")
def bot(tmp_path_factory) -> Path:
    """A bot that has learned a little, with a sieve of its own."""
    return train(load_config(None, BOT), tmp_path_factory.mktemp("runs") / "bot")


def net_of(*hidden: int) -> FoldedNet:
    torch.manual_seed(3)
    return FoldedNet(ValueNet(hidden))


def thrown(monkeypatch, *dice: tuple[int, int]) -> None:
    monkeypatch.setattr("nardzero.learn.siblings.throw", lambda rng, games: np.array(dice[:games]))


def test_siblings_are_all_plays_of_a_roll_as_the_net_judges_them_for_the_opponent(monkeypatch):
    net = net_of(8)
    boards, dice = zip(*[(b, d) for b, d in played(RULES, 1, 5) if d[0] != d[1]][:20], strict=True)
    thrown(monkeypatch, *dice)
    found = siblings(net, pad(np.stack(boards)), RULES, np.random.default_rng(0))
    sets = [afterstates(board[None], [roll], RULES)[0] for board, roll in zip(boards, dice, strict=True)]
    wanted = [flip(after) for after in sets if len(after) > 1 and (after > 0).any(1).all()]
    assert len(found) == len(wanted) > 10
    for number, theirs in enumerate(wanted):
        mine = found.take(np.array([number]))
        assert sorted(mine.boards[:, :26].tolist()) == sorted(theirs.tolist())
        assert mine.starts.tolist() == [0, len(theirs)]
        assert mine.worth == pytest.approx(net.evaluate(mine.boards) @ RULES.points, abs=1e-5)


def test_there_is_nothing_to_learn_where_there_is_no_choice_or_a_win(monkeypatch):
    positions = "x bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2", "x 1:1 3:1; o 24:2", "x 6:2; o 24:2"
    thrown(monkeypatch, (2, 1), (3, 1), (3, 1))
    boards = pad(np.stack([parse_position(text) for text in positions]))
    found = siblings(net_of(8), boards, RULES, np.random.default_rng(0))
    assert len(found) == 1
    assert (found.boards[:, [24, 25]] >= -1).any()
    assert [board[19] for board in found.boards.tolist()].count(-2) == 0


def test_disagreement_is_about_what_siblings_are_worth_against_each_other():
    starts = np.array([0, 3, 5])
    worth = torch.tensor([0.1, 0.2, 0.15, -0.9, -0.6])
    shifted = worth + torch.tensor([0.3, 0.3, 0.3, -0.1, -0.1])
    assert disagreement(shifted, worth, starts).item() == pytest.approx(0, abs=1e-5)
    ours = torch.tensor([0.1, 0.1, 0.3, -0.9, -0.7])
    divergences = []
    for some in (slice(0, 3), slice(3, 5)):
        p, q = (torch.softmax(-values[some] / NEAR, 0) for values in (worth, ours))
        divergences.append((p * (p / q).log()).sum().item())
    assert disagreement(ours, worth, starts).item() == pytest.approx(np.mean(divergences), rel=1e-4)


def test_disagreement_hardly_minds_what_is_far_behind():
    starts = np.array([0, 3])
    worth = torch.tensor([0.0, 0.1, 0.9])
    near, far = torch.tensor([0.0, 0.2, 0.9]), torch.tensor([0.0, 0.1, 0.8])
    assert disagreement(near, worth, starts) > 20 * disagreement(far, worth, starts)


def test_a_sieve_may_learn_alone(bot, tmp_path):
    whole = train(load_config(None, [*ALONE, f"train.start_from={bot}"]), tmp_path / "whole")
    before, after = load_model(bot), load_model(whole)
    assert equal(after.net.state_dict(), before.net.state_dict())
    assert after.card["earlier_games"] == before.card["games"]
    boards = pad(np.stack([board for board, _ in played(RULES, 20, 7)]))
    sets = siblings(FoldedNet(before.net), boards, RULES, np.random.default_rng(8))
    old, new = (
        disagreement(
            torch.from_numpy(FoldedNet(sieve).evaluate(sets.boards) @ RULES.points),
            torch.from_numpy(sets.worth),
            sets.starts,
        )
        for sieve in (before.sieve, after.sieve)
    )
    assert new < 0.7 * old
    shutil.copytree(tmp_path / "whole", tmp_path / "stopped")
    shutil.rmtree(saves(tmp_path / "stopped")[-1])
    resumed = resume(tmp_path / "stopped", [])
    assert equal(*(load_file(folder / "trainer.safetensors") for folder in (whole, resumed)))


def test_a_sieve_of_other_layers_starts_from_nothing(bot, tmp_path):
    other = train(load_config(None, [*ALONE, "net.sieve=[9]", f"train.start_from={bot}"]), tmp_path / "other")
    assert load_model(other).sieve.hidden == (9,)
    assert equal(load_model(other).net.state_dict(), load_model(bot).net.state_dict())


@pytest.mark.parametrize(
    "settings", [["net.cube=false"], ["net.cube_hidden=[4]"], ["net.hidden=[24, 24, 12]"]]
)
def test_a_sieve_that_learns_alone_leaves_a_net_of_other_layers_alone(bot, tmp_path, settings):
    with pytest.raises(ConfigError, match="must be the same"):
        train(load_config(None, [*ALONE, f"train.start_from={bot}", *settings]), tmp_path / "new")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["train.start_from="], "start_from"),
        (["net.sieve=[]"], r"net\.sieve"),
        (["learn.centred=true"], r"learn\.centred"),
    ],
)
def test_a_sieve_that_learns_alone_needs_a_bot_and_itself(settings, why):
    with pytest.raises(ConfigError, match=why):
        load_config(None, [*ALONE, "train.start_from=standard", *settings])


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_sieve_computes_as_its_net_does(precision):
    """In a training and in a bot: else it would take half of the time that bfloat16 saves."""
    trainer = Trainer(load_config(None, [*BOT, f"train.precision='{precision}'"]))
    trainer.sieve_from = 0
    trained = trainer.sieve, trainer.sorter()
    shipped = load_model(find("standard")).sieve, load("standard", precision).sieve
    boards = np.concatenate([board for board, _ in played(RULES, 2, 0)]).reshape(-1, 26)
    for net, sieve in (trained, shipped):
        assert np.array_equal(sieve.net.evaluate(boards), FoldedNet(net, precision).evaluate(boards))
        other = FoldedNet(net, "float32" if precision == "bfloat16" else "bfloat16").evaluate(boards)
        assert not np.array_equal(sieve.net.evaluate(boards), other)
