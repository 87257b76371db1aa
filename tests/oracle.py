"""The rules once more, as plain loops over one die after the other: slow, and written to be read.

A state is a board [26] as a tuple, and the points on which checkers stand that have hit at home this turn.
"""

from collections.abc import Iterator
from functools import cache

from nardzero.game.rules import RULESETS, Ruleset

Board = tuple[int, ...]
Marked = tuple[int, ...]


def single_moves(board: Board, marked: Marked, die: int, rules: Ruleset) -> Iterator[tuple[Board, Marked]]:
    """Every way to move one checker by one die."""
    held = [point for point in range(1, 26) if board[point] > 0]
    for source in [25] if board[25] > 0 else held:
        target = source - die
        if target >= 1:
            if board[target] <= -2:
                continue
        elif held[-1] > 6 or (target < 0 and source != held[-1]):
            continue
        for is_marked in _kinds(board, marked, source, target, rules):
            after, marks = list(board), list(marked)
            after[source] -= 1
            if is_marked:
                marks.remove(source)
            if target >= 1:
                hit = after[target] == -1
                if hit:
                    after[target] = 0
                    after[0] -= 1
                after[target] += 1
                if is_marked or (hit and target <= 6):
                    marks.append(target)
            yield tuple(after), tuple(sorted(marks))


def _kinds(board: Board, marked: Marked, source: int, target: int, rules: Ruleset) -> Iterator[bool]:
    """Whether the checker that moves may be an unmarked one, a marked one, or either."""
    if board[source] > marked.count(source):
        yield False
    if source in marked:
        onto_own = target >= 1 and board[target] > 0
        if rules.home_hit == "free" or (rules.home_hit == "no_cover" and not onto_own):
            yield True


def legal_boards(board: Board, dice: tuple[int, int], rules: Ruleset) -> set[Board]:
    """Every board that a legal play leads to; the board itself where nothing can be played."""
    first, second = dice
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    ends: dict[int, set[tuple[Board, tuple[int, ...]]]] = {}
    for order in orders:
        states = {(board, ())}
        ends.setdefault(0, set()).add((board, ()))
        for used, die in enumerate(order, 1):
            states = {after for state in states for after in single_moves(*state, die, rules)}
            if not states:
                break
            ends.setdefault(used, set()).update((after, order[:used]) for after, _ in states)
    most = max(ends)
    found = ends[most]
    if most == 1 and first != second and rules.larger_die:
        larger = max(dice_used[0] for _, dice_used in found)
        found = {end for end in found if end[1][0] == larger}
    return {after for after, _ in found}


@cache
def sides_after(side: tuple[int, ...], dice: tuple[int, int]) -> list[tuple[int, ...]]:
    """What a side that bears off, as checkers on points 1 and up, may become; nobody is in its way."""
    row = (0, *side) + (0,) * (23 - len(side)) + (-1, 0)
    found = legal_boards(row, dice, RULESETS["standard"])
    return [reached[1 : len(side) + 1] for reached in found]
