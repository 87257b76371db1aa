"""Where games of self-play begin."""

import numpy as np

from nardzero.game.bits import pad
from nardzero.game.phases import PHASES, phase_of
from nardzero.game.position import COLUMNS
from nardzero.game.rules import RULESETS
from nardzero.game.text import parse_position
from nardzero.learn import starts as starting
from nardzero.learn.starts import Starts

RULES = RULESETS["standard"]
START = pad(RULES.start_board[None])[0]
BACK_GAME = pad(parse_position("x 24:2 22:2 6:4 5:4 4:3; o 21:3 20:3 19:3 18:3 17:3")[None])
PRIME = pad(parse_position("x 8:2 7:2 6:3 5:2 4:2 3:2 1:2; o 2:2 12:5 17:3 19:5")[None])
MIXED = np.concatenate([BACK_GAME, START[None], PRIME])


def starts(share: float) -> Starts:
    return Starts(RULES, share, np.random.default_rng(1))


def phases(boards: np.ndarray) -> set[str]:
    return {PHASES[phase] for phase in phase_of(boards[:, :COLUMNS])}


def test_games_begin_at_the_start_unless_hard_starts_are_wanted():
    plain = starts(0)
    plain.keep(MIXED)
    boards, hard = plain.draw(50)
    assert (boards == START).all()
    assert not hard.any()


def test_a_share_of_games_begins_in_hard_positions_met_before():
    mixed = starts(0.25)
    assert (mixed.draw(50)[0] == START).all()  # nothing was met yet
    mixed.keep(MIXED)
    boards, hard = mixed.draw(4000)
    assert abs(hard.mean() - 0.25) < 0.03
    assert (boards[~hard] == START).all()
    assert phases(boards[hard]) == {"back game", "prime"}
    assert abs((boards[hard] == PRIME).all(1).mean() - 0.5) < 0.06  # of both phases as many


def test_the_oldest_hard_positions_give_way(monkeypatch):
    monkeypatch.setattr(starting, "KEPT", 3)
    few = starts(1)
    few.keep(PRIME)
    few.keep(np.repeat(BACK_GAME, 2, axis=0))
    other = pad(parse_position("x 24:2 22:2 6:5 5:3 4:3; o 21:3 20:3 19:3 18:3 17:3")[None])
    few.keep(np.repeat(other, 2, axis=0))
    assert (few.kept["back game"] == np.concatenate([BACK_GAME, other, other])).all()
    assert (few.kept["prime"] == PRIME).all()
