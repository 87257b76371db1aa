"""The cache of computed arrays: used when whole, made anew when not, done without when it cannot be."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nardzero.judge.bearoff.cache import VARIABLE, cache_folder, cached
from nardzero.judge.bearoff.tables import one_sided, two_sided


class Recipe:
    """Makes arrays, and counts how often it had to."""

    def __init__(self):
        self.made = 0

    def __call__(self):
        self.made += 1
        return {"table": np.arange(1000, dtype=np.float32), "few": np.arange(6).reshape(2, 3)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "not" / "there yet"))
    return tmp_path / "not" / "there yet"


def same(arrays):
    expected = Recipe()()
    return arrays.keys() == expected.keys() and all(np.array_equal(arrays[k], expected[k]) for k in expected)


def test_made_once_and_then_read(folder):
    recipe = Recipe()
    assert same(cached("thing", recipe))
    assert same(cached("thing", recipe))
    assert recipe.made == 1
    assert [path.name for path in folder.iterdir()] == ["thing"]


@pytest.mark.parametrize("kind", ["made", "read"])
def test_nobody_can_change_what_others_read(folder, kind):
    cached("thing", Recipe())
    arrays = cached("thing" if kind == "read" else "other", Recipe())
    with pytest.raises(ValueError, match="read-only"):
        arrays["table"][0] = 1


@pytest.mark.parametrize("place", [0, 40, 2000, -1])
def test_an_altered_file_is_made_anew(folder, place):
    cached("thing", Recipe())
    data = bytearray((folder / "thing").read_bytes())
    data[place] ^= 1
    (folder / "thing").write_bytes(data)
    recipe = Recipe()
    assert same(cached("thing", recipe))
    assert same(cached("thing", recipe))
    assert recipe.made == 1


@pytest.mark.parametrize("size", [0, 20, 32, 1000, -1])
def test_a_file_cut_short_is_made_anew(folder, size):
    cached("thing", Recipe())
    (folder / "thing").write_bytes((folder / "thing").read_bytes()[:size])
    recipe = Recipe()
    assert same(cached("thing", recipe))
    assert recipe.made == 1


def test_without_a_folder_to_write_to_there_is_no_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "below"))
    recipe = Recipe()
    assert same(cached("thing", recipe))
    assert same(cached("thing", recipe))
    assert recipe.made == 2


def test_a_write_that_fails_leaves_nothing_behind(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert same(cached("thing", Recipe()))
    assert list(folder.iterdir()) == []


def test_an_interrupted_recipe_leaves_nothing_behind(folder):
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached("thing", interrupted)
    assert not folder.exists()


def test_two_processes_may_make_it_at_once(folder):
    code = (
        "import time, numpy as np; from nardzero.judge.bearoff.cache import cached; "
        "print(cached('thing', lambda: time.sleep(0.5) or {'table': np.arange(10)})['table'].sum())"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [process.communicate()[0].strip() for process in processes] == ["45", "45"]
    assert [path.name for path in folder.iterdir()] == ["thing"]
    assert cached("thing", Recipe())["table"].tolist() == list(range(10))


def test_the_platform_says_where_unless_told(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / name)
    assert cache_folder() == tmp_path / "nardzero"
    monkeypatch.setenv(VARIABLE, "elsewhere")
    assert cache_folder() == Path("elsewhere")


def test_tables_come_back_from_the_cache_as_they_were(folder):
    for table, size, fields in ((one_sided, (2, 15), ("last", "first")), (two_sided, (3, 2), ("equities",))):
        made = table.__wrapped__(*size)
        read = table.__wrapped__(*size)
        for field in fields:
            assert np.array_equal(getattr(made, field), getattr(read, field))
        assert made.points == read.points == size[0]
    assert len(list(folder.iterdir())) == 2
