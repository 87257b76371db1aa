"""`nardzero eval`: ask a bot about a position, and about every play that a roll allows."""

import argparse
import json
from collections.abc import Sequence

from nardzero.cli.parser import Parser, whole_number
from nardzero.game.board import Board
from nardzero.game.dice import parse_dice
from nardzero.game.outcomes import OUTCOMES
from nardzero.game.rules import RULESETS, Ruleset, ruleset
from nardzero.game.text import format_position
from nardzero.judge.analysis import Candidate, Evaluation, analyse, evaluate
from nardzero.play.agents import Agent, agent, evaluator_of

START = "start"
CONVENTION = "six exclusive outcomes, for the player on roll; cubeless, {ply}-ply"

LEGEND = """\
Six exclusive outcomes: a backgammon is not counted as a gammon as well.
For the player on roll, without the cube, looking {ply} plies ahead."""

HELP = "ask a bot about a position"
DESCRIPTION = """\
Draw a position and say how the game will end: the probabilities of the six
outcomes and the equity, for the player on roll. With dice, rank every legal
play as well.

POSITION is the word start, a GNUBG position ID (with or without a match ID), an
XGID that begins with XGID=, an OGID, or a text in the numbering of x, who is on
roll, like "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5". Quote it for the shell."""
EPILOG = """\
what the numbers mean:
  Outcomes are exclusive and add up to 100 %: a gammon is not a backgammon as
  well. Other programs print cumulative numbers, in which wins include gammons
  and gammons include backgammons; --json gives both.
  Equity is in points, for a game without the cube, as the ruleset pays; 0-ply
  means the bot's own opinion, without looking ahead. Plies are counted as GNU
  Backgammon does: bgsage:1 is 0-ply as we count.
  diff is what a play gives away against the best one.

examples:
  nardzero eval start
  nardzero eval "4HPwATDgc/ABMA" --dice 31 --top 5
  nardzero eval "XGID=-a----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
  nardzero eval "x 6:3 5:2; o 20:2 24:1" --dice 64 --bot runs/quick --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("position", metavar="POSITION", help="the position, in any of the forms above")
    parser.add_argument("--dice", metavar="D", help="two dice, like 31 (default: those that POSITION holds)")
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="a shipped bot, a checkpoint folder, a run folder, or another engine such as gnubg:0 "
        "(default: the shipped bot for the rules)",
    )
    parser.add_argument("--top", type=whole_number(1), metavar="N", help="show the N best plays only")
    parser.add_argument(
        "--rules",
        metavar="R",
        help=f"{', '.join(RULESETS)} (default: what --bot was trained for, standard without)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Evaluate the position and print what the bot thinks."""
    rules = ruleset(args.rules or "standard")
    board = _board(args, rules)
    # The bot comes last: it takes seconds, and a slip in the rest should be told at once.
    from nardzero.model.store import shipped_bots

    bot = agent(args.bot or (rules.name if rules.name in shipped_bots() else "standard"))
    evaluator = evaluator_of(bot)
    if args.bot and not args.rules and bot.rules:
        board = _board(args, bot.rules)
    judged = evaluate(board, evaluator)
    plays = analyse(board, evaluator, top=args.top) if board.dice else []
    ply = getattr(evaluator, "ply", 0)
    if args.json:
        print(json.dumps(_as_json(board, bot, ply, judged, plays)))
    else:
        print(_as_text(board, bot, ply, judged, plays))


def _board(args: argparse.Namespace, rules: Ruleset) -> Board:
    """The position asked about; dice on the command line come before its own."""
    at_start = args.position.strip().lower() == START
    board = Board(rules) if at_start else Board.from_id(args.position, rules)
    return Board(rules, board.position, board.turn, parse_dice(args.dice)) if args.dice else board


def _as_text(board: Board, bot: Agent, ply: int, judged: Evaluation, plays: Sequence[Candidate]) -> str:
    own = bot.rules or board.rules
    trained = "" if own == board.rules else f", which was trained for {own.name} rules"
    backgammon, gammon, single, *lost = judged.probs
    lines = [
        str(board),
        "",
        f"{board.id}, {board.rules.name} rules",
        "The game is over:" if board.is_over else f"Before the roll, as {bot.name} sees it{trained}:",
        "",
        f"{board.turn:>5}{'all':>11}{'single':>11}{'gammon':>11}{'backgammon':>13}{'equity':>11}",
        _outcome_row("wins", single, gammon, backgammon) + f"{judged.equity:+11.3f}",
        _outcome_row("loses", *lost),
    ]
    if plays:
        width = max(len(str(candidate.play)) for candidate in plays)
        lines += ["", f"{'':4}{'play':{width}}  equity    diff    win   gam    bg   lose   gam    bg"]
        lines += [_play_row(rank, candidate, width) for rank, candidate in enumerate(plays, 1)]
    lines += ["", LEGEND.format(ply=ply)]
    return "\n".join(lines)


def _outcome_row(name: str, single: float, gammon: float, backgammon: float) -> str:
    return f"{name:>5}{single + gammon + backgammon:11.1%}{single:11.1%}{gammon:11.1%}{backgammon:13.1%}"


def _play_row(rank: int, candidate: Candidate, width: int) -> str:
    backgammon, gammon, single, *lost = (f"{100 * probability:6.1f}" for probability in candidate.probs)
    judged = f"{candidate.play!s:{width}}  {candidate.equity:+.3f}  {candidate.difference:+.3f}"
    return f"{rank:3} {judged} {single}{gammon}{backgammon} {''.join(lost)}"


def _as_json(
    board: Board, bot: Agent, ply: int, judged: Evaluation, plays: Sequence[Candidate]
) -> dict[str, object]:
    return {
        "position": format_position(board.position),
        "id": board.id,
        "turn": board.turn,
        "dice": board.dice,
        "rules": board.rules.name,
        "bot": bot.name,
        "convention": CONVENTION.format(ply=ply),
        "outcomes": OUTCOMES,
        **_judgement(judged),
        "plays": [
            {"play": str(candidate.play), "difference": candidate.difference, **_judgement(candidate)}
            for candidate in plays
        ],
    }


def _judgement(judged: Evaluation | Candidate) -> dict[str, object]:
    return {
        "probs": judged.probs.tolist(),
        "equity": judged.equity,
        "cumulative": judged.cumulative._asdict(),
    }
