"""The board on the table: rolling, playing, taking back, ending; and the notations it is read from."""

import numpy as np
import pytest

from nardzero.game.board import Board, Outcome
from nardzero.game.errors import IllegalPlay, InvalidDice, InvalidID, InvalidPosition, InvalidRules
from nardzero.game.ids import decode_position
from nardzero.game.notation import parse_state
from nardzero.game.play import Play
from nardzero.game.position import flip
from nardzero.game.text import format_position, parse_position

START = "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5"


def test_a_game_begins():
    board = Board()
    assert (board.turn, board.dice, board.outcome, board.history) == ("x", None, None, ())
    assert board.roll(3, 1) == (3, 1)
    assert Play.parse("8/5 6/5") in board.legal_plays
    assert str(board.push("6/5 8/5")) == "8/5 6/5"
    assert (board.turn, board.dice, board.pips) == ("o", None, (167, 163))
    assert format_position(board.position) == "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:2 19:4 20:2"


def test_random_games_end_and_can_be_taken_back():
    rng = np.random.default_rng(3)
    for rules in ("standard", "takhteh", "tavla", "nackgammon"):
        board = Board(rules)
        seen = [board.copy()]
        while not board.is_over:
            board.roll(rng=rng)
            seen.append(board.copy())
            board.push(board.legal_plays[rng.integers(len(board.legal_plays))])
        assert board.outcome.winner == board.history[-1].player
        for earlier in reversed(seen[1:]):
            board.pop()
            assert board == earlier
        assert len(board.history) == 0
        assert board != seen[0]  # the dice of the first turn lie there still


@pytest.mark.parametrize(
    ("rules", "position", "outcome"),
    [
        ("standard", "x 1:1; o 24:3", Outcome("x", "single", 1)),
        ("standard", "x 1:1; o 12:5 19:10", Outcome("x", "gammon", 2)),
        ("standard", "x 1:1; o 6:1 19:14", Outcome("x", "backgammon", 3)),
        ("standard", "x 1:1; o 19:14 bar:1", Outcome("x", "backgammon", 3)),
        ("tavla", "x 1:1; o 6:1 19:14", Outcome("x", "backgammon", 2)),
    ],
)
def test_a_game_ends_with_what_the_ruleset_pays(rules, position, outcome):
    board = Board.parse(position, rules)
    board.roll(2, 1)
    assert not board.is_over
    board.push("1/off")
    assert board.outcome == outcome
    assert str(outcome) in str(board)
    with pytest.raises(InvalidDice, match="the game is over"):
        board.roll()
    board.pop()
    assert board.outcome is None


def test_a_position_may_be_finished_on_either_side():
    assert Board.parse("x; o 24:3").outcome.winner == "x"
    assert Board.parse("x 1:3; o").outcome.winner == "o"


def test_a_dance_is_pushed_like_any_play():
    board = Board.parse("x 6:5 bar:1; o 19:2 20:2 21:2 22:2 23:2 24:2")
    before = board.position
    board.roll(6, 5)
    board.push(board.legal_plays[0])
    assert np.array_equal(board.position, flip(before))
    assert str(board.history[0].play) == "(no play)"


def test_the_opening_throw_keeps_to_the_ruleset():
    rng = np.random.default_rng(0)

    def thrown(board):
        return {len(set(board.copy().roll(rng=rng))) for _ in range(200)}

    assert thrown(Board()) == {2}
    assert thrown(Board("tavla")) == {1, 2}
    assert thrown(Board.parse("x 6:1; o 19:1")) == {1, 2}
    assert Board().roll(4, 4) == (4, 4)


def test_turns_are_kept_in_order():
    board = Board()
    board.roll(3, 1)
    board.push("8/5 6/5")
    with pytest.raises(InvalidDice, match="o has not rolled yet"):
        board.push("13/8")
    board.roll(5, 2)
    with pytest.raises(InvalidDice, match="5 and 2 are rolled already"):
        board.roll(6, 6)
    with pytest.raises(IllegalPlay, match="only one die"):
        board.push("13/8")
    assert (board.turn, board.dice) == ("o", (5, 2))
    board.push("13/8 13/11")
    assert [turn.player for turn in board.history] == ["x", "o"]
    assert board.pop() == Play.parse("13/8 13/11")
    assert (board.turn, board.dice) == ("o", (5, 2))


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (3, None), (2.5, 1)])
def test_bad_dice_are_refused(dice):
    board = Board()
    with pytest.raises(InvalidDice):
        board.roll(*dice)
    assert board.dice is None


def test_nothing_to_take_back():
    with pytest.raises(IllegalPlay, match="no play to take back"):
        Board().pop()


def test_a_copy_is_played_on_separately():
    board = Board()
    twin = board.copy()
    twin.roll(3, 1)
    twin.push("8/5 6/5")
    assert board == Board()
    assert twin != board
    with pytest.raises(ValueError, match="read-only"):
        board.position[6] = 0


def test_equality_looks_at_position_turn_dice_and_rules():
    assert Board() == Board.parse(START)
    assert Board() != Board("takhteh")
    assert Board() != Board(turn="o")
    assert Board() != Board(dice=(3, 1))
    assert Board() != START


@pytest.mark.parametrize(
    ("text", "turn", "dice"),
    [
        ("4HPwATDgc/ABMA", "x", None),
        (START, "x", None),
        ("o 1:2 12:5 17:3 19:5; x 6:5 8:3 13:5 24:2", "x", None),
        ("4HPwATDgc/ABMA:cIkFAAAAAAAA", "x", (3, 1)),
        ("4HPwATDgc/ABMA:MAEAAAAAAAAA", "o", None),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:3", "x", (3, 1)),
        ("-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:2:0:3", "o", None),
        ("xgid=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:3:0:10", "o", None),
    ],
)
def test_any_notation_is_read(text, turn, dice):
    board = Board.from_id(f" {text}\n")
    assert format_position(board.position) == START
    assert (board.turn, board.dice) == (turn, dice)


def test_an_ogid_is_read():
    ogid = "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13"
    assert parse_state(ogid).dice == (5, 2)
    assert parse_state(f"OGID={ogid}") == parse_state(ogid)


@pytest.mark.parametrize("text", ["", "hello", "4HPwATDgc/ABM", "XGID=", "a:b", "a:b:c", "4HPwATDgc/ABMA:x"])
def test_a_broken_id_is_refused(text):
    with pytest.raises(InvalidID):
        Board.from_id(text)


def test_it_prints_as_what_reads_back():
    board = Board("takhteh", turn="o", dice=(3, 1))
    assert eval(repr(board)) == board
    assert Board.from_id(board.xgid, "takhteh") == board
    assert np.array_equal(decode_position(board.id), board.position)
    assert "o to play 31" in board._repr_svg_()
    assert "O to play 31" in str(board)


def test_bad_starts_are_refused():
    with pytest.raises(InvalidPosition):
        Board(position=np.zeros(26, np.int8))
    with pytest.raises(InvalidPosition, match="one board"):
        Board(position=parse_position(START)[None])
    with pytest.raises(InvalidPosition, match="x or o"):
        Board(turn="white")
    with pytest.raises(InvalidRules, match="unknown ruleset"):
        Board(rules="chess")


@pytest.mark.parametrize("dice", [(1, 2, 3), (), 5, (0, 1)])
def test_a_board_takes_two_dice(dice):
    with pytest.raises(InvalidDice):
        Board(dice=dice)
