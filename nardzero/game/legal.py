"""The legal plays of one position and roll, as a sequence of Play with their afterstates.

Letters in shapes: M legal plays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from nardzero.game.dice import validate_dice
from nardzero.game.errors import IllegalPlay
from nardzero.game.movegen import plays
from nardzero.game.play import OFF, Play
from nardzero.game.position import Boards, validate
from nardzero.game.rules import Ruleset, ruleset


@dataclass(frozen=True, eq=False, repr=False)
class LegalPlays(Sequence[Play]):
    """Every legal play, each leading to another afterstate; where nothing moves, the dance alone."""

    before: Boards
    """The position [26] on the mover's side."""
    dice: tuple[int, int]
    """The roll."""
    rules: Ruleset
    """The rules that make these plays legal."""
    plays: tuple[Play, ...]
    """The plays [M]."""
    after: Boards
    """The board [M, 26] after each play, still on the mover's side."""

    def __len__(self) -> int:
        return len(self.plays)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...
    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        return self.plays[index]

    def __repr__(self) -> str:
        return f"LegalPlays({', '.join(map(str, self))})"


def legal_plays(board: npt.ArrayLike, dice: tuple[int, int], rules: str | Ruleset = "standard") -> LegalPlays:
    """The legal plays of a board [26] with two dice.

    Raises InvalidPosition, InvalidDice or InvalidRules.
    """
    before = validate(board)
    first, second = validate_dice(dice).tolist()
    after, _, sources = plays(before[None], [(first, second)], rules)
    after.setflags(write=False)
    larger, smaller = max(first, second), min(first, second)
    steps = (larger, smaller, larger, larger)
    hit = (before < 0) & (after >= 0)
    found = (_play(moved, steps, row) for moved, row in zip(sources.tolist(), hit, strict=True))
    return LegalPlays(before, (first, second), ruleset(rules), tuple(found), after)


def _play(sources: Sequence[int], steps: Sequence[int], hit: npt.NDArray[np.bool_]) -> Play:
    """The play that moves a checker from each source by the step beside it; source 0 is no move."""
    moved = zip(sources, steps, strict=True)
    hops = tuple((source, max(source - step, OFF)) for source, step in moved if source)
    return Play(hops, frozenset(np.flatnonzero(hit).tolist()))


def play_between(
    before: npt.ArrayLike, after: npt.ArrayLike, dice: tuple[int, int], rules: str | Ruleset = "standard"
) -> Play:
    """The legal play that leads from one board [26] to the other, both on the mover's side.

    Raises IllegalPlay where none does, and what `legal_plays` raises.
    """
    legal = legal_plays(before, dice, rules)
    (found,) = np.nonzero((legal.after == validate(after)).all(-1))
    if not len(found):
        raise IllegalPlay(f"no legal play of {dice[0]} and {dice[1]} leads from the one board to the other")
    return legal[int(found[0])]
