"""What the verbs share that ask a bot about a position: how one asks, and how outcomes are shown."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nardzero.cli.parser import Parser, whole_number
from nardzero.game.board import Board
from nardzero.game.dice import parse_dice
from nardzero.game.matchstate import MatchState
from nardzero.game.notation import parse_state
from nardzero.game.outcomes import OUTCOMES, Probs
from nardzero.game.rules import RULESETS, Ruleset, ruleset
from nardzero.game.text import format_position
from nardzero.judge.analysis import Candidate, Evaluation
from nardzero.judge.lookahead import plies_of
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Agent, agent, evaluator_of, judge_of

START = "start"
POSITION = """\
POSITION is the word start, a GNUBG position ID (with or without a match ID), an
XGID that begins with XGID=, an OGID, or a text in the numbering of x, who is on
roll, like "x 6:5 8:3 13:5 24:2; o 1:2 12:5 17:3 19:5". Quote it for the shell."""
OUTCOMES_MEAN = """\
  Outcomes are exclusive and add up to 100 %: a gammon is not a backgammon as
  well. Other programs print cumulative numbers, in which wins include gammons
  and gammons include backgammons; --json gives both.
  Equity is in points, for a game without the cube, as the ruleset pays.
  Bear-offs are answered by tables, which go before the bot unless there is
  --no-tables: exact where both sides are down to six checkers, good to a
  percent or so with more. They are made once and kept in the cache folder."""
EXCLUSIVE = "Six exclusive outcomes: a backgammon is not counted as a gammon as well."
CONVENTION = "six exclusive outcomes, for the player on roll; cubeless"
COLUMNS = "   win   gam    bg   lose   gam    bg"


class Question(NamedTuple):
    """What is asked, and who."""

    board: Board
    """The position, with its dice if it has some."""
    bot: Agent
    """The bot, or another engine."""
    ply: int
    """How many plies it is to look ahead."""
    state: MatchState
    """The same moment with all that was said about cube and score."""
    tables: bool = True
    """Whether bear-off tables answer before a bot where they can; other engines are asked as they are."""

    @property
    def judge(self) -> Evaluator:
        """What the bot judges by. Raises NoJudge for one that only chooses plays."""
        return judge_of(self.bot) if self.tables else evaluator_of(self.bot)

    @property
    def plies(self) -> int:
        """How many plies the answer looks ahead: those asked for, and those of the bot itself."""
        return self.ply + plies_of(self.judge)

    @property
    def heading(self) -> list[str]:
        """The position for people."""
        return [str(self.board), "", f"{self.board.id}, {self.board.rules.name} rules"]

    @property
    def asked(self) -> str:
        """The bot, as one that may have been trained for other rules."""
        name, rules = self.bot.name, self.bot.rules
        if rules is None or rules == self.board.rules:
            return name
        return f"{name}, which was trained for {rules.name} rules"

    def to_json(self) -> dict[str, object]:
        """Position, bot and what the numbers mean."""
        return {
            "position": format_position(self.board.position),
            "id": self.board.id,
            "turn": self.board.turn,
            "dice": self.board.dice,
            "rules": self.board.rules.name,
            "bot": self.bot.name,
            "convention": CONVENTION,
            "outcomes": OUTCOMES,
        }


def add_question(parser: Parser, ply: str = "how many plies to look ahead", dice: bool = True) -> None:
    """Give the verb's parser the arguments that say what is asked, and whom; and what `ply` means for it."""
    parser.add_argument("position", metavar="POSITION", help="the position, in any of the forms above")
    if dice:
        held = "two dice, like 31 (default: those that POSITION holds)"
        parser.add_argument("--dice", metavar="D", help=held)
    else:
        parser.set_defaults(dice=None)
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="a shipped bot, a checkpoint folder, a run folder, any of these looking ahead, like standard@1, "
        "or another engine such as gnubg:0 (default: the shipped bot for the rules)",
    )
    parser.add_argument(
        "--ply",
        type=whole_number(0),
        default=0,
        metavar="N",
        help=f"{ply} (default %(default)s)",
    )
    parser.add_argument(
        "--rules",
        metavar="R",
        help=f"{', '.join(RULESETS)} (default: what --bot was trained for, standard without)",
    )
    parser.add_argument(
        "--no-tables",
        dest="tables",
        action="store_false",
        help="the bot alone: no bear-off tables before it where both sides are at home and past each other",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def question(args: argparse.Namespace) -> Question:
    """The position asked about, and the bot, loaded.

    Raises what `Board.from_id`, `parse_dice`, `ruleset` and `agent` raise.
    """
    rules = ruleset(args.rules or "standard")
    board = _board(args, rules)
    # The bot comes last: it takes seconds, and a slip in the rest should be told at once.
    from nardzero.model.store import shipped_bots

    shipped = rules.name if rules.name in shipped_bots() else "standard"
    bot = agent(shipped if args.bot is None else args.bot)
    own_rules = args.bot is not None and not args.rules
    board = _board(args, bot.rules) if own_rules and bot.rules else board
    return Question(board, bot, args.ply, _state(args, board), args.tables)


def _state(args: argparse.Namespace, board: Board) -> MatchState:
    """The moment asked about, with the board's dice."""
    if args.position.strip().lower() == START:
        limit = board.rules.cube_limit
        return MatchState(board.position, board.turn, board.dice, cube_limit=limit)
    state = parse_state(args.position)
    # Who asks about a roll asks about a game in which the double was answered.
    return replace(state, dice=board.dice, offered=None if board.dice else state.offered)


def _board(args: argparse.Namespace, rules: Ruleset) -> Board:
    """The position asked about; dice on the command line come before its own."""
    at_start = args.position.strip().lower() == START
    board = Board(rules) if at_start else Board.from_id(args.position, rules)
    return Board(rules, board.position, board.turn, parse_dice(args.dice)) if args.dice else board


def outcome_table(turn: str, judged: Evaluation) -> list[str]:
    """The six outcomes of a position for people."""
    backgammon, gammon, single, *lost = judged.probs
    return [
        f"{turn:>5}{'all':>11}{'single':>11}{'gammon':>11}{'backgammon':>13}{'equity':>11}",
        _outcome_row("wins", single, gammon, backgammon) + f"{judged.equity:+11.3f}",
        _outcome_row("loses", *lost),
    ]


def _outcome_row(name: str, single: float, gammon: float, backgammon: float) -> str:
    return f"{name:>5}{single + gammon + backgammon:11.1%}{single:11.1%}{gammon:11.1%}{backgammon:13.1%}"


def play_table(title: str, plays: Sequence[Candidate], cells: Sequence[str]) -> list[str]:
    """Plays, numbered, each with its cells of a table of that title."""
    width = max(len(str(candidate.play)) for candidate in plays)
    rows = zip(plays, cells, strict=True)
    return [
        f"{'':4}{'play':{width}}{title}",
        *(f"{rank:3} {candidate.play!s:{width}}{cell}" for rank, (candidate, cell) in enumerate(rows, 1)),
    ]


def columns(probs: Probs) -> str:
    """Six probabilities [6] under COLUMNS, in percent."""
    backgammon, gammon, single, *lost = (f"{100 * probability:6.1f}" for probability in probs)
    return f"{single}{gammon}{backgammon} {''.join(lost)}"
