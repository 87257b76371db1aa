"""The arguments that all verbs which play duels have in common."""

from pathlib import Path

from nardzero.cli.parser import Parser, above_zero, whole_number
from nardzero.game.rules import RULESETS
from nardzero.play.arena import GAMES, MOST_GAMES

LEGEND = """\
  ±       standard error, from the pairs. The truth lies within twice this of
          the figure 19 times in 20. Four times as many games halve it.
  luck    what the dice gave A less what they gave B, as the --luck bot sees it:
          the equity of the best play with each roll less the mean over all
          rolls. Whatever the bot thinks, that is 0 on average: to take it off
          leaves the mean where it was. Between good players it makes the error
          four or five times smaller at four times the work a game, against pips
          two times; against random larger, and then it is not counted."""


def add_duel_arguments(parser: Parser, log: str) -> None:
    """Give a parser the arguments that say how duels are played; `log` says what the file is for."""
    parser.add_argument(
        "--games",
        type=whole_number(1),
        metavar="N",
        help=f"how many games a duel has (default {GAMES}), or with --se at most has "
        f"(default {MOST_GAMES}); an odd number is rounded up to pairs",
    )
    parser.add_argument(
        "--se",
        type=above_zero,
        metavar="E",
        help="stop when the standard error, adjusted for luck with --luck, is E or less",
    )
    parser.add_argument(
        "--luck",
        metavar="BOT",
        help="adjust for luck, as this bot, or another engine, sees it",
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="N", help="seed of the dice (default %(default)s)"
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1),
        default=1,
        metavar="K",
        help="processes that share the games, one core each (default %(default)s); "
        f"they take seconds to start, and {GAMES} games keep at most 4 busy",
    )
    parser.add_argument(
        "--rules",
        metavar="R",
        help=f"{', '.join(RULESETS)} (default: what the first bot was trained for; standard for none)",
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help=log)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
