"""Rollouts: a position, or the plays of a roll, judged by playing on to the end many times.

Both sides play alike, so a rollout says what a position is worth among such players. Luck is taken off (see
playout.py). The plays of a decision meet the same dice, and those that fall far behind are given up.
"""

import numpy as np

from nardzero.game.board import Board
from nardzero.game.position import flip
from nardzero.judge.analysis import Candidate, analyse, evaluate
from nardzero.judge.contest import GAMES, Contest
from nardzero.judge.lookahead import lookahead
from nardzero.judge.playout import Playout, Progress
from nardzero.judge.rolledout import RolledOut, RolledOutPlay
from nardzero.model.evaluator import Evaluator
from nardzero.model.threads import one_thread

MOST, MARGIN = 5, 0.12
"""How many plays are rolled out if nobody says, and how far behind the best, in points, at 0-ply."""


def rollout(
    board: Board,
    bot: Evaluator,
    dice: tuple[int, int] | None = None,
    games: int = GAMES,
    ply: int = 0,
    truncate: int | None = None,
    seed: int = 0,
    top: int | None = None,
    se: float | None = None,
    progress: Progress | None = None,
) -> list[RolledOutPlay] | RolledOut:
    """Roll out the plays of a roll, best first; or, without dice given or on the board, the position before
    the roll, which may be any, also at the start.

    Both sides play as the bot does when it looks `ply` plies ahead. A game ends with its last checker, or as
    soon as the bot knows its chances exactly, or is judged by the bot after `truncate` plies. Which plays are
    rolled out says `worth_rolling_out`. There are at most so many `games` of each; fewer where one play is
    decidedly the best, unless `se` is given: then games go on until the standard error of every equity that
    still matters is at most that. The same seed gives the same result. `progress` hears how many more games,
    of any play, are over.

    Raises InvalidDice for dice that are none, InvalidInput for anything else that cannot be.
    """
    player = lookahead(bot, ply, board.rules)
    contest = Contest(Playout(bot, player, board.rules, truncate, seed), games, se, progress)
    with one_thread():
        if dice or board.dice:
            return _roll_out_plays(worth_rolling_out(board, bot, dice, top), ply, contest)
        judged = evaluate(board, bot)
        if judged.exact:
            return RolledOut(judged.probs, judged.equity, True, stderr=0.0, games=0)
        # What the opponent has left behind, seen by him.
        (sample,), _ = contest.hold(flip(board.position[None]))
        return RolledOut.of(sample.flipped)


def worth_rolling_out(
    board: Board, bot: Evaluator, dice: tuple[int, int] | None = None, top: int | None = None
) -> list[Candidate]:
    """The plays that a rollout looks at, as `analyse` judges and raises: the `top` best at 0-ply; without
    that, at most MOST and within MARGIN of the best."""
    if top is not None:
        return analyse(board, bot, dice, top)
    return [play for play in analyse(board, bot, dice, MOST) if play.difference >= -MARGIN]


def _roll_out_plays(plays: list[Candidate], ply: int, contest: Contest) -> list[RolledOutPlay]:
    if not plays:
        return []
    samples, left = contest.hold(np.stack([play.after for play in plays]))
    given_up = sorted(set(range(len(plays))) - set(left), key=lambda k: -samples[k].equity)
    return [RolledOutPlay.of(plays[k], ply, samples[k], samples[left[0]]) for k in [*left, *given_up]]
