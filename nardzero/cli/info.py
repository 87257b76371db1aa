"""`nardzero info`: what is known about a bot."""

import argparse
import json
from collections.abc import Mapping
from typing import Any

from nardzero.cli.parser import Parser
from nardzero.game.board import Board
from nardzero.judge.analysis import Evaluation, evaluate

HELP = "show what is known about a bot"
DESCRIPTION = """\
Show what a bot is: its net, the rules it was trained for, how it was trained,
its files, and what it thinks of the start position."""
EPILOG = """\
what the numbers mean:
  wins and gammons of the start position are cumulative here, as they are
  usually quoted: wins of any kind, and gammons including backgammons. A sound
  bot says 50-55 % wins and 10-20 % gammons under standard rules.

examples:
  nardzero info standard
  nardzero info runs/quick
  nardzero info runs/quick --json"""

SHOWN_APART = frozenset({"format", "architecture", "encoding", "ruleset", "config", "sha256"})
"""The entries of a card that are not simply listed."""


def add_arguments(parser: Parser) -> None:
    """Give the verb's parser its arguments."""
    parser.add_argument(
        "bot", metavar="BOT", help="a shipped bot, a checkpoint folder, or a run folder (its newest save)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(args: argparse.Namespace) -> None:
    """Load the bot and print what is known about it."""
    from nardzero.model.checkpoint import load_model
    from nardzero.model.folded import FoldedNet
    from nardzero.model.store import find

    folder = find(args.bot)
    net, _, card = load_model(folder)
    start = evaluate(Board(card["ruleset"]), FoldedNet(net))
    facts = {
        "bot": args.bot,
        "folder": str(folder),
        "parameters": sum(weights.numel() for weights in net.parameters()),
        "inputs": net.encoding.width,
        "differs": _differences(card.get("config")),
        "files": {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if file.is_file()},
        "start": {"equity": start.equity, **start.cumulative._asdict()},
        "card": card,
    }
    print(json.dumps(facts) if args.json else _as_text(facts, card, start))


def _differences(config: object) -> dict[str, Any]:
    """`section.field` → value where the configuration in a card is not the default of this version.

    A card of another version may know other fields; those count as different.
    """
    from nardzero.learn.config import Config

    defaults = Config().to_dict()
    sections = config.items() if isinstance(config, dict) else ()
    return {
        f"{section}.{name}": value
        for section, values in sections
        if isinstance(values, dict)
        for name, value in values.items()
        if name not in defaults.get(section, {}) or defaults[section][name] != value
    }


def _as_text(facts: Mapping[str, Any], card: Mapping[str, Any], start: Evaluation) -> str:
    chances = start.cumulative
    layers = [f"{facts['inputs']} inputs", *map(str, card["architecture"]["hidden"]), "6 outcomes"]
    rows = [
        ("folder", facts["folder"]),
        ("ruleset", card["ruleset"]),
        ("net", " - ".join(layers)),
        ("encoding", card["encoding"]),
        ("parameters", f"{facts['parameters']:,}"),
        *((name, _value(value)) for name, value in card.items() if name not in SHOWN_APART),
        *(("file", f"{name}, {size / 1000:,.1f} kB") for name, size in facts["files"].items()),
        ("start", f"{chances.win:.1%} wins, {chances.win_gammon:.1%} gammons, equity {start.equity:+.3f}"),
        ("", f"{1 - chances.win:.1%} lost, {chances.lose_gammon:.1%} gammons lost"),
    ]
    lines = [str(facts["bot"]), *(f"  {name:11} {value}" for name, value in rows), ""]
    if facts["differs"]:
        lines.append("its configuration, where it differs from the defaults:")
        lines += [f"  {field} = {json.dumps(value)}" for field, value in facts["differs"].items()]
    else:
        lines.append("its configuration is the default one")
    return "\n".join(lines)


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
