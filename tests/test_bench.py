"""The bench: what it prints has all its parts, and figures that can be true."""

import json

import numpy as np
import pytest

from nardzero.cli.main import main
from nardzero.game.bits import pad
from nardzero.game.board import Board
from nardzero.learn.bench import peers
from nardzero.learn.bench.effort import FULL, QUICK
from nardzero.learn.bench.generator import GeneratorRow
from nardzero.learn.bench.judging import JudgingRow
from nardzero.learn.bench.measure import cpu_seconds, median_seconds, peak_memory
from nardzero.learn.bench.peers import PeerMissing, PeerSpeed, require_peers, their_boards
from nardzero.learn.bench.report import Machine, Report
from nardzero.learn.bench.training import TrainingRow

CHECKERS_AT_START = [0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 10 + [2, 0]


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
        training=[
            TrainingRow(case, 12_345.6, 700_000.0, {"generate": 0.25, "judge": 0.75}, 1_234.0)
            for case in FULL.cases
        ],
        peer=PeerSpeed("1.1.0a11", 5e6, 2.5e5, 333.3),
    )


def test_the_table_fits_a_terminal_and_has_every_row(report):
    text = str(report)
    assert max(map(len, text.splitlines())) <= 80
    for words in (
        "tavla, in training",
        "512-256-128, sieve 64 bfloat16",
        "gnubg-nn 1.1.0a11",
        "12,346",
        "75%",
    ):
        assert words in text


def test_ratios_are_those_of_the_best_figures(report):
    assert [row["ratio"] for row in report.comparison()] == pytest.approx([2, 8, 12_345.6 / 333.3])
    assert json.loads(json.dumps(report.to_json()))["comparison"] == report.comparison()


def test_the_median_leaves_the_first_run_out():
    asked = []
    assert median_seconds(asked.append, 3) >= 0
    assert asked == [0, 1, 2, 3]
    assert cpu_seconds(lambda repeat: np.sort(np.random.default_rng(repeat).random(100_000)), 1) > 0


def test_memory_is_told_in_megabytes():
    assert 20 < peak_memory() < 100_000


def test_a_peer_that_is_not_there_is_said_to_be_missing(monkeypatch):
    monkeypatch.setattr(peers, "MODULE", "nobody_has_this")
    with pytest.raises(PeerMissing, match="pip install gnubg-nn"):
        require_peers()


def test_a_peer_gets_boards_as_it_takes_them():
    start = Board().position
    assert their_boards(pad(start[None])) == [[CHECKERS_AT_START, CHECKERS_AT_START]]
    (both,) = their_boards(Board.from_id("x 6:2 bar:1; o bar:1 22:3").position[None])
    opponent, own = both
    assert (own[5], own[24], sum(own)) == (2, 1, 3)
    assert (opponent[2], opponent[24], sum(opponent)) == (3, 1, 4)


@pytest.mark.peer
def test_the_peer_reads_boards_as_we_mean_them():
    engine = pytest.importorskip("gnubg_nn")
    for position in ("4HPwATDgc/ABMA", "x 6:2 8:3 13:5 bar:1; o 22:3 20:2 2:1"):
        board = Board.from_id(position)
        theirs = engine.board_from_position_id(board.id)
        assert their_boards(board.position[None]) == [[list(side) for side in theirs]]
