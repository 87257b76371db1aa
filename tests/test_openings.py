"""Rollouts of the shipped bot agree with what is long known of openings and replies."""

import pytest

import nardzero as nz

OPENINGS = [
    ((3, 1), ["8/5 6/5"]),
    ((4, 2), ["8/4 6/4"]),
    ((6, 1), ["13/7 8/7"]),
    ((5, 3), ["8/3 6/3"]),
    ((6, 5), ["24/13"]),
    ((2, 1), ["13/11 6/5", "24/23 13/11"]),
    ((4, 3), ["24/20 13/10", "24/21 13/9", "13/10 13/9"]),
]
REPLIES = [
    ((3, 1), "8/5 6/5", (4, 2), ["8/4 6/4"]),
    ((3, 1), "8/5 6/5", (6, 1), ["13/7 8/7"]),
    ((3, 1), "8/5 6/5", (6, 6), ["24/18(2) 13/7(2)"]),
    ((6, 1), "13/7 8/7", (3, 1), ["8/5 6/5"]),
    ((6, 1), "13/7 8/7", (4, 2), ["8/4 6/4"]),
    ((2, 1), "13/11 6/5", (6, 4), ["24/20*/14*"]),
]


@pytest.fixture(scope="module")
def bot():
    return nz.load("standard")


def assert_best(board, bot, accepted, truncate=11):
    """One of the accepted plays comes first, or is behind the first by no more than two standard errors."""
    plays = nz.rollout(board, bot, games=288, top=4, truncate=truncate)
    wanted = {nz.Play.parse(play) for play in accepted}
    assert any(p.difference >= -2 * p.difference_stderr for p in plays if p.play in wanted), plays


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "accepted"), OPENINGS)
def test_openings(bot, dice, accepted):
    assert_best(nz.Board(dice=dice), bot, accepted)


@pytest.mark.slow
def test_an_opening_played_on_to_the_end(bot):
    assert_best(nz.Board(dice=(3, 1)), bot, ["8/5 6/5"], truncate=None)


@pytest.mark.slow
@pytest.mark.parametrize(("opening", "play", "dice", "accepted"), REPLIES)
def test_replies(bot, opening, play, dice, accepted):
    board = nz.Board(dice=opening)
    board.push(play)
    board.roll(*dice)
    assert_best(board, bot, accepted)
