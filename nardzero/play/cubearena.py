"""The arena with the cube: money games, or matches, between two agents, with mirrored dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import Ruleset
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Agent, Player, agent, settle
from nardzero.play.arena import Chunk, at_most, check, chunks, parts, rules_for, until_sure
from nardzero.play.cubeagents import CubeAgent, cube_agent
from nardzero.play.cubegames import CubePlayed, Terms, play_cube_pairs
from nardzero.play.cuberesult import CubeResult, MatchResult
from nardzero.play.judges import Judge, find_judge, judge_name
from nardzero.play.workers import Progress

CubeOutcome: TypeAlias = CubeResult | MatchResult
LONGEST = 25
"""The longest match: as far as the match equity table goes."""


def cube_duel(
    a: Player,
    b: Player,
    games: int | None = None,
    rules: str | Ruleset | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
    *,
    match: int = 0,
    jacoby: bool = False,
    luck: Judge | None = None,
    se: float | None = None,
    so_far: Callable[[CubeOutcome], object] | None = None,
) -> CubeOutcome:
    """Play at least so many money games with the cube, or matches to so many points, of `a` against `b`.

    Bots play for what positions are worth with the cube and at the score: by their cube head if they have
    one, else by Janowski's formula, in matches with the match equity table of the package. Other engines
    choose plays in their own way, without the cube, and decide about it by their own probabilities and the
    formula; agents that tell none never double, and take by the race. Agents that decide about the cube
    themselves (`CubeAgent`) are left to do so. For the rest it is as for `duel`.

    Raises InvalidInput for a match of no length or one beyond the table, for the Jacoby rule in a match, and
    for rules without a cube; and what `duel` raises.
    """
    games = at_most(games, se)
    check(games, workers, seed, se)
    agents: tuple[Agent, Agent] = (agent(a), agent(b))
    judge = find_judge(luck)
    terms = terms_of(rules_for(agents, rules), match, jacoby)

    def result(played: Sequence[CubePlayed]) -> CubeOutcome:
        names, all_ = (agents[0].name, agents[1].name), CubePlayed.join(played)
        return (MatchResult if match else CubeResult).of(*names, terms, seed, all_, judge_name(judge))

    alone, shared = (_Contest(who, terms, judge) for who in (agents, (settle(a), settle(b))))
    return until_sure(result, parts(alone, shared, chunks(games, seed), workers, progress), se, so_far)


def terms_of(rules: Ruleset, match: int = 0, jacoby: bool = False) -> Terms:
    """What is to be played. Raises InvalidInput as `cube_duel` does."""
    if rules.cube_limit == 1:
        raise InvalidInput(f"there is no cube by {rules.name} rules")
    if not 0 <= match <= LONGEST:
        raise InvalidInput(
            f"a match is to 1 to {LONGEST} points, as far as the match equity table goes, not {match}"
        )
    if match and jacoby:
        raise InvalidInput("the Jacoby rule is one of money games; leave it out, or the match")
    return Terms(rules, match, jacoby)


@dataclass(frozen=True)
class _Contest:
    """Who plays whom, and what: all that a process needs to play any chunk."""

    players: tuple[Player, Player]
    """The agents, or what they can be found by."""
    terms: Terms
    """What they play."""
    judge: Evaluator | None
    """Who judges luck, if anybody does."""

    @cached_property
    def agents(self) -> tuple[CubeAgent, CubeAgent]:
        """The agents themselves, found by the process that needs them: not all can be sent to another."""
        a, b = self.players
        return cube_agent(agent(a)), cube_agent(agent(b))

    def __call__(self, chunk: Chunk, progress: Progress | None) -> CubePlayed:
        """Play a chunk; see `play_cube_pairs`."""
        return play_cube_pairs(self.agents, chunk.pairs, self.terms, chunk.seed, progress, self.judge)
