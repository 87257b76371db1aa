"""A turn while it is played: one checker at a time, taken back at will, until the dice are picked up.

The legal plays are known from the start; a step is legal if other steps can lead on from it to one of them.
So the rules on how many dice have to be played are kept whichever checker is moved first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nardzero.game.errors import IllegalPlay
from nardzero.game.legal import legal_plays
from nardzero.game.play import OFF, Play, hop_text
from nardzero.game.position import BAR, Boards
from nardzero.game.rules import Ruleset
from nardzero.play.sitting.marks import UNMARKED, Markings, after_step

Columns = tuple[int, ...]
HOME = 6


@dataclass(frozen=True)
class Step:
    """One checker moved by one die, in the numbering of the player who moves it."""

    source: int
    """Where it starts; 25 is the bar."""
    target: int
    """Where it lands; 0 is off."""
    die: int
    """The die it uses."""
    hit: bool
    """Whether it hits."""


@dataclass(frozen=True)
class Move:
    """One checker moved by one die or more."""

    steps: tuple[Step, ...]
    """Its steps, each from where the last one ended."""

    @property
    def source(self) -> int:
        """Where the checker starts."""
        return self.steps[0].source

    @property
    def target(self) -> int:
        """Where it lands at last."""
        return self.steps[-1].target


@dataclass(frozen=True)
class Moment:
    """A turn between two steps."""

    board: Columns
    """The board [26] on the mover's side."""
    left: tuple[int, ...]
    """The dice to play, the one to be used first in front."""
    markings: Markings = UNMARKED
    """Which checkers may have hit at home this turn; see marks.py."""

    def steps(self, rules: Ruleset) -> Iterator[tuple[Step, "Moment"]]:
        """Every step that the die and the points allow, whatever comes after it, and where it leads."""
        for index, die in enumerate(self.left):
            if die in self.left[:index]:
                continue
            rest = self.left[:index] + self.left[index + 1 :]
            for source in self._sources():
                if (target := self._target(source, die)) is None:
                    continue
                markings = after_step(self.markings, self.board, source, target, rules)
                if markings:
                    hit = target != OFF and self.board[target] == -1
                    yield Step(source, target, die, hit), Moment(self._moved(source, target), rest, markings)

    def _sources(self) -> Iterator[int]:
        if self.board[BAR] > 0:
            return iter((BAR,))
        return (point for point in range(BAR - 1, OFF, -1) if self.board[point] > 0)

    def _target(self, source: int, die: int) -> int | None:
        """Where the checker lands; None where it cannot go."""
        if source > die:
            return source - die if self.board[source - die] >= -1 else None
        rear = max(point for point, held in enumerate(self.board) if held > 0)
        return OFF if rear <= HOME and source in (die, rear) else None

    def _moved(self, source: int, target: int) -> Columns:
        board = list(self.board)
        board[source] -= 1
        if target != OFF:
            if board[target] == -1:
                board[target] = 0
                board[OFF] -= 1  # column 0 is the opponent's bar
            board[target] += 1
        return tuple(board)


class Hand:
    """The dice of one turn, and what has been played of them."""

    def __init__(self, board: Boards, dice: tuple[int, int], rules: Ruleset) -> None:
        """The turn of a board [26] on the mover's side. Raises InvalidPosition or InvalidDice."""
        self.legal = legal_plays(board, dice, rules)
        self.dice = dice
        self.moves_to_make = len(self.legal[0].hops)
        self._aims = {tuple(after): index for index, after in enumerate(self.legal.after.tolist())}
        high, low = max(dice), min(dice)
        left = (high,) * 4 if high == low else (high, low)
        self._moments = [Moment(tuple(self.legal.before.tolist()), left)]
        self._steps: list[Step] = []
        self._known: dict[tuple[Columns, tuple[int, ...], Markings], bool] = {}

    @property
    def board(self) -> Boards:
        """The board [26] after the steps made so far."""
        return np.array(self._moments[-1].board, np.int8)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps made so far."""
        return tuple(self._steps)

    @property
    def left(self) -> tuple[int, ...]:
        """The dice not used yet, the one that the next step takes first in front."""
        return self._moments[-1].left

    @property
    def dances(self) -> bool:
        """Whether nothing can be played at all."""
        return not self.moves_to_make

    @property
    def forced(self) -> bool:
        """Whether only one play is legal."""
        return len(self.legal) == 1

    @property
    def complete(self) -> bool:
        """Whether everything is played that has to be."""
        return len(self._steps) == self.moves_to_make

    @property
    def play(self) -> Play:
        """What has been played. Raises IllegalPlay before the turn is complete."""
        return self.legal[self._index()]

    @property
    def after(self) -> Boards:
        """The board [26] of the complete turn. Raises IllegalPlay before it is."""
        after: Boards = self.legal.after[self._index()]
        return after

    def moves(self) -> list[Move]:
        """Every legal move of one checker: by one die first, in the order of the dice, then by more.

        Of several ways to the same point the first is given.
        """
        found: dict[tuple[int, int], Move] = {}
        front = [(Move((step,)), moment) for step, moment in self._onward(self._moments[-1])]
        while front:
            for move, _ in front:
                found.setdefault((move.source, move.target), move)
            front = [
                (Move((*move.steps, step)), later)
                for move, moment in front
                if move.target != OFF
                for step, later in self._onward(moment)
                if step.source == move.target
            ]
        return list(found.values())

    def step(self, source: int, target: int | None = None) -> Move:
        """Move a checker to a point, or without one by the first die that it can use.

        Raises IllegalPlay, with the reason, for a move that is not legal.
        """
        fitting = [move for move in self.moves() if move.source == source and target in (None, move.target)]
        if not fitting:
            raise IllegalPlay(self._refusal(source, target))
        for step in fitting[0].steps:
            self._make(step)
        return fitting[0]

    def follow(self, play: Play) -> None:
        """Play a whole legal turn, from where it stands at its start."""
        aim = tuple(self.legal.after[list(self.legal).index(play)].tolist())
        self.undo(everything=True)
        for step in self._way(self._moments[-1], aim) or ():
            self._make(step)

    def undo(self, everything: bool = False) -> None:
        """Take back the last step, or all. Raises IllegalPlay where there is none."""
        if not self._steps and not everything:
            raise IllegalPlay("there is no step to take back")
        keep = 0 if everything else len(self._steps) - 1
        del self._steps[keep:], self._moments[keep + 1 :]

    def swap(self) -> None:
        """Use the other die first. Raises IllegalPlay where there are not two different ones."""
        last = self._moments[-1]
        if len(set(last.left)) < 2:
            raise IllegalPlay("there are not two different dice left to swap")
        self._moments[-1] = Moment(last.board, last.left[::-1], last.markings)

    def _make(self, step: Step) -> None:
        later = next(later for made, later in self._onward(self._moments[-1]) if made == step)
        self._steps.append(step)
        self._moments.append(later)

    def _onward(self, moment: Moment) -> Iterator[tuple[Step, Moment]]:
        """The legal steps: those from which a legal play can still be completed."""
        if self._made(moment) < self.moves_to_make:
            for step, later in moment.steps(self.legal.rules):
                if self._leads_on(later):
                    yield step, later

    def _leads_on(self, moment: Moment) -> bool:
        key = (moment.board, tuple(sorted(moment.left)), moment.markings)
        if key not in self._known:
            if self._made(moment) == self.moves_to_make:
                self._known[key] = moment.board in self._aims
            else:
                onward = (later for _, later in moment.steps(self.legal.rules))
                self._known[key] = any(map(self._leads_on, onward))
        return self._known[key]

    def _way(self, moment: Moment, aim: Columns) -> tuple[Step, ...] | None:
        if self._made(moment) == self.moves_to_make:
            return () if moment.board == aim else None
        for step, later in self._onward(moment):
            if (rest := self._way(later, aim)) is not None:
                return (step, *rest)
        return None

    def _made(self, moment: Moment) -> int:
        return (4 if self.dice[0] == self.dice[1] else 2) - len(moment.left)

    def _index(self) -> int:
        if not self.complete:
            more = self.moves_to_make - len(self._steps)
            raise IllegalPlay(f"{more} more {'die has' if more == 1 else 'dice have'} to be played")
        return self._aims[self._moments[-1].board]

    def _refusal(self, source: int, target: int | None) -> str:
        """Why a checker may not move so, as far as can be told."""
        moment = self._moments[-1]
        if self.complete:
            return "everything is played; take a step back, or pick up the dice"
        if not 0 < source <= BAR or moment.board[source] <= 0:
            return f"you have no checker on {'the bar' if source == BAR else source}"
        if moment.board[BAR] > 0 and source != BAR:
            return "checkers on the bar must enter before any other moves"
        name = "that checker" if target is None else hop_text((source, target))
        possible = (step for step, _ in moment.steps(self.legal.rules) if step.source == source)
        if any(target in (None, step.target) for step in possible):
            return f"{name} would leave too few dice playable: as many as possible have to be played"
        dice = " and ".join(map(str, moment.left if len(set(moment.left)) > 1 else moment.left[:1]))
        return f"{name} cannot be played with {dice}"
