"""The notebooks: they run from top to bottom, show what they promise, and are kept without outputs."""

import json
import os
import re
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SHORTER = {"01_quickstart": "GAMES = 15_000", "02_strength": "GAMES = 64", "03_cube": "POSITIONS = 2_000"}
"""What a test sets after the cell tagged `parameters`, so that it takes a fraction of the time."""

each_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """The name of a kernel that is this very interpreter, whatever the user has registered or configured."""
    home = tmp_path_factory.mktemp("jupyter")
    name = "this-python"
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": name,
        "language": "python",
    }
    (home / "kernels" / name).mkdir(parents=True)
    (home / "kernels" / name / "kernel.json").write_text(json.dumps(spec))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(home))
        for variable in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "IPYTHONDIR",
            "TMPDIR",
        ):
            (home / variable).mkdir()
            patch.setenv(variable, str(home / variable))
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        yield name


@pytest.fixture(scope="module")
def executed(kernel, tmp_path_factory):
    """A function that runs a notebook in an empty folder, shorter or whole, and gives it with its outputs."""

    @cache
    def run(stem, whole):
        book = nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)
        if stem in SHORTER and not whole:
            (tagged,) = (i for i, c in enumerate(book.cells) if "parameters" in c.metadata.get("tags", ()))
            book.cells.insert(tagged + 1, nbformat.v4.new_code_cell(SHORTER[stem]))
        where = {"metadata": {"path": str(tmp_path_factory.mktemp(stem))}}
        return NotebookClient(book, timeout=900, kernel_name=kernel, resources=where).execute()

    return run


def code_cells(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def shown(book, kind):
    """Everything of a MIME type that the cells show."""
    outputs = (output for cell in code_cells(book) for output in cell.outputs)
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


def printed(book):
    """All that the cells print."""
    outputs = (output for cell in code_cells(book) for output in cell.outputs)
    return "".join(output.text for output in outputs if output.get("name") == "stdout")


def test_there_are_notebooks():
    assert {notebook.stem for notebook in NOTEBOOKS} >= SHORTER.keys()


@each_notebook
def test_a_notebook_is_valid_and_kept_without_outputs(notebook):
    book = nbformat.read(notebook, as_version=nbformat.NO_CONVERT)
    nbformat.validate(book)
    assert book.metadata.kernelspec.name == "python3"
    for cell in code_cells(book):
        assert (cell.outputs, cell.execution_count) == ([], None), f"clear the outputs of {notebook.name}"


@each_notebook
def test_a_notebook_runs_from_top_to_bottom(executed, notebook):
    for cell in code_cells(executed(notebook.stem, False)):
        assert cell.execution_count, f"was not run:\n{cell.source}"
        assert all(output.output_type != "error" for output in cell.outputs)


@pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["shorter", "whole"]
)
def test_the_quickstart_shows_a_bot_that_learned(executed, whole):
    book = executed("01_quickstart", whole)
    assert len(shown(book, "image/png")) == 1
    assert len(shown(book, "image/svg+xml")) == 3
    text = printed(book)
    duels = re.findall(r"\S+ v (\w+): ([+-]\d\.\d+) ± (\d\.\d+)", text)
    surely = {opponent: float(ppg) - 2 * float(error) for opponent, ppg, error in duels}
    assert surely["random"] > 2.3
    assert surely["pips"] > (1 if whole else 0.5)
    if whole:
        assert re.search(r"^8/5 6/5  .*\(\+0\.000\)", text, re.MULTILINE)
    assert "standard only: 6/5*/3\n" in text


@pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["shorter", "whole"]
)
def test_strength_is_ranked_and_told_apart_from_luck(executed, whole):
    book = executed("02_strength", whole)
    assert len(shown(book, "image/png")) == 3
    text = printed(book)
    names = re.findall(r"^(\w+) +[+-]\d+ ± \d+ +[+-]\d\.\d{3} ± ", text, re.MULTILINE)
    assert sorted(names[:2]) == ["standard", "takhteh"]
    assert names[2:] == ["pips", "random"]
    assert re.search(r"^standard: \d\.\d+ ± \d\.\d+ mEq lost a decision", text, re.MULTILINE)
    (smaller,) = re.findall(r"its error (\d+\.\d) times smaller", text)
    assert float(smaller) > (3 if whole else 1.5)


def test_the_cube_has_a_window_and_is_measured_by_the_truth(executed):
    book = executed("03_cube", False)
    assert len(shown(book, "image/png")) == 3
    text = printed(book)
    (first, last) = map(int, *re.findall(r"doubling window: (\d+) to (\d+) pips ahead of 93", text))
    assert 3 <= first < last <= 14
    learned = dict(re.findall(r"^([a-z -]+): x = (-?\d\.\d\d)$", text, re.MULTILINE))
    assert 0.5 < float(learned["race"]) < 1
    (head, usual) = re.search(r"^  all +[\d,]+ +(\d+\.\d+) ± \S+ +(\d+\.\d+) ±", text, re.MULTILINE).groups()
    assert float(head) < float(usual)
