"""What the verbs share that ask about the cube: how one says where it is and how a match stands, and how a
cube action is shown."""

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from nardzero.cli.parser import Parser, share, whole_number
from nardzero.cli.question import Question
from nardzero.game.matchstate import MatchState
from nardzero.judge.cube import CubeDecision, cube
from nardzero.judge.doubling import CubeJudge
from nardzero.judge.janowski import EFFICIENCY
from nardzero.judge.met.table import MatchEquityTable
from nardzero.judge.met.xmlfile import read_xml, shipped_table

SCORE_MEANS = """\
  An XGID, an OGID and a match ID say where the cube is, how the match stands,
  and whether the Jacoby rule and beavers hold; the other forms mean a money
  game with the cube in the middle. Options come before what POSITION says."""
EQUITIES_MEAN = f"""\
  Equities are points for the player on roll, per unit of the cube as it stands.
  In a match they are EMG, equivalent money games: +1 is what a single game won
  with the cube as it stands leads to, -1 what one lost does, in chances to win
  the match (mwc), as the match equity table has them.
  The bot's cube head has learned equities for money. At a score, and for plays,
  it says how efficient the cube is, on the way from dead (0) to live (1).
  Without a head, and with --efficiency, Janowski's formula takes a fixed one
  ({EFFICIENCY} is usual).
  Bear-offs of six checkers or fewer a side are exact, unless there is
  --no-tables: for money from a table, with a cube that has no limit, and at a
  score solved there, with the match equity table as it is."""
EXACT = "exact, from the bear-off table, for a cube that has no limit"
EXACT_AT_SCORE = "exact, the bear-off solved at this score"
OWNERS = {"x": "x", "o": "o", "middle": None}


def add_score(parser: Parser) -> None:
    """Give the verb's parser the arguments that say where the cube is and how a match stands."""
    group = parser.add_argument_group("cube and score (default: as POSITION says)")
    group.add_argument("--cube", type=whole_number(1), metavar="N", help="the value of the cube")
    group.add_argument("--owner", choices=OWNERS, help="who owns it")
    group.add_argument("--length", type=whole_number(0), metavar="N", help="points in the match; 0 for money")
    group.add_argument("--score", type=_score, metavar="X-O", help="points of x and of o, like 3-5")
    for name, means in (
        ("crawford", "this is the Crawford game of the match"),
        ("jacoby", "in money games gammons count only once the cube was turned"),
        ("beavers", "in money games who takes may turn the cube once more"),
    ):
        group.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=means)
    group.add_argument(
        "--met", type=Path, metavar="FILE", help="another match equity table, GNU Backgammon's XML"
    )
    formula = "judge the cube by Janowski's formula with this efficiency, from 0 to 1"
    group.add_argument("--efficiency", type=share, metavar="X", help=formula)


def _score(text: str) -> tuple[int, int]:
    if not re.fullmatch(r"\d{1,9}-\d{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a score like 3-5")
    x, o = map(int, text.split("-"))
    return x, o


def state_of(args: argparse.Namespace, asked: Question) -> MatchState:
    """The moment asked about, with what the options say. Raises InvalidPosition if that does not fit."""
    told: dict[str, Any] = {
        "cube": args.cube,
        "length": args.length,
        "crawford": args.crawford,
        "jacoby": args.jacoby,
        "beaver": args.beavers,
    }
    changes = {name: value for name, value in told.items() if value is not None}
    if args.owner:
        changes["cube_owner"] = OWNERS[args.owner]
    if args.score:
        changes["score_x"], changes["score_o"] = args.score
    if args.length == 0:
        changes = {"score_x": 0, "score_o": 0, "crawford": False} | changes
    return replace(asked.state, **changes)


def table_of(args: argparse.Namespace) -> MatchEquityTable:
    """The match equity table. Raises InvalidTable for a file that is none."""
    return read_xml(args.met) if args.met else shipped_table()


def decision_of(
    args: argparse.Namespace, asked: Question, state: MatchState, table: MatchEquityTable
) -> CubeDecision:
    """What to do with the cube. Raises NoCubeAction as `cube` does."""
    rules = asked.board.rules
    return cube(state, asked.judge, rules, asked.ply, efficiency=args.efficiency, table=table)


def standing_line(state: MatchState) -> str:
    """Cube and score in words."""
    owner = f"{state.cube_owner.upper()}'s" if state.cube_owner else "in the middle"
    where = f"the cube at {state.cube}, {owner}"
    if not state.length:
        extras = [name for name, on in (("Jacoby", state.jacoby), ("beavers", state.beaver)) if on]
        return ", ".join(["Money game", *extras, where])
    behind = max(state.score_x, state.score_o) == state.length - 1 and not state.crawford and state.length > 1
    game = ["the Crawford game"] if state.crawford else ["after the Crawford game"] if behind else []
    score = f"Match to {state.length}, X {state.score_x}, O {state.score_o}"
    return ", ".join([score, *game, where])


def source(args: argparse.Namespace, asked: Question) -> str:
    """Where the equities with the cube come from."""
    judge = asked.judge
    learned = isinstance(judge, CubeJudge) and judge.cubeful(asked.board.position[None]) is not None
    if args.efficiency is None and learned:
        return "which has learned the cube"
    return f"the cube by formula at efficiency {EFFICIENCY if args.efficiency is None else args.efficiency:g}"


def decision_rows(decision: CubeDecision) -> list[str]:
    """A cube action for people."""
    equities = (decision.no_double, decision.double_take, decision.double_pass)
    names = (f"no {'redouble' if decision.redouble else 'double'}", "double/take", "double/pass")
    cells = [f"{name:12}{equity:+9.3f}" for name, equity in zip(names, equities, strict=True)]
    if decision.mwc:
        cells = [f"{cell}{chance:10.2%}" for cell, chance in zip(cells, decision.mwc, strict=True)]
        cells = [f"{'':12}{'EMG':>9}{'mwc':>10}", *cells]
    return [*cells, "", decision.action]


def score_json(state: MatchState, table: MatchEquityTable) -> dict[str, object]:
    """Cube and score by name."""
    return {
        "cube": state.cube,
        "owner": state.cube_owner,
        "length": state.length,
        "score": {"x": state.score_x, "o": state.score_o},
        "crawford": state.crawford,
        "jacoby": state.jacoby,
        "beavers": state.beaver,
        "met": table.name if state.length else None,
    }


def decision_json(decision: CubeDecision) -> dict[str, object]:
    """A cube action by name."""
    return {
        "action": decision.action,
        "doubles": decision.doubles,
        "answer": decision.answer,
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "equity": decision.equity,
        "mwc": decision.mwc and decision.mwc._asdict(),
        "exact": decision.exact,
    }
