"""bgsage, the engine of Open Sage, with the nets that its package brings.

It counts plies as XG does: its 1-ply is our 0-ply. Its nets rate a board after the play, for the player who
made it; and in checker play it takes the net by the board before the play, so that it may rate an afterstate
otherwise there than on its own. Letters in shapes: N boards.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from nardzero.game.bits import Index
from nardzero.game.outcomes import Probs, exclusive, flip_outcomes
from nardzero.game.position import OPPONENT_BAR, Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.judge.doubling import Cubeful
from nardzero.play.agents import Turn
from nardzero.play.peers.engine import STANDARD, check_rules, engine, first_legal

MODULE, PACKAGE = "bgbot_cpp", "bgsage"
MODEL = "stage11"
"""The nets: the newest in the package."""

Row = Mapping[str, Any]
"""A play as it rates it: board, cubeless_equity, eval_level such as `3-ply`, and more."""


class Strategies(NamedTuple):
    """What it judges with."""

    table: Any
    """Its bear-off table."""
    nets: Mapping[str, Any]
    """What its nets are made of, as its functions name it."""
    static: Any
    """Its nets, with its bear-off table."""
    judge: Any
    """What looks as far ahead as was asked for; its 1-ply is static."""


def bgbot() -> ModuleType:
    """The engine. Raises PeerMissing where it is not installed."""
    return engine(MODULE, PACKAGE)


@cache
def strategies(ply: int) -> Strategies:
    """What judges at one of its plies, loaded once a process."""
    weights = engine("bgsage.weights", PACKAGE)
    model = weights.WeightConfigPair.from_model(MODEL)
    nets = {
        "strategy_type": model.strategy_type,
        "weight_paths": model.weight_paths_list,
        "hidden_sizes": model.hidden_sizes_list,
    }
    table = bgbot().BearoffDB()
    table.load(weights.bearoff_db_path())
    static = bgbot().BearoffStrategy(bgbot().create_strategy(*nets.values()), table)
    if ply == 1:
        return Strategies(table, nets, static, static)
    deep = bgbot().create_multipy(*nets.values(), n_plies=ply, parallel_evaluate=False)
    bgbot().multipy_set_bearoff_db(deep, table)
    return Strategies(table, nets, static, deep)


@dataclass(frozen=True)
class Bgsage:
    """bgsage at some plies: judges positions without the cube, and plays what it judges best.

    With lookahead it leaves out candidates by filters of its own, as its users know it.
    """

    its_ply: int
    """How far it looks ahead as it counts; 1 is the bare net."""

    @property
    def name(self) -> str:
        return f"bgsage:{self.its_ply}"

    @property
    def ply(self) -> int:
        """How far it looks ahead as we count; 0 is the bare net."""
        return self.its_ply - 1

    @property
    def rules(self) -> Ruleset:
        return STANDARD

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll."""
        return flip_outcomes(self._rate(flip(boards)))

    def evaluate_flipped(self, boards: Boards) -> Probs:
        """`evaluate(flip(boards))` [N, 6]: for the opponent, who is on roll."""
        return flip_outcomes(self._rate(boards))

    def _rate(self, after: Boards) -> Probs:
        """The probabilities [N, 6] of boards [N, 26] after a play, for the player who made it."""
        owner = bgbot().CubeOwner.CENTERED
        asked = [(board, owner) for board in their_boards(after)]
        told = bgbot().batch_evaluate_post_move(asked, strategies(self.its_ply).judge, 1, jacoby=False)
        return exclusive(np.array([row["probs"] for row in told], np.float32).reshape(-1, 5))

    def cubeful(self, boards: Boards) -> Cubeful:
        """Equities [N, 3] of positions [N, 26] with the cube centred, the player's, and the opponent's; see
        `CubeJudge`. A money game without the Jacoby rule, and a cube without a limit. It looks ahead with the
        cube, and takes Janowski's formula where it looks no further."""
        mine = bgbot().CubeOwner.PLAYER
        told = [(self._cube(board), self._cube(board, owner=mine)) for board in their_boards(boards)]
        rows = [(free["equity_nd"], owned["equity_nd"], free["equity_dt"] / 2) for free, owned in told]
        return np.array(rows, np.float32).reshape(-1, 3)

    def _cube(self, board: list[int], **cube: Any) -> Mapping[str, float]:
        """Its cube decision: equity_nd, equity_dt and more, per unit of the cube as it stands."""
        table, nets, _, judge = strategies(self.its_ply)
        money = {"jacoby": False, "beaver": False, "bearoff_db": table}
        if self.its_ply == 1:
            found = bgbot().evaluate_cube_decision_unified(board, **nets, **money, **cube)
        else:
            # What it keeps of other positions might be from another depth.
            judge.clear_cache()
            found = bgbot().cube_decision_nply_unified(board, n_plies=self.its_ply, **nets, **money, **cube)
        told: Mapping[str, float] = found
        return told

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        check_rules(self.name, turn.rules)
        chosen = turn.starts[:-1].copy()
        games = np.flatnonzero(np.diff(turn.starts) > 1)
        for game, rows in zip(games.tolist(), self._plays(turn, games), strict=True):
            # It lists plays that are not legal, though seldom: see first_legal.
            ranked = sorted(rows, key=_worth, reverse=True)
            chosen[game] = first_legal(turn, game, map(_after, ranked))
        return chosen

    def _plays(self, turn: Turn, games: Index) -> Iterator[list[Row]]:
        """All the plays of each game as it rates them."""
        owner = bgbot().CubeOwner.CENTERED
        asked = [
            {"board": board, "die1": high, "die2": low, "cube_value": 1, "cube_owner": owner}
            for board, (high, low) in zip(
                their_boards(turn.boards[games]), turn.dice[games].tolist(), strict=True
            )
        ]
        _, _, static, judge = strategies(self.its_ply)
        deeper = () if judge is static else (judge,)
        told = bgbot().batch_checker_play(asked, static, *deeper, n_threads=1, jacoby=False)
        return (game["moves"] for game in told)


def _worth(row: Row) -> tuple[int, float]:
    """What ranks a play: how deep it was looked at, then its equity without the cube."""
    return int(row["eval_level"].partition("-")[0]), row["cubeless_equity"]


def _after(row: Row) -> bytes:
    """The board of a play as the bytes of ours."""
    board = np.array(row["board"], np.int8)
    board[OPPONENT_BAR] *= -1
    return board.tobytes()


def their_boards(boards: Boards) -> list[list[int]]:
    """Boards [N, 26] as bgsage takes them: like ours, but the opponent's checkers on the bar are positive."""
    theirs = boards.copy()
    theirs[:, OPPONENT_BAR] *= -1
    rows: list[list[int]] = theirs.tolist()
    return rows
