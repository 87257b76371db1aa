#!/usr/bin/env python
"""Make decisions/standard.npz: positions of mixed play, every play judged by two other engines.

Needs them installed: pip install -e ".[peers]". It takes an hour of one core. What is done is kept
in the folder of --work, so a run that was stopped goes on where it was.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from nardzero.game.outcomes import equity
from nardzero.game.phases import phase_of
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.play.agents import Turn, agent, evaluator_of
from nardzero.play.decisions import STANDARD, Decisions, ordered_turn
from nardzero.play.gathering import Met, Values, draw, losses, matters, mixed_play, worth_rating
from nardzero.play.workers import Progress, share

PLAYERS = {"standard": 0.35, "gnubg:0": 0.3, "pubeval": 0.2, "pips": 0.1, "random": 0.05}
"""Who plays the games, and how often."""
ODD = 0.03
"""The share of plays that are any."""
GAMES, LOOKED_AT = 6_000, 0.13
"""How many games, and the share of their positions that is looked at."""
TOTAL, LEAST, KEPT = 5_000, 350, 2
"""How many decisions in all, of each phase at least, and from one game at most."""
REFEREES = {"gnubg:2": "gnubg:0", "bgsage:3": "bgsage:1"}
"""The engines that judge, and each without lookahead."""
ALSO = ("standard", "gnubg:0", "bgsage:1", "pubeval")
"""Agents whose choices are rated even where they are bad."""
CHUNK = 50
"""Decisions judged and kept together."""


def values(judge: Evaluator, turn: Turn) -> Values:
    """What an evaluator says of each afterstate [M]."""
    return equity(after_probs(judge, turn.after), STANDARD.points)


def judge(name: str) -> Evaluator:
    return evaluator_of(agent(name))


def quick(turn: Turn) -> Values:
    """What the referees think without looking ahead [M], on average."""
    return np.mean([values(judge(name), turn) for name in REFEREES.values()], axis=0)


def gather() -> tuple[Met, np.ndarray]:
    """The decisions to judge, and the shares of the phases."""
    rng = np.random.default_rng(2026)
    met = mixed_play([agent(name) for name in PLAYERS], list(PLAYERS.values()), ODD, GAMES, rng)
    met = met.take(np.flatnonzero(rng.random(len(met.game)) < LOOKED_AT))
    turn = ordered_turn(met.boards, met.dice)
    met = met.take(np.flatnonzero(matters(turn, quick(turn))))
    drawn, shares = draw(phase_of(met.boards), met.game, TOTAL, LEAST, KEPT, rng)
    return met.take(drawn), shares


def rate(met: Met, work: Path, start: int, progress: Progress) -> None:
    """Judge a chunk of decisions and keep what came out."""
    path = work / f"chunk-{start:05}.npz"
    if not path.exists():
        some = met.take(np.arange(start, min(start + CHUNK, len(met.game))))
        turn = ordered_turn(some.boards, some.dice)
        rng = np.random.default_rng(0)
        rated = worth_rating(turn, quick(turn), [agent(name).choose(turn, rng) for name in ALSO])
        lost = []
        for deep, static in REFEREES.items():
            found = np.zeros(len(turn.after), np.float32)
            found[rated] = equity(after_probs(judge(deep), turn.after[rated]), STANDARD.points)
            lost.append(losses(turn, rated, found, values(judge(static), turn)))
        filling = path.with_suffix(".tmp.npz")
        np.savez(filling, lost=np.stack(lost, axis=1), rated=rated)
        filling.replace(path)
    progress(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("runs/decisions"), help="where chunks are kept")
    parser.add_argument("--out", type=Path, default=Path("decisions/standard.npz"))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    gathered = args.work / "gathered.npz"
    if not gathered.exists():
        met, shares = gather()
        np.savez(gathered, boards=met.boards, dice=met.dice, game=met.game, shares=shares)
    read = np.load(gathered)
    met = Met(read["boards"], read["dice"], read["game"])
    starts = range(0, len(met.game), CHUNK)
    share(partial(rate, met, args.work), starts, args.workers)
    chunks = [np.load(args.work / f"chunk-{start:05}.npz") for start in starts]
    lost, rated = (np.concatenate([chunk[name] for chunk in chunks]) for name in ("lost", "rated"))
    Decisions(met.boards, met.dice, tuple(REFEREES), lost, rated, read["shares"]).save(args.out)


if __name__ == "__main__":
    main()
