"""`nardzero rollout`: have a bot play a position on to the end, many times."""

import argparse
import json
import sys
from collections.abc import Sequence

from nardzero.cli.parser import Parser, above_zero, whole_number
from nardzero.cli.question import (
    COLUMNS,
    EXCLUSIVE,
    OUTCOMES_MEAN,
    POSITION,
    Question,
    add_question,
    columns,
    outcome_table,
    play_table,
    question,
)
from nardzero.judge.contest import FAR, GAMES
from nardzero.judge.rolledout import RolledOut, RolledOutPlay, counted, plus_minus
from nardzero.judge.rollout import MARGIN, MOST, rollout, worth_rolling_out

LEGEND = f"""\
{EXCLUSIVE}
For the player on roll, without the cube; ± is one standard error."""
TITLE = f"{'equity':>8}{'diff':>18}{'games':>21}"

HELP = "have a bot play a position on, many times"
DESCRIPTION = f"""\
Play a position on to the end many times, the bot on both sides, and say how
the games went for the player on roll. With dice, do so for each of the best
plays. Luck is taken off: every roll is compared with all that could have come.

{POSITION}"""
EPILOG = f"""\
what the numbers mean:
{OUTCOMES_MEAN}
  ±       standard error. The truth, among players like these, lies within twice
          this 19 times in 20. Four times as many games halve it.
  diff    to the best play. The plays meet the same dice, so its error is not
          that of both. What is more than {FAR:g} errors behind is given up early, and
          when one play is left the rollout ends, unless there is --se.
  Games end as soon as both sides are down to six checkers in a bear-off, with
  exact chances from a table; --no-tables plays them out.
  --truncate 11 is over in a fifth of the time with a third of the error, but
          believes the bot about all that comes later.

examples:
  nardzero rollout start
  nardzero rollout start --dice 43 --top 3 --truncate 11 --se 0.003
  nardzero rollout "XGID=-a----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10" --ply 1
  nardzero rollout "x 6:3 5:2; o 20:2 24:1" --games 5184 --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    add_question(parser, "how many plies the players look ahead; 1 takes some four times as long")
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=GAMES,
        metavar="N",
        help="at most so many games of each play (default %(default)s, which tries all first two rolls)",
    )
    parser.add_argument(
        "--top",
        type=whole_number(1),
        metavar="N",
        help=f"the N best plays at 0-ply (default: those within {MARGIN:g} of the best, at most {MOST})",
    )
    parser.add_argument(
        "--truncate",
        type=whole_number(1),
        metavar="N",
        help="end games after N plies and take what the bot thinks then (default: play to the end)",
    )
    parser.add_argument(
        "--se",
        type=above_zero,
        metavar="X",
        help="go on until the standard error is X points, within --games",
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="N", help="seed of the dice (default %(default)s)"
    )


def run(args: argparse.Namespace) -> None:
    """Roll out the position, or its plays, and print how the games went."""
    from tqdm import tqdm

    asked = question(args)
    board, bot = asked.board, asked.judge
    sides = len(worth_rolling_out(board, bot, top=args.top)) if board.dice else 1
    hidden = args.json or not sys.stderr.isatty()
    with tqdm(total=sides * args.games, unit="game", disable=hidden, leave=False) as bar:
        rolled = rollout(
            board,
            bot,
            games=args.games,
            ply=args.ply,
            truncate=args.truncate,
            seed=args.seed,
            top=args.top,
            se=args.se,
            progress=bar.update,
        )
    print(json.dumps(_as_json(asked, args, rolled)) if args.json else _as_text(asked, args, rolled))


def _as_text(asked: Question, args: argparse.Namespace, rolled: RolledOut | list[RolledOutPlay]) -> str:
    cut = f", cut off after {args.truncate} plies" if args.truncate else ""
    how = f"Rolled out at {args.ply}-ply{cut}, seed {args.seed}, by {asked.asked}:"
    exact = isinstance(rolled, RolledOut) and rolled.exact
    known = "Exact, from the bear-off table: there is nothing to roll out." if exact else how
    lines = [*asked.heading, "The game is over:" if asked.board.is_over else known, ""]
    if isinstance(rolled, RolledOut):
        found = f"Equity {plus_minus(rolled.equity, rolled.stderr)}, {counted(rolled.games)}"
        lines += [*outcome_table(asked.board.turn, rolled), "", found]
    else:
        outcomes = [columns(play.probs) for play in rolled]
        lines += [*play_table(TITLE, rolled, _cells(rolled)), "", *play_table(COLUMNS, rolled, outcomes)]
    return "\n".join([*lines, "", LEGEND])


def _cells(plays: Sequence[RolledOutPlay]) -> list[str]:
    """The equities of plays, and how far they are behind the first."""
    found = [plus_minus(play.equity, play.stderr) for play in plays]
    behind = ["", *(plus_minus(play.difference, play.difference_stderr) for play in plays[1:])]
    return [
        f"  {equity:17}   {diff:17} {play.games:7,}"
        for play, equity, diff in zip(plays, found, behind, strict=True)
    ]


def _as_json(
    asked: Question, args: argparse.Namespace, rolled: RolledOut | list[RolledOutPlay]
) -> dict[str, object]:
    how = {"ply": args.ply, "truncate": args.truncate, "seed": args.seed}
    found = rolled.to_json() if isinstance(rolled, RolledOut) else {"plays": [p.to_json() for p in rolled]}
    return {**asked.to_json(), **how, **found}
