"""The arena: two agents play many games with mirrored dice, and the result has an error bar.

Games come in pairs. Both games of a pair use the same dice ply for ply, and the agents swap seats: in the
first `a` starts, in the second `b`. So luck that favours a seat cancels, and an agent that leaves nothing to
chance scores exactly 0 against itself. The pairs are independent of each other; the standard error is
taken over them. Letters in shapes: P pairs, L games of a row that are still running.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.dice import Dice, opening_throw, throw
from nardzero.game.errors import InvalidInput
from nardzero.game.outcomes import OUTCOMES, finished, win_kind
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset, ruleset
from nardzero.model.threads import one_thread
from nardzero.play.agents import Agent, Player, Turn, agent, settle
from nardzero.play.result import UNFINISHED, DuelResult, Outcomes
from nardzero.play.workers import Progress, share

CHUNK = 256
"""Pairs played in lockstep. Each chunk has its own seed, so the result does not depend on who plays it.

Larger ones take less time (1024: an eighth less with a wide net, half with the weak agents), but a duel of
2,000 games should keep four processes busy. The result of a seed depends on it.
"""
MAX_PLIES = 10_000
"""A game longer than this is broken off; it counts as nothing won."""

WON_SINGLE, LOST_SINGLE = OUTCOMES.index("win"), OUTCOMES.index("lose")


def duel(
    a: Player,
    b: Player,
    games: int,
    rules: str | Ruleset | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
) -> DuelResult:
    """Play at least so many games of `a` against `b`; an odd number is rounded up to whole pairs.

    Agents may be given as themselves, as loaded bots, or by name. Without rules they play by those of the
    first agent that was made for some, else `standard`. The same agents, games, rules and seed give the same
    result, for any number of workers. More than one are processes of their own; those, as always in Python,
    import the main script again, so what it starts belongs under `if __name__ == "__main__"`.

    Raises InvalidInput for fewer than 1 game or worker and for a negative seed, InvalidRules for an unknown
    ruleset, NotShareable for an agent that cannot be sent to a worker, WorkerDied where one ends too soon.
    """
    for what, value, least in (("games", games, 1), ("workers", workers, 1), ("the seed", seed, 0)):
        if value < least:
            raise InvalidInput(f"a duel wants {what} to be {least} or more, not {value}")
    players = settle(a), settle(b)
    a, b = agent(a), agent(b)
    played_by = ruleset(rules or a.rules or b.rules or "standard")
    chunks = _chunks(games, seed)
    if min(workers, len(chunks)) > 1:
        played = share(_Match(players, played_by), chunks, workers, progress)
    else:
        with one_thread():
            match = _Match((a, b), played_by)
            played = [match(chunk, progress) for chunk in chunks]
    outcomes, plies = (np.concatenate(parts, axis=1) for parts in zip(*played, strict=True))
    return DuelResult.of(a.name, b.name, played_by, seed, outcomes, plies)


class Chunk(NamedTuple):
    """A part of a duel that is played in lockstep."""

    pairs: int
    """How many pairs of games."""
    seed: np.random.SeedSequence
    """What their dice and random choices come from."""


def _chunks(games: int, seed: int) -> list[Chunk]:
    """The chunks that so many games make up."""
    pairs = (games + 1) // 2
    sizes = [min(CHUNK, pairs - start) for start in range(0, pairs, CHUNK)]
    return list(map(Chunk, sizes, np.random.SeedSequence(seed).spawn(len(sizes))))


@dataclass(frozen=True)
class _Match:
    """Who plays whom and how: what a process needs to play any chunk."""

    players: tuple[Player, Player]
    """The agents, or what they can be found by."""
    rules: Ruleset
    """The rules they play by."""

    @cached_property
    def agents(self) -> tuple[Agent, Agent]:
        """The agents themselves, found by the process that needs them: not all can be sent to another."""
        a, b = self.players
        return agent(a), agent(b)

    def __call__(self, chunk: Chunk, progress: Progress | None) -> tuple[Outcomes, Index]:
        """Play a chunk; see `play_pairs`."""
        return play_pairs(self.agents, chunk.pairs, self.rules, chunk.seed, progress)


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
    progress: Progress | None = None,
) -> tuple[Outcomes, Index]:
    """Play P pairs in lockstep: the outcome [2, P] for the first agent, and the plies [2, P] of each game.

    Row 0 are the games that the first agent starts, row 1 those that the second starts. An outcome is a
    column of OUTCOMES, or UNFINISHED.
    """
    dice_rng, *agent_rngs = map(np.random.default_rng, seed.spawn(3))
    start = np.tile(rules.start_board, (pairs, 1))
    rows = [_Running(start, np.arange(pairs)) for _ in agents]
    outcomes = np.full((2, pairs), UNFINISHED, np.int8)
    plies = np.full((2, pairs), MAX_PLIES)
    for ply in range(MAX_PLIES):
        # Every pair gets its dice, whether it still runs or not: so they do not depend on how games go.
        dice = throw(dice_rng, pairs) if ply else opening_throw(dice_rng, pairs, rules)
        for row, running in enumerate(rows):
            if len(running.pair):
                mover = (row + ply) % 2
                won, kind = running.advance(agents[mover], dice, rules, agent_rngs[mover])
                outcomes[row, won] = LOST_SINGLE + kind - 1 if mover else WON_SINGLE - kind + 1
                plies[row, won] = ply + 1
                if progress:
                    progress(len(won))
        if not any(len(running.pair) for running in rows):
            break
    return outcomes, plies
