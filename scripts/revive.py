"""Lets the dead units of a bot's net begin anew, and writes it as a checkpoint, to go on learning from.

    python scripts/revive.py BOT --out FOLDER

The bot plays itself for some 50,000 positions. Units that none of them wakes get random weights, and count
for nothing yet (nardzero/model/revive.py): the bot says what it said, but for positions unlike all of them,
and has more to learn with.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from nardzero.game.errors import InvalidInput
from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.checkpoint import load_model, new_folder, save_model
from nardzero.model.revive import dead_units, revived
from nardzero.model.store import find, load

GAMES, PLIES, HARD_STARTS = 400, 120, 0.15
"""How many games it plays, how many plies of each, and which share of them begins in hard positions."""


def main() -> None:
    """Read the bot, write it without dead units."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bot", metavar="BOT", help="a shipped bot, a checkpoint or a run")
    parser.add_argument("--out", type=Path, required=True, help="a folder that is not there yet")
    args = parser.parse_args()
    try:
        if args.out.exists():
            parser.error(f"{args.out} already exists")
        counts = revive(find(args.bot), args.out)
    except (InvalidInput, OSError) as fault:
        parser.error(str(fault))
    print(f"saved {args.out}; began anew: {', '.join(counts)} units")


def revive(source: Path, out: Path) -> list[str]:
    """Play, and write the bot in which what is dead begins anew; returns how many units of each layer did."""
    torch.manual_seed(0)
    bot, (net, sieve, card) = load(source), load_model(source)
    with new_folder(out) as folder:
        play = SelfPlay(bot.rules, GAMES, np.random.default_rng(0), HARD_STARTS)
        # A ply at a time: after each it keeps the hard positions that later games begin in.
        windows = [play.window(bot.net, 1, Stopwatch(), bot.sieve).boards[0] for _ in range(PLIES)]
        dead = dead_units(net, np.concatenate(windows))
        counts = [int(units.sum()) for units in dead]
        save_model(folder, revived(net, dead), card | {"revived": counts}, sieve)
    return [f"{count} of {width}" for count, width in zip(counts, net.hidden, strict=True)]


if __name__ == "__main__":
    main()
