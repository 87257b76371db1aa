"""What programs may ask without a session: a position judged, plays ranked, the cube."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from nardzero.game.board import Board
from nardzero.game.errors import InvalidDice
from nardzero.game.ids import encode_position
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.game.rules import ruleset
from nardzero.judge.analysis import evaluate
from nardzero.judge.cube import cube
from nardzero.play.agents import judge_of
from nardzero.play.sitting.head import Head
from nardzero.play.sitting.views import cube_view, probs_view, ranked_view
from nardzero.web.bodies import CubeQuestion, PlaysQuestion, Question
from nardzero.web.bots import Bots
from nardzero.web.thinker import Thinker


class Cumulative(BaseModel):
    """Probabilities in which each kind of result includes the better ones, as other programs print them."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Judged(BaseModel):
    """How the game may end, for the player on roll."""

    equity: float = Field(
        description="Points he may expect: of a position without the cube, of a play with it."
    )
    probs: list[float] = Field(
        min_length=6,
        max_length=6,
        description="Exclusive: win backgammon, win gammon, win, lose, lose gammon, lose backgammon.",
    )
    cumulative: Cumulative


class Asked(BaseModel):
    """What was asked, as it was understood."""

    id: str = Field(description="The GNUBG position ID.")
    on_roll: str = Field(description="x or o, as the notation says.")
    rules: str
    bot: str
    ply: int


class Evaluated(Asked, Judged):
    """A position, judged."""


class RankedPlay(Judged):
    """A play, judged for the player who makes it."""

    play: str
    hops: list[tuple[int, int, bool]] = Field(description="From, to, and whether it hits there.")
    difference: float = Field(description="Its equity less that of the best play.")
    cubeless: float = Field(description="Points he may expect without the cube.")
    mwc: float | None = Field(description="In a match: his chance to win it.")
    ply: int = Field(description="How many plies it was looked ahead.")


class Ranked(Asked):
    """Plays from the best to the worst."""

    dice: tuple[int, int]
    plays: list[RankedPlay]


class CubeJudged(Asked, Judged):
    """A cube action; equities are for the player on roll, per unit of the cube as it stands."""

    no_double: float
    double_take: float
    double_pass: float
    action: str = Field(description="Both decisions as players say them.")
    doubles: bool
    answer: str = Field(description="take, pass or beaver.")
    mwc: tuple[float, float, float] | None = Field(
        description="In a match: the chances to win it after no double, double/take and double/pass."
    )


def questions(bots: Bots, thinker: Thinker) -> APIRouter:
    """The routes of the questions."""
    router = APIRouter(prefix="/api", tags=["questions"])

    @router.post("/evaluate", response_model=Evaluated)
    async def ask_evaluation(asked: Question) -> Any:
        """Judge a position before the roll; dice that it holds are left aside."""
        return await thinker.do(lambda: _evaluate(asked, bots))

    @router.post("/plays", response_model=Ranked)
    async def ask_plays(asked: PlaysQuestion) -> Any:
        """Rank the plays of a roll."""
        return await thinker.do(lambda: _rank(asked, bots))

    @router.post("/cube", response_model=CubeJudged)
    async def ask_cube(asked: CubeQuestion) -> Any:
        """Say whether to double, and what to answer."""
        return await thinker.do(lambda: _cube(asked, bots))

    return router


def _understood(asked: Question, bots: Bots) -> tuple[MatchState, Head, dict[str, Any]]:
    state = parse_state(asked.position)
    head = bots.head(asked.bot, ruleset(asked.rules), asked.ply)
    said = {"id": encode_position(state.board), "on_roll": state.on_roll, "rules": head.rules.name}
    return state, head, said | {"bot": head.name, "ply": head.ply}


def _evaluate(asked: Question, bots: Bots) -> dict[str, Any]:
    state, head, said = _understood(asked, bots)
    judged = evaluate(Board(head.rules, state.board, state.on_roll), judge_of(head.agent), head.ply)
    return {**said, "equity": judged.equity, **probs_view(judged.probs)}


def _rank(asked: PlaysQuestion, bots: Bots) -> dict[str, Any]:
    state, head, said = _understood(asked, bots)
    dice = (asked.dice[0], asked.dice[1]) if asked.dice else state.dice
    if dice is None:
        raise InvalidDice("the position holds no dice, so give them, like [3, 1]")
    plays = head.plays(replace(state, dice=dice, offered=None), asked.top)
    return {**said, "dice": dice, "plays": [ranked_view(play) for play in plays]}


def _cube(asked: CubeQuestion, bots: Bots) -> dict[str, Any]:
    state, head, said = _understood(asked, bots)
    if asked.jacoby is not None:
        state = replace(state, jacoby=asked.jacoby)
    if asked.beavers is not None:
        state = replace(state, beaver=asked.beavers)
    judge = judge_of(head.agent)
    decision = cube(state, judge, head.rules, head.ply)
    judged = evaluate(Board(head.rules, state.board, state.on_roll), judge, head.ply)
    return {**said, **cube_view(decision, judged)}
