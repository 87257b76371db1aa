"""scripts/mean.py: the mean of the weights of bots."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from strategies import played
from tiny import TINY

import nardzero
from nardzero.learn.config import load_config
from nardzero.learn.run import train
from nardzero.model.checkpoint import load_model

SCRIPT = Path(__file__).parent.parent / "scripts" / "mean.py"


def bot(folder: Path, *settings: str) -> Path:
    return train(load_config(None, [*TINY, "net.sieve=[8]", *settings]), folder)


def mean(monkeypatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["mean.py", *map(str, arguments)])
    runpy.run_path(str(SCRIPT), run_name="__main__")


def test_the_mean_of_two_bots_is_a_bot_between_them_with_the_card_and_the_sieve_of_the_last(
    tmp_path, monkeypatch, capsys
):
    first, last = bot(tmp_path / "a", "train.seed=1"), bot(tmp_path / "b", "train.seed=2")
    mean(monkeypatch, first, last, "--out", tmp_path / "mean")
    one, other, between = (load_model(folder) for folder in (first, last, tmp_path / "mean"))
    for name, weight in between.net.state_dict().items():
        halfway = (one.net.state_dict()[name] + other.net.state_dict()[name]) / 2
        assert torch.allclose(weight, halfway, atol=1e-6)
    assert between.card["seed"] == other.card["seed"] == 2
    assert between.card["mean_of"] == [str(first), str(last)]
    assert torch.equal(between.sieve.first.weight, other.sieve.first.weight)
    with pytest.raises(SystemExit):
        mean(monkeypatch, first, last, "--out", tmp_path / "mean")
    assert "already exists" in capsys.readouterr().err


def test_half_the_room_keeps_what_the_bot_says(tmp_path, monkeypatch):
    whole = bot(tmp_path / "a", "net.cube=true")
    mean(monkeypatch, whole, "--out", tmp_path / "half", "--half")
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (whole, tmp_path / "half")]
    assert sizes[1] < 0.6 * sizes[0]
    one, other = nardzero.load(whole), nardzero.load(tmp_path / "half")
    boards = np.stack([board for board, _ in played(one.rules, 1, 50)])
    assert other.evaluate(boards) == pytest.approx(one.evaluate(boards), abs=1e-3)
    assert other.cubeful(boards) == pytest.approx(one.cubeful(boards), abs=5e-3)
    assert "mean_of" not in load_model(tmp_path / "half").card


def test_bots_of_different_layers_have_no_mean(tmp_path, monkeypatch, capsys):
    first, last = bot(tmp_path / "a"), bot(tmp_path / "b", "net.hidden=[6]")
    with pytest.raises(SystemExit) as stopped:
        mean(monkeypatch, first, last, "--out", tmp_path / "mean")
    assert stopped.value.code == 2
    assert "same layers" in capsys.readouterr().err
    assert not (tmp_path / "mean").exists()
