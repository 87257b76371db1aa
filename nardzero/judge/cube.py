"""Whether to double, and whether to take: in money games and at the score of a match."""

from dataclasses import dataclass
from typing import NamedTuple

from nardzero.game.board import Board
from nardzero.game.errors import InvalidInput
from nardzero.game.matchstate import MatchState
from nardzero.game.outcomes import finished
from nardzero.game.position import flip
from nardzero.game.rules import Ruleset, ruleset
from nardzero.judge.lookahead import lookahead
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.scorejudge import ScoreJudge
from nardzero.judge.standing import Standing
from nardzero.model.evaluator import Evaluator

TIE = 1e-6
"""Equities that differ by less, in points, are the same."""


class MatchChances(NamedTuple):
    """Chances of the player on roll to win the match."""

    no_double: float
    """If he does not double now."""
    double_take: float
    """If he doubles and the opponent takes."""
    double_pass: float
    """If he doubles and the opponent passes."""


@dataclass(frozen=True)
class CubeDecision:
    """What to do with the cube before the roll. Equities are for the player on roll, per unit of the cube as
    it stands; in a match in EMG, so that +1 is what a double and a pass bring, and -1 what it costs him to
    pass."""

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
    mwc: MatchChances | None = None
    """The same three as chances to win the match; None in a money game."""
    exact: bool = False
    """Whether they are no judgement but known: in short bear-offs, given the match equity table, and in money
    games for a cube that has no limit."""

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
    """A position in which the player on roll cannot double, or has no use for it."""


def cube(
    position: Board | MatchState,
    bot: Evaluator,
    rules: str | Ruleset | None = None,
    ply: int = 0,
    *,
    efficiency: float | None = None,
    table: MatchEquityTable | None = None,
) -> CubeDecision:
    """The cube action of a position before the roll, in a money game or at the score of a match.

    A board has its cube in the middle of a money game; a MatchState says where the cube is, how the match
    stands, and whether the Jacoby rule and beavers hold. Equities come from the bot's cube head; with an
    `efficiency`, and for a bot without a head, they come from Janowski's formula. At a score the formula,
    with the efficiency that the head shows or the one given, and the match equity table, by default the one
    that comes with the package, give chances to win the match. A `BearoffEvaluator` makes bear-offs of up to
    six checkers a side exact, for money and at every score.

    Raises NoCubeAction where the player on roll may not double or has no use for it, and InvalidTable for a
    match that is longer than the table.
    """
    state, played_by = moment(position, rules)
    check_access(state, played_by)
    standing = Standing.of(state, played_by)
    judge = ScoreJudge(lookahead(bot, ply, played_by), played_by, table, efficiency)
    judged = judge.look(state.board[None])
    values = judge.values(judged, standing)
    no_double, take, passed = (float(judge.emg(value, standing)[0]) for value in values)
    chances = MatchChances(*(float(value[0]) for value in values)) if state.length else None
    redouble, exact = state.cube_owner is not None, bool(judged.exact[0])
    return CubeDecision(no_double, take, passed, redouble, standing.beavers, chances, exact)


def moment(position: Board | MatchState, rules: str | Ruleset | None) -> tuple[MatchState, Ruleset]:
    """What is asked about, and the rules: those given, else those of the board, else `standard`."""
    if isinstance(position, MatchState):
        return position, ruleset(rules or "standard")
    played_by = ruleset(rules or position.rules)
    limit = played_by.cube_limit
    return MatchState(position.position, position.turn, position.dice, cube_limit=limit), played_by


def check_access(state: MatchState, rules: Ruleset) -> None:
    """Raises NoCubeAction where the player on roll may not double, or has no use for it."""
    if finished(state.board) or finished(flip(state.board)):
        raise NoCubeAction("the game is over: there is nothing to double for")
    if state.dice:
        raise NoCubeAction("the dice are thrown: a double is offered before the roll")
    if rules.cube_limit == 1:
        raise NoCubeAction(f"there is no cube by {rules.name} rules")
    if state.crawford:
        raise NoCubeAction("nobody may double in the Crawford game")
    if state.cube_owner not in (None, state.on_roll):
        raise NoCubeAction("you do not own the cube: whoever took the last double does")
    standing = Standing.of(state, rules)
    if not standing.dead[0]:
        return
    if state.length:
        raise NoCubeAction(
            f"the cube is dead: the player on roll is {int(standing.away[0])} away, and a game won with the "
            f"cube at {state.cube} wins the match"
        )
    raise NoCubeAction(f"the cube is dead: at {state.cube} it has reached its limit")
