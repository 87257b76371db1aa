"""The wheel: it holds the package with everything that ships with it, and works away from the clone."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import nardzero
from nardzero.model.checkpoint import CARD

pytest.importorskip("hatchling")

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = "nardzero/_shipped"

ASK = """
import json
import nardzero
from nardzero.learn.config import load_config
from nardzero.model.store import load, shipped_bots

facts = {"package": nardzero.__file__, "games": load_config("quick").train.games}
print(json.dumps(facts | {"bots": {name: load(name).rules.name for name in shipped_bots()}}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel file, built from the clone."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    """A folder that holds what an installation would."""
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files(folder):
    """The files below a folder, as paths from it; what Python leaves there does not count."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if "__pycache__" not in path.parts}


def shipped_bots():
    """The names of the clone's own checkpoints."""
    return sorted(card.parent.name for card in (ROOT / "checkpoints").glob(f"*/{CARD}"))


def python(unpacked, *arguments, cwd):
    """What Python prints where it finds the unpacked wheel before the clone."""
    settings = os.environ | {"PYTHONPATH": str(unpacked)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_is_called_by_its_version(wheel):
    assert wheel.name == f"nardzero-{nardzero.__version__}-py3-none-any.whl"


@pytest.mark.parametrize("kind", ["configs", "checkpoints", "decisions"])
def test_the_wheel_ships_what_the_clone_holds(unpacked, kind):
    assert files(unpacked / SHIPPED / kind) == files(ROOT / kind)


def test_the_wheel_holds_the_package_and_no_more(unpacked):
    held = {path for path in files(unpacked) if ".dist-info/" not in path and not path.startswith(SHIPPED)}
    assert held == {f"nardzero/{path}" for path in files(ROOT / "nardzero")}


def test_the_wheel_brings_the_command(unpacked):
    (commands,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "nardzero = nardzero.cli.main:main" in commands.read_text()


def test_what_the_wheel_ships_is_found_by_name(unpacked, tmp_path):
    told = json.loads(python(unpacked, "-c", ASK, cwd=tmp_path))
    assert Path(told["package"]).is_relative_to(unpacked)
    assert told["games"] > 0
    assert sorted(told["bots"]) == shipped_bots()


@pytest.mark.skipif("standard" not in shipped_bots(), reason="no bot for standard rules is shipped")
def test_the_wheel_answers_a_question_at_once(unpacked, tmp_path):
    text = python(unpacked, "-m", "nardzero", "eval", "start", "--dice", "31", "--json", cwd=tmp_path)
    assert json.loads(text)["plays"][0]["play"] == "8/5 6/5"
