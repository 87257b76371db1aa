"""What cube decisions cost: counted by hand, from files, and for judges whose faults are known."""

import json
import re

import numpy as np
import pytest
from fakes import RaceEvaluator, write_bot

from nardzero.cli.main import main
from nardzero.game.board import Board
from nardzero.game.position import contact
from nardzero.judge.bearoff.sides import every_pair, numbers
from nardzero.judge.bearoff.tables import two_sided
from nardzero.judge.cubeerrors import ACTIONS, CLOSE, action, gain, lost
from nardzero.judge.doubling import CENTRED
from nardzero.play.cubedecisions import CubeDecisions, InvalidCubeDecisions, shipped_cube_decisions
from nardzero.play.cubemistakes import NoCubeHead, Truth, cube_mistakes, known_truths


def equities(*rows):
    return np.array(rows, np.float32)


# By hand: N with the cube centred, owned, the opponent's; so DT is twice the last.

TAKE = (0.5, 0.58, 0.3)  # doubling brings 0.6: 0.1 more than waiting, redoubling 0.02 more
PASS = (0.9, 0.95, 0.6)  # doubling brings 1: 0.1 more, 0.05 more; taking would cost 0.2
EARLY = (0.4, 0.45, 0.1)  # doubling brings 0.2: 0.2 less, 0.25 less
GOOD = (1.1, 1.2, 0.7)  # doubling brings 1: 0.1 less, 0.2 less; taking would cost 0.4


def test_what_doubling_brings():
    found = gain(equities(TAKE, PASS, EARLY, GOOD))
    expected = [(0.1, 0.02), (0.1, 0.05), (-0.2, -0.25), (-0.1, -0.2)]
    assert found == pytest.approx(np.array(expected), abs=1e-6)


def test_the_right_action_in_words():
    named = [ACTIONS[number] for number in action(equities(TAKE, PASS, EARLY, GOOD))[:, CENTRED]]
    assert named == ["double, take", "double, pass", "no double, take", "too good, pass"]


@pytest.mark.parametrize(
    ("truth", "believed", "losses"),
    [
        (TAKE, TAKE, (0, 0, 0)),
        (TAKE, (0.7, 0.7, 0.3), (0.1, 0.02, 0)),  # waits
        (TAKE, (0.9, 0.9, 0.6), (0, 0, 0.4)),  # passes what is worth 0.6
        (PASS, (0.5, 0.6, 0.4), (0, 0, 0.2)),  # takes
        (PASS, GOOD, (0.1, 0.05, 0)),  # plays on
        (EARLY, TAKE, (0.2, 0.25, 0)),  # doubles
        (GOOD, PASS, (0.1, 0.2, 0)),  # cashes
    ],
)
def test_what_a_belief_costs(truth, believed, losses):
    assert lost(equities(truth), equities(believed))[0] == pytest.approx(losses, abs=1e-6)


# Files.


@pytest.fixture
def decisions():
    boards = np.stack([Board.parse(text).position for text in ("x 6:5; o 19:5", "x 24:1 6:3; o 19:2 7:2")])
    return CubeDecisions(boards, equities(TAKE, PASS), "bgsage:3")


def test_they_are_read_as_they_were_written(decisions, tmp_path):
    decisions.save(tmp_path / "new" / "cube.npz")
    read = CubeDecisions.load(tmp_path / "new" / "cube.npz")
    assert np.array_equal(read.boards, decisions.boards)
    assert read.equities == pytest.approx(decisions.equities, abs=1e-3)
    assert read.referee == "bgsage:3"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["cube.npz"]


@pytest.mark.parametrize("damage", ["cut", "other", "shapes", "text"])
def test_files_that_hold_something_else_are_refused(decisions, tmp_path, damage):
    path = tmp_path / "cube.npz"
    decisions.save(path)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif damage == "other":
        np.savez(path, boards=decisions.boards)
    elif damage == "shapes":
        np.savez(path, boards=decisions.boards[:1], equities=decisions.equities, referee="bgsage:3")
    else:
        path.write_text("no archive")
    with pytest.raises(InvalidCubeDecisions):
        CubeDecisions.load(path)


def test_the_shipped_ones_are_close_and_in_contact_and_of_every_kind():
    shipped = shipped_cube_decisions()
    assert len(shipped.boards) >= 2_000
    assert contact(shipped.boards).all()
    assert (np.abs(gain(shipped.equities)[:, CENTRED]) < CLOSE + 1e-3).all()
    assert np.bincount(action(shipped.equities)[:, CENTRED], minlength=4).min() >= 200


# What is lost.


class Knows(RaceEvaluator):
    """Judges the cube as the truth has it, but for a fault."""

    def __init__(self, truth, fault=0.0):
        super().__init__()
        self.told, self.fault = (
            {b.tobytes(): e for b, e in zip(truth.boards, truth.equities, strict=True)},
            fault,
        )

    def cubeful(self, boards):
        return np.stack([self.told[board.tobytes()] for board in boards]) + np.float32(self.fault)


def truth_of(*rows, drawn=True):
    boards = every_pair(7)[: len(rows)]
    return Truth("some", boards, equities(*rows), np.ones((len(rows), 3), np.bool_), drawn)


def test_who_knows_loses_nothing():
    truth = truth_of(TAKE, PASS, EARLY, GOOD)
    (row,) = cube_mistakes("one", Knows(truth), iter([truth])).rows
    head = row.judges[0]
    assert [loss.meq for loss in head.losses] == [0, 0, 0, 0]
    assert head.agreement == 1
    assert row.saved.percent == 100


def test_losses_are_means_over_the_decisions_that_are_counted():
    """With 0.25 more everywhere PASS and TAKE are both held for passes, and PASS for too good."""
    truth = truth_of(TAKE, PASS)
    truth.counted[0, 1] = False
    (row,) = cube_mistakes("one", Knows(truth, 0.25), iter([truth])).rows
    assert row.decisions == (2, 1, 2, 5)
    assert [loss.meq for loss in row.judges[0].losses] == pytest.approx([50, 50, 200, 110], abs=1e-2)
    assert row.judges[0].agreement == pytest.approx(2 / 5)
    assert all(loss.stderr > 0 for loss in (row.judges[0].losses[0], row.judges[0].losses[2]))


def test_the_best_efficiency_is_no_worse_than_the_usual():
    boards = every_pair(84)
    truth = Truth.close("table", boards, two_sided().cubeful(boards), False)
    (row,) = cube_mistakes("one", Knows(truth), iter([truth])).rows
    usual, best = (judged.losses[-1].meq for judged in row.judges[1:])
    assert 0 < best <= usual
    assert row.judges[1].losses[-1].stderr == 0


def test_close_is_what_gains_or_loses_little():
    truth = Truth.close("some", every_pair(7)[:4], equities(TAKE, EARLY, (0.6, 0.4, 0.2), (2, 2, 0)), True)
    # EARLY gains too little but for 0.2, which is not less; the third only with the cube owned; the last not.
    assert truth.counted.tolist() == [[True, True, True], [False, True, False]]
    assert truth.equities[:, CENTRED].tolist() == [np.float32(0.5), np.float32(0.6)]


def test_every_pair_of_sides_is_on_a_board_once():
    boards = every_pair(28)
    own, opponent = numbers(boards)
    assert list(zip(own.tolist(), opponent.tolist(), strict=True)) == [
        (mine, theirs) for mine in range(1, 28) for theirs in range(1, 28)
    ]


def test_who_has_not_learned_the_cube_is_told_so():
    with pytest.raises(NoCubeHead, match="random has not learned the cube"):
        cube_mistakes("random", RaceEvaluator(), iter([truth_of(TAKE)]))


# The command.


@pytest.fixture
def few(monkeypatch, decisions):
    from nardzero.cli import decisions as verb

    def truths(_):
        yield Truth.close("contact, close, by bgsage:3", decisions.boards, decisions.equities, True)
        yield truth_of(TAKE, PASS, drawn=False)

    monkeypatch.setattr(verb, "known_truths", truths)


@pytest.mark.usefixtures("few")
def test_the_verb_prints_a_table_and_json(capsys):
    assert main(["decisions", "standard", "--cube"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("standard: mEq lost a cube decision\n")
    assert re.search(r"contact, close, by bgsage:3 +cube head +x = 0.68 +best x = \d\.\d\d\n", told)
    assert "bgsage:3 is 2-ply as we count." in told
    assert main(["decisions", "standard", "--cube", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in read["sets"]] == ["contact, close, by bgsage:3", "some"]
    assert [judged["judge"] for judged in read["sets"][0]["judges"]][:2] == ["cube head", "x = 0.68"]


@pytest.mark.usefixtures("few")
def test_a_bot_without_a_cube_head_is_refused_in_a_sentence(capsys, tmp_path):
    assert main(["decisions", str(write_bot(tmp_path / "bot")), "--cube"]) == 2
    assert "has not learned the cube" in capsys.readouterr().err


@pytest.mark.slow
def test_there_are_three_truths():
    contact_set, table, close = known_truths(shipped_cube_decisions())
    assert len(table.boards) == 923**2
    assert 0 < close.counted.sum() < table.counted.sum()
    assert contact_set.drawn
    assert not table.drawn
