"""The scripts hand their arguments on, and make an environment with what they need, without a network."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUB = """\
#!/bin/sh
echo "$(basename "$0") $*" >> calls
case "$*" in *venv*)
    mkdir -p .venv/bin
    for name in python nardzero ruff mypy pytest; do cp "$0" .venv/bin/$name; done
esac
"""
"""Stands for Python and for all that it installs; writes down how it is called."""


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


def calls(clone: Path, script: str, *argv: str) -> list[str]:
    """What a script runs."""
    (clone / "calls").unlink(missing_ok=True)
    environment = os.environ | {"PYTHON": str(clone / "stub")}
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
