"""`nardzero cube`: ask a bot whether to double, and whether to take."""

import argparse
import json

from nardzero.cli.parser import Parser
from nardzero.cli.question import POSITION, Question, add_question, question
from nardzero.cli.score import (
    EQUITIES_MEAN,
    EXACT,
    EXACT_AT_SCORE,
    SCORE_MEANS,
    add_score,
    decision_json,
    decision_of,
    decision_rows,
    score_json,
    source,
    standing_line,
    state_of,
    table_of,
)
from nardzero.game.matchstate import MatchState
from nardzero.judge.cube import CubeDecision

HELP = "ask a bot whether to double, and whether to take"
DESCRIPTION = f"""\
Say what to do with the cube before the roll, in a money game or at the score of
a match: whether to double, and what to do about a double.

{POSITION}"""
EPILOG = f"""\
what is asked:
{SCORE_MEANS}

what the numbers mean:
{EQUITIES_MEAN}
  no double    if he rolls without doubling; he may double later
  double/take  if he doubles and the opponent takes
  double/pass  if he doubles and the opponent passes: 1 point
  The opponent does what costs him less. Doubling is right where it then brings
  more than no double; the position is too good to double where playing on for a
  gammon brings more than the 1 point.

examples:
  nardzero cube start
  nardzero cube "XGID=---AA-------------------a-:0:0:1:00:0:0:3:0:10"
  nardzero cube "XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10" --ply 1
  nardzero cube start --length 7 --score 3-6
  nardzero cube "x 6:3 5:2; o 20:2 24:1" --jacoby --ply 1 --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    add_question(parser, dice=False)
    add_score(parser)


def run(args: argparse.Namespace) -> None:
    """Judge the cube and print what to do with it."""
    asked, table = question(args), table_of(args)
    state = state_of(args, asked)
    decision = decision_of(args, asked, state, table)
    if args.json:
        score = score_json(state, table)
        print(json.dumps({**asked.to_json(), "ply": asked.plies, **score, **decision_json(decision)}))
    else:
        print(_as_text(args, asked, state, decision))


def _as_text(args: argparse.Namespace, asked: Question, state: MatchState, decision: CubeDecision) -> str:
    by = f"at {asked.plies}-ply as seen by {asked.asked}, {source(args, asked)}"
    known = EXACT_AT_SCORE if state.length else EXACT
    return "\n".join(
        [
            *asked.heading,
            f"{standing_line(state)}.",
            f"Before the roll, {known if decision.exact else by}:",
            "",
            *decision_rows(decision),
        ]
    )
