"""The rule on hitting in one's own home board, step by step: which checkers are marked.

A checker that hits on a point 1 to 6 of the mover is marked for the rest of the turn. Under `no_cover` it may
not land on its own side's checkers, under `no_run` not move again. Checkers on a point are alike: where a
marked one stands with others, either may be the one that moves on, so several markings can be possible.
"""

from collections.abc import Iterator, Sequence

from nardzero.game.play import OFF
from nardzero.game.rules import Ruleset

Marking = frozenset[int]
"""The points that hold a marked checker; no point ever holds two, since none lands on its own side."""
Markings = frozenset[Marking]
"""Every marking that the steps so far may have left; none where they broke the rule."""

UNMARKED: Markings = frozenset({frozenset()})
HOME = 6


def after_step(
    markings: Markings, board: Sequence[int], source: int, target: int, rules: Ruleset
) -> Markings:
    """What markings a step can leave on a board [26] seen before it; empty if the rule forbids the step."""
    if rules.home_hit == "free":
        return markings
    return frozenset(later for marking in markings for later in _after(marking, board, source, target, rules))


def _after(
    marking: Marking, board: Sequence[int], source: int, target: int, rules: Ruleset
) -> Iterator[Marking]:
    hits = target != OFF and board[target] == -1
    if source not in marking or board[source] > 1:
        yield marking | {target} if hits and target <= HOME else marking
    covers = target != OFF and board[target] > 0
    if source in marking and rules.home_hit == "no_cover" and not covers:
        yield (marking - {source}) | ({target} if target != OFF else frozenset())
