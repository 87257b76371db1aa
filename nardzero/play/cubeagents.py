"""Agents that play with the cube: they say when they double and what they take, for many games at once.

Letters in shapes: N games.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from nardzero.game.bits import Index, best_of_segment
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards, flip, pips
from nardzero.game.rules import Ruleset
from nardzero.judge.cube import TIE
from nardzero.judge.lookahead import Filter, Lookahead, Payoffs, lookahead, shortlist
from nardzero.judge.scorejudge import CubeValues, ScoreJudge
from nardzero.judge.standing import Bools, Standing
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.play.agents import Agent, EvaluatorAgent, Turn

NEAR = Filter(6, 0.16)
"""Which plays, by what they are worth with the cube as it stands, are judged with all that it may do."""
LAST_TAKE = 0.12
"""How far behind in a race one still takes: the last of the 8, 9 and 12 per cent of the old rule."""


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


class _ByJudgement:
    """Doubles and takes by what an evaluator judges positions to be worth with the cube and at the score."""

    evaluator: Evaluator
    efficiency: float | None

    def offer(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        values = self._values(before)
        return np.asarray(values.doubled > values.no_double + TIE)

    def take(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        values = self._values(before)
        return np.asarray(values.double_take <= values.double_pass + TIE)

    def _values(self, before: BeforeRoll) -> CubeValues:
        judge = ScoreJudge(lookahead(self.evaluator, 0, before.rules), before.rules, None, self.efficiency)
        return judge.values(judge.look(before.boards), before.standing)


@dataclass(frozen=True)
class CubeBot(_ByJudgement):
    """An evaluator that plays for what positions are worth with the cube and at the score: a `ScoreJudge`."""

    evaluator: Evaluator
    """What judges. If it has learned the cube that counts, else Janowski's formula does."""
    name: str
    """What people call it."""
    rules: Ruleset | None = None
    """The ruleset that it was made for."""
    efficiency: float | None = None
    """The efficiency of the cube to use in place of what the evaluator has learned."""

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        if turn.standing is None:
            return EvaluatorAgent(self.evaluator, self.name, self.rules).choose(turn, rng)
        judge = lookahead(self.evaluator, 0, turn.rules)
        base = judge.base if isinstance(judge, Lookahead) else judge
        score = ScoreJudge(base, turn.rules, None, self.efficiency)
        game = np.repeat(np.arange(len(turn.boards)), np.diff(turn.starts))
        pay = score.payoffs(turn.standing)[game]
        probs, left, starts = _near(judge, turn, pay)
        game, efficiency = game[left], score.efficiencies(turn.boards)
        worth = score.after(turn.after[left], probs[left], turn.standing.take(game), efficiency[game])
        # Where the opponent doubles him out after any of them, the game without the cube decides.
        worth += TIE * (probs[left] * pay[left]).sum(1)
        return left[best_of_segment(worth, starts)]


def _near(judge: Evaluator, turn: Turn, pay: Payoffs) -> tuple[Probs, Index, Index]:
    """The mover's outcome probabilities [M, 6] of all plays, and which of them come near the best where the
    outcomes pay so much [M, 6]: in order, and their segments [N + 1]."""
    if isinstance(judge, Lookahead):
        probs, plies = judge.rank(turn.after, turn.starts, decide=True, pay=pay)
        deepest = np.repeat(np.maximum.reduceat(plies, turn.starts[:-1]), np.diff(turn.starts))
        values = np.where(plies == deepest, (probs * pay).sum(1), -np.inf)
    else:
        probs = after_probs(judge, turn.after)
        values = (probs * pay).sum(1)
    return probs, *shortlist(values.astype(np.float32), turn.starts, NEAR)


class _PlaysAsEver:
    """Chooses plays as the agent `player` does without the cube, and goes by its name."""

    player: Agent

    @property
    def name(self) -> str:
        return self.player.name

    @property
    def rules(self) -> Ruleset | None:
        return self.player.rules

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        return self.player.choose(turn, rng)


@dataclass(frozen=True)
class CubePeer(_PlaysAsEver, _ByJudgement):
    """An agent that chooses plays in its own way, without the cube, and tells probabilities: those decide
    about the cube, by Janowski's formula."""

    player: Agent
    """The agent."""
    evaluator: Evaluator
    """The same as what judges."""
    efficiency: float | None = None
    """The efficiency of the cube to use in place of the usual one."""


@dataclass(frozen=True)
class CubeCounter(_PlaysAsEver):
    """An agent that tells no probabilities. It never doubles, and takes as beginners are told for races: when
    it is behind by no more than 12 % of the doubler's pips."""

    player: Agent
    """The agent, which chooses the plays."""

    def offer(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        return np.zeros(len(before.boards), np.bool_)

    def take(self, before: BeforeRoll, rng: np.random.Generator) -> Bools:
        return np.asarray(pips(flip(before.boards)) <= (1 + LAST_TAKE) * pips(before.boards))


def cube_agent(player: Agent) -> CubeAgent:
    """The agent as one that plays with the cube: as it does itself, or else by what it judges, or counts."""
    if isinstance(player, CubeAgent):
        return player
    if isinstance(player, EvaluatorAgent):
        return CubeBot(player.evaluator, player.name, player.rules)
    if isinstance(player, Evaluator):
        return CubePeer(player, player)
    return CubeCounter(player)
