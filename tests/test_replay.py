"""Learning more than once from what was played."""

from pathlib import Path

import numpy as np
import torch
from tiny import equal

from nardzero.game.bits import WIDTH
from nardzero.learn.config import load_config
from nardzero.learn.replay import Replay
from nardzero.learn.state import restore_state, state_of
from nardzero.learn.trainer import Trainer

SETTINGS = ["net.hidden=[8]", "selfplay.games_at_once=4", "selfplay.window=4", "learn.batch=8"]


def trainer_of(*settings: str) -> Trainer:
    return Trainer(load_config(None, [*SETTINGS, *settings]))


def numbered(window: int) -> tuple[np.ndarray, np.ndarray]:
    """Three positions that say which window they are of, and their targets."""
    return np.full((3, WIDTH), window, np.int8), np.full((3, 6), window, np.float32)


def test_the_newest_windows_are_remembered_with_their_targets():
    replay = Replay(2, 6)
    for window in range(4):
        boards, targets = replay.add(*numbered(window))
    assert boards[:, 0].tolist() == targets[:, 0].tolist() == [2, 2, 2, 3, 3, 3]


def test_with_one_window_nothing_but_that_is_learned_from():
    replay = Replay(1, 6)
    replay.add(*numbered(0))
    assert replay.add(*numbered(1))[0][:, 0].tolist() == [1, 1, 1]
    assert replay.state() == {}


def test_each_epoch_takes_as_many_positions_as_a_window_has_from_all_that_are_remembered():
    trainer = trainer_of("learn.replay=3", "learn.epochs=2")
    seen: list[set[tuple[float, ...]]] = []
    trainer.net.register_forward_pre_hook(lambda net, given: seen.append(set(map(tuple, given[0].tolist()))))
    played = []
    for _ in range(5):
        seen.clear()
        trainer.window()
        assert len(seen) == 4  # two epochs of sixteen positions in batches of eight
        played.append(trainer.replay.boards[-16:].copy())
    remembered = trainer.net.encoding.inputs(np.concatenate(played[-3:]))
    assert set().union(*seen) <= set(map(tuple, remembered.tolist()))
    newest = set(map(tuple, trainer.net.encoding.inputs(played[-1]).tolist()))
    assert not set().union(*seen) <= newest


def test_a_trainer_goes_on_as_if_it_had_not_stopped():
    settings = "learn.replay=3", "learn.centred=true", "learn.epochs=2"
    trainer, other = trainer_of(*settings), trainer_of(*settings, "train.seed=1")
    for _ in range(4):
        trainer.window()
    tensors, rest = state_of(trainer)
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    restore_state(other, tensors, rest, Path("there"))
    for one in (trainer, other):
        for _ in range(2):
            one.window()
    assert equal(trainer.net.state_dict(), other.net.state_dict())
    assert not torch.equal(trainer.net.first.weight, tensors["net.first.weight"])
