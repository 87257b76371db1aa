"""The arena: two agents play many games with mirrored dice, and the result has an error bar.

Games come in pairs. Both games of a pair use the same dice ply for ply, and the agents swap seats: in the
first `a` starts, in the second `b`. So luck that favours a seat cancels, and an agent that leaves nothing to
chance scores exactly 0 against itself. The pairs are independent of each other; the standard error is
taken over them.

Most of that error is luck, and most of the luck can be measured: an evaluator compares every roll of both
sides with the other rolls that could have come. Over all rolls that is 0 on average, whatever the evaluator
thinks; so to take it off the results leaves their mean where it was. (It is a control variate; in backgammon
after D. Montgomery, "Variance reduction in races", rec.games.backgammon, 1998.)
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import Ruleset, ruleset
from nardzero.model.evaluator import Evaluator
from nardzero.model.threads import one_thread
from nardzero.play.agents import Agent, Player, agent, settle
from nardzero.play.judges import Judge, find_judge, judge_name
from nardzero.play.pairs import play_pairs
from nardzero.play.result import DuelResult, Played, Points
from nardzero.play.workers import Progress, in_order

CHUNK = 256
"""Pairs played in lockstep. Each chunk has its own seed, so the result does not depend on who plays it.

Larger ones take less time (1024: an eighth less with a wide net, half with the weak agents), but a duel of
2,000 games should keep four processes busy. The result of a seed depends on it.
"""
GAMES, MOST_GAMES = 2_000, 200_000
"""How many games a duel has if nobody says; and how many at most where its standard error ends it."""

SoFar = Callable[[DuelResult], object]
"""Told what a duel has come to, from time to time."""


class Chunk(NamedTuple):
    """A part of a duel that is played in lockstep."""

    pairs: int
    """How many pairs of games."""
    seed: np.random.SeedSequence
    """What their dice and random choices come from."""


class Sure(Protocol):
    """A result that knows how sure it is."""

    @property
    def best(self) -> Points:
        """The figure to go by, with its standard error."""
        ...


Part = TypeVar("Part")
Outcome = TypeVar("Outcome", bound=Sure)
Work: TypeAlias = Callable[[Chunk, Progress | None], Part]
"""Plays a chunk."""


def duel(
    a: Player,
    b: Player,
    games: int | None = None,
    rules: str | Ruleset | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
    *,
    luck: Judge | None = None,
    se: float | None = None,
    so_far: SoFar | None = None,
) -> DuelResult:
    """Play at least so many games of `a` against `b`; an odd number is rounded up to whole pairs.

    Agents may be given as themselves, as loaded bots, or by name. Without rules they play by those of the
    first agent that was made for some, else `standard`. With a judge of `luck` the result is adjusted for it
    as well. With `se` the duel ends with the chunk of pairs that brings its standard error down to that (the
    adjusted one where luck is judged), or else with the last of the games. `so_far` hears of every chunk.

    The same agents, games, rules, seed, luck and se give the same result, for any number of workers. More
    than one are processes of their own; those, as always in Python, import the main script again, so what it
    starts belongs under `if __name__ == "__main__"`.

    Raises InvalidInput for fewer than 1 game or worker, a negative seed, a standard error that is not above
    0 and a judge that judges nothing, InvalidRules for an unknown ruleset, NotShareable for an agent that
    cannot be sent to a worker, WorkerDied where one ends too soon.
    """
    games = at_most(games, se)
    check(games, workers, seed, se)
    agents, judge = (agent(a), agent(b)), find_judge(luck)
    played_by = rules_for(agents, rules)

    def result(played: Sequence[Played]) -> DuelResult:
        names = agents[0].name, agents[1].name
        return DuelResult.of(*names, played_by, seed, Played.join(played), judge_name(judge))

    alone, shared = (_Match(who, played_by, judge) for who in (agents, (settle(a), settle(b))))
    return until_sure(result, parts(alone, shared, chunks(games, seed), workers, progress), se, so_far)


def rules_for(agents: Iterable[Agent], rules: str | Ruleset | None = None) -> Ruleset:
    """The rules to play by: these, else those of the first agent that was made for some, else `standard`."""
    made_for = (agent.rules for agent in agents if agent.rules)
    return ruleset(rules or next(made_for, "standard"))


def at_most(games: int | None, se: float | None) -> int:
    """How many games a duel has at most, if so many are asked for or nobody says."""
    if games is not None:
        return games
    return GAMES if se is None else MOST_GAMES


def check(games: int, workers: int, seed: int, se: float | None) -> None:
    """Raises InvalidInput for a duel that cannot be."""
    for what, value, least in (("games", games, 1), ("workers", workers, 1), ("the seed", seed, 0)):
        if value < least:
            raise InvalidInput(f"a duel wants {what} to be {least} or more, not {value}")
    if se is not None and not se > 0:
        raise InvalidInput(f"a duel wants a standard error above 0, not {se}")


def chunks(games: int, seed: int) -> list[Chunk]:
    """The chunks that so many games make up."""
    pairs = (games + 1) // 2
    sizes = [min(CHUNK, pairs - start) for start in range(0, pairs, CHUNK)]
    return list(map(Chunk, sizes, np.random.SeedSequence(seed).spawn(len(sizes))))


def parts(
    alone: Work[Part], shared: Work[Part], chunks: Sequence[Chunk], workers: int, progress: Progress | None
) -> Generator[Part, None, None]:
    """The chunks played, in order: by this process alone, or shared among more."""
    if min(workers, len(chunks)) > 1:
        yield from in_order(shared, chunks, workers, progress)
    else:
        with one_thread():
            for chunk in chunks:
                yield alone(chunk, progress)


def until_sure(
    result: Callable[[Sequence[Part]], Outcome],
    playing: Generator[Part, None, None],
    se: float | None,
    so_far: Callable[[Outcome], object] | None,
) -> Outcome:
    """The result of all parts, or of the first ones that bring its standard error down to `se`."""
    played: list[Part] = []
    with closing(playing):
        for part in playing:
            played.append(part)
            found = result(played)
            if so_far:
                so_far(found)
            if se and found.best.stderr <= se:
                break
    return found


@dataclass(frozen=True)
class _Match:
    """Who plays whom, how, and who judges: what a process needs to play any chunk."""

    players: tuple[Player, Player]
    """The agents, or what they can be found by."""
    rules: Ruleset
    """The rules they play by."""
    judge: Evaluator | None
    """Who judges luck, if anybody does."""

    @cached_property
    def agents(self) -> tuple[Agent, Agent]:
        """The agents themselves, found by the process that needs them: not all can be sent to another."""
        a, b = self.players
        return agent(a), agent(b)

    def __call__(self, chunk: Chunk, progress: Progress | None) -> Played:
        """Play a chunk; see `play_pairs`."""
        return play_pairs(self.agents, chunk.pairs, self.rules, chunk.seed, progress, self.judge)
