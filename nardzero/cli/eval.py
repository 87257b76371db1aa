"""`nardzero eval`: ask a bot about a position, and about every play that a roll allows."""

import argparse
import json
from collections.abc import Sequence

from nardzero.cli.parser import Parser, whole_number
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
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate

LEGEND = f"""\
{EXCLUSIVE}
For the player on roll, without the cube, at {{ply}}-ply: {{meaning}}."""
NOT_AHEAD, AHEAD = "the bot's own opinion", "the mean over all rolls of the best plays from here on"

HELP = "ask a bot about a position"
DESCRIPTION = f"""\
Draw a position and say how the game will end: the probabilities of the six
outcomes and the equity, for the player on roll. With dice, rank every legal
play as well.

{POSITION}"""
EPILOG = f"""\
what the numbers mean:
{OUTCOMES_MEAN}
  0-ply is the bot's own opinion. 1-ply looks one roll ahead: the mean over all
  21 rolls of the opponent's best play, and so on, as GNU Backgammon counts (XG
  counts one more). Plays that a shallower look puts far behind are left at the
  ply that is shown beside them.
  diff is what a play gives away against the best one.

examples:
  nardzero eval start
  nardzero eval "4HPwATDgc/ABMA" --dice 31 --top 5 --ply 2
  nardzero eval "XGID=-a----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
  nardzero eval "x 6:3 5:2; o 20:2 24:1" --dice 64 --bot runs/quick --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    add_question(parser)
    parser.add_argument("--top", type=whole_number(1), metavar="N", help="show the N best plays only")


def run(args: argparse.Namespace) -> None:
    """Evaluate the position and print what the bot thinks."""
    asked = question(args)
    board, judge = asked.board, asked.judge
    judged = evaluate(board, judge, args.ply)
    plays = analyse(board, judge, top=args.top, ply=args.ply) if board.dice else []
    if args.json:
        print(json.dumps(_as_json(asked, judged, plays)))
    else:
        print(_as_text(asked, judged, plays))


def _as_text(asked: Question, judged: Evaluation, plays: Sequence[Candidate]) -> str:
    board = asked.board
    lines = [
        *asked.heading,
        _before(asked, judged),
        "",
        *outcome_table(board.turn, judged),
    ]
    if plays:
        lines += ["", *play_table(f"    ply  equity    diff {COLUMNS}", plays, list(map(_cells, plays)))]
    lines += ["", LEGEND.format(ply=asked.plies, meaning=AHEAD if asked.plies else NOT_AHEAD)]
    return "\n".join(lines)


def _before(asked: Question, judged: Evaluation) -> str:
    """Who says what follows about the position."""
    if asked.board.is_over:
        return "The game is over:"
    if judged.exact:
        return "Before the roll, exact, from the bear-off table:"
    return f"Before the roll, at {asked.plies}-ply as seen by {asked.asked}:"


def _cells(play: Candidate) -> str:
    ply = "exact" if play.exact else str(play.ply)
    return f"  {ply:>5}  {play.equity:+.3f}  {play.difference:+.3f} {columns(play.probs)}"


def _as_json(asked: Question, judged: Evaluation, plays: Sequence[Candidate]) -> dict[str, object]:
    return {
        **asked.to_json(),
        "ply": asked.plies,
        **_judgement(judged),
        "plays": [
            {"play": str(play.play), "ply": play.ply, "difference": play.difference, **_judgement(play)}
            for play in plays
        ],
    }


def _judgement(judged: Evaluation | Candidate) -> dict[str, object]:
    return {
        "probs": judged.probs.tolist(),
        "equity": judged.equity,
        "exact": judged.exact,
        "cumulative": judged.cumulative._asdict(),
    }
