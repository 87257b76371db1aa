"""The scripts hand their arguments on, and make an environment with what they need, without a network."""

import os
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from nardzero.learn.config import NetConfig, load_config

ROOT = Path(__file__).resolve().parent.parent
STUB = """\
#!/bin/sh
echo "$(basename "$0") $*" >> calls
case "$*" in *venv*)
    mkdir -p .venv/bin
    for name in python nardzero torchrun ruff mypy pytest; do cp "$0" .venv/bin/$name; done
esac
before=
for word; do
    case "$before" in --name) mkdir -p "runs/$word/step-1" ;; --out) mkdir -p "$word" ;; esac
    before=$word
done
[ ! -e "$before/half" ]
"""
"""Stands for Python and for all that it installs: writes down how it is called, and makes the folders that
are asked for. It fails only when told of a run with a file `half` in it: not all games are played."""


@pytest.fixture
def clone(tmp_path) -> Path:
    """What the scripts need of a clone, in a folder whose name has a space, and the stub."""
    folder = tmp_path / "a clone"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    for file in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / file, folder)
    (folder / "stub").write_text(STUB)
    (folder / "stub").chmod(0o755)
    return folder


def calls(clone: Path, script: str, *argv: str, **settings: str) -> list[str]:
    """What a script runs."""
    (clone / "calls").unlink(missing_ok=True)
    environment = os.environ | {"PYTHON": str(clone / "stub")} | settings
    subprocess.run([clone / "scripts" / script, *argv], env=environment, check=True, capture_output=True)
    return (clone / "calls").read_text().splitlines()


def test_train_installs_nothing_extra_and_hands_its_arguments_to_the_command(clone):
    ran = calls(clone, "train", "--set", "train.games=2000")
    assert next(call for call in ran if " install " in call).endswith(" --editable .")
    wanted = "nardzero train configs/quick.toml --set train.games=2000 --out runs --name quick"
    assert wanted in ran
    assert ran[ran.index(wanted) + 1].startswith("nardzero arena runs/quick random")
    again = calls(clone, "train")
    assert not any("install" in call for call in again)


def test_test_installs_what_it_needs_and_hands_its_arguments_to_pytest(clone):
    ran = calls(clone, "test", "-k", "arena")
    assert next(call for call in ran if " install " in call).endswith(" --editable .[test]")
    assert ran[-1] == "pytest -k arena"


def test_recipe_makes_every_bot_from_one_that_it_has_made_before(clone):
    made: dict[str, NetConfig] = {}
    for call in recipe(clone, "--set", "train.games=300"):
        words = call.split()
        if words[1] == "train":
            fields = [value for flag, value in pairwise(words) if flag == "--set"]
            config = load_config(clone / words[2], fields)
            assert config.train.games == 300
            if made:
                before = made[config.train.start_from.removeprefix("runs/")]
                assert config.train.start_from.startswith("runs/")
                assert unchanged(config.net, config.learn.part) == unchanged(before, config.learn.part)
            else:
                assert not config.train.start_from
            made[words[words.index("--name") + 1]] = config.net
        elif words[1].startswith("scripts/"):
            bots = [bot.removeprefix("runs/") for bot in words[2 : words.index("--out")]]
            made[words[-1].removeprefix("runs/")] = made[bots[-1]]
    assert list(made)[-4:] == ["standard-9", "standard-mean", "takhteh", "takhteh-mean"]
    assert {path.stem for path in (ROOT / "configs").glob("*.toml")} - {"quick"} <= set(made)


def unchanged(net: NetConfig, part: str) -> object:
    """The layers that a stage which teaches this part takes over as they are."""
    kept = {"all": (), "net": net.sieve, "cube": net.sieve, "sieve": (net.hidden, net.cube, net.cube_hidden)}
    return kept[part]


def test_recipe_goes_on_where_it_was(clone):
    recipe(clone)
    assert not trainings(recipe(clone)), "all stages are finished"
    shutil.rmtree(clone / "runs" / "takhteh")
    assert len(trainings(recipe(clone))) == 1


def test_recipe_builds_nothing_on_a_stage_that_was_interrupted(clone):
    half = clone / "runs" / "standard-2" / "step-1"
    recipe(clone, "--device", "cpu")
    for later in ("standard-3", "mean"):
        shutil.rmtree(clone / "runs" / later)
    (half.parent / "half").touch()
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        recipe(clone, "--device", "cpu")
    assert stopped.value.returncode == 130
    ran = (clone / "calls").read_text().splitlines()
    assert trainings(ran) == ["nardzero train --resume runs/standard-2 --device cpu"]


def test_recipe_lets_processes_share_a_stage(clone):
    ran = trainings(recipe(clone, ranks="2"))
    assert ran
    assert all(call.startswith("torchrun") for call in ran)
    assert all("--nproc-per-node=2 -m nardzero train" in call for call in ran)


@pytest.mark.parametrize("before", [["--set", "train.games=300"], None], ids=["a rehearsal", "other runs"])
def test_recipe_keeps_out_of_runs_that_are_not_its_own(clone, before):
    if before:
        recipe(clone, *before)
    else:
        (clone / "runs" / "cube").mkdir(parents=True)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        recipe(clone)
    assert refused.value.returncode == 2
    assert b"move it away" in refused.value.stderr


def trainings(ran: list[str]) -> list[str]:
    """Those calls that train."""
    return [call for call in ran if "train" in call.split()]


def recipe(clone: Path, *argv: str, ranks: str = "1") -> list[str]:
    """What the recipe runs."""
    shutil.copytree(ROOT / "configs", clone / "configs", dirs_exist_ok=True)
    return calls(clone, "recipe", *argv, RANKS=ranks)
