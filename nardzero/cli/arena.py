"""`nardzero arena`: play two agents against each other and say how sure the result is."""

import argparse
import json
import sys

from nardzero.cli.duels import LEGEND, add_duel_arguments
from nardzero.cli.parser import Parser, UsageError, whole_number
from nardzero.play.agents import agent
from nardzero.play.arena import at_most, duel, rules_for
from nardzero.play.cubearena import CubeOutcome, cube_duel
from nardzero.play.cuberesult import CAP
from nardzero.play.judges import find_judge
from nardzero.play.record import Record, Row, cpu_seconds, terms
from nardzero.play.result import DuelResult

HELP = "play two agents against each other"
DESCRIPTION = """\
Play A against B, and print points per game for A with the standard error; with
--match, matches won. There is no cube unless --cube or --match brings it. An
agent is a bot: the name of a shipped one, a checkpoint folder, or a run folder
(its newest save); or random or pips; or another engine, if it is installed:
pubeval, gnubg:0 to gnubg:2, bgsage:1 to bgsage:3.

Games come in pairs that use the same dice ply for ply with the seats swapped,
so luck cancels in part; with --luck most of the rest is taken off. The same
seed gives the same result, with any number of workers."""
EPILOG = f"""\
what the numbers mean:
  ppg     points per game for A: +1 for a win, +2 gammon, +3 backgammon (as the
          ruleset pays), the same lost. 0 is equal; a bot that plays well makes
          about +2.5 against random. With --cube times the cube, {CAP} at most.
{LEGEND}
  random  any legal play with equal chance
  pips    a careful beginner: leads the race and leaves few shots
  pubeval a linear judge of 1993, by way of gnubg-nn
  gnubg:K, bgsage:K
          GNU Backgammon and bgsage at K plies, without the cube. The bare nets
          are gnubg:0 and bgsage:1, so bgsage:K is (K-1)-ply as we count.

who decides about the cube:
  Bots, by their cube head, or by Janowski's formula if they have none; in
  matches by way of the match equity table. They choose plays for it as well.
  gnubg-ext:K plays with it by itself. Other engines choose plays as without it,
  and decide by their outcome probabilities and the formula. Who tells none
  (random, pips, pubeval) never doubles, and takes when no more than 12 % behind
  in the race.

examples:
  nardzero arena runs/quick random
  nardzero arena runs/quick pips --games 10000 --seed 7 --workers 2
  nardzero arena runs/quick standard --luck standard --se 0.01
  nardzero arena standard gnubg:0 --cube --jacoby --games 4000
  nardzero arena runs/quick standard --match 7 --games 400
  nardzero arena takhteh standard --rules takhteh --json --log duels.jsonl"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument("a", metavar="A", help="the agent whose points are counted")
    parser.add_argument("b", metavar="B", help="its opponent")
    add_duel_arguments(parser, "add a line to this file: the result as a JSON object, and how it was made")
    parser.add_argument("--cube", action="store_true", help="play money games with the cube")
    parser.add_argument("--jacoby", action="store_true", help="with --cube: gammons count once it was turned")
    parser.add_argument(
        "--match",
        type=whole_number(1),
        metavar="N",
        help="play matches to N points; --games says how many, and --se is of the share of matches won",
    )


def run(args: argparse.Namespace) -> None:
    """Play the duel and print its result."""
    from tqdm import tqdm

    cube = _cube(args)
    record = Record(args.log, args.command) if args.log else None
    agents, judge = (agent(args.a), agent(args.b)), find_judge(args.luck)
    rules, limit = rules_for(agents, args.rules), at_most(args.games, args.se)
    before = cpu_seconds()
    hidden = args.json or not sys.stderr.isatty()
    unit = "match" if args.match else "game"
    with tqdm(total=limit + limit % 2, unit=unit, disable=hidden, leave=False) as bar:

        def so_far(result: DuelResult | CubeOutcome) -> None:
            bar.set_postfix_str(str(result.best), refresh=False)
            if args.se:
                wanted = round(result.games * (result.best.stderr / args.se) ** 2)
                bar.total = min(limit, max(wanted, result.games))

        asked = (*agents, limit, rules, args.seed, bar.update, args.workers)
        result: DuelResult | CubeOutcome
        if cube:
            result = cube_duel(*asked, **cube, luck=judge, se=args.se, so_far=so_far)
        else:
            result = duel(*asked, luck=judge, se=args.se, so_far=so_far)
    seconds = cpu_seconds() - before
    print(json.dumps(result.to_json()) if args.json else result)
    if record:
        record.add(terms(*agents, judge, rules, args.seed, limit, args.se, cube), result, seconds)
    if args.se and not args.json and not result.best.stderr <= args.se:
        print(f"The standard error did not come down to {args.se} in so many games.")


def _cube(args: argparse.Namespace) -> Row | None:
    """What is played with the cube; None without it. Raises UsageError for what does not go together."""
    if not (args.cube or args.match):
        if args.jacoby:
            raise UsageError("--jacoby says how --cube is played; give both")
        return None
    return {"match": args.match or 0, "jacoby": args.jacoby}
