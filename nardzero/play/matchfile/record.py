"""A match as it was played: who did what, game by game, whatever file it goes to or comes from."""

from dataclasses import dataclass, field
from typing import Literal

from nardzero.game.matchstate import MatchState, Player
from nardzero.game.play import Play
from nardzero.game.rules import Ruleset

Deed = Literal["play", "double", "take", "pass", "beaver", "resign"]


@dataclass(frozen=True)
class Action:
    """One thing that a player did."""

    player: Player
    """Who."""
    deed: Deed
    """What."""
    dice: tuple[int, int] | None = None
    """For a play: what was rolled."""
    play: Play | None = None
    """For a play: what was played; None where the record does not say, or what it says is no play at all."""
    written: str = ""
    """For a play that is read from a file: how it stands there."""


@dataclass
class GameRecord:
    """One game."""

    start: MatchState
    """Score, cube and board at its beginning. Nobody is on roll before the first action says who."""
    actions: list[Action] = field(default_factory=list)
    """Everything that was done, in order."""
    winner: Player | None = None
    """Who won; None for a game that was not finished."""
    points: int | None = None
    """What it won him."""


@dataclass
class MatchRecord:
    """A match, or a money session where the length is 0."""

    names: tuple[str, str]
    """What x and o are called. x is in the left column of a file."""
    rules: Ruleset
    """By which rules they play."""
    length: int
    """The points to win, or 0."""
    jacoby: bool = False
    """Whether gammons count only once the cube was turned."""
    beavers: bool = False
    """Whether beavers are allowed."""
    games: list[GameRecord] = field(default_factory=list)
    """The games, in order."""
