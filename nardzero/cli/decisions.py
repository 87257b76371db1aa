"""`nardzero decisions`: what an agent gives away in decisions that other engines have judged."""

import argparse
import json
import sys

from nardzero.cli.parser import Parser
from nardzero.game.errors import InvalidInput
from nardzero.play.agents import agent, evaluator_of
from nardzero.play.cubedecisions import shipped_cube_decisions
from nardzero.play.cubemistakes import CubeMistakes, cube_mistakes, known_truths
from nardzero.play.decisions import shipped_decisions
from nardzero.play.differences import Differences
from nardzero.play.mistakes import Mistakes

HELP = "measure how much an agent gives away in judged decisions"
DESCRIPTION = """\
Let BOT choose a play in each of some thousand positions, and print how much it
gives away against the best play, as two other engines saw it that looked two
plies ahead: gnubg:2 and bgsage:3. They need not be installed; their verdicts
come with nardzero. BOT is whatever `nardzero arena` takes.

With --cube, let the cube head of BOT double and take in close decisions that
bgsage:3 has judged, and in all those of the exact bear-off table, and say how
Janowski's formula over the same bot's outcomes does there.

With --differences, let BOT judge every close play as well, and say how far its
differences between the plays of a decision are off: that tells two bots of one
training apart long before their choices do. It takes minutes with lookahead."""
EPILOG = """\
what the numbers mean:
  mEq     thousandths of a point, without the cube, lost a decision on average.
          Forced plays and those with nothing at stake are left out.
  ±       standard error. Two bots answer the same positions, so they differ for
          sure long before their figures do.
  phases  opening: at most 4 checkers a side have moved; back game: two points
          held in the other's home, 50 pips behind; prime: 5 points in a row
          before a checker; holding: the other's bar, 5, 4 or 3 point is held
          (by either side; nardzero/game/phases.py has it all)
  The referees err too: each is kinder, by about 1 mEq, to its own bare net.
  --cube  x is the efficiency of the cube in the formula; best is what serves
          best in those very decisions, so it flatters the formula.

examples:
  nardzero decisions standard
  nardzero decisions standard --differences
  nardzero decisions standard --cube
  nardzero decisions runs/quick --json
  nardzero decisions gnubg:0"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot or any other agent")
    parser.add_argument("--cube", action="store_true", help="measure its cube decisions instead of its plays")
    parser.add_argument(
        "--differences", action="store_true", help="also measure how it tells close plays apart"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Ask the agent and print what it gives away."""
    from tqdm import tqdm

    if args.cube and args.differences:
        raise InvalidInput("--differences is about plays: leave out --cube")
    player = agent(args.bot)
    hidden = args.json or not sys.stderr.isatty()
    mistakes: Mistakes | CubeMistakes
    with tqdm(unit="decision", disable=hidden, leave=False) as bar:
        if args.cube:
            truths = known_truths(shipped_cube_decisions())
            mistakes = cube_mistakes(player.name, evaluator_of(player), truths, bar.update)
        else:
            decisions = shipped_decisions()
            bar.reset(total=len(decisions.boards))
            chosen = decisions.ask(player, bar.update)
            differences = Differences.of(decisions, evaluator_of(player)) if args.differences else None
            mistakes = Mistakes.of(player.name, decisions, chosen, differences)
    print(json.dumps(mistakes.to_json()) if args.json else mistakes)
