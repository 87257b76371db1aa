"""A recorded game played through again: what stood on the board at each moment, and how it ended.

A record may hold plays that break the rules and were not challenged; they stand, and are marked (R12).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nardzero.game.errors import IllegalPlay, InvalidInput
from nardzero.game.matchstate import MatchState, Player
from nardzero.game.play import Play
from nardzero.game.position import Boards
from nardzero.game.rules import Ruleset
from nardzero.game.written import find_play
from nardzero.play.matchfile.record import Action, GameRecord
from nardzero.play.sitting import flow
from nardzero.play.sitting.flow import Result


@dataclass(frozen=True)
class Replayed:
    """An action of a record, with what it met and what came of it."""

    action: Action
    """The action; a play as the rules understand it, where they do."""
    before: MatchState
    """The state in which it was done, with the dice of a play."""
    after: MatchState
    """The state that it led to."""
    legal: bool
    """Whether the rules allow it."""
    result: Result | None = None
    """How the game ended with it."""


def replay(game: GameRecord, rules: Ruleset, number: int = 1) -> Iterator[Replayed]:
    """The actions of a game one after another, up to the one that ends it."""
    state = game.start
    for action in game.actions:
        done = _redo(state, action, rules, number)
        yield done
        if done.result:
            return
        state = done.after


def _redo(state: MatchState, action: Action, rules: Ruleset, number: int) -> Replayed:
    if action.deed == "play":
        return _redo_play(_on_roll(state, action.player), action, rules, number)
    if action.deed == "resign":
        return Replayed(action, state, state, True)
    offers = action.deed == "double"
    if offers and state.offered == "double" and action.player == state.decides:
        action = replace(action, deed="beaver")  # files often call it a double again
    before = _on_roll(state, action.player) if action.deed == "double" else state
    try:
        if action.deed == "double":
            return Replayed(action, before, flow.doubled(before, rules), True)
        if action.deed == "beaver":
            return Replayed(action, before, flow.beavered(before, rules), True)
        if action.deed == "take":
            return Replayed(action, before, flow.taken(before), True)
        return Replayed(action, before, before, True, flow.passed(before, rules, number))
    except InvalidInput:
        return Replayed(action, before, before, False)


def _on_roll(state: MatchState, player: Player) -> MatchState:
    """The state with this player on roll, whose turn it is according to the record."""
    return state if state.on_roll == player else replace(flow.handed_over(state), offered=None)


def _redo_play(state: MatchState, action: Action, rules: Ruleset, number: int) -> Replayed:
    assert action.dice is not None
    before = replace(state, offered=None, dice=action.dice)
    play, after, legal = _understood(before, action, rules)
    done = replace(action, play=play)
    result = flow.borne_off(before, after, rules, number) if flow.is_won(after) else None
    return Replayed(done, before, flow.played(before, after), legal, result)


def _understood(state: MatchState, action: Action, rules: Ruleset) -> tuple[Play | None, Boards, bool]:
    """The play that was meant and the board [26] after it; an illegal one stands as it was made."""
    assert state.dice is not None
    if action.play is None:
        return None, state.board, False
    try:
        play, after = find_play(state.board, state.dice, action.play, rules)
        return play, after, True
    except IllegalPlay:
        pass
    try:
        return action.play, action.play.apply(state.board), False
    except InvalidInput:
        return action.play, state.board, False


def how_it_ended(game: GameRecord, rules: Ruleset, number: int = 1) -> Result | None:
    """The result that the actions themselves lead to; None if they do not end the game."""
    return next((done.result for done in replay(game, rules, number) if done.result), None)
