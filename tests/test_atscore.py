"""Short bear-offs at the score of a match: against plain recursion, and what has to hold."""

import json
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from clicks import judging_head
from fakes import RaceEvaluator, write_bot
from oracle import sides_after

from nardzero.cli.main import main
from nardzero.game.dice import ROLLS, WEIGHTS
from nardzero.game.matchstate import MatchState
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.judge.analysis import analyse
from nardzero.judge.bearoff import atscore
from nardzero.judge.bearoff.evaluator import BearoffEvaluator
from nardzero.judge.bearoff.sides import every_pair, every_side
from nardzero.judge.bearoff.tables import two_sided
from nardzero.judge.cube import cube
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.met.xmlfile import shipped_table
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.standing import AFTER, BEFORE, CRAWFORD, Standing
from nardzero.play.cubeagents import BeforeRoll, CubeBot
from nardzero.play.sitting.coach import judge_answer, judge_double

RULES, TABLE = RULESETS["standard"], shipped_table()
EXACT = BearoffEvaluator(RaceEvaluator())
TEXT = "x 6:1 4:1 3:1; o 24:2 22:1 21:1"
TO_SEVEN = {"length": 7, "score_x": 3, "score_o": 2, "cube": 2, "cube_owner": "x"}


def game(away, other, phase=BEFORE, cube=1, place=CENTRED, games=1):
    """As many games with this cube at this score."""
    arrays = (np.full(games, value) for value in (cube, place, away, other, phase))
    return Standing(*arrays, length=25)


def values(boards, *where, table=TABLE):
    """What the judge says of positions [N, 26], all with one cube at one score."""
    judge = ScoreJudge(EXACT, RULES, table)
    return judge.values(judge.look(boards), game(*where, games=len(boards)))


# The rules once more, as recursion.


def solved(away, other, phase):
    """The chance to win the match of who is on roll with a side against another: before his roll, without a
    double now, by the value of the cube and its owner, 0 for who is this far `away`, 1 for the other."""
    needs = (away, other)

    def won(player, cube):
        """What a game won is worth to a player."""
        return float(TABLE.mwc(needs[player] - cube, needs[1 - player], phase > BEFORE))

    @cache
    def rolls(player, own, opponents, cube, owner):
        if not any(opponents):
            return 1 - won(1 - player, cube)
        return sum(
            weight
            * max(1 - decides(1 - player, opponents, left, cube, owner) for left in sides_after(own, roll))
            for roll, weight in zip(map(tuple, ROLLS.tolist()), WEIGHTS.tolist(), strict=True)
        )

    def decides(player, own, opponents, cube, owner):
        value = rolls(player, own, opponents, cube, owner)
        if phase != CRAWFORD and owner in (None, player) and needs[player] > cube and any(opponents):
            taken = rolls(player, own, opponents, 2 * cube, 1 - player)
            return max(value, min(taken, won(player, cube)))
        return value

    return partial(rolls, 0)


@pytest.mark.parametrize(
    ("away", "other", "phase", "value", "place"),
    [
        (4, 5, BEFORE, 1, CENTRED),
        (4, 5, BEFORE, 2, OWNED),
        (5, 4, BEFORE, 2, OPPONENTS),
        (2, 2, BEFORE, 1, CENTRED),
        (2, 4, BEFORE, 1, CENTRED),
        (25, 25, BEFORE, 1, CENTRED),
        (3, 9, BEFORE, 4, OWNED),
        (3, 9, BEFORE, 4, OPPONENTS),
        (2, 1, CRAWFORD, 1, CENTRED),
        (4, 1, AFTER, 1, CENTRED),
        (1, 3, AFTER, 1, CENTRED),
        (5, 1, AFTER, 2, OPPONENTS),
        (5, 1, AFTER, 4, OWNED),
    ],
)
def test_chances_are_those_of_plain_recursion(away, other, phase, value, place):
    owner = {CENTRED: None, OWNED: 0, OPPONENTS: 1}[place]
    oracle, sides = solved(away, other, phase), [tuple(side) for side in every_side(3, 2).tolist()[1:]]
    pairs = [*product(sides, sides), ((0, 1, 0, 1, 0, 1), (1, 0, 0, 1, 0))]
    boards = np.zeros((len(pairs), 26), np.int8)
    for board, (own, opponents) in zip(boards, pairs, strict=True):
        board[1 : len(own) + 1] = own
        board[24 : 24 - len(opponents) : -1] = np.negative(opponents)
    found = values(boards, away, other, phase, value, place)
    by_hand = [oracle(own, opponents, value, owner) for own, opponents in pairs]
    assert found.no_double == pytest.approx(by_hand, abs=1e-7)
    if game(away, other, phase, value, place).may_double[0]:
        taken = [oracle(own, opponents, 2 * value, 1) for own, opponents in pairs]
        assert found.double_take == pytest.approx(taken, abs=1e-7)
        assert found.double_pass[0] == TABLE.mwc(away - value, other, phase > BEFORE)


# What has to hold.


def test_a_redouble_that_a_formula_would_pass_is_a_take():
    decision = cube(MatchState(parse_position(TEXT), **TO_SEVEN), EXACT)
    assert (decision.action, decision.exact) == ("Redouble, take", True)
    assert decision.double_take == pytest.approx(0.760, abs=5e-4)


def test_with_every_point_worth_the_same_it_is_a_money_game():
    away = np.arange(1, 65)
    even = MatchEquityTable("even", 0.5 + (away - away[:, None]) / 256, 0.5 + (1 - away) / 256)
    boards = every_pair(len(every_side(6, 3)))
    judge = ScoreJudge(EXACT, RULES, even)
    found = values(boards, 64, 64, table=even)
    money = two_sided().cubeful(boards)
    no_double, double_take, _ = (judge.emg(value, game(64, 64, games=len(boards))) for value in found)
    assert no_double == pytest.approx(money[:, CENTRED], abs=1e-4)
    assert double_take == pytest.approx(2 * money[:, OPPONENTS], abs=1e-3)


def test_the_further_off_the_end_the_more_like_money():
    boards = every_pair(len(every_side(6, 3)))
    money = two_sided().cubeful(boards)[:, CENTRED]
    off = []
    for away in (3, 5, 25):
        emg = ScoreJudge(EXACT, RULES).emg(
            values(boards, away, away).no_double, game(away, away, games=len(boards))
        )
        off.append(np.abs(emg - money).mean())
    assert off[0] > 2 * off[1] > 4 * off[2]
    assert off[2] < 1e-3


@pytest.mark.parametrize(("away", "other"), [(3, 3), (4, 9), (9, 4), (25, 25)])
def test_it_is_good_to_own_the_cube_and_bad_to_have_a_checker_more(away, other):
    size = len(every_side(6, 3))
    owned, centred, theirs = (
        values(every_pair(size), away, other, BEFORE, 1, place).no_double.reshape(size - 1, size - 1)
        for place in (OWNED, CENTRED, OPPONENTS)
    )
    assert (owned >= centred - 1e-12).all()
    assert (centred >= theirs - 1e-12).all()
    assert (owned > centred + 1e-6).any()
    assert (centred > theirs + 1e-6).any()
    sides = every_side(6, 3)[1:]
    for point in range(6):
        more = np.flatnonzero((sides[:, point] > 0) & (sides.sum(1) > 1))
        fewer = sides[more] - np.eye(6, dtype=np.int8)[point]
        place = [int(np.flatnonzero((sides == side).all(1))[0]) for side in fewer]
        assert (centred[more] <= centred[place] + 1e-12).all()
        assert (centred[:, more] >= centred[:, place] - 1e-12).all()


@pytest.mark.parametrize("fields", [TO_SEVEN, {"length": 5, "score_x": 4, "score_o": 1}, {"length": 9}])
def test_a_position_is_worth_the_mean_of_its_best_plays(fields):
    """Seen by the one before the roll, and by the other after it."""
    state = MatchState(parse_position(TEXT), **fields)
    best = [analyse(state, EXACT, roll)[0].mwc for roll in map(tuple, ROLLS.tolist())]
    judge = ScoreJudge(EXACT, RULES)
    before = judge.values(judge.look(state.board[None]), Standing.of(state, RULES))
    assert WEIGHTS @ best == pytest.approx(before.no_double[0], abs=1e-9)


def test_what_was_solved_once_answers_for_all_that_comes_of_it(monkeypatch):
    """After 6-1 the opponent is on roll, and may own a cube that was turned."""
    asked = MatchState(parse_position(TEXT), length=7, score_x=3, score_o=2)
    reply = {"length": 7, "score_x": 2, "score_o": 3, "board": parse_position("x 1:2 3:1 4:1; o 21:1 23:1")}
    later = [MatchState(**reply), MatchState(**reply, cube=2, cube_owner="x")]
    monkeypatch.setattr(atscore, "_SOLVED", [])
    cube(asked, EXACT)
    kept = [cube(state, EXACT) for state in later]
    assert len(atscore._SOLVED) == 1
    for state, known in zip(later, kept, strict=True):
        monkeypatch.setattr(atscore, "_SOLVED", [])
        assert cube(state, EXACT).mwc == pytest.approx(known.mwc, abs=1e-12)
    # With another score, or a side that cannot come any more, there is more to solve.
    cube(MatchState(parse_position(TEXT), length=7, score_x=3, score_o=3), EXACT)
    cube(MatchState(parse_position("x 6:1; o 19:1"), length=7, score_x=3, score_o=3), EXACT)
    assert len(atscore._SOLVED) == 3


def test_little_is_kept(monkeypatch):
    monkeypatch.setattr(atscore, "_SOLVED", [])
    monkeypatch.setattr(atscore, "KEPT", 1)
    for score in range(3):
        cube(MatchState(parse_position(TEXT), length=7, score_x=score), EXACT)
    assert len(atscore._SOLVED) == 1


def test_looking_ahead_does_not_put_exact_plays_out_of_order():
    """The second best at this score is not looked ahead for: without the cube it is too far behind."""
    board = parse_position("x 2:2 3:1 5:2; o 20:1 22:1 23:1 24:2")
    state = MatchState(board, length=5, score_o=1, cube=2, cube_owner="x")
    plain, ahead = (analyse(state, EXACT, (1, 1), ply=ply) for ply in (0, 1))
    assert ahead[1].ply < ahead[0].ply
    assert [play.mwc for play in ahead] == [play.mwc for play in plain]
    assert [play.mwc for play in plain] == sorted((play.mwc for play in plain), reverse=True)


# Who asks.


def test_only_where_it_is_known_and_no_formula_was_asked_for():
    state = MatchState(parse_position(TEXT), **TO_SEVEN)
    assert not cube(state, EXACT, efficiency=0.68).exact
    assert not cube(state, RaceEvaluator()).exact
    seven = MatchState(parse_position("x 6:1 4:1 3:5; o 24:2 22:1 21:1"), **TO_SEVEN)
    assert not cube(seven, EXACT).exact
    for ply in (1, 2):
        assert cube(state, EXACT, ply=ply) == cube(state, EXACT)


def test_agents_with_tables_decide_by_what_is_exact():
    before = BeforeRoll(parse_position(TEXT)[None], Standing.of(MatchState(**told()), RULES), RULES)
    rng = np.random.default_rng(0)
    assert CubeBot(EXACT, "exact").offer(before, rng)[0]
    assert CubeBot(EXACT, "exact").take(before, rng)[0]


def test_the_coach_knows_what_a_pass_gave_away():
    head = judging_head(RaceEvaluator())
    offered = MatchState(**told(), offered="double")
    assert judge_double(head, MatchState(**told()), doubled=True).lost == 0
    verdict = judge_answer(head, offered, "pass", beavers=False)
    assert (verdict.best, verdict.lost) == ("take", pytest.approx(0.240, abs=5e-4))


def told():
    """The redouble above, by name."""
    return {"board": parse_position(TEXT), **TO_SEVEN}


@pytest.fixture
def bot(tmp_path):
    return str(write_bot(tmp_path / "bot"))


SEVEN = ["--length", "7", "--score", "3-2", "--cube", "2", "--owner", "x"]
LAST = "x 2:1 5:1; o 24:1"


def test_people_read_that_it_is_exact_at_the_score(capsys, bot):
    assert main(["cube", TEXT, *SEVEN, "--bot", bot]) == 0
    assert "Before the roll, exact, the bear-off solved at this score:" in capsys.readouterr().out
    for text in (TEXT, LAST):
        assert main(["eval", text, *SEVEN, "--bot", bot]) == 0
        read = capsys.readouterr().out
        assert "Before the roll, exact, from the bear-off table:" in read
        assert "For the player on roll, exact." in read
        assert "0-ply" not in read
    assert main(["eval", LAST, *SEVEN, "--bot", bot, "--efficiency", "0.6"]) == 0
    assert "by the formula that was asked for, not exact" in capsys.readouterr().out
    assert main(["cube", TEXT, *SEVEN, "--bot", bot, "--no-tables"]) == 0
    assert "exact" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "known"), [([], True), (["--no-tables"], False), (["--efficiency", "0.6"], False)]
)
def test_programs_read_it_too(capsys, bot, extra, known):
    assert main(["cube", LAST, *SEVEN, "--bot", bot, "--json", *extra]) == 0
    assert json.loads(capsys.readouterr().out)["exact"] is known
    assert main(["eval", LAST, *SEVEN, "--bot", bot, "--json", *extra]) == 0
    assert json.loads(capsys.readouterr().out)["cube_action"]["exact"] is known
