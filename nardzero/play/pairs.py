"""Pairs of games with mirrored dice, played in lockstep, and what luck had to do with them.

Both games of a pair use the same dice ply for ply, and the agents swap seats: in the first the first agent
starts, in the second the other. Letters in shapes: P pairs, L games of a row that are still running.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.dice import Dice, opening_throw, throw
from nardzero.game.outcomes import OUTCOMES, finished, win_kind
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.luck import roll_luck
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Agent, Turn
from nardzero.play.result import Played

MAX_PLIES = 10_000
"""A game longer than this is broken off; it counts as nothing won."""

WON_SINGLE, LOST_SINGLE = OUTCOMES.index("win"), OUTCOMES.index("lose")


@dataclass
class _Running:
    """The games of one seating that are not over yet."""

    boards: Boards
    """The positions [L, 26], seen by the player on roll."""
    pair: Index
    """Which pair [L] each game belongs to."""

    def advance(
        self, agent: Agent, dice: Dice, rules: Ruleset, rng: np.random.Generator
    ) -> tuple[Index, Index]:
        """Play one ply with the dice [P, 2] of the pairs and let go of the games that it finishes.

        Returns the pairs [K] of those games, and what kind of win [K] each is for the agent.
        """
        turn = Turn.of(self.boards, dice[self.pair], rules)
        after = turn.after[agent.choose(turn, rng)]
        over = finished(after)
        won = self.pair[over]
        self.boards, self.pair = flip(after[~over]), self.pair[~over]
        return won, win_kind(after[over])


def play_pairs(
    agents: tuple[Agent, Agent],
    pairs: int,
    rules: Ruleset,
    seed: np.random.SeedSequence,
    progress: Callable[[int], object] | None = None,
    judge: Evaluator | None = None,
) -> Played:
    """Play P pairs in lockstep; with a judge, measure the luck of every roll.

    Row 0 are the games that the first agent starts, row 1 those that the second starts. Progress hears how
    many games each ply finished.
    """
    dice_rng, *agent_rngs = map(np.random.default_rng, seed.spawn(3))
    start = np.tile(rules.start_board, (pairs, 1))
    rows = [_Running(start, np.arange(pairs)) for _ in agents]
    played = Played.unfinished(pairs, MAX_PLIES)
    for ply in range(MAX_PLIES):
        # Every pair gets its dice, whether it still runs or not: so they do not depend on how games go.
        dice = throw(dice_rng, pairs) if ply else opening_throw(dice_rng, pairs, rules)
        if judge is not None:
            _add_luck(played, judge, rows, dice, rules, ply)
        for row, running in enumerate(rows):
            if len(running.pair):
                mover = (row + ply) % 2
                won, kind = running.advance(agents[mover], dice, rules, agent_rngs[mover])
                played.outcomes[row, won] = LOST_SINGLE + kind - 1 if mover else WON_SINGLE - kind + 1
                played.plies[row, won] = ply + 1
                if progress:
                    progress(len(won))
        if not any(len(running.pair) for running in rows):
            break
    return played


def _add_luck(
    played: Played, judge: Evaluator, rows: list[_Running], dice: Dice, rules: Ruleset, ply: int
) -> None:
    """Add the luck of a ply's rolls, both rows judged in one batch.

    Who starts is settled beforehand and mirrored, so the opening roll is luck for its size alone.
    """
    boards = np.concatenate([running.boards for running in rows])
    thrown = np.concatenate([dice[running.pair] for running in rows])
    sieve = getattr(judge, "sieve", None)
    luck = roll_luck(judge, boards, thrown, rules, sieve, opening=ply == 0)
    for row, (running, its) in enumerate(zip(rows, np.split(luck, [len(rows[0].pair)]), strict=True)):
        played.luck[row, running.pair] += -its if (row + ply) % 2 else its
