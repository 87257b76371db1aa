"""`nardzero cube`: ask a bot whether to double, and whether to take."""

import argparse
import json
from dataclasses import replace

from nardzero.cli.parser import Parser, share
from nardzero.cli.question import POSITION, START, Question, add_question, question
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.judge.cube import CubeDecision, cube
from nardzero.judge.doubling import CubeJudge
from nardzero.judge.exact import exact
from nardzero.judge.janowski import EFFICIENCY

EXACT = "exact, from the bear-off table, for a cube that has no limit"

HELP = "ask a bot whether to double, and whether to take"
DESCRIPTION = f"""\
Say what to do with the cube in a money game, before the roll: whether to
double, and what to do about a double.

{POSITION}
An XGID, an OGID and a match ID say where the cube is and how high, and whether
the Jacoby rule and beavers hold; else the cube is in the middle, at 1, and they
do not."""
EPILOG = f"""\
what the numbers mean:
  Equities are points for the player on roll, per unit of the cube as it stands.
  no double    if he rolls without doubling; he may double later
  double/take  if he doubles and the opponent takes
  double/pass  if he doubles and the opponent passes: 1 point
  The opponent does what costs him less. Doubling is right where it then brings
  more than no double; the position is too good to double where playing on for a
  gammon brings more than the 1 point.
  The bot's cube head has learned them. Without one, and with --efficiency,
  Janowski's formula makes them of the outcomes: the cube is taken to be so far
  on the way from dead to live ({EFFICIENCY} is usual). In bear-offs of six checkers
  or fewer a side they are exact, from a table, unless there is --no-tables.

examples:
  nardzero cube start
  nardzero cube "XGID=---AA-------------------a-:0:0:1:00:0:0:3:0:10"
  nardzero cube "x 6:3 5:2; o 20:2 24:1" --jacoby --ply 1 --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    add_question(parser, dice=False)
    for name, means in (
        ("jacoby", "gammons count only once the cube was turned"),
        ("beavers", "who takes may turn the cube once more and keep it"),
    ):
        said = f"{means} (default: as POSITION says, else not)"
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=said)
    parser.add_argument(
        "--efficiency",
        type=share,
        metavar="X",
        help="judge the cube by Janowski's formula with this efficiency, from 0 to 1",
    )


def run(args: argparse.Namespace) -> None:
    """Judge the cube and print what to do with it."""
    asked = question(args)
    state = _state(args, asked)
    decision = cube(state, asked.judge, asked.board.rules, args.ply, efficiency=args.efficiency)
    sure = _exact(asked, args.efficiency)
    told = _as_json(asked, state, decision) | {"exact": sure}
    print(json.dumps(told) if args.json else _as_text(args, asked, decision))


def _state(args: argparse.Namespace, asked: Question) -> MatchState:
    """The moment asked about; options on the command line come before what it says itself."""
    at_start = args.position.strip().lower() == START
    state = MatchState(asked.board.position) if at_start else parse_state(args.position)
    if args.jacoby is not None:
        state = replace(state, jacoby=args.jacoby)
    return state if args.beavers is None else replace(state, beaver=args.beavers)


def _as_text(args: argparse.Namespace, asked: Question, decision: CubeDecision) -> str:
    source = _source(asked, args.efficiency)
    by = f"at {asked.plies}-ply as seen by {asked.asked}, {source}"
    rows = [
        (f"no {'redouble' if decision.redouble else 'double'}", decision.no_double),
        ("double/take", decision.double_take),
        ("double/pass", decision.double_pass),
    ]
    return "\n".join(
        [
            *asked.heading,
            f"Before the roll, {EXACT if _exact(asked, args.efficiency) else by}:",
            "",
            *(f"{name:12}{equity:+9.3f}" for name, equity in rows),
            "",
            decision.action,
        ]
    )


def _exact(asked: Question, efficiency: float | None) -> bool:
    """Whether the equities are known exactly."""
    return efficiency is None and bool(exact(asked.judge, asked.board.position[None])[0])


def _source(asked: Question, efficiency: float | None) -> str:
    judge = asked.judge
    learned = isinstance(judge, CubeJudge) and judge.cubeful(asked.board.position[None]) is not None
    if efficiency is None and learned:
        return "which has learned the cube"
    return f"the cube by formula at efficiency {EFFICIENCY if efficiency is None else efficiency:g}"


def _as_json(asked: Question, state: MatchState, decision: CubeDecision) -> dict[str, object]:
    return {
        **asked.to_json(),
        "ply": asked.plies,
        "cube": state.cube,
        "owner": state.cube_owner,
        "jacoby": state.jacoby,
        "beavers": state.beaver,
        "action": decision.action,
        "doubles": decision.doubles,
        "answer": decision.answer,
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "equity": decision.equity,
    }
