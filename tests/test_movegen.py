"""The generator against counts, recorded cases, and the plain-loop oracle."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from cases import DATA, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import legal_boards
from strategies import ROLLS as ANY_ROLL
from strategies import boards as any_board

from nardzero import RULESETS, InvalidDice, InvalidPosition, InvalidRules, afterstates, flip
from nardzero.game.dice import ROLLS
from nardzero.game.ids import decode_position, encode_positions
from nardzero.game.movegen import plays
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.game.text import parse_position

START = RULESETS["standard"].start_board
RULES = [
    *RULESETS.values(),
    Ruleset("either die", larger_die=False),
    Ruleset("strict nackgammon", start="nackgammon", home_hit="no_run", larger_die=False),
]


def after_one(board: Boards, dice: tuple[int, int], rules: str | Ruleset = "standard") -> Boards:
    after, _ = afterstates(board[None], [dice], rules)
    return after


@pytest.mark.parametrize(("given", "expected"), cases("moves", "legal_moves"))
def test_recorded_positions(given, expected):
    board = decode_position(given["position_id"])
    after = after_one(board, given["dice"])
    if expected["n_distinct"] == 0:
        assert after.tolist() == [board.tolist()]
    else:
        assert len(after) == expected["n_distinct"]
        assert set(encode_positions(flip(after))) == set(expected["next_position_ids"])


@pytest.mark.parametrize(("given", "expected"), cases("moves", "perft")[:1])
def test_plays_of_each_roll_from_the_start(given, expected):
    _, parent = afterstates(np.tile(START, (21, 1)), ROLLS)
    counts = {f"{high}{low}": n for (high, low), n in zip(ROLLS.tolist(), np.bincount(parent), strict=True)}
    assert counts == expected["distinct_after_roll"]
    assert len(parent) == 447


@pytest.mark.parametrize(("given", "expected"), cases("moves", "perft")[1:])
def test_plays_of_two_rolls_from_the_start(given, expected):
    opening = ROLLS[ROLLS[:, 0] != ROLLS[:, 1]]
    after, parent = afterstates(np.tile(START, (len(opening), 1)), opening)
    replies, reply_parent = afterstates(np.repeat(flip(after), 21, axis=0), np.tile(ROLLS, (len(after), 1)))
    by_opening = np.bincount(parent[reply_parent // 21])
    counts = {f"{high}{low}": n for (high, low), n in zip(opening.tolist(), by_opening, strict=True)}
    assert counts == expected["per_opening_roll"]
    assert len(replies) == 89_153


def home_hit_cases():
    import json

    return [json.loads(line) for line in (DATA / "takhteh.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", home_hit_cases(), ids=lambda case: case["id"])
@pytest.mark.parametrize("setting", ["no_cover", "no_run"])
def test_recorded_home_hits(case, setting):
    board = decode_position(case["position_id"])
    free = set(encode_positions(flip(after_one(board, case["dice"]))))
    rules = replace(RULESETS["standard"], home_hit=setting)
    found = set(encode_positions(flip(after_one(board, case["dice"], rules))))
    assert len(free) == case["counts"]["free"]
    assert len(found) == case["counts"][setting]
    assert sorted(free - found) == sorted(case[setting]["removed"])
    assert sorted(found - free) == sorted(case[setting]["added"])


def random_play(rules: Ruleset, games: int, plies: int, seed: int) -> tuple[Boards, np.ndarray]:
    """Positions [K, 26] of random games and the rolls [K, 2] that came up in them."""
    rng = np.random.default_rng(seed)
    boards = np.tile(rules.start_board, (games, 1))
    seen, rolled = [], []
    for _ in range(plies):
        dice = rng.integers(1, 7, (games, 2))
        after, parent = afterstates(boards, dice, rules)
        seen.append(boards)
        rolled.append(dice)
        counts = np.bincount(parent)
        chosen = np.cumsum(counts) - counts + (rng.random(games) * counts).astype(int)
        boards = flip(after[chosen])
        boards[~(boards < 0).any(1)] = rules.start_board
    return np.concatenate(seen), np.concatenate(rolled)


def assert_agrees_with_oracle(boards: Boards, dice: np.ndarray, rules: Ruleset) -> None:
    after, parent = afterstates(boards, dice, rules)
    assert (np.diff(parent) >= 0).all()
    bounds = np.searchsorted(parent, np.arange(len(boards) + 1))
    for index, (board, roll) in enumerate(zip(boards.tolist(), dice.tolist(), strict=True)):
        found = Counter(map(tuple, after[bounds[index] : bounds[index + 1]].tolist()))
        assert max(found.values()) == 1, (board, roll)
        assert set(found) == legal_boards(tuple(board), tuple(roll), rules), (board, roll)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_positions_of_random_games_agree_with_the_oracle(rules):
    boards, dice = random_play(rules, games=20, plies=120, seed=20)
    assert_agrees_with_oracle(boards, dice, rules)


def scattered(count: int, rng: np.random.Generator) -> Boards:
    """Boards [K, 26] full of blots near both homes, where hits, bars, closed points and bear-offs abound."""
    boards = np.zeros((count, 26), np.int8)
    for board in boards:
        own_area, their_area = rng.integers(5, 13, 2)
        for _ in range(rng.integers(2, 11)):
            point = 25 if rng.random() < 0.06 else rng.integers(1, own_area)
            board[point] += 1
        for _ in range(rng.integers(2, 11)):
            point = 0 if rng.random() < 0.06 else rng.integers(1, their_area)
            if board[point] <= 0:
                board[point] -= 1
        if not (board < 0).any():
            board[0] = -1
    return boards


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_positions_full_of_home_hits_agree_with_the_oracle(rules):
    rng = np.random.default_rng(7)
    boards = scattered(1500, rng)
    dice = rng.integers(1, 7, (len(boards), 2))
    dice[::2, 1] = dice[::2, 0]
    assert_agrees_with_oracle(boards, dice, rules)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(board=any_board(), dice=ANY_ROLL, rules=st.sampled_from(RULES))
def test_any_position_agrees_with_the_oracle(board, dice, rules):
    if (board < 0).any():
        assert_agrees_with_oracle(board[None], np.array([dice]), rules)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_sources_say_how_each_afterstate_is_reached(rules):
    boards, dice = random_play(rules, games=10, plies=60, seed=3)
    after, parent, sources = plays(boards, dice, rules)
    again, again_parent = afterstates(boards, dice, rules)
    assert np.array_equal(after, again)
    assert np.array_equal(parent, again_parent)
    high, low = dice.max(1)[parent], dice.min(1)[parent]
    rebuilt = boards[parent].astype(int)
    own = np.maximum(rebuilt, 0)
    for slot in range(4):
        die = low if slot == 1 else high
        moved = np.flatnonzero(sources[:, slot])
        source, target = sources[moved, slot], sources[moved, slot].astype(int) - die[moved]
        np.subtract.at(own, (moved, source), 1)
        on_board = target >= 1
        np.add.at(own, (moved[on_board], target[on_board]), 1)
    assert np.array_equal(own, np.maximum(after, 0))


def test_order_of_games_and_batches_does_not_matter():
    boards, dice = random_play(RULESETS["takhteh"], games=30, plies=30, seed=5)
    after, parent = afterstates(boards, dice, "takhteh")
    for index in range(0, len(boards), 97):
        assert np.array_equal(after[parent == index], after_one(boards[index], dice[index], "takhteh"))
        assert np.array_equal(after[parent == index], after_one(boards[index], dice[index, ::-1], "takhteh"))


def test_a_finished_game_stays_as_it_is():
    boards = np.stack([parse_position("x; o 20:2"), parse_position("x 6:2; o"), START])
    after, parent = afterstates(boards, [(3, 1), (3, 1), (6, 5)])
    assert after[parent == 0].tolist() == boards[:1].tolist()
    assert after[parent == 1].tolist() == boards[1:2].tolist()
    assert (parent == 2).sum() == 7


def test_no_boards_give_no_afterstates():
    after, parent = afterstates(np.zeros((0, 26), np.int8), np.zeros((0, 2), int))
    assert after.shape == (0, 26)
    assert parent.shape == (0,)


def test_input_is_left_as_it_was():
    boards, dice = random_play(RULESETS["standard"], games=5, plies=20, seed=1)
    before = boards.copy()
    afterstates(boards, dice)
    assert np.array_equal(boards, before)


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (3, -2)])
def test_dice_are_one_to_six(dice):
    with pytest.raises(InvalidDice, match="1 to 6"):
        after_one(START, dice)


def test_each_board_needs_a_roll():
    with pytest.raises(InvalidDice, match="each board needs one roll"):
        afterstates(np.tile(START, (3, 1)), [(3, 1)])


def test_broken_boards_are_refused():
    crowded = START.copy()
    crowded[6] = 7
    with pytest.raises(InvalidPosition, match="17 checkers"):
        after_one(crowded, (3, 1))
    with pytest.raises(InvalidPosition, match="both sides"):
        after_one(np.zeros(26, np.int8), (3, 1))
    with pytest.raises(InvalidPosition, match="26 columns"):
        afterstates(np.zeros((1, 24), np.int8), [(3, 1)])
    with pytest.raises(InvalidPosition, match="whole numbers"):
        afterstates(START[None] * 1.0, [(3, 1)])


def test_unknown_rules_are_refused():
    with pytest.raises(InvalidRules, match="takhteh"):
        after_one(START, (3, 1), "narde")
