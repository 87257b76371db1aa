"""The ladder: agents in order of strength, and tournaments that go on where they stopped."""

import json
import signal
import subprocess
import sys
from itertools import combinations
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from fakes import RACE, RaceEvaluator, SolvedRace, write_bot

import nardzero.play.ladder as ladders
from nardzero.game.errors import InvalidInput
from nardzero.play.agents import EvaluatorAgent, RandomAgent
from nardzero.play.arena import duel
from nardzero.play.chart import save_png
from nardzero.play.ladder import ladder, meetings
from nardzero.play.record import Record

SOLVED = SolvedRace(RACE)
BEST, RACER = EvaluatorAgent(SOLVED, "best", RACE), EvaluatorAgent(RaceEvaluator(), "racer")
THREE = (RandomAgent(), RACER, BEST)


@pytest.fixture(scope="module")
def three():
    """A ladder of three, by the rules that the best was made for."""
    return ladder(THREE, games=800, seed=1)


def test_the_strongest_come_first(three):
    adjusted = ladder(THREE, games=800, seed=1, luck=SOLVED)
    assert three.standings[2].name == "random"
    assert three.standings[1].elo > three.standings[2].elo + 20
    assert sum(standing.ppg for standing in three.standings) == pytest.approx(0, abs=1e-9)
    assert [standing.name for standing in adjusted.standings] == ["best", "racer", "random"]
    assert all(result.judge == "SolvedRace" for result in adjusted.duels)
    for before, after in zip(
        *(sorted(found.standings, key=attrgetter("name")) for found in (three, adjusted)), strict=True
    ):
        assert before.elo == after.elo
        assert 0 < after.ppg_stderr < before.ppg_stderr < 0.02


def test_everybody_meets_everybody_once(three):
    assert {(result.a, result.b) for result in three.duels} == set(
        combinations(["best", "racer", "random"], 2)
    )
    assert [standing.games for standing in three.standings] == [1600] * 3
    assert sum(standing.won for standing in three.standings) == pytest.approx(1.5)


def test_the_order_of_the_agents_does_not_matter(three):
    again = ladder(THREE[::-1], games=800, seed=1)
    assert sorted(again.duels, key=str) == sorted(three.duels, key=str)
    assert np.allclose([s.elo for s in again.standings], [s.elo for s in three.standings])


def test_duels_have_dice_of_their_own_and_can_be_played_again(three):
    assert len({result.seed for result in three.duels}) == 3
    players = {player.name: player for player in THREE}
    for result in three.duels:
        assert duel(players[result.a], players[result.b], 800, RACE, seed=result.seed) == result


def test_anchors_meet_the_others_alone_and_the_first_is_0():
    found = ladder([BEST, "random"], ["pips"], games=60)
    assert {(result.a, result.b) for result in found.duels} == {("best", "pips"), ("pips", "random")}
    (pips,) = (standing for standing in found.standings if standing.name == "pips")
    assert (pips.ppg, pips.elo, pips.ppg_stderr, pips.elo_stderr) == (0, 0, 0, 0)
    assert found.anchor == "pips"
    assert "Relative to pips" in str(found)
    # Two figures meet two duels exactly.
    assert found.misfit[0].best.ppg == pytest.approx(found.misfit[1])


def test_meetings():
    assert meetings("cab") == [("a", "c"), ("b", "c"), ("a", "b")]
    assert meetings("ca", "bd") == [("b", "c"), ("c", "d"), ("a", "b"), ("a", "d")]


def test_a_table_for_people(three):
    lines = str(three).splitlines()
    assert lines[0].split() == ["Elo", "points", "a", "game", "won", "games"]
    assert [line.split()[0] for line in lines[1:4]] == [standing.name for standing in three.standings]
    assert max(map(len, lines)) <= 80
    worst, told = three.misfit
    assert f"{worst.a} v {worst.b}, {worst.best}, here {told:+.3f}" in lines[-1]


@pytest.fixture
def played(monkeypatch):
    """The duels that are really played, not taken from a record."""
    names = []

    def count(a, b, *rest, **named):
        names.append((getattr(a, "name", a), getattr(b, "name", b)))
        return duel(a, b, *rest, **named)

    monkeypatch.setattr(ladders, "duel", count)
    return names


def test_what_is_written_down_is_not_played_again(tmp_path, played):
    record = Record(tmp_path / "ladder.jsonl")
    first = ladder(THREE[1:], games=40, record=record)
    whole = ladder(THREE, games=40, record=record)
    assert len(played) == 3
    assert ladder(THREE, games=40, record=record) == whole
    assert len(played) == 3
    assert first.duels[0] in whole.duels
    ladder(THREE, games=42, record=record)
    assert len(played) == 6
    assert len(record.path.read_text().splitlines()) == 6


def test_bots_go_by_the_names_that_they_were_given(tmp_path, played):
    run = tmp_path / "run"
    write_bot(run / "step-0000000001")
    record, told = Record(tmp_path / "ladder.jsonl"), []
    asked = {"games": 8, "rules": RACE, "record": record, "luck": run}
    (result,) = ladder([run, "random"], **asked, so_far=told.append).duels
    assert told == [result]
    assert {result.a, result.b} == {str(run), "random"}
    assert result.judge == str(run)
    assert ladder([run, "random"], **asked).duels == (result,)
    assert len(played) == 1


def test_a_tournament_that_was_killed_goes_on(tmp_path, played):
    file = tmp_path / "ladder.jsonl"
    code = (
        "import os, sys; sys.path.append('tests'); from pathlib import Path; from test_ladder import THREE; "
        "from nardzero.play.ladder import ladder; from nardzero.play.record import Record; "
        "die = lambda result: os.kill(os.getpid(), 9); "
        "ladder(THREE, games=40, record=Record(Path(sys.argv[1])), done=die)"
    )
    killed = subprocess.run([sys.executable, "-c", code, file], cwd=Path(__file__).parents[1], timeout=60)
    assert killed.returncode == -signal.SIGKILL
    (line,) = file.read_text().splitlines()
    found = ladder(THREE, games=40, record=Record(file))
    assert len(played) == 2
    assert json.loads(line)["ppg"] == found.duels[0].ppg
    assert len(file.read_text().splitlines()) == 3


def test_a_ladder_is_drawn(tmp_path, three):
    pytest.importorskip("matplotlib")
    save_png(three, tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("players", "against", "games", "fault"),
    [
        (["pips"], [], 40, "two agents or more"),
        ([], ["pips", "random"], 40, "two agents or more"),
        (["pips", "random", "pips"], [], 40, "pips is there twice"),
        (["pips", "random"], ["pips"], 40, "pips is there twice"),
        (["pips", "random"], [], 2, "4 games a duel or more"),
    ],
)
def test_nonsense_is_refused(players, against, games, fault):
    with pytest.raises(InvalidInput, match=fault):
        ladder(players, against, games)
