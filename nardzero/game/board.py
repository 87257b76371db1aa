"""The board on the table: one game being played, roll by roll and play by play."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nardzero.game.diagram import draw
from nardzero.game.dice import opening_throw, throw, validate_dice
from nardzero.game.errors import IllegalPlay, InvalidDice, InvalidPosition
from nardzero.game.ids import encode_position
from nardzero.game.legal import LegalPlays, legal_plays
from nardzero.game.matchstate import MatchState, Player, other
from nardzero.game.notation import parse_state
from nardzero.game.outcomes import finished, win_kind
from nardzero.game.play import Play
from nardzero.game.position import COLUMNS, Boards, flip, pips, validate
from nardzero.game.rules import Ruleset, ruleset
from nardzero.game.svg import draw_svg
from nardzero.game.text import parse_position
from nardzero.game.written import resolve
from nardzero.game.xgid import format_xgid

Kind = Literal["single", "gammon", "backgammon"]
KINDS: tuple[Kind, Kind, Kind] = ("single", "gammon", "backgammon")


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    winner: Player
    """Who has borne off every checker."""
    kind: Kind
    """A single win, a gammon or a backgammon."""
    points: int
    """What the ruleset pays for it, before the cube."""

    def __str__(self) -> str:
        kind = "game" if self.kind == "single" else self.kind
        return f"{self.winner} wins a {kind}, {self.points} point{'s' if self.points > 1 else ''}"


class PlayedTurn(NamedTuple):
    """One turn that was played."""

    player: Player
    """Who played it."""
    before: Boards
    """The board [26] before it, seen by that player."""
    dice: tuple[int, int]
    """What he rolled."""
    play: Play
    """What he played; a dance if nothing could be."""


class Board:
    """A game of x against o, x on roll first: roll, push a play, and so on until it has an outcome.

    Cube and score are not kept here. Boards are equal when position, turn, dice and ruleset are.
    """

    def __init__(
        self,
        rules: str | Ruleset = "standard",
        position: npt.ArrayLike | None = None,
        turn: Player = "x",
        dice: tuple[int, int] | None = None,
    ) -> None:
        """A new game, or one that goes on from a position [26] seen by the player on roll.

        Raises InvalidRules, InvalidPosition or InvalidDice.
        """
        if turn not in ("x", "o"):
            raise InvalidPosition(f"the player on roll is x or o, not {turn!r}")
        self._rules = ruleset(rules)
        self._position = _read_only(self._rules.start_board if position is None else position)
        self._turn: Player = turn
        self._dice: tuple[int, int] | None = None
        self._history: tuple[PlayedTurn, ...] = ()
        if dice is not None:
            first, second = validate_dice(dice).tolist()
            self.roll(first, second)

    @classmethod
    def parse(cls, text: str, rules: str | Ruleset = "standard") -> "Board":
        """The board that a text like `x 6:5 8:3; o 19:5` describes, x on roll. Raises InvalidPosition."""
        return cls(rules, parse_position(text))

    @classmethod
    def from_id(cls, text: str, rules: str | Ruleset = "standard") -> "Board":
        """The board of a GNUBG position ID, `position ID:match ID`, XGID, OGID, or text as for `parse`.

        Turn and dice are taken over where the notation holds them. Raises InvalidPosition, or InvalidDice for
        dice in a game that is over.
        """
        state = parse_state(text)
        return cls(rules, state.board, state.on_roll, state.dice)

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the game."""
        return self._rules

    @property
    def position(self) -> Boards:
        """The position [26] seen by the player on roll, not to be written to."""
        return self._position

    @property
    def turn(self) -> Player:
        """The player on roll, x or o."""
        return self._turn

    @property
    def dice(self) -> tuple[int, int] | None:
        """What the player on roll has to play; None before he rolls."""
        return self._dice

    @property
    def history(self) -> tuple[PlayedTurn, ...]:
        """The turns pushed so far, oldest first."""
        return self._history

    @property
    def pips(self) -> tuple[int, int]:
        """The pip counts of the player on roll and of his opponent."""
        return int(pips(self._position)), int(pips(flip(self._position)))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        for player, seen in ((self._turn, self._position), (other(self._turn), flip(self._position))):
            if finished(seen):
                kind = int(win_kind(seen)) - 1
                return Outcome(player, KINDS[kind], self._rules.wins[kind])
        return None

    @property
    def is_over(self) -> bool:
        """Whether one side has borne off every checker."""
        return self.outcome is not None

    @property
    def legal_plays(self) -> LegalPlays:
        """What can be played with the dice. Raises InvalidDice before the roll."""
        if self._dice is None:
            raise InvalidDice(f"{self._turn} has not rolled yet, so there is nothing to play")
        return legal_plays(self._position, self._dice, self._rules)

    def roll(
        self, d1: int | None = None, d2: int | None = None, rng: np.random.Generator | None = None
    ) -> tuple[int, int]:
        """Roll the dice given, or throw them: a game's first throw keeps to the ruleset's opening rule.

        Raises InvalidDice for dice that are none, for a second roll in a turn, and after the end.
        """
        if self.is_over:
            raise InvalidDice("the game is over, so there is nothing to roll for")
        if self._dice is not None:
            raise InvalidDice(f"{self._dice[0]} and {self._dice[1]} are rolled already; play them first")
        if d1 is None and d2 is None:
            rolled = self._throw(rng or np.random.default_rng())
        elif d1 is None or d2 is None:
            raise InvalidDice("give both dice, or none to throw them")
        else:
            rolled = validate_dice((d1, d2)).tolist()
        self._dice = (rolled[0], rolled[1])
        return self._dice

    def _throw(self, rng: np.random.Generator) -> list[int]:
        opening = not self._history and np.array_equal(self._position, self._rules.start_board)
        thrown = opening_throw(rng, 1, self._rules) if opening else throw(rng, 1)
        dice: list[int] = thrown[0].tolist()
        return dice

    def push(self, play: Play | str) -> Play:
        """Play a turn and pass the dice on; returns the play as it was understood.

        A dance is pushed too, as the only legal play. Raises IllegalPlay with the reason, or InvalidDice
        before the roll.
        """
        legal = self.legal_plays
        found, after = resolve(play, legal)
        self._history += (PlayedTurn(self._turn, self._position, legal.dice, found),)
        self._position, self._turn, self._dice = _read_only(flip(after)), other(self._turn), None
        return found

    def pop(self) -> Play:
        """Take the last play back, to where its dice were rolled; dice rolled since are forgotten.

        Raises IllegalPlay if nothing was played.
        """
        if not self._history:
            raise IllegalPlay("there is no play to take back")
        *earlier, last = self._history
        self._history = tuple(earlier)
        self._position, self._turn, self._dice = last.before, last.player, last.dice
        return last.play

    def copy(self) -> "Board":
        """The same game, to be played on separately."""
        twin = Board(self._rules, self._position, self._turn)
        twin._dice, twin._history = self._dice, self._history
        return twin

    @property
    def id(self) -> str:
        """The GNUBG position ID: the position alone, seen by the player on roll."""
        return encode_position(self._position)

    @property
    def xgid(self) -> str:
        """The XGID: position, turn and dice, in a money game with the cube in the middle."""
        return format_xgid(MatchState(self._position, self._turn, self._dice))

    def __eq__(self, value: object) -> bool:
        if not isinstance(value, Board):
            return NotImplemented
        state, others = ((b._rules, b._position.tolist(), b._turn, b._dice) for b in (self, value))
        return state == others

    def __repr__(self) -> str:
        return f"Board.from_id({self.xgid!r}, rules={self._rules.name!r})"

    def __str__(self) -> str:
        drawn = draw(self._position, self._dice, self._turn)
        return f"{drawn}\n{self.outcome}" if self.is_over else drawn

    def _repr_svg_(self) -> str:
        return draw_svg(self._position, self._dice, self._turn)


def _read_only(position: npt.ArrayLike) -> Boards:
    """A board [26] of its own that cannot be written to. Raises InvalidPosition."""
    board = validate(position)
    if board.ndim != 1:
        raise InvalidPosition(f"a game has one board of {COLUMNS} columns, not shape {board.shape}")
    board.setflags(write=False)
    return board
