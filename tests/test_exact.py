"""Exact endings in what people ask: evaluation, lookahead, rollouts and the cube, with bear-off tables."""

import json
from itertools import product

import numpy as np
import pytest
from fakes import RaceEvaluator, write_bot

from nardzero.cli.main import main
from nardzero.game.board import Board
from nardzero.game.rules import RULESETS
from nardzero.judge.analysis import analyse, evaluate
from nardzero.judge.bearoff.cache import VARIABLE
from nardzero.judge.bearoff.evaluator import BearoffEvaluator, with_tables
from nardzero.judge.bearoff.tables import one_sided, two_sided
from nardzero.judge.cube import cube
from nardzero.judge.exact import exact
from nardzero.judge.lookahead import Lookahead, lookahead, plies_of
from nardzero.judge.rollout import rollout

RULES = RULESETS["standard"]
IN_TABLE = "x 6:3 5:1 2:2; o 24:2 20:2 19:2"
BEFORE = "x 6:3 5:2 4:1 2:2; o 24:3 20:2 19:2"
SURE = BearoffEvaluator(RaceEvaluator())


def position(text):
    return Board.parse(text).position[None]


# Evaluators that know what they know.


def test_only_the_two_sided_table_is_exact():
    texts = [IN_TABLE, BEFORE, "x 7:1; o 24:1", "x 6:1; o 3:1", "x 6:1; o", "x; o 24:1"]
    boards = np.concatenate([position(text) for text in texts])
    assert exact(SURE, boards).tolist() == [True] + 5 * [False]
    assert not exact(RaceEvaluator(), boards).any()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS.keys())
@pytest.mark.parametrize("ply", [0, 1, 2])
def test_what_is_exact_stays_so_however_far_one_looks(rules, ply):
    judge = lookahead(SURE, ply, rules)
    assert exact(judge, position(IN_TABLE)).all()
    assert np.array_equal(judge.evaluate(position(IN_TABLE)), two_sided().evaluate(position(IN_TABLE)))
    assert np.array_equal(judge.cubeful(position(IN_TABLE)), two_sided().cubeful(position(IN_TABLE)))


def test_looking_ahead_goes_by_what_is_exact_at_its_end():
    """One ply ahead every play leads into the table: so the mean over the rolls is exact as well."""

    class Nothing(RaceEvaluator):
        def evaluate(self, boards):
            assert not exact(SURE, boards).any(), "asked about a position that the table has"
            return super().evaluate(boards)

    ending = position("x 6:1 5:1; o 24:2 23:2")
    looked = Lookahead(BearoffEvaluator(Nothing()), 1, RULES)._look(np.pad(ending, ((0, 0), (0, 6))))
    assert looked == pytest.approx(two_sided().evaluate(ending), abs=1e-6)


def test_tables_go_in_at_the_end_of_lookahead():
    ahead = Lookahead(RaceEvaluator(), 2, RULES)
    before = with_tables(ahead)
    assert isinstance(before, Lookahead)
    assert isinstance(before.base, BearoffEvaluator)
    assert before.base.base is ahead.base
    assert with_tables(before.base) is before.base
    assert plies_of(before) == plies_of(BearoffEvaluator(ahead)) == 2


def test_the_sieve_of_a_bot_is_still_found():
    bot = RaceEvaluator()
    bot.sieve = object()
    assert BearoffEvaluator(bot).sieve is bot.sieve
    assert SURE.sieve is None


def test_without_a_cube_judge_the_cube_is_known_in_the_table_alone():
    assert SURE.cubeful(position(IN_TABLE)) is not None
    assert SURE.cubeful(position(BEFORE)) is None
    assert Lookahead(SURE, 1, RULES).cubeful(position(BEFORE)) is None


# What the answers say.


def test_evaluations_and_plays_say_whether_they_are_exact():
    board = Board.parse(IN_TABLE)
    assert evaluate(board, SURE).exact
    assert not evaluate(board, RaceEvaluator()).exact
    assert evaluate(Board.parse("x; o 24:1"), RaceEvaluator()).exact
    assert all(play.exact for play in analyse(board, SURE, dice=(6, 5)))
    won, not_won = analyse(Board.parse("x 6:1 5:1; o 24:1"), RaceEvaluator(), (6, 5))
    assert (won.exact, not_won.exact) == (True, False)


def test_nobody_doubles_wrongly_in_the_table():
    board = Board.parse("x 6:1 2:1; o 24:1")
    decision = cube(board, SURE)
    centred, _, theirs = two_sided().cubeful(board.position[None])[0].tolist()
    assert (decision.no_double, decision.double_take) == (centred, 2 * theirs)


# Rollouts.


def test_a_position_of_the_table_is_not_rolled_out():
    rolled = rollout(Board.parse(IN_TABLE), SURE, games=8)
    assert (rolled.exact, rolled.games, rolled.stderr) == (True, 0, 0.0)
    assert rolled.probs == pytest.approx(two_sided().evaluate(position(IN_TABLE))[0])
    assert json.loads(json.dumps(rolled.to_json()))["exact"] is True


def test_plays_into_the_table_come_to_what_it_says():
    board = Board.parse(IN_TABLE)
    plays = rollout(board, SURE, dice=(2, 1), games=72)
    assert len(plays) > 1
    for play, known in zip(plays, analyse(board, SURE, dice=(2, 1)), strict=False):
        assert play.exact
        assert play.equity == pytest.approx(known.equity, abs=1e-6)
        assert play.stderr == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("ply", [0, 1])
def test_games_that_come_into_the_table_end_there_at_the_right_value(ply):
    """One checker too many for the table: a roll later all games are in it, and none leaves any noise.

    Taking off the luck of that roll leaves the mean over all rolls of the exact values.
    """
    board = Board.parse("x 6:2 5:2 4:2 3:1; o 24:3 20:2 19:1")
    assert not evaluate(board, SURE).exact
    rolled = rollout(board, SURE, games=36, ply=ply)
    assert rolled.stderr < 1e-6
    assert rolled.equity == pytest.approx(evaluate(board, SURE, ply=1).equity, abs=1e-5)


def test_a_rollout_without_tables_plays_on_to_the_same_mean():
    board, games = Board.parse("x 2:3; o 24:3"), 1296
    played = rollout(board, RaceEvaluator(), games=games)
    assert played.games == games
    assert played.equity == pytest.approx(evaluate(board, SURE).equity, abs=4 * played.stderr)


# The command line.


@pytest.fixture
def bot(tmp_path):
    return str(write_bot(tmp_path / "bot"))


def answer(capsys, *argv):
    one_sided(), two_sided()
    assert main([*argv, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


@pytest.mark.parametrize("verb", ["eval", "cube", "rollout"])
def test_every_question_is_answered_by_the_tables_first(capsys, bot, verb):
    sure = answer(capsys, verb, IN_TABLE, "--bot", bot)
    alone = answer(
        capsys, verb, IN_TABLE, "--bot", bot, "--no-tables", *(["--games", "4"] * (verb == "rollout"))
    )
    assert (sure["exact"], alone["exact"]) == (True, False)
    key, column = ("no_double", 0) if verb == "cube" else ("equity", None)
    known = two_sided().equity(position(IN_TABLE))[0]
    if column is not None:
        known = two_sided().cubeful(position(IN_TABLE))[0, column]
    assert sure[key] == pytest.approx(known, abs=1e-6)
    assert alone[key] != pytest.approx(known, abs=1e-3)


@pytest.mark.parametrize(("verb", "ply"), list(product(["eval", "cube"], ["0", "1"])))
def test_people_read_that_an_answer_is_exact(capsys, bot, verb, ply):
    assert main([verb, IN_TABLE, "--bot", bot, "--ply", ply]) == 0
    assert "exact, from the bear-off table" in capsys.readouterr().out
    assert main([verb, IN_TABLE, "--bot", bot, "--ply", ply, "--no-tables"]) == 0
    assert "exact" not in capsys.readouterr().out
    assert main([verb, BEFORE, "--bot", bot, "--ply", ply]) == 0
    assert "exact" not in capsys.readouterr().out


def test_a_formula_that_was_asked_for_is_not_exact(capsys, bot):
    assert answer(capsys, "cube", IN_TABLE, "--bot", bot, "--efficiency", "0.6")["exact"] is False


def test_making_a_table_is_told_once_and_works_where_nothing_can_be_kept(capsys, bot, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    for folder, told in ((tmp_path / "cache", "kept in"), (tmp_path / "file" / "cache", "cannot keep")):
        monkeypatch.setenv(VARIABLE, str(folder))
        two_sided.cache_clear()
        assert main(["eval", IN_TABLE, "--bot", bot]) == 0
        printed = capsys.readouterr()
        assert told in printed.err
        assert "exact, from" in printed.out
        assert main(["eval", IN_TABLE, "--bot", bot]) == 0
        assert capsys.readouterr().err == ""


def test_no_table_is_made_where_none_is_needed(capsys, bot, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    two_sided.cache_clear(), one_sided.cache_clear()
    for verb in ("eval", "cube"):
        assert main([verb, "start", "--bot", bot]) == 0
    assert not (tmp_path / "cache").exists()
