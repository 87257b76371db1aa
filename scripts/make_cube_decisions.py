#!/usr/bin/env python
"""Make decisions/cube.npz: close cube decisions of mixed play in contact, judged by another engine.

Needs it installed: pip install -e ".[peers]". It takes some 20 minutes of one core. What is done is kept in
the folder of --work, so a run that was stopped goes on where it was.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from nardzero.game.position import Boards, contact
from nardzero.judge.cubeerrors import CLOSE, action, gain
from nardzero.judge.doubling import CENTRED
from nardzero.judge.janowski import Stakes, janowski
from nardzero.play.agents import agent
from nardzero.play.cubedecisions import CubeDecisions
from nardzero.play.decisions import STANDARD
from nardzero.play.gathering import mixed_play
from nardzero.play.peers.bgsage import Bgsage
from nardzero.play.workers import Progress, share

PLAYERS = {"standard": 0.35, "gnubg:0": 0.3, "pubeval": 0.2, "pips": 0.1, "random": 0.05}
"""Who plays the games, and how often."""
ODD, GAMES = 0.03, 6_000
"""The share of plays that are any, and how many games."""
NEAR = CLOSE + 0.05
"""How close a decision must be, in points, for a judge without lookahead to be shown to the referee."""
EACH, KEPT = 900, 2
"""How many positions of each right action, as that judge sees it, and from one game at most."""
REFEREE, QUICK = Bgsage(3), Bgsage(1)
"""The engine that judges, and the same without lookahead."""
CHUNK = 50
"""Positions judged and kept together."""


def gather() -> Boards:
    """The positions [D, 26] to judge: as many of each action, in no order."""
    rng = np.random.default_rng(2027)
    met = mixed_play([agent(name) for name in PLAYERS], list(PLAYERS.values()), ODD, GAMES, rng)
    met = met.take(rng.permutation(np.flatnonzero(contact(met.boards))))
    equities = janowski(Stakes.of(QUICK.evaluate(met.boards), STANDARD.points))
    near = np.abs(gain(equities)[:, CENTRED]) < NEAR
    of_kind, kinds = action(equities)[:, CENTRED], 4
    taken, given = np.zeros(kinds, int), np.zeros(GAMES, int)
    drawn = []
    for one in np.flatnonzero(near).tolist():
        kind, game = of_kind[one], met.game[one]
        if taken[kind] < EACH and given[game] < KEPT:
            drawn.append(one)
            taken[kind] += 1
            given[game] += 1
    return met.boards[rng.permutation(drawn)]


def judge(boards: Boards, work: Path, start: int, progress: Progress) -> None:
    """Judge a chunk of positions and keep what came out."""
    path = work / f"chunk-{start:05}.npz"
    if not path.exists():
        filling = path.with_suffix(".tmp.npz")
        np.savez(filling, equities=REFEREE.cubeful(boards[start : start + CHUNK]))
        filling.replace(path)
    progress(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--work", type=Path, default=Path("runs/cube-decisions"), help="where chunks are kept"
    )
    parser.add_argument("--out", type=Path, default=Path("decisions/cube.npz"))
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    gathered = args.work / "gathered.npz"
    if not gathered.exists():
        np.savez(gathered, boards=gather())
    boards = np.load(gathered)["boards"]
    starts = range(0, len(boards), CHUNK)
    share(partial(judge, boards, args.work), starts, args.workers)
    equities = np.concatenate([np.load(args.work / f"chunk-{start:05}.npz")["equities"] for start in starts])
    close = np.abs(gain(equities)[:, CENTRED]) < CLOSE
    CubeDecisions(boards[close], equities[close], REFEREE.name).save(args.out)


if __name__ == "__main__":
    main()
