"""`nardzero play`: play a bot, in the browser or in the terminal."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from nardzero.cli.parser import Parser, whole_number
from nardzero.cli.terminal import Terminal, typed
from nardzero.game.errors import InvalidInput
from nardzero.game.rules import RULESETS, Ruleset, ruleset
from nardzero.play.agents import agent
from nardzero.play.matchfile.folder import MatchFolder
from nardzero.play.sitting import flow
from nardzero.play.sitting.head import Head
from nardzero.play.sitting.setup import LONGEST, check_length, record
from nardzero.play.sitting.sitting import Sitting

HELP = "play a bot, in the browser or in the terminal"
DESCRIPTION = """\
Open a board in the browser and play a match or for money against a bot. Only
this machine can reach the page, unless --host says otherwise. Programs can ask
the same server about positions; /docs says how.

With --terminal, play in the terminal: type moves like 8/5 6/5, or roll, double,
take, pass, undo, resign, hint, quit."""
EPILOG = """\
The board needs the extra web: pip install "nardzero[web]"; the terminal does
not.

examples:
  nardzero play
  nardzero play --bot takhteh --rules takhteh --save matches
  nardzero play --port 8080 --no-browser
  nardzero play --terminal --length 3 --ply 1"""
DEEPEST = 2


class WebMissing(InvalidInput):
    """The board without the packages that it is served with."""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    where = parser.add_argument_group("where")
    where.add_argument("--terminal", action="store_true", help="play here, without a browser")
    where.add_argument(
        "--port", type=_port, default=8000, metavar="N", help="default %(default)s; 0 is any free one"
    )
    where.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help="the address to listen on (default %(default)s, this machine)",
    )
    where.add_argument("--no-browser", action="store_true", help="do not open the page")
    how = parser.add_argument_group("how")
    how.add_argument("--bot", metavar="BOT", help="who plays (default: the shipped bot for the rules)")
    how.add_argument(
        "--ply", type=whole_number(0), default=0, metavar="N", help=f"how far it looks ahead, up to {DEEPEST}"
    )
    how.add_argument(
        "--rules", metavar="R", help=f"{', '.join(RULESETS)} (default: those of --bot, or standard)"
    )
    how.add_argument(
        "--length",
        type=whole_number(0),
        default=5,
        metavar="N",
        help=f"points to win, up to {LONGEST}; 0 plays for money (default %(default)s)",
    )
    how.add_argument(
        "--jacoby", action="store_true", help="for money: gammons count only once the cube was turned"
    )
    how.add_argument(
        "--beavers", action="store_true", help="for money: who takes may turn the cube once more"
    )
    how.add_argument("--coach", action="store_true", help="say after each decision what it gave away")
    how.add_argument("--seed", type=whole_number(0), metavar="N", help="in the terminal: the same dice again")
    how.add_argument(
        "--save", metavar="FOLDER", help="keep finished matches there as .mat (default: nowhere)"
    )


def run(args: argparse.Namespace) -> None:
    """Serve the board, or play here."""
    check_length(args.length)
    if args.ply > DEEPEST:
        raise InvalidInput(f"--ply is 0 to {DEEPEST} here, not {args.ply}: more would keep you waiting")
    if args.terminal and args.length and (args.jacoby or args.beavers):
        raise InvalidInput("--jacoby and --beavers are for money games: give --length 0 with them")
    rules = ruleset(args.rules) if args.rules else None
    folder = MatchFolder(Path(args.save)) if args.save else None
    if args.terminal:
        _here(args, rules, folder)
    else:
        _on_a_page(args, rules, folder)


def _here(args: argparse.Namespace, rules: Ruleset | None, folder: MatchFolder | None) -> None:
    from nardzero.model.store import shipped_bots

    shipped = rules.name if rules and rules.name in shipped_bots() else "standard"
    bot = agent(shipped if args.bot is None else args.bot)
    played_by = rules or (bot.rules if args.bot is not None else None) or ruleset("standard")
    start = flow.start(played_by, args.length, args.jacoby, args.beavers)
    sitting = Sitting(start, played_by, Head(bot, played_by, args.ply), coached=args.coach, seed=args.seed)
    terminal = Terminal(sitting, print)
    terminal.run(typed(lambda: terminal.asked))
    if folder and sitting.table.sheet:
        print(f"saved {folder.write(record(sitting, ('You', bot.name)))}")


def _on_a_page(args: argparse.Namespace, rules: Ruleset | None, folder: MatchFolder | None) -> None:
    if any(find_spec(package) is None for package in ("fastapi", "uvicorn")):
        raise WebMissing(
            'the board needs FastAPI and uvicorn: pip install "nardzero[web]"; --terminal does not'
        )
    from nardzero.judge.bearoff.tables import one_sided, two_sided
    from nardzero.web.app import create_app
    from nardzero.web.bodies import NewSession
    from nardzero.web.bots import Bots
    from nardzero.web.guard import LOOPBACK, is_loopback
    from nardzero.web.serve import listen, open_browser, serve, url_of

    listener = listen(args.host, args.port)  # before the bot, which takes seconds
    bot = None if args.bot is None else agent(args.bot)
    played_by = rules or (bot and bot.rules) or ruleset("standard")
    alone = is_loopback(args.host)
    defaults = NewSession(
        rules=played_by.name,
        length=args.length,
        bot=bot.name if bot else None,
        ply=args.ply,
        jacoby=args.jacoby,
        beavers=args.beavers,
        coach=args.coach,
    )
    for table in (one_sided, two_sided):
        table()  # made in seconds the first time, which no reply should wait for
    url = url_of(listener, args.host)
    app = create_app(Bots(bot), folder, defaults, hosts={*LOOPBACK, args.host} if alone else None)

    def ready() -> None:
        print(f"The board is at {url} (Ctrl-C ends it)")
        if not alone:
            print(f"Other machines that reach {args.host} can play and ask here too.")
        print(
            f"Finished matches go to {folder.path}"
            if folder
            else "Finished matches are not kept; --save FOLDER does."
        )
        sys.stdout.flush()
        if not args.no_browser:
            open_browser(url)

    serve(app, listener, ready)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a number from 0 to 65535")
    return int(text)
