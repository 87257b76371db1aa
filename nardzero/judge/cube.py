"""Whether to double, and whether to take: in money games."""

from dataclasses import dataclass

import numpy as np

from nardzero.game.board import Board
from nardzero.game.errors import InvalidInput
from nardzero.game.matchstate import MatchState
from nardzero.game.outcomes import finished
from nardzero.game.position import flip
from nardzero.game.rules import Ruleset, ruleset
from nardzero.judge.doubling import CENTRED, OPPONENTS, OWNED, Cubeful, CubeJudge
from nardzero.judge.janowski import EFFICIENCY, Stakes, efficiency_of, janowski
from nardzero.judge.lookahead import lookahead
from nardzero.model.evaluator import Evaluator

TIE = 1e-6
"""Equities that differ by less, in points, are the same."""


@dataclass(frozen=True)
class CubeDecision:
    """What to do with the cube before the roll. Equities are for the player on roll, per unit of the cube as
    it stands."""

    no_double: float
    """If he does not double now."""
    double_take: float
    """If he doubles and the opponent takes."""
    double_pass: float = 1.0
    """If he doubles and the opponent passes."""
    redouble: bool = False
    """Whether the cube is his already."""
    beavers: bool = False
    """Whether an opponent who takes may turn the cube once more and keep it."""

    @property
    def answer(self) -> str:
        """What the opponent does about a double: `take`, `pass` or `beaver`."""
        if self.beavers and self.double_take < -TIE:
            return "beaver"
        return "take" if self.double_take <= self.double_pass + TIE else "pass"

    @property
    def doubled(self) -> float:
        """What doubling brings, if the opponent answers well."""
        if self.answer == "beaver":
            return 2 * self.double_take
        return min(self.double_take, self.double_pass)

    @property
    def doubles(self) -> bool:
        """Whether to double is right."""
        return self.doubled > self.no_double + TIE

    @property
    def equity(self) -> float:
        """What the position is worth, with the right to double."""
        return max(self.doubled, self.no_double)

    @property
    def action(self) -> str:
        """Both decisions as players say them, like `No double, take` or `Too good to redouble, pass`."""
        double = "redouble" if self.redouble else "double"
        if self.doubles:
            return f"{double.capitalize()}, {self.answer}"
        too_good = self.no_double > self.double_pass + TIE
        return f"{'Too good to' if too_good else 'No'} {double}, {self.answer}"

    def __str__(self) -> str:
        return (
            f"{self.action}  ND {self.no_double:+.3f}  DT {self.double_take:+.3f}  DP {self.double_pass:+.3f}"
        )


class NoCubeAction(InvalidInput):
    """A position in which the player on roll cannot double."""


def cube(
    position: Board | MatchState,
    bot: Evaluator,
    rules: str | Ruleset | None = None,
    ply: int = 0,
    *,
    efficiency: float | None = None,
) -> CubeDecision:
    """The cube action of a position before the roll in a money game.

    A board has its cube in the middle; a MatchState says where the cube is, and whether the Jacoby rule and
    beavers hold. Equities come from the bot's cube head, or with an `efficiency`, and for a bot without a
    head, from Janowski's formula.

    Raises NoCubeAction where the player on roll may not double, and for a match.
    """
    if isinstance(position, Board):
        played_by = ruleset(rules or position.rules)
        limit = played_by.cube_limit
        state = MatchState(position.position, position.turn, position.dice, cube_limit=limit)
    else:
        played_by, state = ruleset(rules or "standard"), position
    _check_access(state, played_by)
    boards = state.board[None]
    judge = lookahead(bot, ply, played_by)
    stakes = Stakes.of(judge.evaluate(boards), played_by.points)
    known = judge.cubeful(boards) if isinstance(judge, CubeJudge) and efficiency is None else None
    equities = janowski(stakes, EFFICIENCY if efficiency is None else efficiency) if known is None else known
    owned = state.cube_owner is not None
    if state.jacoby and not owned:
        equities = equities.copy()
        equities[:, CENTRED] = _jacoby(stakes, equities)
    return CubeDecision(
        no_double=float(equities[0, OWNED if owned else CENTRED]),
        double_take=2 * float(equities[0, OPPONENTS]),
        redouble=owned,
        beavers=state.beaver,
    )


def _jacoby(stakes: Stakes, equities: Cubeful) -> Cubeful:
    """The equity [N] of a centred cube under the Jacoby rule: that without it, and what the rule changes in
    the formula, at the efficiency that the equities without it have."""
    found = np.nan_to_num(efficiency_of(stakes, equities)[:, CENTRED], nan=EFFICIENCY).clip(0, 1)
    change = janowski(stakes, found, jacoby=True) - janowski(stakes, found)
    adjusted: Cubeful = (equities + change)[:, CENTRED]
    return adjusted


def _check_access(state: MatchState, rules: Ruleset) -> None:
    if state.length:
        raise NoCubeAction("the cube in a match is not judged yet; ask about a money game")
    if finished(state.board) or finished(flip(state.board)):
        raise NoCubeAction("the game is over: there is nothing to double for")
    if state.dice:
        raise NoCubeAction("the dice are thrown: a double is offered before the roll")
    if state.cube_owner not in (None, state.on_roll):
        raise NoCubeAction("the player on roll does not own the cube")
    if rules.cube_limit == 1:
        raise NoCubeAction(f"there is no cube by {rules.name} rules")
    # An XGID often gives a limit that the cube has passed; then the ruleset's counts.
    limit = rules.cube_limit if state.cube_limit < state.cube else state.cube_limit
    if state.cube >= limit:
        raise NoCubeAction(f"the cube is dead: at {state.cube} it has reached its limit")
