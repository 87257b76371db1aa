"""Afterstates played on side by side, with the same dice, until enough is known of them.

Letters in shapes: K afterstates.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nardzero.game.errors import InvalidInput
from nardzero.game.position import Boards
from nardzero.judge.playout import Playout, Progress
from nardzero.judge.sample import Sample

GAMES = 1296
"""How many games there are if nobody says: with that many, all pairs of first two rolls come up."""
PORTION = 72
"""Games of each, at least, between two looks at how things stand. The result of a seed depends on it."""
AT_ONCE = 288
"""Games in lockstep, at least: fewer take longer each."""
FAR = 3.0
"""What is so many standard errors of the difference behind the best is given up."""


@dataclass(frozen=True)
class Contest:
    """When enough is known: when only one of several is left, or, with `se`, when the standard errors of all
    that are left are at most that; and in any case after so many games."""

    playout: Playout
    """How games are played."""
    games: int = GAMES
    """The most games of each."""
    se: float | None = None
    """The standard error, in points, that is wanted."""
    progress: Progress | None = None
    """Hears how many more games, of any, are over."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InvalidInput(f"a rollout wants 1 game or more, not {self.games}")
        if self.se is not None and not self.se > 0:
            raise InvalidInput(f"a rollout wants a standard error above 0, not {self.se}")

    def hold(self, after: Boards) -> tuple[list[Sample], list[int]]:
        """The games from afterstates [K, 26], seen by the player who made them, and those of the K that were
        not given up, the best first."""
        points = self.playout.rules.points
        samples = [Sample(np.empty((0, 6), np.float32), points) for _ in after]
        left = list(range(len(after)))
        played = 0
        while played < self.games:
            portion = range(played, min(played + max(PORTION, AT_ONCE // len(left)), self.games))
            for k, results in zip(left, self.playout.play(after[left], portion, self.progress), strict=True):
                samples[k] = Sample(np.concatenate([samples[k].results, results]), points)
            played = portion.stop
            left = _not_far(samples, left)
            if self._enough([samples[k] for k in left], len(after)):
                break
        return samples, left

    def _enough(self, left: Sequence[Sample], among: int) -> bool:
        if self.se is None:
            return len(left) == 1 < among
        return all(sample.stderr <= self.se for sample in left)


def _not_far(samples: Sequence[Sample], left: Sequence[int]) -> list[int]:
    """Those of the samples left that are not far behind the best of them, the best first."""
    ranked = sorted(left, key=lambda k: -samples[k].equity)
    best = samples[ranked[0]]
    return [k for k in ranked if samples[k] is best or not _far(*best.ahead(samples[k]))]


def _far(ahead: float, error: float) -> bool:
    return ahead > FAR * error
