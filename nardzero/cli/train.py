"""`nardzero train`: teach a bot by self-play, or go on with a run that stopped."""

import argparse
import re
from itertools import count
from pathlib import Path

from nardzero.cli.parser import Parser, UsageError

HELP = "teach a bot by self-play"
DESCRIPTION = """\
Teach a bot: it plays against itself and learns from how the games go on. It
shows games, games a second and loss while it runs, writes TensorBoard scalars,
and saves itself every so often. Ctrl-C saves and stops; --resume goes on, and
ends with the very weights that a run without a stop would have had.

CONFIG is a TOML file, or the name of a shipped one such as quick, and states
what differs from the defaults; --fields lists every field with its meaning."""
EPILOG = """\
examples:
  nardzero train quick
  nardzero train quick --set train.games=200000 --set net.hidden=[256,256]
  nardzero train my.toml --name wide
  nardzero train --resume runs/wide
  tensorboard --logdir runs

several processes train one model, each on a core of its own:
  torchrun --nproc-per-node=2 -m nardzero train quick"""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument(
        "config", metavar="CONFIG", nargs="?", help="the configuration (default: the defaults)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="set one field, like train.games=200000; may be given again and again",
    )
    parser.add_argument("--resume", metavar="RUN", help="go on with this run folder")
    parser.add_argument("--name", help="what to call the run (default: like CONFIG, numbered where taken)")
    parser.add_argument(
        "--out", default="runs", metavar="FOLDER", help="where runs are (default %(default)s)"
    )
    parser.add_argument("--device", metavar="D", help="cpu, cuda, or auto; the same as --set train.device=D")
    parser.add_argument("--fields", action="store_true", help="list every field of a configuration and stop")


def run(args: argparse.Namespace) -> None:
    """Train, or resume, and say where the result is."""
    if args.resume and (args.config or args.name):
        raise UsageError("--resume goes on with the name and configuration of its run: no CONFIG, no --name")
    from nardzero.learn.config import describe_fields, load_config

    if args.fields:
        print(describe_fields())
        return
    overrides = [*args.set, *([f"train.device={args.device}"] if args.device else [])]
    config = None if args.resume else load_config(args.config, overrides)
    folder = Path(args.resume) if args.resume else _new_run(Path(args.out), args.name, args.config)
    from nardzero.learn.ranks import leads
    from nardzero.learn.run import resume, train

    saved = train(config, folder) if config else resume(folder, overrides)
    if leads():
        print(_next_steps(folder, saved))


def _new_run(out: Path, name: str | None, config: str | None) -> Path:
    """The folder of a new run. Raises UsageError for a name that is a path."""
    if name is None:
        stem = Path(config).stem if config else "run"
        names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        return next(out / name for name in names if not (out / name).exists())
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise UsageError(f"--name is letters, digits, and . + - _ within, not {name!r}; --out is for folders")
    return out / name


def _next_steps(folder: Path, saved: Path) -> str:
    return f"""\
saved {saved}

next:
  nardzero info {folder}
  nardzero arena {folder} pips
  nardzero eval start --dice 31 --bot {folder}
  nardzero train --resume {folder}"""
