"""`nardzero eval`: ask a bot about a position, and about every play that a roll allows."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

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
from nardzero.cli.score import (
    EQUITIES_MEAN,
    SCORE_MEANS,
    add_score,
    decision_json,
    decision_of,
    decision_rows,
    score_json,
    standing_line,
    state_of,
    table_of,
)
from nardzero.game.matchstate import MatchState
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate
from nardzero.judge.cube import CubeDecision, NoCubeAction
from nardzero.judge.met.table import MatchEquityTable

LEGEND = f"""\
{EXCLUSIVE}
For the player on roll, {{how}}.
Outcomes and equity are without the cube; emg and cube are with it."""
NOT_AHEAD, AHEAD = "the bot's own opinion", "the mean over all rolls of the best plays from here on"
FORMULA = "With the cube by the formula that was asked for, not exact:"

HELP = "ask a bot about a position"
DESCRIPTION = f"""\
Draw a position and say how the game will end: the probabilities of the six
outcomes and the equity, for the player on roll, and what to do with the cube.
With dice, rank every legal play as well, by what it is worth with the cube and
at the score.

{POSITION}"""
EPILOG = f"""\
what is asked:
{SCORE_MEANS}

what the numbers mean:
{OUTCOMES_MEAN}
{EQUITIES_MEAN}
  0-ply is the bot's own opinion. 1-ply looks one roll ahead: the mean over all
  21 rolls of the opponent's best play, and so on, as GNU Backgammon counts (XG
  counts one more). Plays that a shallower look puts far behind are left at the
  ply that is shown beside them.
  A ply of = says that the play ends the game, or that the table knows it.
  cube or emg is what a play is worth with the cube; diff is what it gives away
  against the best one, of that.

examples:
  nardzero eval start
  nardzero eval "4HPwATDgc/ABMA" --dice 31 --top 5 --ply 2
  nardzero eval "XGID=-a----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
  nardzero eval start --dice 21 --length 5 --score 3-3
  nardzero eval "x 6:3 5:2; o 20:2 24:1" --dice 64 --bot runs/quick --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    add_question(parser)
    add_score(parser)
    parser.add_argument("--top", type=whole_number(1), metavar="N", help="show the N best plays only")


class Answer(NamedTuple):
    """What there is to say about a question."""

    asked: Question
    """The question."""
    state: MatchState
    """The moment asked about."""
    judged: Evaluation
    """The position before the roll."""
    action: CubeDecision | NoCubeAction
    """What to do with the cube before the roll, or why there is nothing to do."""
    plays: Sequence[Candidate]
    """The plays of the roll, if there is one."""
    table: MatchEquityTable
    """What scores are worth."""


def run(args: argparse.Namespace) -> None:
    """Evaluate the position and print what the bot thinks."""
    asked, table = question(args), table_of(args)
    board, state, judge = asked.board, state_of(args, asked), asked.judge
    judged = evaluate(board, judge, args.ply)
    action: CubeDecision | NoCubeAction
    try:
        action = decision_of(args, asked, replace(state, dice=None), table)
    except NoCubeAction as fault:
        action = fault
    plays: Sequence[Candidate] = []
    if board.dice:
        how = {"rules": board.rules, "efficiency": args.efficiency, "table": table}
        plays = analyse(state, judge, top=args.top, ply=args.ply, **how)
    answer = Answer(asked, state, judged, action, plays, table)
    print(json.dumps(_as_json(answer)) if args.json else _as_text(answer))


def _as_text(answer: Answer) -> str:
    asked, board = answer.asked, answer.asked.board
    lines = [
        *asked.heading,
        f"{standing_line(answer.state)}.",
        _before(asked, answer.judged),
        "",
        *outcome_table(board.turn, answer.judged),
    ]
    if isinstance(answer.action, CubeDecision):
        by_formula = answer.judged.exact and not answer.action.exact
        lines += ["", *([FORMULA] if by_formula else []), *decision_rows(answer.action)]
    elif not board.is_over:
        lines += ["", f"No cube action: {answer.action}."]
    if answer.plays:
        title = "    mwc     emg    diff" if answer.state.length else "   cube    diff  equity"
        rows = list(map(_cells, answer.plays))
        lines += ["", *play_table(f" ply{title} {COLUMNS}", answer.plays, rows)]
    opinion = f"at {asked.plies}-ply: {AHEAD if asked.plies else NOT_AHEAD}"
    lines += ["", LEGEND.format(how="exact" if answer.judged.exact else opinion)]
    return "\n".join(lines)


def _before(asked: Question, judged: Evaluation) -> str:
    """Who says what follows about the position."""
    if asked.board.is_over:
        return "The game is over:"
    if judged.exact:
        return "Before the roll, exact, from the bear-off table:"
    return f"Before the roll, at {asked.plies}-ply as seen by {asked.asked}:"


def _cells(play: Candidate) -> str:
    ply = "=" if play.exact else str(play.ply)
    if play.mwc is None:
        numbers = f"{play.cubeful:+7.3f} {play.difference:+7.3f} {play.equity:+7.3f}"
    else:
        numbers = f"{play.mwc:7.2%} {play.cubeful:+7.3f} {play.difference:+7.3f}"
    return f" {ply:>2} {numbers} {columns(play.probs)}"


def _as_json(answer: Answer) -> dict[str, object]:
    action = answer.action
    return {
        **answer.asked.to_json(),
        "ply": answer.asked.plies,
        **score_json(answer.state, answer.table),
        **_judgement(answer.judged),
        "cube_action": decision_json(action) if isinstance(action, CubeDecision) else None,
        "no_cube_action": str(action) if isinstance(action, NoCubeAction) else None,
        "plays": [
            {
                "play": str(play.play),
                "ply": play.ply,
                "difference": play.difference,
                "cubeful": play.cubeful,
                "mwc": play.mwc,
                **_judgement(play),
            }
            for play in answer.plays
        ],
    }


def _judgement(judged: Evaluation | Candidate) -> dict[str, object]:
    return {
        "probs": judged.probs.tolist(),
        "equity": judged.equity,
        "exact": judged.exact,
        "cumulative": judged.cumulative._asdict(),
    }
