"""Games played on to their end, many in lockstep, with the luck of their dice taken off: rollouts are made of
these.

What a game came to, less all the luck in it, is on average what it would come to anyway (see luck.py), and
varies far less. Letters in shapes: K positions, G games from each, L games that are still running.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import flip_padded, pad
from nardzero.game.dice import Dice, roll_index
from nardzero.game.errors import InvalidInput
from nardzero.game.movegen import candidates
from nardzero.game.outcomes import Probs, finished, flip_outcomes
from nardzero.game.position import COLUMNS, Boards
from nardzero.game.rules import Ruleset
from nardzero.judge.exact import exact
from nardzero.judge.lookahead import Lookahead
from nardzero.judge.luck import all_replies, luck_of
from nardzero.judge.rolloutdice import rollout_dice
from nardzero.model.evaluator import Evaluator, after_probs
from nardzero.model.sieve import Sieve

MAX_PLIES = 10_000
"""A game longer than this is not played on but judged."""

Progress = Callable[[int], object]
"""Told, from time to time, how many more games are over."""


@dataclass(frozen=True)
class Playout:
    """How games are played on.

    There is no cube. With one, whoever is on roll would offer it at the start of each ply, before `_turn`.
    """

    judge: Evaluator
    """What tells luck; its sieve, if it has one, goes first."""
    player: Evaluator
    """What chooses the plays of both sides: the judge, or one that looks ahead of it."""
    rules: Ruleset
    """The rules that are played by."""
    truncate: int | None = None
    """After so many plies a game is not played on but judged; None for never."""
    seed: int = 0
    """What the dice come from."""

    def __post_init__(self) -> None:
        if self.truncate is not None and self.truncate < 1:
            raise InvalidInput(f"a rollout is truncated after 1 ply or more, not {self.truncate}")
        if self.seed < 0:
            raise InvalidInput(f"a rollout wants a seed of 0 or more, not {self.seed}")

    def play(self, after: Boards, games: range, progress: Progress | None = None) -> Probs:
        """What games with these numbers came to, from each of the afterstates [K, 26]: the six outcomes
        [K, G, 6] for the player who made them, as 0 or 1 less all luck. As soon as the judge knows a game's
        chances exactly it ends, and comes to these."""
        results = np.zeros((len(after) * len(games), 6), np.float32)
        game = np.arange(len(results))
        left = np.repeat(pad(after), len(games), axis=0)
        last = self.truncate or MAX_PLIES
        for ply in count():
            over = self._settled(left)
            if over.any():
                results[game[over]] += _at_first(after_probs(self.judge, left[over, :COLUMNS]), ply)
            if progress:
                progress(int(over.sum()))
            boards, game = flip_padded(left[~over]), game[~over]
            if not len(game) or ply == last:
                break
            dice = rollout_dice(self.seed, games, ply).take(game % len(games), axis=0)
            left, luck = self._turn(boards, dice)
            results[game] -= _at_first(luck, ply + 1)
        if len(game):
            results[game] += _at_first(self.player.evaluate(boards[:, :COLUMNS]), last + 1)
            if progress:
                progress(len(game))
        return results.reshape(len(after), len(games), 6)

    def _settled(self, left: Boards) -> npt.NDArray[np.bool_]:
        """Which games [L] are over, or as good as that, with the afterstates [L, 32]."""
        return finished(left) | exact(self.judge, flip_padded(left))

    def _turn(self, boards: Boards, dice: Dice) -> tuple[Boards, Probs]:
        """The afterstates [L, 32] that the players on roll choose in positions [L, 32] with dice [L, 2], and
        the luck [L, 6] of these."""
        rolled = roll_index(dice)
        replies = all_replies(self.judge, boards, self.rules, self._sieve)
        if isinstance(self.player, Lookahead):
            after = self._look_ahead(self.player, boards, dice)
        else:
            after = replies.after[np.arange(len(rolled)), rolled]
        return after, luck_of(replies, rolled)

    def _look_ahead(self, player: Lookahead, boards: Boards, dice: Dice) -> Boards:
        """The same choice [L, 32] by a player who looks further."""
        found = candidates(boards, dice, self.rules)
        after, starts = found.boards(), found.starts
        if self._sieve:
            after, starts = self._sieve.shortlist(after, starts, self.rules)
        chosen = np.empty_like(boards)
        chosen[found.game] = after.take(player.best(after[:, :COLUMNS], starts), axis=0)
        return chosen

    @cached_property
    def _sieve(self) -> Sieve | None:
        return getattr(self.judge, "sieve", None)


def _at_first(probs: Probs, turns: int) -> Probs:
    """Probabilities [..., 6], seen by who was to see them before so many turns of the board."""
    return flip_outcomes(probs) if turns % 2 else probs
