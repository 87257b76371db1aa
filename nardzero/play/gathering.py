"""Where decisions to judge come from: games of mixed agents, and which plays are worth a referee's time.

Letters in shapes: N games, K positions met, M afterstates of all of them together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nardzero.game.bits import Index
from nardzero.game.dice import Dice, opening_throw, throw
from nardzero.game.outcomes import finished
from nardzero.game.phases import PHASES
from nardzero.game.position import Boards, flip
from nardzero.play.agents import Agent, RandomAgent, Turn
from nardzero.play.decisions import STANDARD

Values = npt.NDArray[np.float32]

MARGIN = 0.25
"""Plays further behind than this, in points, are no candidates."""
AT_STAKE = 0.002
"""What the candidates of a decision differ by, in points, at least."""


@dataclass(frozen=True, eq=False)
class Met:
    """Positions and rolls of games, in no order."""

    boards: Boards
    """The positions [K, 26] before the play."""
    dice: Dice
    """What was rolled [K, 2]."""
    game: Index
    """The game [K] each comes from."""

    def take(self, some: Index) -> "Met":
        """Some of them [K'], by index."""
        return Met(self.boards[some], self.dice[some], self.game[some])


def mixed_play(
    agents: Sequence[Agent], share: Sequence[float], odd: float, games: int, rng: np.random.Generator
) -> Met:
    """Every position of N games whose sides are agents drawn by their share; some plays are odd.

    An odd play is any legal one. They come with that chance, for positions that nobody would aim at.
    """
    players: list[Agent] = [*agents, RandomAgent()]
    sides = rng.choice(len(agents), (2, games), p=share)
    boards, game = np.tile(STANDARD.start_board, (games, 1)), np.arange(games)
    met: list[tuple[Boards, Dice, Index]] = []
    while len(game):
        dice = throw(rng, games)[game] if met else opening_throw(rng, games, STANDARD)
        met.append((boards, dice, game))
        mover = np.where(rng.random(len(game)) < odd, len(agents), sides[(len(met) + 1) % 2][game])
        after = np.empty_like(boards)
        for number in np.unique(mover):
            its = np.flatnonzero(mover == number)
            turn = Turn.of(boards[its], dice[its], STANDARD)
            after[its] = turn.after[players[number].choose(turn, rng)]
        over = finished(after)
        boards, game = flip(after[~over]), game[~over]
    return Met(*(np.concatenate(parts) for parts in zip(*met, strict=True)))


def behind(turn: Turn, values: Values) -> Values:
    """How far each afterstate [M] is behind the best of its game."""
    best = np.maximum.reduceat(values, turn.starts[:-1])
    return np.repeat(best, np.diff(turn.starts)) - values


def matters(turn: Turn, values: Values) -> npt.NDArray[np.bool_]:
    """Whether each game [N] has two candidates or more with something at stake among them."""
    lost = behind(turn, values)
    candidate = lost <= MARGIN
    count = np.add.reduceat(candidate.astype(np.int64), turn.starts[:-1])
    stake = np.maximum.reduceat(np.where(candidate, lost, 0), turn.starts[:-1])
    return (count > 1) & (stake >= AT_STAKE)


def worth_rating(turn: Turn, values: Values, chosen: Sequence[Index]) -> npt.NDArray[np.bool_]:
    """Which afterstates [M] referees look ahead for: all candidates, and what some agents chose [N]."""
    rated = behind(turn, values) <= MARGIN
    for choice in chosen:
        rated[choice] = True
    return rated


def losses(turn: Turn, rated: npt.NDArray[np.bool_], deep: Values, static: Values) -> Values:
    """What each afterstate [M] loses as a referee sees it, from its values with and without lookahead.

    With lookahead where it is rated, against the best of these; else what lies behind without.
    """
    return np.where(rated, behind(turn, np.where(rated, deep, -np.inf)), behind(turn, static))


def draw(
    phase: Index, game: Index, total: int, least: int, per_game: int, rng: np.random.Generator
) -> tuple[Index, npt.NDArray[np.float32]]:
    """Some of K decisions by their phase and game: their indices, and the share of each phase among the K.

    A phase gets its share of the total, but the least at least, as long as there are so many; a game gives
    no more than so many of them.
    """
    count = np.bincount(phase, minlength=len(PHASES))
    wanted = np.maximum(np.round(total * count / count.sum()), least)
    taken, given = np.zeros(len(PHASES), int), np.zeros(game.max() + 1, int)
    drawn = []
    for one in rng.permutation(len(phase)).tolist():
        if taken[phase[one]] < wanted[phase[one]] and given[game[one]] < per_game:
            drawn.append(one)
            taken[phase[one]] += 1
            given[game[one]] += 1
    return np.array(drawn), (count / count.sum()).astype(np.float32)
