"""`nardzero ladder`: let agents play each other, and give each a figure for its strength."""

import argparse
import json
import sys
from pathlib import Path

from nardzero.cli.duels import LEGEND, add_duel_arguments
from nardzero.cli.parser import Parser, UsageError
from nardzero.game.rules import ruleset
from nardzero.play.chart import require_drawing, save_png
from nardzero.play.ladder import ladder, meetings
from nardzero.play.record import Record
from nardzero.play.result import DuelResult
from nardzero.play.standings import Ladder

HELP = "rank agents by duels between them"
DESCRIPTION = """\
Let every agent play every other, or only some anchors, and print one table of
strength: Elo and points per game, each with its standard error. Agents are
named as for nardzero arena, whose duels these are.

With --log every finished duel is kept, and the same command goes on where it
stopped: it plays only what the file does not hold."""
EPILOG = f"""\
what the numbers mean:
  Elo     from single games won and lost, gammons or not: 400 more are odds of
          ten to one. Chances of an even opponent: +10 Elo are 51.4 %.
  points a game
          one figure for each agent, such that differences come closest to the
          points per game of the duels. Very different agents do not add up;
          the last line shows the duel that fits worst.
{LEGEND}

examples:
  nardzero ladder random pips runs/quick standard --log ladder.jsonl
  nardzero ladder runs/* --against pips standard --luck standard --se 0.01
  nardzero ladder runs/quick standard pips --png ladder.png --workers 2"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="who is to be ranked")
    parser.add_argument(
        "--against",
        metavar="ANCHOR",
        nargs="+",
        default=[],
        help="play these alone; the figures of the first are 0 (default: every agent every other, mean 0)",
    )
    add_duel_arguments(parser, "keep every finished duel in this file, and do not play again what it holds")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the ladder into this file as well")


def run(args: argparse.Namespace) -> None:
    """Play the duels and print the table."""
    if args.png:
        require_drawing()
        if args.png.is_dir() or not args.png.parent.is_dir():
            raise UsageError(f"--png wants a file in a folder that is there, not {args.png}")
    found = _play(args)
    print(json.dumps(found.to_json()) if args.json else found)
    if args.png:
        save_png(found, args.png)


def _play(args: argparse.Namespace) -> Ladder:
    from tqdm import tqdm

    record = Record(args.log, args.command) if args.log else None
    duels = len(meetings(args.agents, args.against))
    hidden = args.json or not sys.stderr.isatty()
    with tqdm(total=duels, unit="duel", disable=hidden, leave=False) as bar:

        def so_far(result: DuelResult) -> None:
            bar.set_postfix_str(f"{result.a} v {result.b}: {result.best}, {result.games:,} games")

        return ladder(
            args.agents,
            args.against,
            args.games,
            args.rules and ruleset(args.rules),
            args.seed,
            args.workers,
            luck=args.luck,
            se=args.se,
            record=record,
            so_far=so_far,
            done=lambda result: bar.update(),
        )
