"""Lets the dead units of a bot's net begin anew, and writes it as a checkpoint, to go on learning from.

    python scripts/revive.py BOT --out FOLDER

The bot plays itself for some thousand positions. Units that none of them wakes get random weights, and count
for nothing yet (nardzero/model/revive.py): the bot says what it said, and has more to learn with.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from nardzero.learn.selfplay import SelfPlay
from nardzero.learn.stopwatch import Stopwatch
from nardzero.model.checkpoint import load_model, new_folder, save_model
from nardzero.model.revive import dead_units, revived
from nardzero.model.store import find, load

GAMES, PLIES, HARD_STARTS = 400, 120, 0.15
"""How many games it plays, how many plies of each, and how many of them begin in hard positions."""


def main() -> None:
    """Play, find the dead units, write the bot in which they are not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bot", metavar="BOT", help="a shipped bot, a checkpoint or a run")
    parser.add_argument("--out", type=Path, required=True, help="a folder that is not there yet")
    args = parser.parse_args()
    if args.out.exists():
        parser.error(f"{args.out} already exists")
    torch.manual_seed(0)
    bot = load(args.bot)
    play = SelfPlay(bot.rules, GAMES, np.random.default_rng(0), HARD_STARTS)
    windows = [play.window(bot.net, 1, Stopwatch(), bot.sieve).boards[0] for _ in range(PLIES)]
    boards = np.concatenate(windows)
    net, sieve, card = load_model(find(args.bot))
    with new_folder(args.out) as folder:
        save_model(folder, revived(net, boards), card, sieve)
    counts = [f"{int(dead.sum())} of {len(dead)}" for dead in dead_units(net, boards)]
    print(f"saved {args.out}; began anew: {', '.join(counts)} units")


if __name__ == "__main__":
    main()
