"""Duels written down: whole lines only, whoever writes; found again by what was asked for."""

import json
import re
import resource
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes import RaceEvaluator, write_bot

from nardzero.game.rules import RULESETS
from nardzero.play.agents import PipsAgent, RandomAgent, agent
from nardzero.play.arena import duel
from nardzero.play.record import InvalidRecord, Record, terms, weights_of

PIPS, RANDOM, STANDARD = PipsAgent(), RandomAgent(), RULESETS["standard"]


def asked(**changes):
    """The terms of a small duel."""
    usual = {"a": PIPS, "b": RANDOM, "judge": None, "rules": STANDARD, "seed": 1, "games": 8, "se": None}
    return terms(**(usual | changes))


@pytest.fixture
def record(tmp_path):
    return Record(tmp_path / "duels.jsonl", "nardzero arena pips random --games 8")


def test_a_duel_is_written_down_with_how_it_came_about(record):
    result = duel(PIPS, RANDOM, 8, seed=1)
    record.add(asked(), result, 1.234)
    row = json.loads(record.path.read_text())
    assert (row["a"], row["b"], row["games"], row["seed"], row["ppg"]) == ("pips", "random", 8, 1, result.ppg)
    assert set(row["versions"]) == {"nardzero", "python", "numpy", "torch"}
    assert (row["command"], row["cpu_seconds"]) == (record.command, 1.23)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", row["date"])


def test_a_duel_is_found_again_by_what_was_asked_for(record):
    result = duel(PIPS, RANDOM, 8, seed=1, luck=RaceEvaluator())
    assert record.find(asked()) is None
    record.add(asked(), result, 0)
    record.add(asked(seed=2), duel(PIPS, RANDOM, 8, seed=2), 0)
    assert record.find(asked()) == result
    for other in (
        {"a": RANDOM, "b": PIPS},
        {"seed": 3},
        {"games": 10},
        {"se": 0.1},
        {"judge": RaceEvaluator()},
        {"rules": RULESETS["tavla"]},
    ):
        assert record.find(asked(**other)) is None


def test_a_bot_that_learned_is_another(record, tmp_path):
    bot = agent(write_bot(tmp_path / "bot"))
    assert re.fullmatch("[0-9a-f]{64}", weights_of(bot))
    assert weights_of(bot) == weights_of(bot.evaluator)
    assert weights_of(PIPS) is None
    record.add(asked(a=bot), duel(bot, RANDOM, 8, seed=1), 0)
    assert record.find(asked(a=bot))
    bot.evaluator.card["sha256"] = "of other weights"
    assert record.find(asked(a=bot)) is None


def test_lines_of_several_writers_stay_whole(record):
    result = duel(PIPS, RANDOM, 8)
    with ThreadPoolExecutor(8) as crew:
        list(crew.map(lambda games: Record(record.path).add(asked(games=games), result, 0), range(200)))
    rows = [json.loads(line) for line in record.path.read_text().splitlines()]
    assert sorted(row["asked"]["games"] for row in rows) == list(range(200))


def test_a_line_that_has_no_room_leaves_nothing(record):
    result = duel(PIPS, RANDOM, 8)
    record.add(asked(), result, 0)
    before = record.path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(OSError, match="no room"):
            record.add(asked(), result, 0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert record.path.read_bytes() == before


@pytest.mark.parametrize("line", ["{", "7", '{"a": "pips", "b": "random"', "\x00"])
def test_a_file_of_something_else_is_refused(record, line):
    record.path.write_text(f"{{}}\n{line}\n")
    with pytest.raises(InvalidRecord, match="line 2, is not a JSON object"):
        record.find(asked())


def test_a_row_that_lacks_its_figures_is_refused(record):
    record.path.write_text(json.dumps(asked()) + "\n")
    with pytest.raises(InvalidRecord, match="line 1, is no duel"):
        record.find(asked())


def test_what_cannot_be_written_is_said_at_once(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        Record(tmp_path / "nowhere" / "duels.jsonl")
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        Record(tmp_path)


def test_a_line_that_was_torn_off_gives_way_to_the_next(record):
    record.add(asked(), duel(PIPS, RANDOM, 8, seed=1), 0)
    whole = record.path.read_bytes()
    record.path.write_bytes(whole + whole[:-40])
    again = Record(record.path)
    assert again.find(asked()) is not None
    again.add(asked(seed=2), duel(PIPS, RANDOM, 8, seed=2), 0)
    assert again.path.read_bytes().startswith(whole)
    assert [json.loads(line)["seed"] for line in again.path.read_text().splitlines()] == [1, 2]


@pytest.mark.parametrize("garbage", [b"\xff\xfe\n{}\n", b"some notes\nof mine\n"])
def test_a_file_that_is_no_record_is_refused_and_kept(tmp_path, garbage):
    file = tmp_path / "notes"
    file.write_bytes(garbage)
    with pytest.raises(InvalidRecord, match="line 1, is not a JSON object"):
        Record(file)
    assert file.read_bytes() == garbage
