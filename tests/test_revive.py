"""Dead units begin anew in a net that says what it said, and can learn again."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from strategies import played
from tiny import TINY

from nardzero import RULESETS
from nardzero.game.bits import pad
from nardzero.game.position import Boards
from nardzero.learn.config import load_config
from nardzero.learn.run import train
from nardzero.model.checkpoint import load_model, new_folder, save_model
from nardzero.model.net import ValueNet
from nardzero.model.revive import dead_units, revived

SCRIPT = Path(__file__).parent.parent / "scripts" / "revive.py"


def boards() -> Boards:
    return pad(np.stack([board for board, _ in played(RULESETS["standard"], 2, 7)]))


def kill(net: ValueNet) -> None:
    """Units that nothing wakes: two in the first hidden layer, one in each other."""
    with torch.no_grad():
        net.first.bias[[1, 3]] = -1000
        for layer in net.body:
            layer.bias[2] = -1000


@pytest.mark.parametrize("head", [(False, ()), (True, ()), (True, (8,))], ids=["no cube", "linear", "layers"])
def test_dead_units_live_again_and_the_net_says_the_same(head):
    torch.manual_seed(0)
    net, seen = ValueNet((24, 16, 8), "tesauro208", *head), boards()
    if head[1]:
        torch.nn.init.normal_(net.cube.out.weight)
    kill(net)
    dead = dead_units(net, seen)
    assert dead[0][[1, 3]].all()
    assert dead[1][2]
    assert dead[2][2]
    alive = revived(net, dead)
    still = dead_units(alive, seen)
    assert not still[0][[1, 3]].any()
    assert sum(map(int, map(torch.sum, still))) < sum(map(int, map(torch.sum, dead)))
    inputs = torch.from_numpy(net.encoding.inputs(seen))
    outputs = alive(inputs)
    assert torch.allclose(outputs, net(inputs), atol=1e-6)
    outputs.square().sum().backward()
    assert alive.body[0].weight.grad[:, [1, 3]].abs().sum() > 0


def test_the_units_that_live_stay_as_they_are():
    torch.manual_seed(0)
    net, seen = ValueNet((24, 16)), boards()
    kill(net)
    dead = dead_units(net, seen)
    alive = revived(net, dead)
    assert torch.equal(alive.first.weight[~dead[0]], net.first.weight[~dead[0]])
    assert not torch.equal(alive.first.weight[dead[0]], net.first.weight[dead[0]])
    assert torch.equal(alive.body[0].bias[~dead[1]], net.body[0].bias[~dead[1]])
    assert torch.equal(alive.outcome.weight[:, ~dead[1]], net.outcome.weight[:, ~dead[1]])
    kept = alive.body[0].weight[~dead[1]]
    assert torch.equal(kept[:, ~dead[0]], net.body[0].weight[~dead[1]][:, ~dead[0]])
    assert not kept[:, dead[0]].any()


def test_the_script_writes_a_bot_to_go_on_from(tmp_path, monkeypatch, capsys):
    bot = train(load_config(None, [*TINY, "net.sieve=[8]"]), tmp_path / "a")
    net, sieve, card = load_model(bot)
    with torch.no_grad():
        net.first.bias[[1, 3]] = -1000
    with new_folder(tmp_path / "dead") as folder:
        save_model(folder, net, card, sieve)
    monkeypatch.setattr(sys, "argv", ["revive.py", str(tmp_path / "dead"), "--out", str(tmp_path / "alive")])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    said = capsys.readouterr().out
    assert f"saved {tmp_path / 'alive'}" in said
    assert not said.rpartition("anew: ")[2].startswith("0 of")
    alive = load_model(tmp_path / "alive")
    assert alive.net.first.bias.min() > -1000
    assert torch.equal(alive.sieve.first.weight, sieve.first.weight)
    assert alive.card["games"] == card["games"]
    assert alive.card["revived"][0] >= 2
    with pytest.raises(SystemExit):
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize("script", ["revive", "mean"])
def test_the_scripts_say_what_bot_there_is_not(tmp_path, monkeypatch, capsys, script):
    monkeypatch.setattr(sys, "argv", [script, "nobody", "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(SCRIPT.with_name(f"{script}.py")), run_name="__main__")
    assert stopped.value.code == 2
    assert "no bot 'nobody'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
