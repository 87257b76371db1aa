"""`nardzero decisions`: what an agent gives away in decisions that other engines have judged."""

import argparse
import json
import sys

from nardzero.cli.parser import Parser
from nardzero.play.agents import agent
from nardzero.play.decisions import shipped_decisions
from nardzero.play.mistakes import Mistakes

HELP = "measure how much an agent gives away in judged decisions"
DESCRIPTION = """\
Let BOT choose a play in each of some thousand positions, and print how much it
gives away against the best play, as two other engines saw it that looked two
plies ahead: gnubg:2 and bgsage:3. They need not be installed; their verdicts
come with nardzero. BOT is whatever `nardzero arena` takes."""
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

examples:
  nardzero decisions standard
  nardzero decisions runs/quick --json
  nardzero decisions gnubg:0"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("bot", metavar="BOT", help="a bot or any other agent")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Ask the agent and print what it gives away."""
    from tqdm import tqdm

    player = agent(args.bot)
    decisions = shipped_decisions()
    hidden = args.json or not sys.stderr.isatty()
    with tqdm(total=len(decisions.boards), unit="decision", disable=hidden, leave=False) as bar:
        mistakes = Mistakes.of(player.name, decisions, decisions.ask(player, bar.update))
    print(json.dumps(mistakes.to_json()) if args.json else mistakes)
