"""The ladder: every agent plays every other, or some anchors, and gets one figure for its strength."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations, product
from zlib import crc32

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import Ruleset
from nardzero.play.agents import Agent, Player, agent
from nardzero.play.arena import SoFar, at_most, duel, rules_for
from nardzero.play.judges import Judge, find_judge
from nardzero.play.record import Record, terms
from nardzero.play.standings import Ladder

FEWEST_GAMES = 4
"""With fewer a duel has no standard error."""


def ladder(
    players: Sequence[Player],
    against: Sequence[Player] = (),
    games: int | None = None,
    rules: str | Ruleset | None = None,
    seed: int = 0,
    workers: int = 1,
    *,
    luck: Judge | None = None,
    se: float | None = None,
    record: Record | None = None,
    so_far: SoFar | None = None,
    done: SoFar | None = None,
) -> Ladder:
    """Let every player meet every other; or, with anchors to play `against`, each of those and nobody else.

    Each duel is as `duel` plays it with these games, rules, luck and se, and has a seed of its own, made from
    the seed and both names: so the duels are independent, and stay the same when players are added. Without
    rules they are those of the first player that was made for some. With a record, duels that it holds are
    taken from it, if they were asked for in the same terms and the bots' weights are the same; others are
    played and written down. `so_far` hears of every chunk, `done` of every duel.

    Raises InvalidInput for too few players or games and for two players of one name, InvalidRecord for a
    record that is none, and whatever `duel` raises.
    """
    limit = at_most(games, se)
    if limit < FEWEST_GAMES:
        raise InvalidInput(f"a ladder wants {FEWEST_GAMES} games a duel or more, not {limit}")
    if not players or len(players) + len(against) < 2:
        raise InvalidInput("a ladder wants two agents or more")
    # All are found now, so that a run that goes on saving takes part as it is.
    agents, judge = _by_name([*players, *against]), find_judge(luck)
    names, played_by = list(agents), rules_for(agents.values(), rules)
    anchors, duels = names[len(players) :], []
    for a, b in meetings(names[: len(players)], anchors):
        pair, its_seed = (agents[a], agents[b]), crc32(f"{seed} {a} {b}".encode())
        asked = (*pair, limit, played_by, its_seed, None, workers)
        play = partial(duel, *asked, luck=judge, se=se, so_far=so_far)
        known = record and record.once(terms(*pair, judge, played_by, its_seed, limit, se), play)
        duels.append(known or play())
        if done:
            done(duels[-1])
    return Ladder.of(names, duels, anchors[0] if anchors else None)


def meetings(names: Sequence[str], anchors: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Who meets whom: every agent every other, or every agent every anchor.

    Within a meeting names come as in a dictionary, in whatever order they were given.
    """
    pairs = product(names, anchors) if anchors else combinations(names, 2)
    return [(min(pair), max(pair)) for pair in pairs]


def _by_name(players: Iterable[Player]) -> dict[str, Agent]:
    """The agents that are meant. Raises InvalidInput where two have one name."""
    agents: dict[str, Agent] = {}
    for found in map(agent, players):
        if found.name in agents:
            raise InvalidInput(f"a ladder wants agents of different names, and {found.name} is there twice")
        agents[found.name] = found
    return agents
