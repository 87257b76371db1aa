"""A game as a walk between kinds of positions, as a bot plays it.

The bot plays against itself, and every position before a roll goes into a cell by what the bot thinks of it:
the chance to win, and within that both sides' share of gammons. How often cells follow each other makes a
Markov chain, a small model of the game that can be solved exactly with a cube at any score.

Letters in shapes: N games, R positions recorded, S cells.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index, best_of_segment, segment_starts
from nardzero.game.dice import opening_throw, throw
from nardzero.game.movegen import afterstates
from nardzero.game.outcomes import Probs, equity, finished, win_kind
from nardzero.game.position import flip
from nardzero.game.rules import Ruleset
from nardzero.model.evaluator import Evaluator, after_probs

WINS = 20
"""Parts of the chance to win, all of them as wide."""
GAMMONS = 3
"""Parts of each side's share of gammons, with as many positions in each."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Positions before a roll, and what followed."""

    probs: Probs
    """What the bot thought of them [R, 6], for the player on roll."""
    start: npt.NDArray[np.bool_]
    """Which [R] are the start of a game."""
    following: Index
    """The next position [R] of the game; -1 at its end."""
    won: Index
    """1, 2 or 3 for a single game, a gammon or a backgammon that was won with this roll [R]; else 0."""


@dataclass(frozen=True, eq=False)
class Walk:
    """The chain; its last cell is the start of a game."""

    moves: npt.NDArray[np.float64]
    """The chance [S, S] to leave the opponent on roll in a cell, by the cell that one is on roll in."""
    ends: npt.NDArray[np.float64]
    """The chance [S, 3] to win a single game, a gammon or a backgammon with this roll."""

    @classmethod
    def of(cls, steps: Steps, wins: int = WINS, gammons: int = GAMMONS) -> "Walk":
        """The walk that some steps make."""
        cell = _cells(steps, wins, gammons)
        size = cell.max() + 1
        moves, ends = np.zeros((size, size)), np.zeros((size, 3))
        going, over = np.flatnonzero(steps.following >= 0), np.flatnonzero(steps.won)
        np.add.at(moves, (cell[going], cell[steps.following[going]]), 1)
        np.add.at(ends, (cell[over], steps.won[over] - 1), 1)
        # Nobody ever comes to a cell without positions.
        visits = np.maximum(moves.sum(1) + ends.sum(1), 1)[:, None]
        return cls(moves / visits, ends / visits)


def _cells(steps: Steps, wins: int, gammons: int) -> Index:
    """The cell [R] of each step."""
    win = steps.probs[:, :3].sum(1)
    won = steps.probs[:, :2].sum(1) / np.maximum(win, 1e-6)
    lost = steps.probs[:, 4:].sum(1) / np.maximum(1 - win, 1e-6)
    cell: Index = np.clip((win * wins).astype(np.int64), 0, wins - 1)
    for share in (won, lost):
        cell = cell * gammons + _parts(share, cell, gammons)
    cell[steps.start] = wins * gammons**2
    return cell


def _parts(values: npt.NDArray[np.float32], group: Index, parts: int) -> Index:
    """Which of so many parts [R], with as many values in each, a value belongs to within its group [R]."""
    order = np.lexsort((values, group))
    sizes = np.bincount(group)
    place = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    part = np.empty_like(group)
    part[order] = place * parts // sizes[group[order]]
    return part


def play(bot: Evaluator, rules: Ruleset, games: int, rng: np.random.Generator) -> Steps:
    """The steps of so many games, in lockstep, of a bot against itself at 0-ply without a cube."""
    boards = rules.start_board[None].repeat(games, axis=0)
    dice = opening_throw(rng, games, rules)
    columns: dict[str, list[npt.NDArray[Any]]] = {"probs": [], "following": [], "won": []}
    met = 0
    while len(boards):
        after, parent = afterstates(boards, dice, rules)
        judged = after_probs(bot, after)
        starts = segment_starts(np.bincount(parent, minlength=len(boards)))
        best = best_of_segment(equity(judged, rules.points), starts)
        over = finished(after[best])
        met += len(boards)
        following = np.full(len(boards), -1)
        following[~over] = met + np.arange((~over).sum())
        columns["probs"].append(bot.evaluate(boards))
        columns["following"].append(following)
        columns["won"].append(np.where(over, win_kind(after[best]), 0))
        boards = flip(after[best][~over])
        dice = throw(rng, len(boards))
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    return Steps(start=np.arange(met) < games, **joined)
