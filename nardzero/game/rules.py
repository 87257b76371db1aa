"""Rulesets are data: what differs between the games played, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from nardzero.game.errors import InvalidRules
from nardzero.game.position import BAR, COLUMNS, Boards

HomeHit = Literal["free", "no_cover", "no_run"]
Opening = Literal["played", "rerolled"]


def _start(own: Mapping[int, int]) -> Boards:
    board = np.zeros(COLUMNS, np.int8)
    for point, count in own.items():
        board[point] += count
        board[BAR - point] -= count
    board.setflags(write=False)
    return board


START_POSITIONS: Mapping[str, Boards] = MappingProxyType(
    {
        "usual": _start({24: 2, 13: 5, 8: 3, 6: 5}),
        "nackgammon": _start({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    }
)


@dataclass(frozen=True)
class Ruleset:
    """One way to play. The rule numbers R1 to R12 are explained in the README."""

    name: str
    """What the ruleset is called in checkpoints, configs and on the command line."""
    start: str = "usual"
    """The starting position, a name in START_POSITIONS."""
    opening: Opening = "played"
    """The opening dice are played as thrown (never a double), or `rerolled` by the one who won them."""
    home_hit: HomeHit = "free"
    """What a checker that hit on the mover's points 1 to 6 may do in the same turn: `free` anything,
    `no_cover` not land on its own side's checkers, `no_run` not move again."""
    larger_die: bool = True
    """Whether the larger die must be played where either can be played but not both."""
    wins: tuple[int, int, int] = (1, 2, 3)
    """Points for a single win, a gammon and a backgammon, before the cube."""
    cube_limit: int = 64
    """The highest value of the cube; 1 where the game has none."""

    def __post_init__(self) -> None:
        if self.start not in START_POSITIONS:
            known = ", ".join(START_POSITIONS)
            raise InvalidRules(f"unknown start position {self.start!r}; there are {known}")
        for field, value, allowed in (
            ("opening", self.opening, get_args(Opening)),
            ("home_hit", self.home_hit, get_args(HomeHit)),
        ):
            if value not in allowed:
                raise InvalidRules(f"{field} is one of {', '.join(allowed)}, not {value!r}")
        if len(self.wins) != 3:
            raise InvalidRules(
                f"wins are the points for a single win, a gammon and a backgammon, not {self.wins}"
            )
        single, gammon, backgammon = self.wins
        if not 0 < single <= gammon <= backgammon:
            raise InvalidRules(f"wins are three positive points that do not fall, not {self.wins}")
        if self.cube_limit < 1 or self.cube_limit & (self.cube_limit - 1):
            raise InvalidRules(f"the cube's limit is a power of two, or 1 for no cube, not {self.cube_limit}")

    @property
    def start_board(self) -> Boards:
        """The starting position [26], the same for both players."""
        return START_POSITIONS[self.start]

    @property
    def points(self) -> npt.NDArray[np.float32]:
        """What the six outcomes pay [6]: +backgammon, +gammon, +single, then the same lost."""
        single, gammon, backgammon = self.wins
        return np.array([backgammon, gammon, single, -single, -gammon, -backgammon], np.float32)


RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Ruleset("standard"),
            Ruleset("takhteh", home_hit="no_cover"),
            Ruleset("tavla", opening="rerolled", home_hit="no_run", wins=(1, 2, 2), cube_limit=1),
            Ruleset("nackgammon", start="nackgammon"),
        )
    }
)


def ruleset(rules: str | Ruleset) -> Ruleset:
    """The ruleset itself, or the one of that name. Raises InvalidRules for an unknown name."""
    if isinstance(rules, Ruleset):
        return rules
    if rules not in RULESETS:
        raise InvalidRules(f"unknown ruleset {rules!r}; there are {', '.join(RULESETS)}")
    return RULESETS[rules]
