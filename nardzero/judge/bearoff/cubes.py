"""The cubes that matter in one game of a match, and what it pays with them: terms for `recursion.py`.

Values are chances to win the match less a half, so that those of both players add up to 0. A game won with
the cube at c brings the winner c points nearer, as nobody can win a gammon; what that is worth the match
equity table says. A double that is passed is such a win as well.

A cube is of use to who may turn it and needs more points than it brings as it stands, as
`Standing.may_double` has it: never in the Crawford game, and after it only to who trails. So few cubes
matter: with 25 points to go on both sides the one in the middle, and those at 2 to 16 of either player. A
cube that is of use to nobody is dead. Nothing counts then but the chance p to win the game, and the value is
W p + L (1 - p) with those of a game won and lost. So all dead cubes share one state, the game without a cube,
where the value is 2 p - 1.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from nardzero.judge.bearoff.recursion import Double, Terms
from nardzero.judge.scores import Scores
from nardzero.judge.standing import SWAP, Standing

FIRST, SECOND = 0, 1
"""The player on roll in the position that was asked for, and his opponent."""
CUBELESS = 0
"""The state of dead cubes."""


class Cube(NamedTuple):
    """A cube of one game."""

    value: int
    """What it is at."""
    place: int
    """Where it is: CENTRED, OWNED or OPPONENTS."""

    @classmethod
    def of(cls, standing: Standing) -> "Cube":
        """That of the one game of a standing."""
        return cls(int(standing.cube[0]), int(standing.place[0]))

    def seen_by(self, player: int) -> "Cube":
        """One that either player sees like this, as the first sees it."""
        return self._replace(place=int(SWAP[self.place])) if player == SECOND else self


class Measure(NamedTuple):
    """How to read values with a cube off those of a state."""

    state: int
    """The state."""
    factor: float = 1.0
    """What the values there are to be multiplied with."""
    offset: float = 0.0
    """What is then to be added, for the first player; for the second it is taken off."""

    def seen_by(self, player: int) -> "Measure":
        """The same for the values of either player."""
        return self._replace(offset=-self.offset) if player == SECOND else self


def lay_out(scores: Scores) -> tuple[Terms, Mapping[Cube, Measure]]:
    """The terms of one game from the cube on that it has, and how to read off every cube that may come, as
    the first player sees them. Raises InvalidTable as `Scores.after`."""
    tree = dict(_tree(scores.standing))
    live = [cube for cube, turned in tree.items() if turned]
    ends = {cube: _ends(scores, cube.value) for cube in tree}
    measures = {
        cube: Measure(CUBELESS, (won - lost) / 2, (won + lost) / 2) for cube, (won, lost) in ends.items()
    }
    measures |= {cube: Measure(state) for state, cube in enumerate(live, CUBELESS + 1)}
    doubles: tuple[list[Double], list[Double]] = [], []
    for cube in live:
        for player, to in tree[cube]:
            doubles[player].append(Double(measures[cube].state, *measures[to].seen_by(player)))
    won, lost = np.array([(1.0, -1.0), *(ends[cube] for cube in live)]).T
    return Terms(np.stack([won, -lost]), doubles), measures


def _tree(standing: Standing) -> Iterator[tuple[Cube, list[tuple[int, Cube]]]]:
    """A cube of one game and all that may come of it, each with who has a use for turning it and what that
    makes of it."""
    turned = standing.turned()
    doubled = [(FIRST, standing.doubled())] if standing.may_double[0] else []
    if turned.may_double[0]:
        doubled.append((SECOND, turned.doubled().turned()))
    yield Cube.of(standing), [(player, Cube.of(then)) for player, then in doubled]
    for _, then in doubled:
        yield from _tree(then)


def _ends(scores: Scores, cube: int) -> tuple[float, float]:
    """What a game won, and one lost, is worth to the first player with the cube at so much."""
    value = np.array([cube])
    return float(scores.cash(value)[0]) - 0.5, float(scores.concede(value)[0]) - 0.5
