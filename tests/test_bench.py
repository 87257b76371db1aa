"""The bench: what it prints has all its parts, and figures that can be true."""

import json
import sys

import numpy as np
import pytest

from nardzero.cli.main import main
from nardzero.learn.bench.effort import FULL, QUICK
from nardzero.learn.bench.generator import GeneratorRow
from nardzero.learn.bench.judging import JudgingRow
from nardzero.learn.bench.looking import LookingRow
from nardzero.learn.bench.measure import cpu_seconds, median_seconds, peak_memory
from nardzero.learn.bench.peers import PeerSpeed
from nardzero.learn.bench.report import Machine, Report
from nardzero.learn.bench.training import TrainingRow


def test_a_quick_bench_measures_everything(capsys):
    assert main(["bench", "--quick", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    read = json.loads(printed.out)
    assert read["quick"] is True
    assert read["machine"]["cores"] >= 1
    assert set(read["machine"]) >= {"cpu", "python", "numpy", "torch", "nardzero"}
    assert 40 < read["plies_per_game"] < 90
    assert [(row["rules"], row["games"]) for row in read["generator"]] == [
        (rules, games) for rules in QUICK.rulesets for games in QUICK.batches
    ]
    for row in read["generator"]:
        assert 1e4 < row["afterstates_per_second"] < 1e9
        assert 1e4 < row["inside_per_second"] < 1e9
    (judged,) = read["judging"]
    assert 0.001 < judged["float32"] < 1000
    assert judged["gain"] == pytest.approx(judged["float32"] / judged["bfloat16"])
    (trained,) = read["training"]
    assert trained["case"]["sieve"] == [8]
    assert trained["plies_per_second"] / read["plies_per_game"] == pytest.approx(trained["games_per_second"])
    assert sum(trained["shares"].values()) == pytest.approx(1)
    assert set(trained["shares"]) == {"generate", "sieve", "judge", "choose", "learn"}
    assert 50 < trained["peak_mb"] < 2000
    assert (read["peer"], read["comparison"]) == (None, [])


@pytest.fixture
def report():
    """A report with made-up figures for all that a full bench measures, and a peer."""
    return Report(
        machine=Machine("a processor", 2, "AVX512", "3.11.7", "2.4.6", "2.13.0+cpu", "0.1.0"),
        quick=False,
        length=55.4,
        generator=[GeneratorRow(rules, n, 1e7, 1.2e7) for rules in FULL.rulesets for n in FULL.batches],
        judging=[JudgingRow(hidden, 0.5, 0.25, "bfloat16") for hidden in FULL.nets],
        looking=[LookingRow(*look, 123.4) for look in FULL.looks],
        training=[
            TrainingRow(case, 12_345.6, 700_000.0, {"generate": 0.25, "judge": 0.75}, 1_234.0)
            for case in FULL.cases
        ],
        peer=PeerSpeed("1.1.0a11", 5e6, 2.5e5, 333.3, 12.3),
    )


def test_the_table_fits_a_terminal_and_has_every_row(report):
    text = str(report)
    assert max(map(len, text.splitlines())) <= 80
    for words in (
        "tavla, in training",
        "512-512-256-128 sieve 64 bfloat16",
        "gnubg-nn 1.1.0a11",
        "2-ply",
        "12,346",
        "75%",
    ):
        assert words in text


def test_ratios_are_those_of_the_best_figures(report):
    assert [row["ratio"] for row in report.comparison()] == pytest.approx(
        [2, 8, 12_345.6 / 333.3, 123.4 / 12.3]
    )
    assert json.loads(json.dumps(report.to_json()))["comparison"] == report.comparison()


def test_the_median_leaves_the_first_run_out():
    asked = []
    assert median_seconds(asked.append, 3) >= 0
    assert asked == [0, 1, 2, 3]
    assert cpu_seconds(lambda repeat: np.sort(np.random.default_rng(repeat).random(100_000)), 1) > 0


def test_memory_is_told_in_megabytes():
    assert 20 < peak_memory() < 100_000


def test_a_peer_that_is_not_there_is_said_to_be_missing(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    assert main(["bench", "--quick", "--peers"]) == 2
    assert "pip install gnubg-nn" in capsys.readouterr().err
