"""What requests hold. Types are strict and unknown fields are refused, so that a slip is told."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from nardzero.game.rules import RULESETS
from nardzero.play.sitting.setup import LONGEST
from nardzero.web.bots import DEEPEST

Text = Annotated[str, Field(min_length=1, max_length=400)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Rules = Annotated[str, Field(max_length=40, json_schema_extra={"enum": list(RULESETS)})]
Ply = Annotated[int, Field(ge=0, le=DEEPEST, description="How many plies to look ahead.")]
Die = Annotated[int, Field(ge=1, le=6)]
Point = Annotated[int, Field(ge=0, le=25)]


class Body(BaseModel):
    """A JSON object of these fields."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Action(Body):
    """An action without parameters."""

    version: int | None = Field(
        default=None, description="The snapshot it was decided on; another one is refused."
    )


class NewSession(Body):
    """A match or a money session with a bot."""

    rules: Rules = "standard"
    length: int = Field(default=5, ge=0, le=LONGEST, description="Points to win; 0 is a money game.")
    bot: Name | None = None
    ply: Ply = 0
    jacoby: bool = Field(
        default=False, description="Gammons count only once the cube was turned; money games only."
    )
    beavers: bool = Field(
        default=False, description="Who takes may turn the cube once more; money games only."
    )
    colour: Literal["white", "black"] = "white"
    coach: bool = False
    name: Annotated[str, Field(min_length=1, max_length=40)] = "You"
    seed: int | None = Field(
        default=None, ge=0, lt=2**63, description="With the same seed the same dice fall."
    )
    position: Text | None = Field(default=None, description="An ID or a text to start from; you are X.")
    swap: bool = Field(default=False, description="With a position: you are O.")


class StepBody(Action):
    """A checker to move."""

    source: Point = Field(alias="from", description="Where it stands; 25 is the bar.")
    target: Point | None = Field(
        default=None, alias="to", description="Where to; the first die that fits without."
    )


class UndoBody(Action):
    """What to take back."""

    everything: bool = Field(
        default=False, alias="all", description="All steps of the turn, not just the last."
    )


class ResignBody(Action):
    """How much to offer to lose."""

    kind: Literal["single", "gammon", "backgammon"]


class CoachBody(Action):
    """The coach's switch."""

    on: bool


class BotBody(Action):
    """Who goes on for the bot; what is left out stays."""

    bot: Name | None = None
    ply: Ply | None = None


class MatchText(Body):
    """A match file."""

    text: Annotated[str, Field(min_length=1, max_length=160_000)]


class Question(Body):
    """A position to judge."""

    position: Text = Field(description="A GNUBG ID, XGID or OGID, or a text like `x 6:5 8:3; o 19:5`.")
    rules: Rules = "standard"
    bot: Name | None = None
    ply: Ply = 0


class PlaysQuestion(Question):
    """A position with dice, whose plays are to be ranked."""

    dice: Annotated[list[Die], Field(min_length=2, max_length=2)] | None = Field(
        None, description="What was rolled, unless the position says it."
    )
    top: int = Field(default=10, ge=1, le=100, description="How many plays to tell.")


class CubeQuestion(Question):
    """A position before the roll, whose cube action is asked for."""

    jacoby: bool | None = Field(default=None, description="As the position says, unless given.")
    beavers: bool | None = Field(default=None, description="As the position says, unless given.")
