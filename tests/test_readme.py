"""What the README shows is what happens."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def test_examples():
    failed, tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert tried > 10
    assert not failed


@pytest.mark.parametrize(
    "folder", ["game", "model", "judge", "play", "play/sitting", "play/matchfile", "learn", "web"]
)
def test_the_tree_names_every_file(folder):
    tree = README.split("## The tree")[1].split("## The API")[0]
    files = {file.name for file in (ROOT / "nardzero" / folder).glob("[a-z]*.py")}
    assert files <= set(re.findall(r"[a-z0-9]+\.py", tree))
