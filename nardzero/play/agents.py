"""Agents: whatever chooses plays, for many games at once.

Letters in shapes: N games, M afterstates of all of them together. Boards are seen by the player to move,
and afterstates stay on his side.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment, segment_starts
from nardzero.game.dice import Dice
from nardzero.game.errors import InvalidInput
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import equity
from nardzero.game.position import BAR, OPPONENT_BAR, Boards, flip, pips
from nardzero.game.rules import Ruleset, ruleset
from nardzero.judge.bearoff.evaluator import with_tables
from nardzero.judge.lookahead import Lookahead, lookahead
from nardzero.judge.standing import Standing
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.play.peers.names import PEERS, check_ply

if TYPE_CHECKING:
    from nardzero.model.store import Bot

REACH = 6
"""How far one die hits."""


class NoJudge(InvalidInput):
    """An agent that is asked what it thinks of a position and has no way to say it."""


@dataclass(frozen=True, eq=False)
class Turn:
    """N players to move: their boards, their dice, and every afterstate that they may choose."""

    boards: Boards
    """The positions [N, 26] after the roll, before the play."""
    dice: Dice
    """What was rolled [N, 2]."""
    after: Boards
    """The afterstates [M, 26], game by game; at least one each, for a dance the unchanged board."""
    starts: Index
    """Where each game's afterstates start, and where the last one's end [N + 1]."""
    rules: Ruleset
    """The rules they play by."""
    standing: Standing | None = None
    """Cube and score [N], seen by the player to move; None where there is no cube."""

    @classmethod
    def of(cls, boards: Boards, dice: Dice, rules: Ruleset, standing: Standing | None = None) -> "Turn":
        """The turn that boards [N, 26] and dice [N, 2] give under the rules."""
        after, parent = afterstates(boards, dice, rules)
        starts = segment_starts(np.bincount(parent, minlength=len(boards)))
        return cls(boards, dice, after, starts, rules, standing)


@runtime_checkable
class Agent(Protocol):
    """Plays games, a batch of turns at a time."""

    @property
    def name(self) -> str:
        """What people call it, and type to get it."""
        ...

    @property
    def rules(self) -> Ruleset | None:
        """The ruleset that it was made for; None where any will do."""
        ...

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        """The chosen afterstate [N] of each game, as an index into `turn.after`.

        An agent that leaves something to chance draws it from `rng` alone, so that a duel can be repeated.
        """
        ...


@dataclass(frozen=True)
class RandomAgent:
    """Any distinct afterstate with equal chance."""

    name: str = "random"
    rules: None = None

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        return turn.starts[:-1] + rng.integers(np.diff(turn.starts))


@dataclass(frozen=True)
class PipsAgent:
    """A careful beginner who counts: the race, less what his blots stand to lose. See `expected_lead`."""

    name: str = "pips"
    rules: None = None

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        return best_of_segment(expected_lead(turn.after), turn.starts)


def expected_lead(after: Boards) -> npt.NDArray[np.float32]:
    """The lead in pips [M] of afterstates [M, 26], once the opponent has had his direct shots.

        lead = opponent's pips - own pips - sum over own blots of (chance of a direct hit * pips lost by it)

    A blot on point p loses 25 - p pips. If opposing checkers stand at k different distances of 1 to 6 behind
    it, it is hit unless both dice miss all k: with chance 1 - ((6 - k) / 6)^2. Combined shots, blocked
    entries and everything later are left out.
    """
    game, point = np.nonzero(after[:, :BAR] == 1)
    shots = np.zeros(len(game), np.int64)
    for die in range(1, REACH + 1):
        behind = np.maximum(point - die, OPPONENT_BAR)
        shots += (point >= die) & (after[game, behind] < 0)
    lost = (1 - ((REACH - shots) / REACH) ** 2) * (BAR - point)
    risk = np.bincount(game, lost, minlength=len(after))
    return (pips(flip(after)) - pips(after) - risk).astype(np.float32)


@dataclass(frozen=True)
class EvaluatorAgent:
    """The afterstate of the highest equity, as an evaluator judges it and the rules played pay it."""

    evaluator: Evaluator
    """What judges the afterstates; also exact for finished games."""
    name: str
    """What people call it."""
    rules: Ruleset | None = None
    """The ruleset that it was made for."""

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        judge = lookahead(self.evaluator, 0, turn.rules)
        if isinstance(judge, Lookahead):
            return judge.best(turn.after, turn.starts)
        values = equity(after_probs(judge, turn.after), turn.rules.points)
        return best_of_segment(values, turn.starts)


AGENTS: Mapping[str, Callable[[], Agent]] = MappingProxyType(
    {"random": RandomAgent, "pips": PipsAgent, **PEERS}
)
"""What makes the agent of each name that is not a bot's."""


Player: TypeAlias = "str | Path | Bot | Agent"
"""What may stand for an agent: itself, a loaded bot, a name in AGENTS, or what `nardzero.load` takes.
A name may end with how many plies to look ahead, like standard@2."""

AHEAD = re.compile(r"(.+)@(\d+)")
"""A name with how far to look ahead."""


def maker(player: Player) -> Callable[[], Agent] | None:
    """What makes the agent of a name in AGENTS; None where it is something else.

    Raises UnknownPeer for another engine at a ply that it is not offered at.
    """
    if not isinstance(player, str):
        return None
    check_ply(player)
    return AGENTS.get(player)


def agent(player: Player) -> Agent:
    """The agent that is meant.

    Raises UnknownBot where there is none, InvalidCheckpoint for a bot whose files are broken, UnknownPeer and
    PeerMissing for another engine that is not offered or not installed.
    """
    if isinstance(player, str) and (named := AHEAD.fullmatch(player)):
        return _looking_ahead(player, named[1], int(named[2]))
    if make := maker(player):
        return make()
    if isinstance(player, str | Path):
        # Only a bot needs PyTorch, which takes seconds to import.
        from nardzero.model.store import UnknownBot, load

        try:
            player = load(player)
        except UnknownBot as fault:
            raise UnknownBot(f"{fault}, {', '.join(AGENTS)}, or a name with plies, like standard@1") from None
    if isinstance(player, Agent):
        return player
    return EvaluatorAgent(player, player.name, player.rules)


def _looking_ahead(name: str, of: str, ply: int) -> EvaluatorAgent:
    """The agent of that name: another one that looks so many plies ahead."""
    if maker(of) or AHEAD.fullmatch(of):
        one = agent(of)
    else:
        from nardzero.model.store import load

        # What it saves on a judgement is worth more, looked ahead with, than the last digits.
        one = agent(load(of, "auto"))
    rules = one.rules or ruleset("standard")
    return EvaluatorAgent(lookahead(evaluator_of(one), ply, rules), name, one.rules)


def evaluator_of(player: Agent) -> Evaluator:
    """What an agent judges positions by. Raises NoJudge for one that only chooses."""
    judge = player.evaluator if isinstance(player, EvaluatorAgent) else player
    if not isinstance(judge, Evaluator):
        raise NoJudge(
            f"{player.name} chooses plays but tells no probabilities; give a bot, or another engine"
        )
    return judge


def judge_of(player: Agent) -> Evaluator:
    """What an agent is asked by: a bot with the bear-off tables before it, another engine as it is.

    Raises NoJudge for one that only chooses.
    """
    judge = evaluator_of(player)
    return with_tables(judge) if isinstance(player, EvaluatorAgent) else judge


def settle(player: Player) -> Player:
    """The same player, but a folder of checkpoints by the one that it stands for now.

    So that whoever looks it up later finds the same, even if a training run goes on saving there.
    """
    if isinstance(player, str) and (named := AHEAD.fullmatch(player)):
        return f"{settle(named[1])}@{named[2]}"
    if isinstance(player, str | Path) and not maker(player):
        from nardzero.model.store import find

        return find(player)
    return player
