"""How a match goes on: each change of its state as a function, for whoever plays it or replays it.

A state is always seen by the player on roll. Nothing here throws dice or chooses a play.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from nardzero.game.board import KINDS, Kind
from nardzero.game.errors import InvalidInput
from nardzero.game.matchstate import Game, MatchState, Player, other
from nardzero.game.outcomes import finished, win_kind
from nardzero.game.position import Boards, flip
from nardzero.game.rules import Ruleset

How = Literal["off", "pass", "resign"]
"""How a game ends: everything is borne off, a double is passed, or somebody resigns."""


class NotNow(InvalidInput):
    """An action that the game does not allow at this moment."""


@dataclass(frozen=True)
class Result:
    """How one game ended."""

    number: int
    """Which game of the sitting it was, from 1."""
    winner: Player
    """Who won."""
    kind: Kind
    """A single game, a gammon or a backgammon."""
    how: How
    """How it ended."""
    cube: int
    """What the points were multiplied by."""
    points: int
    """What the winner gets."""
    crawford: bool
    """Whether it was the Crawford game."""
    score_x: int
    """The points of x after it."""
    score_o: int
    """The points of o after it."""


def start(rules: Ruleset, length: int, jacoby: bool = False, beavers: bool = False) -> MatchState:
    """The first game of a match, or of a money session where the length is 0, before the opening roll.

    Raises InvalidPosition for a length below 0.
    """
    money = length == 0
    limit = rules.cube_limit
    return MatchState(
        rules.start_board, length=length, jacoby=jacoby and money, beaver=beavers and money, cube_limit=limit
    )


def seen_by_x(state: MatchState) -> Boards:
    """The board [26] from the side of x, whoever is on roll."""
    return state.board if state.on_roll == "x" else flip(state.board)


def may_double(state: MatchState, rules: Ruleset) -> bool:
    """Whether the player on roll may offer the cube now (R11)."""
    his = state.cube_owner in (None, state.on_roll)
    before_roll = state.dice is None and state.offered is None
    # In a match to one point, and in the Crawford game, there is nothing to double for.
    allowed = not state.crawford and state.length != 1
    return his and before_roll and allowed and state.cube < rules.cube_limit


def may_beaver(state: MatchState, rules: Ruleset) -> bool:
    """Whether he who is offered a double may turn the cube once more and keep it."""
    return state.beaver and state.offered == "double" and 4 * state.cube <= rules.cube_limit


def doubled(state: MatchState, rules: Ruleset) -> MatchState:
    """The player on roll has offered the cube. Raises NotNow where he may not."""
    if not may_double(state, rules):
        raise NotNow("the cube cannot be offered now")
    return replace(state, offered="double")


def beavered(state: MatchState, rules: Ruleset) -> MatchState:
    """Who was doubled turns the cube once more, which awaits an answer. Raises NotNow where he may not."""
    if not may_beaver(state, rules):
        raise NotNow("a beaver is not possible now")
    return replace(state, offered="beaver", cube=2 * state.cube, cube_owner=other(state.on_roll))


def taken(state: MatchState) -> MatchState:
    """The offer is taken: the cube goes to the opponent of the player on roll. Raises NotNow without one."""
    if state.offered is None:
        raise NotNow("there is no double to take")
    return replace(state, offered=None, cube=2 * state.cube, cube_owner=other(state.on_roll))


def before_offer(state: MatchState) -> MatchState:
    """The state in which the player on roll decided to double: without the offer, or the beaver, of now."""
    if state.offered != "beaver":
        return replace(state, offered=None)
    cube = state.cube // 2
    return replace(state, offered=None, cube=cube, cube_owner=None if cube == 1 else state.on_roll)


def rolled(state: MatchState, dice: tuple[int, int]) -> MatchState:
    """The player on roll has thrown these dice."""
    return replace(state, dice=dice)


def played(state: MatchState, after: Boards) -> MatchState:
    """He has played to this board [26], which stays on his side; the other one is on roll."""
    return replace(state, board=flip(after), on_roll=other(state.on_roll), dice=None)


def handed_over(state: MatchState) -> MatchState:
    """The same board with the other player on roll."""
    return replace(state, board=flip(state.board), on_roll=other(state.on_roll))


def is_won(after: Boards) -> bool:
    """Whether the side that a board [26] is seen by has borne off everything."""
    return bool(finished(after))


def borne_off(state: MatchState, after: Boards, rules: Ruleset, number: int) -> Result:
    """The result of a play to a board [26] that ends the game for the player on roll."""
    kind = KINDS[int(win_kind(after)) - 1]
    return result(state, state.on_roll, kind, "off", rules, number)


def passed(state: MatchState, rules: Ruleset, number: int) -> Result:
    """The result of an offer that is passed: the cube counts as before. Raises NotNow without one."""
    if state.offered is None:
        raise NotNow("there is no double to pass")
    return result(state, other(state.decides), "single", "pass", rules, number)


def result(state: MatchState, winner: Player, kind: Kind, how: How, rules: Ruleset, number: int) -> Result:
    """A game of this state that ends so."""
    points = worth(state, kind, rules)
    gain = np.array([winner == "x", winner == "o"]) * points
    score_x, score_o = (np.array([state.score_x, state.score_o]) + gain).tolist()
    return Result(number, winner, kind, how, state.cube, points, state.crawford, score_x, score_o)


def worth(state: MatchState, kind: Kind, rules: Ruleset) -> int:
    """The points of a win of this kind; by the Jacoby rule gammons count only once the cube was turned."""
    untouched = state.cube_owner is None and state.cube == 1
    jacoby = state.jacoby and state.length == 0 and untouched
    return state.cube * rules.wins[0 if jacoby else KINDS.index(kind)]


def ended(state: MatchState, result: Result) -> MatchState:
    """The state with the game over."""
    games: dict[How, Game] = {"off": "over", "pass": "dropped", "resign": "resigned"}
    conceded = KINDS.index(result.kind) + 1 if result.how == "resign" else 0
    return replace(state, game=games[result.how], resigned=conceded)


def match_winner(state: MatchState, ended: Result) -> Player | None:
    """Who has won the match with this game; None while it goes on, and in money games."""
    if not state.length:
        return None
    leader, best = max((("x", ended.score_x), ("o", ended.score_o)), key=lambda side: side[1])
    return ("x" if leader == "x" else "o") if best >= state.length else None


def next_game(state: MatchState, ended: Result, rules: Ruleset) -> MatchState:
    """The game after this one, before its opening roll.

    The first game that one side begins a point away from winning the match is the Crawford game.
    """
    one_away = state.length - 1
    was_away = one_away in (state.score_x, state.score_o)
    is_away = one_away in (ended.score_x, ended.score_o)
    return replace(
        start(rules, state.length, state.jacoby, state.beaver),
        score_x=ended.score_x,
        score_o=ended.score_o,
        crawford=state.length > 1 and is_away and not was_away,
    )
