"""Agents that play with the cube: they say when they double and what they take, for many games at once.

Letters in shapes: N games.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.standing import Bools, Standing
from nardzero.play.agents import Agent


@dataclass(frozen=True, eq=False)
class BeforeRoll:
    """N players on roll who may double: their boards, and where cube and score stand."""

    boards: Boards
    """The positions [N, 26] before the roll, seen by the player on roll, who doubles or has doubled."""
    standing: Standing
    """Cube and score [N] seen by the same player. The cube is as it stands: a double that awaits an answer is
    not counted yet, so passing it costs `standing.cube`, and taking it makes the cube twice that."""
    rules: Ruleset
    """The rules they play by."""


@runtime_checkable
class CubeAgent(Agent, Protocol):
    """An agent that also decides about the cube. In its turns, `turn.standing` says where cube and score are,
    as the player who is to move sees them; without a cube that is None."""

    def offer(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        """Which of the players on roll double [N]. It is asked only where they may and have some use for it:
        never with a dead cube, in the Crawford game, or on the first roll of a game."""
        ...

    def take(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        """Which of these doubles the opponent takes [N]. Boards and standing are still seen by the player on
        roll, who has doubled, though it is for his opponent that this agent answers."""
        ...
