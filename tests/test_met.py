"""Match equities: the shipped table, how it is computed, and GNU Backgammon's files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import cases
from fakes import RaceEvaluator

from nardzero.game.rules import RULESETS
from nardzero.judge.met.solve import solve
from nardzero.judge.met.table import InvalidTable, MatchEquityTable
from nardzero.judge.met.walk import Steps, Walk, play
from nardzero.judge.met.xmlfile import LARGEST, SHIPPED, read_xml, shipped_table, write_xml

ROOT = Path(__file__).resolve().parent.parent
GNUBG = Path("/usr/share/gnubg/met")
SMALL = MatchEquityTable("small", np.array([[0.5, 0.7], [0.3, 0.5]]), np.array([0.5, 0.49]))

MET = {case.id: case.values[1] for case in cases("judgement", "met")}


# The shipped table.


def test_the_shipped_table_is_close_to_the_one_that_players_use():
    table, known = shipped_table(), np.array(MET["MET-01"]) / 100
    points = np.arange(1, len(known) + 1)
    assert np.abs(table.mwc(points[:, None], points) - known).max() < 0.01
    after = np.array(MET["MET-02"]) / 100
    assert np.abs(table.mwc(points, 1, after_crawford=True) - after).max() < 0.01


def test_players_are_equal():
    table = shipped_table()
    assert table.length == 25
    assert table.before + table.before.T == pytest.approx(np.ones((25, 25)), abs=1.1e-5)
    assert (np.diagonal(table.before) == 0.5).all()


def test_to_need_fewer_points_is_better():
    table = shipped_table()
    assert (np.diff(table.before, axis=0) < 0).all()
    assert (np.diff(table.before, axis=1) > 0).all()
    assert (np.diff(table.after) < 0).all()


def test_after_the_crawford_game():
    table = shipped_table()
    one, two, three = table.mwc([1, 2, 3], 1, after_crawford=True)
    # At 2 away the trailer doubles at once; the leader passes when the opening went against him.
    assert one == 0.5
    assert 0.47 < two < 0.5
    # At 3 away he doubles at once and wins the match with a gammon: as at 2 away in the Crawford game.
    assert three == pytest.approx(table.mwc(2, 1), abs=0.002)


def test_matches_that_are_over():
    assert SMALL.mwc([0, -3, 2, 1], [1, 2, 0, -1]).tolist() == [1, 1, 0, 0]
    assert SMALL.mwc([0, 0, 2, 1], [1, 2, 0, -1], after_crawford=True).tolist() == [1, 1, 0, 0]


def test_scores_are_looked_up():
    assert SMALL.mwc(1, 2) == 0.7
    assert SMALL.mwc([1, 2, 2], [1, 1, 2]).tolist() == [0.5, 0.3, 0.5]
    assert SMALL.mwc([1, 2, 1], [1, 1, 2], after_crawford=True).tolist() == pytest.approx([0.5, 0.49, 0.51])


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ((3, 1), "up to 2 points away, not 3"),
        ((0, 0), "only one"),
        ((2, 2, True), "a player is at 1 away"),
    ],
)
def test_scores_that_are_not_in_the_table_are_refused(scores, reason):
    with pytest.raises(InvalidTable, match=reason):
        SMALL.mwc(*scores)


def test_a_table_of_a_single_point_says_so():
    one = MatchEquityTable("one", np.array([[0.5]]), np.array([0.5]))
    with pytest.raises(InvalidTable, match="up to 1 point away, not 2"):
        one.mwc(2, 1)


# How it is computed.


def walk(moves, ends):
    """A walk without gammons; the last cell is the start."""
    return Walk(np.array(moves, float), np.array([[end, 0, 0] for end in ends], float))


def test_a_game_decided_by_the_first_roll_is_a_coin():
    # 0: the player on roll wins. 1: the other one does. The first roll leads to either.
    coin = walk([[0, 0, 0], [1, 0, 0], [0.5, 0.5, 0]], [1, 0, 0])
    table = solve(coin, 3, "coin")
    # The chance to win two tosses before the other wins one, and so on: nobody takes a lost game.
    assert table.before == pytest.approx(np.array([[8, 12, 14], [4, 8, 11], [2, 5, 8]]) / 16)
    assert table.after == pytest.approx([1 / 2, 1 / 4, 1 / 8])


def test_a_roll_for_the_game_is_doubled_where_that_is_right():
    # 1: the player on roll wins or leaves the other in 0, who wins. The first roll leads there.
    last_roll = walk([[0, 0, 0], [0.5, 0, 0], [0, 1, 0]], [1, 0.5, 0])
    table = solve(last_roll, 3, "last roll")
    # After the Crawford game the trailer is on roll and doubles, or the leader is, may miss, and passes.
    # At 2 away (1/2 + 1/4) / 2; at 3 away (1/2 * 1/2 + 1/2 * 3/8) / 2.
    assert table.after == pytest.approx([1 / 2, 3 / 8, 7 / 32])
    assert table.before[1:, 0] == pytest.approx([1 / 4, 3 / 16])


def test_gammons_count_twice():
    # Every game is a gammon for who is on roll after the first roll, so it ends a match of two.
    gammon = Walk(np.array([[0, 0], [1.0, 0]]), np.array([[0, 1.0, 0], [0, 0, 0]]))
    assert solve(gammon, 3, "gammon").before[1:, 0] == pytest.approx([1 / 2, 1 / 4])


def test_games_become_steps():
    games = 10
    steps = play(RaceEvaluator(), RULESETS["standard"], games, np.random.default_rng(5))
    assert steps.start.sum() == games
    assert (steps.won > 0).sum() == games
    assert ((steps.following < 0) == (steps.won > 0)).all()
    going = steps.following >= 0
    assert (steps.following[going] > np.flatnonzero(going)).all()
    # Every position but a start follows one other.
    assert sorted([*steps.following[going], *np.flatnonzero(steps.start)]) == list(range(len(steps.won)))
    assert np.array_equal(steps.probs[0], RaceEvaluator().evaluate(RULESETS["standard"].start_board[None])[0])


def test_steps_become_a_walk():
    probs = np.array([[0, 0, win, 1 - win, 0, 0] for win in (0.5, 0.9, 0.2, 0.5, 0.9)], np.float32)
    start = np.array([True, False, False, True, False])
    steps = Steps(probs, start, np.array([1, 2, -1, 4, -1]), np.array([0, 0, 1, 0, 2]))
    made = Walk.of(steps, wins=2, gammons=1)
    # Cells: behind, ahead, the start.
    assert made.moves.tolist() == [[0, 0, 0], [0.5, 0, 0], [0, 1, 0]]
    assert made.ends.tolist() == [[1, 0, 0], [0, 0.5, 0], [0, 0, 0]]


def test_games_make_a_table():
    steps = play(RaceEvaluator(), RULESETS["standard"], 40, np.random.default_rng(6))
    made = Walk.of(steps)
    assert made.moves.sum(1) + made.ends.sum(1) == pytest.approx(1, abs=1e-9)
    table = solve(made, 3, "of forty games")
    assert table.before + table.before.T == pytest.approx(np.ones((3, 3)))
    assert (np.diff(table.before, axis=0) < 0).all()


# Files.


def test_a_table_comes_back_as_it_was_written(tmp_path):
    odd = MatchEquityTable("a <table> & more", SMALL.before, SMALL.after)
    write_xml(tmp_path / "met.xml", odd, "for a test")
    read = read_xml(tmp_path / "met.xml")
    assert read.name == odd.name
    assert np.array_equal(read.before, odd.before)
    assert np.array_equal(read.after, odd.after)


ROWS = "<row><me>0.5</me><me> .7 </me></row> <row><me>0.3</me><me>0.5</me></row>"
POST = '<post-crawford-table player="{}"><row><me>0.5</me><me>{}</me></row></post-crawford-table>'


BOTH = POST.format("both", 0.49)


def gnubg_file(tmp_path, rows=ROWS, post=BOTH, head=""):
    """A file as GNU Backgammon's are, with rows and a post-Crawford table."""
    text = f"""<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN"
                     "met.dtd" {head}>
<!-- about the table -->
<met>
  <info> <name>Small</name> <description>For a test</description> <length>2</length> </info>
  <pre-crawford-table type="explicit">{rows}</pre-crawford-table>
  {post}
</met>
"""
    path = tmp_path / "gnubg.xml"
    path.write_text(text)
    return path


def test_a_file_of_gnubg(tmp_path):
    table = read_xml(gnubg_file(tmp_path))
    assert table.name == "Small"
    assert np.array_equal(table.before, SMALL.before)
    assert np.array_equal(table.after, SMALL.after)
    both = POST.format("player", 0.49) + POST.format("opponent", 0.49)
    assert np.array_equal(read_xml(gnubg_file(tmp_path, post=both)).after, SMALL.after)


FORMULA = '<parameters><parameter name="gammon-rate">0.25</parameter></parameters>'


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"rows": FORMULA}, "parameters of a formula"),
        ({"rows": ""}, "no pre-crawford-table"),
        ({"post": ""}, "no post-crawford-table"),
        ({"rows": ROWS + "<row/>"}, "no pre-crawford-table with rows of chances"),
        ({"rows": ROWS + "<row><me>1</me></row>"}, "different lengths"),
        ({"rows": ROWS.replace("0.3", "x")}, "no number"),
        ({"rows": ROWS.replace("0.3", "30")}, "from 0 to 1"),
        ({"rows": ROWS.replace("0.3", "nan")}, "from 0 to 1"),
        ({"post": POST.format("player", 0.49) + POST.format("opponent", 0.4)}, "unequal strength"),
        ({"head": '[<!ENTITY big "0.5">]'}, "entities"),
        ({"head": '[<!ENTITY other SYSTEM "file:///etc/hostname">]'}, "entities"),
    ],
)
def test_a_file_that_is_not_such_a_table_is_refused(tmp_path, wrong, reason):
    with pytest.raises(InvalidTable, match=reason):
        read_xml(gnubg_file(tmp_path, **wrong))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not XML"),
        (b"<met>", "not XML"),
        (b"\xff\xfe<\0m\0e\0t\0/\0>\0", "not XML"),
        (b"<html/>", "<html>"),
        (b" " * (LARGEST + 1), "larger than"),
        (b"<met>" * 100_000, "not XML"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path, content, reason):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidTable, match=reason):
        read_xml(tmp_path / "file")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidTable, match="cannot read"):
        read_xml(tmp_path / "nowhere.xml")


def test_the_shipped_file_says_how_it_was_made():
    assert "games of the bot standard" in SHIPPED.read_text("utf-8")


@pytest.mark.slow
def test_the_script_makes_a_table(tmp_path):
    out = tmp_path / "made.xml"
    command = [sys.executable, ROOT / "scripts" / "met.py", "--games", "50", "--seed", "3", "--out", out]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.startswith("single games ")
    assert read_xml(out).length == 25
    assert "From 50 games of the bot standard (seed 3)" in out.read_text("utf-8")


@pytest.mark.peer
@pytest.mark.skipif(not GNUBG.is_dir(), reason="the tables come with GNU Backgammon")
def test_the_files_of_gnubg_are_read():
    refused = {
        "catalog": "not a match equity table",
        "mec": "parameters",
        "zadeh": "parameters",
        "jac050": "unequal strength",
        "jac100": "unequal strength",
    }
    for path in GNUBG.glob("*.xml"):
        if path.stem in refused:
            with pytest.raises(InvalidTable, match=refused[path.stem]):
                read_xml(path)
        else:
            table = read_xml(path)
            # One of them was rounded to three digits before it was mirrored.
            assert table.before + table.before.T == pytest.approx(np.ones(table.before.shape), abs=2.1e-3)
            assert table.length >= 15


@pytest.mark.peer
@pytest.mark.skipif(not GNUBG.is_dir(), reason="the tables come with GNU Backgammon")
def test_up_to_nine_away_against_kazaross_xg2():
    ours, theirs = shipped_table(), read_xml(GNUBG / "Kazaross-XG2.xml")
    before = ours.before - theirs.before
    after = ours.after - theirs.after
    print(f"up to 9 away: {np.abs(before[:9, :9]).max():.4f} before, {np.abs(after[:9]).max():.4f} after")
    print(f"up to 25 away: {np.abs(before).max():.4f} before, {np.abs(after).max():.4f} after")
    assert max(np.abs(before[:9, :9]).max(), np.abs(after[:9]).max()) < 0.01
