"""What a bot decides at the table: its play, whether to double, what to answer, and what it thinks of it all.

The one place where a sitting asks a judge.
"""

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from nardzero.game.board import KINDS, Board, Kind
from nardzero.game.legal import play_between
from nardzero.game.matchstate import MatchState
from nardzero.game.play import Play
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate
from nardzero.judge.cube import CubeDecision, NoCubeAction, cube
from nardzero.judge.lookahead import Lookahead, lookahead
from nardzero.judge.ranking import AtScore, Ranked
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.standing import Standing
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Agent, NoJudge, Turn, judge_of
from nardzero.play.sitting.flow import before_offer, may_beaver

Answer = Literal["take", "pass", "beaver"]
LOSSES = 3
"""Where the kinds of a lost game begin among the six outcomes."""
TIE = 1e-6
"""Equities that differ by less, in points, are the same."""


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
        """What it judges by, with bear-off tables before a bot; None for one that only chooses plays."""
        try:
            return judge_of(self.agent)
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

    def accepts(self, state: MatchState, kind: Kind) -> bool:
        """Whether it lets the player on roll go for a game of this kind: if playing on promises no more."""
        if self.judge is None:
            return kind == "backgammon"
        standing = Standing.of(replace(state, dice=None), self.rules)
        score = ScoreJudge(lookahead(self.judge, self.ply, self.rules), self.rules)
        conceded = float(score.payoffs(standing)[0, LOSSES + KINDS.index(kind)])
        if state.dice is not None:
            return conceded <= value_of(self.plays(state, 1)[0]) + TIE
        worth = score.worth(score.look(state.board[None]), standing)
        return conceded <= float(score.emg(worth, standing)[0]) + TIE

    def plays(self, state: MatchState, top: int | None = None) -> list[Candidate]:
        """The plays of the state's dice from the best to the worst; none for a bot that cannot judge."""
        if self.judge is None:
            return []
        return analyse(self._position(state), self.judge, top=top, ply=self.ply, rules=self.rules)

    def judged(self, state: MatchState, candidate: Candidate) -> Candidate:
        """The same play looked at as far ahead as the bot can, where a shallower look had put it aside."""
        if self.judge is None:
            return candidate
        deep = lookahead(self.judge, self.ply, self.rules)
        base = deep.base if isinstance(deep, Lookahead) else deep
        score = AtScore(ScoreJudge(base, self.rules), Standing.of(state, self.rules))
        alone = Ranked.of(
            deep, state.board, candidate.after[None], self.rules, score if self._has_cube else None
        )
        return replace(
            candidate,
            probs=alone.probs[0],
            ply=int(alone.plies[0]),
            equity=float(alone.equities[0]),
            cubeful=None if alone.cubeful is None else float(alone.cubeful[0]),
            mwc=None if alone.mwc is None else float(alone.mwc[0]),
        )

    def cube(self, state: MatchState) -> CubeDecision | None:
        """What it thinks of doubling before the roll; None where that is no question, or it cannot judge."""
        if self.judge is None:
            return None
        try:
            return cube(state, self.judge, self.rules, self.ply)
        except NoCubeAction:
            return None

    def evaluation(self, state: MatchState) -> Evaluation | None:
        """How it thinks the game will end, for the player on roll; None if it cannot judge."""
        return None if self.judge is None else evaluate(self._board(state), self.judge, self.ply)

    def _position(self, state: MatchState) -> Board | MatchState:
        """What plays are judged by: with cube and score, but the board alone where there is no cube."""
        return state if self._has_cube else self._board(state)

    @property
    def _has_cube(self) -> bool:
        return self.rules.cube_limit > 1

    def _board(self, state: MatchState) -> Board:
        return Board(self.rules, state.board, state.on_roll, state.dice)


def value_of(candidate: Candidate) -> float:
    """What a play is worth in points per unit of the cube: with it and at the score, where they are known."""
    return candidate.equity if candidate.cubeful is None else candidate.cubeful


def best_answer(decision: CubeDecision, beavers: bool) -> Answer:
    """What to say to a double, given what it costs; a beaver only where the game allows one."""
    answer = replace(decision, beavers=beavers).answer
    return "beaver" if answer == "beaver" else "take" if answer == "take" else "pass"


def accepts_beaver(decision: CubeDecision) -> bool:
    """Whether he who doubled plays on after a beaver, for twice what his double was worth, or gives up the
    2 points, per unit of the cube before it, that he doubled to."""
    return 2 * decision.double_take >= -2 * decision.double_pass
