"""Pairs of money games with the cube, or of matches, with mirrored dice, played in lockstep.

Both contests of a pair, be they a game or a match, use the same dice ply for ply, and the agents swap seats.
In a money game the first agent starts the first contest and the second the second; in matches the dice say
who starts each game, and the seats swap that too. Letters in shapes: P pairs, L contests still running.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.dice import Dice, opening_throw, throw
from nardzero.game.outcomes import SINGLE, finished, win_kind
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.cubeluck import cube_luck
from nardzero.judge.doubling import CENTRED
from nardzero.judge.janowski import Values
from nardzero.judge.standing import AFTER, BEFORE, CRAWFORD, Bools, Standing
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Turn
from nardzero.play.cubeagents import BeforeRoll, CubeAgent

MOST_PLIES = 10_000
"""A contest longer than this, in a match for each point that it is long, is broken off."""
PASSED, UNFINISHED = 0, -1
"""How a game ended, where not 1 single, 2 gammon or 3 backgammon on the board."""


@dataclass(frozen=True)
class Terms:
    """What is played."""

    rules: Ruleset
    """The rules."""
    length: int = 0
    """The length of the matches; 0 for money games."""
    jacoby: bool = False
    """Money: whether gammons count only once the cube was turned."""

    def standing(self, contests: int) -> Standing:
        """The cube and the score of so many contests that begin."""
        if not self.length:
            return Standing.money(contests, self.jacoby, self.rules.cube_limit)
        away = np.full(contests, self.length)
        return Standing.match(
            self.length, away, away, np.full(contests, CRAWFORD if self.length == 1 else BEFORE)
        )


class CubePlayed(NamedTuple):
    """P pairs of contests; row 0 are those in which the first agent has the first seat."""

    points: Index
    """Money: what the first agent won [2, P]. Matches: 1 for a match won, -1 for one lost; 0 unfinished."""
    kinds: Index
    """How the last game ended [2, P]: PASSED, UNFINISHED, or 1 single, 2 gammon, 3 backgammon."""
    cubes: Index
    """The cube at the end of the last game [2, P]."""
    games: Index
    """How many games were played [2, P]."""
    plies: Index
    """How many plies in all [2, P]."""
    luck: Values
    """What the dice gave the first agent less what they gave the second [2, P], where it was judged: in
    points, in matches in chances to win."""

    @classmethod
    def unfinished(cls, pairs: int, plies: int) -> "CubePlayed":
        """So many pairs that are broken off after so many plies, unless they end."""
        fills = (0, UNFINISHED, 1, 0, plies, 0.0)
        return cls(*(np.full((2, pairs), fill) for fill in fills))

    @classmethod
    def join(cls, parts: Sequence["CubePlayed"]) -> "CubePlayed":
        """All pairs of the parts, in order."""
        return cls(*(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True)))


class Ended(NamedTuple):
    """Games that have just ended, of K contests that still run."""

    which: Index
    """Which contests [K], by their place among those that run."""
    winner: Index
    """The agent who won [K]."""
    kind: Index
    """PASSED, or 1 to 3 [K]."""
    points: Index
    """What they were worth [K]."""


@dataclass
class _Running:
    """The contests that are not over yet."""

    terms: Terms
    boards: Boards
    """The positions [L, 26], seen by the player on roll."""
    standing: Standing
    """Cube and score [L], seen by him."""
    mover: Index
    """Which agent he is [L]."""
    opening: Bools
    """Whether this is the first roll of a game [L]."""
    row: Index
    """Which contest of its pair it is [L]."""
    pair: Index
    """Which pair [L] it belongs to."""

    @classmethod
    def start(cls, pairs: int, terms: Terms, starter: Index) -> "_Running":
        """P pairs of contests; who starts [P] in the first of them starts in both, with the seats swapped."""
        row, pair = np.repeat([0, 1], pairs), np.tile(np.arange(pairs), 2)
        boards = np.tile(terms.rules.start_board, (2 * pairs, 1))
        opening = np.ones(2 * pairs, np.bool_)
        standing = terms.standing(2 * pairs)
        return cls(terms, boards, standing, starter[pair] ^ row, opening, row, pair)

    def double(self, agents: Sequence[CubeAgent], rngs: Sequence[np.random.Generator]) -> Ended:
        """Let the players on roll double where they may; the games in which the other passes end."""
        may = self.standing.may_double & ~self.opening
        passed = np.zeros(len(may), np.bool_)
        for agent in (0, 1):
            asked = np.flatnonzero(may & (self.mover == agent))
            asked = asked[self._ask(asked, agents[agent].offer, rngs[agent])]
            taken = self._ask(asked, agents[1 - agent].take, rngs[1 - agent])
            passed[asked[~taken]] = True
            self._turn(asked[taken])
        which = np.flatnonzero(passed)
        points = self.standing.cube[which] * self.terms.rules.wins[0]
        return Ended(which, self.mover[which], np.full(len(which), PASSED), points)

    def _ask(
        self,
        which: Index,
        decide: Callable[[BeforeRoll, np.random.Generator], Bools],
        rng: np.random.Generator,
    ) -> Bools:
        """What an agent decides [K] about the cube in some of the games [K]."""
        if not len(which):
            return np.zeros(0, np.bool_)
        before = BeforeRoll(self.boards[which], self.standing.take(which), self.terms.rules)
        return decide(before, rng)

    def _turn(self, which: Index) -> None:
        """The cube is turned in some of the games [K], and goes over to the opponent."""
        doubled = self.standing.doubled()
        mask = np.zeros(len(self.mover), np.bool_)
        mask[which] = True
        cube = np.where(mask, doubled.cube, self.standing.cube)
        place = np.where(mask, doubled.place, self.standing.place)
        self.standing = replace(self.standing, cube=cube, place=place)

    def play(self, agents: Sequence[CubeAgent], dice: Dice, rngs: Sequence[np.random.Generator]) -> Ended:
        """Play one ply with dice [L, 2]; the games that it finishes end. Then the others are on roll."""
        after = np.empty_like(self.boards)
        for agent in (0, 1):
            its = np.flatnonzero(self.mover == agent)
            if len(its):
                turn = Turn.of(self.boards[its], dice[its], self.terms.rules, self.standing.take(its))
                after[its] = turn.after[agents[agent].choose(turn, rngs[agent])]
        which = np.flatnonzero(finished(after))
        kind, standing = win_kind(after[which]), self.standing.take(which)
        counted = np.where(standing.jacoby & (standing.place == CENTRED), SINGLE, kind)
        points = np.array(self.terms.rules.wins)[counted - SINGLE] * standing.cube
        ended = Ended(which, self.mover[which], kind, points)
        self.boards, self.standing = flip(after), self.standing.turned()
        self.mover, self.opening = 1 - self.mover, np.zeros(len(after), np.bool_)
        return ended

    def add_luck(self, judge: Evaluator, dice: Dice, played: CubePlayed) -> None:
        """Write down the luck of dice [L, 2], as an evaluator sees it."""
        luck = cube_luck(judge, self.boards, dice, self.standing, self.terms.rules, self.opening)
        played.luck[self.row, self.pair] += np.where(self.mover == 0, luck, -luck)

    def settle(self, ended: Ended, played: CubePlayed, starter: Index, plies: int) -> int:
        """Write down what games that ended were worth and let go of the contests that they finish; the other
        matches go on with a new game, which `starter` [P] says who starts in the first of each pair. Returns
        how many contests are over, after so many plies."""
        which = ended.which
        cell = self.row[which], self.pair[which]
        played.games[cell] += 1
        played.kinds[cell], played.cubes[cell] = ended.kind, self.standing.cube[which]
        sign = np.where(ended.winner == 0, 1, -1)
        over = np.ones(len(which), np.bool_)
        if self.terms.length:
            over = self._score(ended)
            sign = np.where(over, sign, 0)
        played.points[cell] = sign if self.terms.length else sign * ended.points
        played.plies[self.row[which[over]], self.pair[which[over]]] = plies
        self._restart(which[~over], starter)
        self._keep(np.isin(np.arange(len(self.mover)), which[over], invert=True))
        return int(over.sum())

    def _score(self, ended: Ended) -> Bools:
        """Count the points of games that ended; which of the matches [K] that has decided."""
        which, standing = ended.which, self.standing
        by_mover = ended.winner == self.mover[which]
        away, other = standing.away.copy(), standing.other.copy()
        away[which] -= np.where(by_mover, ended.points, 0)
        other[which] -= np.where(by_mover, 0, ended.points)
        self.standing = replace(standing, away=away, other=other)
        return np.asarray(np.minimum(away, other)[which] <= 0)

    def _restart(self, which: Index, starter: Index) -> None:
        """Begin the next game in some of the matches [K]."""
        mover = starter[self.pair[which]] ^ self.row[which]
        same, standing = mover == self.mover[which], self.standing
        away, other = standing.away[which], standing.other[which]
        phase = np.where(standing.phase[which] == BEFORE, BEFORE, AFTER)
        phase = np.where((phase == BEFORE) & (np.minimum(away, other) == 1), CRAWFORD, phase)
        fresh = {
            "cube": np.ones_like(away),
            "place": np.full_like(away, CENTRED),
            "away": np.where(same, away, other),
            "other": np.where(same, other, away),
            "phase": phase,
        }
        columns = {name: getattr(standing, name).copy() for name in fresh}
        for name, values in fresh.items():
            columns[name][which] = values
        self.standing = replace(standing, **columns)
        self.boards[which], self.mover[which], self.opening[which] = self.terms.rules.start_board, mover, True

    def _keep(self, rows: Bools) -> None:
        """Let go of all contests but these [L]."""
        self.boards, self.standing = self.boards[rows], self.standing.take(rows)
        self.mover, self.opening = self.mover[rows], self.opening[rows]
        self.row, self.pair = self.row[rows], self.pair[rows]


def play_cube_pairs(
    agents: tuple[CubeAgent, CubeAgent],
    pairs: int,
    terms: Terms,
    seed: np.random.SeedSequence,
    progress: Callable[[int], object] | None = None,
    judge: Evaluator | None = None,
) -> CubePlayed:
    """Play P pairs in lockstep; with a judge, measure the luck of every roll.

    Progress hears how many contests each ply finished.
    """
    dice_rng, *rngs = map(np.random.default_rng, seed.spawn(3))
    rules, most = terms.rules, MOST_PLIES * max(terms.length, 1)
    played, running = CubePlayed.unfinished(pairs, most), None
    for ply in range(most):
        # Every pair gets its dice, whatever its games need: so they do not depend on how games go.
        dice, first = throw(dice_rng, pairs), opening_throw(dice_rng, pairs, rules)
        starter = dice_rng.integers(2, size=pairs) if terms.length else np.zeros(pairs, np.int64)
        running = running or _Running.start(pairs, terms, starter)
        over = running.settle(running.double(agents, rngs), played, starter, ply)
        rolled = np.where(running.opening[:, None], first[running.pair], dice[running.pair])
        if judge is not None:
            running.add_luck(judge, rolled, played)
        over += running.settle(running.play(agents, rolled, rngs), played, starter, ply + 1)
        if progress and over:
            progress(over)
        if not len(running.mover):
            break
    return played
