"""Makes the match equity table that comes with the package anew, from games of a shipped bot.

    python scripts/met.py [--games 20000] [--out nardzero/judge/met/nardzero.xml]

Takes a minute of one core.
"""

import argparse
from pathlib import Path

import numpy as np

import nardzero as nz
from nardzero.judge.met.solve import solve
from nardzero.judge.met.walk import Walk, play
from nardzero.judge.met.xmlfile import SHIPPED, write_xml

LENGTH = 25
"""Points away that the table goes up to."""


def main() -> None:
    """Play, solve, write."""
    parser = argparse.ArgumentParser(description="Make the match equity table from games of a shipped bot.")
    parser.add_argument("--games", type=int, default=20_000, help="games to play")
    parser.add_argument("--seed", type=int, default=0, help="seed of the dice")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="the file to write")
    args = parser.parse_args()
    bot = nz.load("standard", "bfloat16")
    steps = play(nz.BearoffEvaluator(bot), bot.rules, args.games, np.random.default_rng(args.seed))
    kinds = np.bincount(steps.won, minlength=4)[1:] / args.games
    print("single games {:.2%}, gammons {:.2%}, backgammons {:.2%}".format(*kinds))
    origin = (
        f"From {args.games:,} games of the bot standard (seed {args.seed}) against itself, without tuning."
    )
    write_xml(args.out, solve(Walk.of(steps), LENGTH, "nardzero"), origin)


if __name__ == "__main__":
    main()
