"""One window of the trainer: who plays it, what is learned from it, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny import equal, weights
from torch import Tensor

from nardzero.game.bits import WIDTH
from nardzero.game.rules import RULESETS
from nardzero.learn import trainer as learning
from nardzero.learn.config import load_config
from nardzero.learn.saves import save
from nardzero.learn.selfplay import Window
from nardzero.learn.targets import lambda_returns
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet

START = RULESETS["standard"].start_board[None]
ONE_STEP = ["net.hidden=[8]", "selfplay.games_at_once=4", "selfplay.window=4", "learn.batch=16"]
"""A window is one gradient step, and too short for a game to end."""


def trainer_of(*settings: str, steps: int = 0) -> Trainer:
    """A trainer that has taken so many steps, and whose averaged weights differ from the newest if any."""
    trainer = Trainer(load_config(None, [*ONE_STEP, *settings]))
    trainer.steps = steps
    if steps:
        with torch.no_grad():
            for parameter in trainer.net.parameters():
                parameter.mul_(1.1)
    return trainer


def flat(net: ValueNet) -> Tensor:
    return torch.cat([parameter.detach().reshape(-1) for parameter in net.parameters()])


def recorded(monkeypatch: pytest.MonkeyPatch, trainer: Trainer) -> list[tuple[np.ndarray, Window]]:
    """What the net that plays thinks of the start, and the window, of each window from here."""
    windows, play = [], trainer.selfplay.window

    def window(net, *given):
        windows.append((net.evaluate(START), play(net, *given)))
        return windows[-1][1]

    monkeypatch.setattr(trainer.selfplay, "window", window)
    return windows


@pytest.mark.parametrize(
    ("steps", "average", "way"),
    [
        (0, 0.999, 1),  # nothing of the random weights of the start remains
        (90, 0.999, 0.1),  # young: a tenth of its life
        (90, 0.8, 0.2),  # as long as configured
        (50_000, 0.999, 0.001),
    ],
)
def test_the_average_remembers_as_configured_but_not_its_childhood(steps, average, way):
    trainer = trainer_of(f"learn.average={average}", steps=steps)
    before = flat(trainer.averaged)
    trainer.window()
    newest = flat(trainer.net)
    assert not torch.equal(newest, before)
    assert torch.allclose(flat(trainer.averaged) - before, way * (newest - before), rtol=1e-2, atol=1e-7)


@pytest.mark.parametrize(("average", "plays"), [(0.9, "averaged"), (0, "net")])
def test_saves_play_with_the_averaged_weights_unless_averaging_is_off(tmp_path, average, plays):
    trainer = trainer_of(f"learn.average={average}", steps=50)
    saved = weights(save(trainer, tmp_path))
    assert [equal(saved, net.state_dict()) for net in (trainer.averaged, trainer.net)] == [
        plays == "averaged",
        plays == "net",
    ]


@pytest.mark.parametrize(("averaged", "plays"), [("true", "averaged"), ("false", "net")])
def test_the_newest_or_the_averaged_weights_play_the_games(monkeypatch, averaged, plays):
    trainer = trainer_of(f"selfplay.averaged={averaged}", steps=50)
    opinion = FoldedNet(getattr(trainer, plays)).evaluate(START)
    windows = recorded(monkeypatch, trainer)
    trainer.window()
    assert np.array_equal(windows[0][0], opinion)


def test_every_position_is_learned_from_once_an_epoch(monkeypatch):
    trainer = trainer_of("learn.epochs=3", "learn.batch=6")
    windows = recorded(monkeypatch, trainer)
    batches = []
    trainer.net.register_forward_pre_hook(lambda net, given: batches.append(given[0].numpy()))
    trainer.window()
    inputs = trainer.net.encoding.inputs(windows[0][1].boards.reshape(-1, WIDTH))
    assert [len(batch) for batch in batches] == [6, 6, 4] * 3
    assert sorted(np.concatenate(batches).tolist()) == sorted(3 * inputs.tolist())


def test_lambda_and_the_rate_follow_the_share_of_games(monkeypatch):
    schedule = ["learn.lambda_until=0.5", "learn.rate_start=1e-2", "learn.rate_end=1e-4"]
    trainer = trainer_of("train.games=1000", *schedule)
    lambdas, rates, logged = [], [], []

    def returns(values, done, results, lam):
        lambdas.append(lam)
        return lambda_returns(values, done, results, lam)

    monkeypatch.setattr(learning, "lambda_returns", returns)
    for games in (0, 250, 500, 1000):
        trainer.games = games
        facts = trainer.window()
        rates.append(trainer.optimiser.param_groups[0]["lr"])
        logged.append((facts["train/lambda"], facts["train/rate"]))
    assert lambdas == pytest.approx([1, 0.5, 0, 0])
    assert rates == pytest.approx([1e-2, 10**-2.5, 1e-3, 1e-4])
    assert logged == list(zip(lambdas, rates, strict=True))


def test_the_sieve_learns_what_the_net_learns():
    trainer = trainer_of("net.sieve=[8]", "net.cube=false")
    before = flat(trainer.sieve)
    for _ in range(2):
        trainer.window()
    assert not torch.equal(flat(trainer.sieve), before)
    assert torch.equal(flat(trainer.sieve), flat(trainer.net))


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_judging_and_learning_use_the_same_arithmetic(monkeypatch, precision):
    judged, learned = [], []

    def folded(net, precision="float32"):
        judged.append(precision)
        return FoldedNet(net, precision)

    monkeypatch.setattr(learning, "FoldedNet", folded)
    trainer = trainer_of(f"train.precision={precision}")
    trainer.net.first.register_forward_hook(lambda layer, given, sums: learned.append(sums.dtype))
    trainer.window()
    assert judged == [precision]
    assert learned == [getattr(torch, precision)]


def test_the_log_tells_how_games_ended_and_how_well_they_were_foreseen(monkeypatch):
    trainer = trainer_of("learn.lambda_start=0", "net.cube=false")
    torch.nn.init.zeros_(trainer.net.outcome.weight)
    torch.nn.init.zeros_(trainer.net.outcome.bias)
    boards = np.zeros((4, 4, WIDTH), np.int8)
    results = np.zeros((4, 4, 6), np.float32)
    lengths = np.zeros((4, 4), np.int64)
    alike = np.full((5, 4, 6), 1 / 6, np.float32)
    none = Window(boards, alike, lengths > 0, results, lengths)
    monkeypatch.setattr(trainer.selfplay, "window", lambda *given: none)
    facts = trainer.window()
    assert facts["train/loss"] == pytest.approx(0, abs=1e-6)
    assert not any(name.startswith("games/") for name in facts)
    # Two single games, two gammons and a backgammon.
    ended = ((0, 0, 2, 40), (1, 2, 1, 60), (1, 3, 1, 51), (3, 1, 0, 90), (3, 0, 2, 3))
    for ply, game, outcome, length in ended:
        results[ply, game, outcome], lengths[ply, game] = 1, length
    some = replace(none, done=lengths > 0)
    monkeypatch.setattr(trainer.selfplay, "window", lambda *given: some)
    facts = trainer.window()
    assert facts["games/length"] == pytest.approx(48.8)
    assert (facts["games/gammons"], facts["games/backgammons"]) == pytest.approx((0.6, 0.2))
    assert trainer.games == 5
