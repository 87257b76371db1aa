"""`nardzero bench`: how fast everything is on this machine."""

import argparse
import json
import sys

from nardzero.cli.parser import Parser

HELP = "measure how fast this machine plays, judges and learns"
DESCRIPTION = """\
Measure, on one core of this machine and in positions of trained play, how fast
plays are found and judged and how fast bots of several sizes learn, and print
it as a table. It takes two or three minutes of a quiet machine."""
EPILOG = """\
what the numbers mean:
  All times are CPU time of one core, medians of several runs: other work on the
  machine makes them worse, but less so than it makes the clock.
  Finding plays counts distinct boards, built in full. afterstates() is what
  nardzero.afterstates gives, checks included.
  bfloat16 pays on processors that multiply in it, and for wide nets; auto is
  what train.precision = "auto" takes here.
  Games a second of training count plies, at the length of trained play; the
  shares say where the time goes. MB is 10^6 bytes, PyTorch included.
  --peers measures gnubg-nn, the C code and nets of GNU Backgammon, called from
  Python on the same positions; its games are played without learning.

examples:
  nardzero bench
  nardzero bench --peers
  nardzero bench --quick --json"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("--peers", action="store_true", help="measure gnubg-nn too, which must be installed")
    parser.add_argument(
        "--quick", action="store_true", help="a trial of some seconds; its figures mean little"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Measure, and print what came out."""
    from tqdm import tqdm

    from nardzero.learn.bench.suite import bench

    hidden = args.json or not sys.stderr.isatty()
    with tqdm(disable=hidden, leave=False, bar_format="measuring {desc} [{elapsed}]") as bar:
        report = bench(args.quick, args.peers, bar.set_description_str)
    print(json.dumps(report.to_json()) if args.json else report)
