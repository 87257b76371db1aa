"""`nardzero arena`: play two agents against each other and say how sure the result is."""

import argparse
import json
import sys

from nardzero.cli.parser import Parser, whole_number
from nardzero.game.rules import RULESETS, ruleset
from nardzero.play.arena import duel

HELP = "play two agents against each other"
DESCRIPTION = """\
Play A against B, without the cube, and print points per game for A with the
standard error. An agent is a bot: the name of a shipped one, a checkpoint
folder, or a run folder (its newest save); or random or pips; or another engine,
if it is installed: pubeval, gnubg:0 to gnubg:2, bgsage:1 to bgsage:3.

Games come in pairs that use the same dice ply for ply with the seats swapped,
so luck cancels in part. The same seed gives the same result, with any number
of workers."""
EPILOG = """\
what the numbers mean:
  ppg     points per game for A: +1 for a win, +2 gammon, +3 backgammon (as the
          ruleset pays), the same lost. 0 is equal; a bot that plays well makes
          about +2.5 against random.
  ±       standard error, from the pairs. The truth lies within twice this of
          the figure 19 times in 20. Four times as many games halve it.
  random  any legal play with equal chance
  pips    a careful beginner: leads the race and leaves few shots
  pubeval a linear judge of 1993, by way of gnubg-nn
  gnubg:K, bgsage:K
          GNU Backgammon and bgsage at K plies, without the cube. The bare nets
          are gnubg:0 and bgsage:1, so bgsage:K is (K-1)-ply as we count.

examples:
  nardzero arena runs/quick random
  nardzero arena runs/quick pips --games 10000 --seed 7 --workers 2
  nardzero arena takhteh standard --rules takhteh --json
  nardzero arena runs/quick gnubg:0"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("a", metavar="A", help="the agent whose points are counted")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=2000,
        metavar="N",
        help="how many games (default %(default)s); an odd number is rounded up to pairs",
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
        "they take seconds to start, and 2000 games keep at most 4 busy",
    )
    parser.add_argument(
        "--rules",
        metavar="R",
        help=f"{', '.join(RULESETS)} (default: what A, or else B, was trained for; standard for neither)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Play the duel and print its result."""
    from tqdm import tqdm

    rules = args.rules and ruleset(args.rules)
    hidden = args.json or not sys.stderr.isatty()
    with tqdm(total=args.games + args.games % 2, unit="game", disable=hidden, leave=False) as bar:
        result = duel(args.a, args.b, args.games, rules, args.seed, bar.update, args.workers)
    print(json.dumps(result.to_json()) if args.json else result)
