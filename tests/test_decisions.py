"""Judged decisions: what is kept, what an agent loses in them, and where they come from."""

import json
from dataclasses import replace

import numpy as np
import pytest
from fakes import RaceEvaluator

from nardzero.cli.main import main
from nardzero.game.bits import segment_starts
from nardzero.game.outcomes import equity
from nardzero.game.phases import PHASES, phase_of
from nardzero.game.position import pips
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.model.evaluator import after_probs
from nardzero.play.agents import EvaluatorAgent, PipsAgent, RandomAgent, Turn
from nardzero.play.decisions import Decisions, InvalidDecisions, ordered_turn, shipped_decisions
from nardzero.play.gathering import MARGIN, behind, draw, losses, matters, mixed_play, worth_rating
from nardzero.play.mistakes import Mistakes

STANDARD = RULESETS["standard"]
RACE = EvaluatorAgent(RaceEvaluator(), "race")
OPENING, RACING = PHASES.index("opening"), PHASES.index("race")


@pytest.fixture(scope="module")
def decisions():
    """300 openings and as many races, judged by the race alone, twice as hard by the second referee."""
    rng = np.random.default_rng(0)
    boards = np.array([STANDARD.start_board, parse_position("x 6:5 5:5 8:5; o 12:2 19:8 20:5")] * 300)
    dice = rng.integers(1, 7, (600, 2))
    turn = ordered_turn(boards, dice)
    lost = behind(turn, equity(after_probs(RaceEvaluator(), turn.after), STANDARD.points))
    share = np.zeros(len(PHASES), np.float32)
    share[[OPENING, RACING]] = 0.75, 0.25
    both = np.stack([lost, 2 * lost], axis=1)
    return Decisions(boards, dice, ("one", "two"), both, lost < 0.05, share)


def test_afterstates_stand_in_an_order_of_their_own():
    boards = np.tile(STANDARD.start_board, (21, 1))
    dice = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
    turn = ordered_turn(boards, dice)
    found = Turn.of(boards, dice, STANDARD)
    for game in range(21):
        some = slice(*turn.starts[game : game + 2])
        assert turn.after[some].tolist() == sorted(found.after[some].tolist())


def test_what_was_judged_is_read_as_it_was_written(decisions, tmp_path):
    decisions.save(tmp_path / "judged" / "some.npz")
    read = Decisions.load(tmp_path / "judged" / "some.npz")
    assert [path.name for path in (tmp_path / "judged").iterdir()] == ["some.npz"]
    assert read.referees == decisions.referees
    assert read.lost == pytest.approx(decisions.lost, rel=1e-3, abs=1e-6)
    for name in ("boards", "dice", "rated", "share"):
        assert np.array_equal(getattr(read, name), getattr(decisions, name))
        assert getattr(read, name).dtype == getattr(decisions, name).dtype


def test_what_is_no_judgement_is_refused(decisions, tmp_path):
    with pytest.raises(InvalidDecisions):
        replace(decisions, lost=decisions.lost[:-1])
    with pytest.raises(InvalidDecisions):
        replace(decisions, boards=decisions.boards[::-1])
    (tmp_path / "text").write_text("no decisions")
    (tmp_path / "nothing").touch()
    np.savez(tmp_path / "other.npz", boards=decisions.boards)
    for name in ("text", "nothing", "other.npz"):
        with pytest.raises(InvalidDecisions, match=name):
            Decisions.load(tmp_path / name)


def test_who_judges_as_the_referees_loses_nothing(decisions):
    told = []
    chosen = decisions.ask(RACE, told.append)
    assert sum(told) == len(chosen) == 600
    mistakes = Mistakes.of("race", decisions, chosen)
    assert [loss.meq for loss in mistakes.overall.losses] == [0, 0, 0]
    assert mistakes.unrated == 0


def test_losses_are_means_over_phases_as_often_as_they_came_up(decisions):
    chosen = decisions.ask(RandomAgent())
    lost = 1000 * decisions.lost[chosen, 0]
    mistakes = Mistakes.of("random", decisions, chosen)
    rows = {row.phase: row for row in mistakes.phases}
    assert list(rows) == list(PHASES)
    assert (rows["opening"].decisions, rows["prime"].decisions) == (300, 0)
    for phase, number in (("opening", OPENING), ("race", RACING)):
        group = lost[phase_of(decisions.boards) == number]
        one, two, mean = rows[phase].losses
        assert one.meq == pytest.approx(group.mean(), rel=1e-4)
        assert one.stderr == pytest.approx(group.std(ddof=1) / np.sqrt(300), rel=1e-4)
        assert two.meq == pytest.approx(2 * one.meq, rel=1e-4)
        assert (mean.meq, mean.stderr) == pytest.approx((1.5 * one.meq, 1.5 * one.stderr), rel=1e-4)
    opening, race, overall = rows["opening"].losses[0], rows["race"].losses[0], mistakes.overall.losses[0]
    assert overall.meq == pytest.approx(0.75 * opening.meq + 0.25 * race.meq)
    assert overall.stderr == pytest.approx(np.hypot(0.75 * opening.stderr, 0.25 * race.stderr))
    assert mistakes.unrated == pytest.approx((decisions.lost[chosen, 0] >= 0.05).mean())


def one_turn(values):
    """Two games with three and with as many more afterstates, and what they are worth."""
    turn = Turn.of(np.tile(STANDARD.start_board, (2, 1)), np.array([[5, 5], [3, 1]]), STANDARD)
    starts = segment_starts(np.array([3, len(values) - 3]))
    return replace(turn, after=turn.after[: len(values)], starts=starts), np.array(values, np.float32)


@pytest.mark.parametrize(
    ("second", "matter"),
    [
        ([0.5, 0.4, 0.1], True),
        ([0.5, 0.2, 0.1], False),  # nothing comes near the best
        ([0.5, 0.4995, 0.499], False),  # nothing is at stake
        ([0.5, 0.4995, 0.1], False),  # nor between those that come near
        ([0.5], False),  # forced
    ],
)
def test_decisions_that_matter_have_candidates_and_something_at_stake(second, matter):
    turn, values = one_turn([0.0, -0.1, -1.0, *second])
    assert matters(turn, values).tolist() == [True, matter]


def test_the_best_candidates_are_rated_and_what_agents_chose():
    turn, values = one_turn([0.0, -0.1, -1.0, 0.5, 0.51 - MARGIN, 0.49 - MARGIN, 0.0])
    last = len(values) - 1
    rated = worth_rating(turn, values, [np.array([0, last]), np.array([1, 3])])
    assert rated.tolist() == [True, True, False, True, True, False, True]


def test_losses_are_looked_up_where_rated_and_believed_elsewhere():
    turn, static = one_turn([0.0, -0.1, -1.0, 0.5, 0.4, 0.1])
    rated = np.array([True, True, False, True, True, False])
    deep = np.array([-0.2, -0.1, 9, 0.3, 0.4, 9], np.float32)
    assert losses(turn, rated, deep, static) == pytest.approx([0.1, 0, 1.0, 0.1, 0, 0.4])


def test_mixed_games_start_at_the_start_and_have_positions_of_all_players():
    met = mixed_play([PipsAgent(), RandomAgent()], [0.7, 0.3], 0.1, 40, np.random.default_rng(1))
    assert set(met.game) == set(range(40))
    first = np.unique(met.game, return_index=True)[1]
    assert (met.boards[first] == STANDARD.start_board).all()
    assert (met.dice[first, 0] != met.dice[first, 1]).all()
    assert (pips(met.boards) > 0).all()
    # Games go on until somebody has borne off, so all are met near their end too.
    assert all(pips(met.boards[met.game == game]).min() < 60 for game in range(40))


def test_drawing_keeps_to_shares_leasts_and_games():
    rng = np.random.default_rng(2)
    phase = rng.choice(3, 3000, p=[0.7, 0.28, 0.02])
    game = np.arange(3000) // 10
    drawn, share = draw(phase, game, 400, 30, 2, rng)
    assert len(set(drawn)) == len(drawn)
    assert np.bincount(game[drawn]).max() <= 2
    assert share[:3] == pytest.approx([0.7, 0.28, 0.02], abs=0.03)
    assert np.bincount(phase[drawn]) == pytest.approx([*400 * share[:2], 30], abs=1)


def test_the_shipped_decisions_tell_good_from_bad(capsys):
    decisions = shipped_decisions()
    assert len(decisions.boards) >= 5000
    assert np.bincount(decisions.phase, minlength=len(PHASES)).min() >= 300
    assert decisions.share.sum() == pytest.approx(1, abs=1e-5)
    best = np.minimum.reduceat(decisions.lost, segment_starts(decisions_counts(decisions))[:-1])
    assert np.array_equal(best, np.zeros_like(best))
    assert main(["decisions", "pips"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert main(["decisions", "standard", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["columns"] == ["gnubg:2", "bgsage:3", "mean"]
    *_, mean = read["overall"]["losses"]
    assert 2 < mean["meq"] < 10
    pip_loss = float(text.split(": ")[1].split(" ±")[0])
    assert pip_loss > 4 * mean["meq"]
    assert read["unrated"] < 0.02


def decisions_counts(decisions):
    """How many afterstates each decision has."""
    return np.concatenate([np.diff(turn.starts) for turn in decisions.turns()])
