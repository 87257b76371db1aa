"""What is seen of a run: the right numbers under the right names."""

import numpy as np
import pytest
import torch
from tiny import TINY, scalars

from nardzero.game.rules import RULESETS
from nardzero.learn import monitor as eyes
from nardzero.learn.config import load_config
from nardzero.learn.monitor import Monitor
from nardzero.learn.trainer import Trainer
from nardzero.play.arena import duel

OPINION = [0.05, 0.1, 0.25, 0.3, 0.2, 0.1]
START = RULESETS["tavla"].start_board[None]


@pytest.fixture
def trainer() -> Trainer:
    """One whose averaged weights think OPINION of every position; the newest do not."""
    trainer = Trainer(
        load_config(None, [*TINY, "selfplay.rules=tavla", "train.duel_games=6", "train.seed=4"])
    )
    torch.nn.init.zeros_(trainer.averaged.outcome.weight)
    trainer.averaged.outcome.bias.copy_(torch.tensor(OPINION).log())
    return trainer


def test_the_log_shows_what_the_averaged_net_thinks_of_the_start(trainer, tmp_path):
    trainer.games = 70
    with Monitor(trainer, tmp_path) as monitor:
        monitor.log({"train/loss": 0.5, "games/length": 44.0})
    logged = scalars(tmp_path)
    assert {step for values in logged.values() for step, _ in values} == {70}
    assert {tag: values[0][1] for tag, values in logged.items()} == pytest.approx(
        {
            "train/loss": 0.5,
            "games/length": 44,
            "start/wins": 0.4,
            "start/gammons": 0.15,
            "start/gammons lost": 0.3,
            "start/equity": 2 * 0.15 + 0.25 - 0.3 - 2 * 0.3,  # tavla pays a backgammon like a gammon
        }
    )


def test_duels_are_those_of_the_net_for_play(trainer, tmp_path, monkeypatch):
    asked = []

    def recorded(a, b, games, rules, seed):
        asked.append((b, games, rules.name, seed))
        assert np.allclose(a.evaluate(START), OPINION)
        return duel("pips", b, games, rules, seed)

    monkeypatch.setattr(eyes, "duel", recorded)
    with Monitor(trainer, tmp_path) as monitor:
        found = monitor.duels()
    assert asked == [("random", 6, "tavla", 4), ("pips", 6, "tavla", 4)]
    assert found["duel/random"] > 0 == found["duel/pips"]
