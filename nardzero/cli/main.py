"""The `nardzero` command: finds the verb, runs it, and turns what can go wrong into one sentence."""

import logging
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import MappingProxyType, ModuleType

from nardzero.cli import arena, bench, cube, decisions, eval, info, ladder, play, rollout, train
from nardzero.cli.parser import Parser
from nardzero.game.errors import InvalidInput
from nardzero.version import __version__

BAD_INPUT, INTERRUPTED, CLOSED = 2, 130, 141
"""Exit codes: bad input; Ctrl-C; the reader of the output went away. The last two are those of the shell."""

VERBS: Mapping[str, ModuleType] = MappingProxyType(
    {
        "train": train,
        "arena": arena,
        "ladder": ladder,
        "decisions": decisions,
        "eval": eval,
        "rollout": rollout,
        "cube": cube,
        "play": play,
        "info": info,
        "bench": bench,
    }
)
"""What each verb is: HELP, DESCRIPTION and EPILOG for its --help, add_arguments and run."""

DESCRIPTION = "A backgammon bot that teaches itself: train it, measure it, ask it."
EPILOG = """\
examples:
  nardzero train quick                        teach a bot, a few minutes
  nardzero arena runs/quick random            play it against random moves
  nardzero ladder random pips standard        rank agents by their duels
  nardzero decisions standard                 what a bot gives away, and where
  nardzero eval start --dice 31               what to do with 31 at the start
  nardzero rollout start --dice 43            the same, played on to the end
  nardzero cube start                         whether to double
  nardzero play                               play a bot in the browser
  nardzero info standard                      what is known about a bot
  nardzero bench                              how fast this machine learns

A BOT is the name of a shipped bot (standard, takhteh), a checkpoint folder, or
a run folder (its newest save). Each verb has its own --help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, that of the process if none is given, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show ± gets a question mark, not a traceback.
            stream.reconfigure(errors="replace")
    try:
        args = _parser().parse_args(argv)
        args.command = shlex.join(["nardzero", *(sys.argv[1:] if argv is None else argv)])
        with _notes():
            args.run(args)
        print(end="", flush=True)  # a closed pipe should be noticed here, not on exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return CLOSED
    except (InvalidInput, OSError) as fault:
        print(f"nardzero: {_sentence(fault)}", file=sys.stderr)
        return BAD_INPUT
    return 0


@contextmanager
def _notes() -> Iterator[None]:
    """What nardzero logs inside the block goes to stderr."""
    log, handler = logging.getLogger("nardzero"), logging.StreamHandler()
    handler.setFormatter(logging.Formatter("nardzero: %(message)s"))
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def _parser() -> Parser:
    parser = Parser(prog="nardzero", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"nardzero {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for name, verb in VERBS.items():
        its_own = verbs.add_parser(name, help=verb.HELP, description=verb.DESCRIPTION, epilog=verb.EPILOG)
        verb.add_arguments(its_own)
        its_own.set_defaults(run=verb.run)
    return parser


def _sentence(fault: InvalidInput | OSError) -> str:
    if isinstance(fault, OSError) and fault.strerror:
        reason = fault.strerror.lower()
        return reason if fault.filename is None else f"cannot use {fault.filename}: {reason}"
    return " ".join(str(fault).split())


def _drop_output() -> None:
    """Send what is still in the buffer of stdout nowhere, or Python would complain about it on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
