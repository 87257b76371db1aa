"""What a bot decides at the table: its play, whether to double, what to answer, and what it thinks of it all.

The one place where a sitting asks a judge.
"""

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from nardzero.game.board import Board, Kind
from nardzero.game.legal import play_between
from nardzero.game.matchstate import MatchState, Player, other
from nardzero.game.outcomes import equity
from nardzero.game.play import Play
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate
from nardzero.judge.cube import CubeDecision, NoCubeAction, cube
from nardzero.judge.lookahead import lookahead
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.play.agents import Agent, NoJudge, Turn, evaluator_of
from nardzero.play.sitting.flow import before_offer, may_beaver, worth

Answer = Literal["take", "pass", "beaver"]


class Head:
    """A bot that looks so many plies ahead and decides by what it sees.

    One that only chooses plays, like random, never doubles, takes every cube and accepts no resignation but a
    backgammon.
    """

    def __init__(self, agent: Agent, rules: Ruleset, ply: int = 0) -> None:
        self.agent = agent
        self.rules = rules
        self.ply = ply

    @property
    def name(self) -> str:
        """What the bot is called."""
        return self.agent.name

    @cached_property
    def judge(self) -> Evaluator | None:
        """What it judges by; None for one that only chooses plays."""
        try:
            return evaluator_of(self.agent)
        except NoJudge:
            return None

    def play(self, state: MatchState, rng: np.random.Generator) -> tuple[Play, Boards]:
        """The play it makes with the dice of the state, and the board [26] it leads to, on its side."""
        if self.judge is not None:
            best = self.plays(state, 1)[0]
            return best.play, best.after
        assert state.dice is not None
        turn = Turn.of(state.board[None], np.array([state.dice]), self.rules)
        after = turn.after[int(self.agent.choose(turn, rng)[0])]
        return play_between(state.board, after, state.dice, self.rules), after

    def doubles(self, state: MatchState) -> bool:
        """Whether it offers the cube, on roll."""
        decision = self.cube(state)
        return decision is not None and decision.doubles

    def answer(self, state: MatchState) -> Answer:
        """What it says to the double or the beaver on offer."""
        decision = self.cube(before_offer(state))
        if state.offered == "beaver":
            return "take" if decision is None or accepts_beaver(decision) else "pass"
        if decision is None:
            return "take"
        return best_answer(decision, may_beaver(state, self.rules))

    def accepts(self, state: MatchState, loser: Player, kind: Kind) -> bool:
        """Whether it lets the loser go for a game of this kind: if playing on promises no more."""
        if self.judge is None:
            return kind == "backgammon"
        offered = worth(state, kind, self.rules) / state.cube
        return offered >= self._hope(state, other(loser)) - 1e-6

    def plays(self, state: MatchState, top: int | None = None) -> list[Candidate]:
        """The plays of the state's dice from the best to the worst; none for a bot that cannot judge."""
        if self.judge is None:
            return []
        return analyse(self._board(state), self.judge, top=top, ply=self.ply)

    def judged(self, state: MatchState, candidate: Candidate) -> Candidate:
        """The same play looked at as far ahead as the bot can, where a shallower look had put it aside."""
        if self.judge is None:
            return candidate
        probs = after_probs(lookahead(self.judge, self.ply, self.rules), candidate.after[None])
        value = float(equity(probs, self.rules.points)[0])
        return replace(candidate, probs=probs[0], equity=value, ply=self.ply)

    def cube(self, state: MatchState) -> CubeDecision | None:
        """What it thinks of doubling before the roll; None where that is no question, or it cannot judge."""
        if self.judge is None:
            return None
        try:
            return cube(_as_money(state), self.judge, self.rules, self.ply)
        except NoCubeAction:
            return None

    def evaluation(self, state: MatchState) -> Evaluation | None:
        """How it thinks the game will end, for the player on roll; None if it cannot judge."""
        return None if self.judge is None else evaluate(self._board(state), self.judge, self.ply)

    def _board(self, state: MatchState) -> Board:
        return Board(self.rules, state.board, state.on_roll, state.dice)

    def _hope(self, state: MatchState, player: Player) -> float:
        """What a player may expect from playing on, per unit of the cube."""
        if state.dice is not None:
            value = self.plays(state, 1)[0].equity
        elif (decision := self.cube(state)) is not None:
            value = decision.equity
        else:
            assert self.judge is not None
            value = evaluate(self._board(state), self.judge, self.ply).equity
        return value if state.on_roll == player else -value


def best_answer(decision: CubeDecision, beavers: bool) -> Answer:
    """What to say to a double, given what it costs; a beaver only where the game allows one."""
    answer = replace(decision, beavers=beavers).answer
    return "beaver" if answer == "beaver" else "take" if answer == "take" else "pass"


def accepts_beaver(decision: CubeDecision) -> bool:
    """Whether he who doubled plays on after a beaver, for twice what his double was worth, or gives up the
    2 points, per unit of the cube before it, that he doubled to."""
    return 2 * decision.double_take >= -2 * decision.double_pass


def _as_money(state: MatchState) -> MatchState:
    return replace(state, length=0, score_x=0, score_o=0, crawford=False)
