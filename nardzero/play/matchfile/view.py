"""A recorded match to step through: plain dictionaries, ready for JSON.

Boards are seen by x, who is in the left column.
"""

from typing import Any

from nardzero.game.matchstate import Player
from nardzero.play.matchfile.record import GameRecord, MatchRecord
from nardzero.play.matchfile.replay import Replayed, replay
from nardzero.play.sitting.flow import seen_by_x
from nardzero.play.sitting.snapshot import ids

View = dict[str, Any]
COLUMN: dict[Player, int] = {"x": 0, "o": 1}


def match_view(match: MatchRecord) -> View:
    """The match, game by game."""
    return {
        "players": list(match.names),
        "length": match.length,
        "rules": match.rules.name,
        "games": [_game(match, game, number) for number, game in enumerate(match.games, 1)],
    }


def _game(match: MatchRecord, game: GameRecord, number: int) -> View:
    return {
        "number": number,
        "score": [game.start.score_x, game.start.score_o],
        "crawford": game.start.crawford,
        "winner": None if game.winner is None else COLUMN[game.winner],
        "points": game.points,
        "start": seen_by_x(game.start).tolist(),
        "actions": [_action(done) for done in replay(game, match.rules, number)],
    }


def _action(done: Replayed) -> View:
    action, after = done.action, done.after
    written = str(action.play) if action.play is not None else action.written
    return {
        "player": COLUMN[action.player],
        "action": action.deed,
        "dice": action.dice,
        "play": written if action.deed == "play" else None,
        "legal": done.legal,
        "cube": after.cube,
        "owner": None if after.cube_owner is None else COLUMN[after.cube_owner],
        "board": seen_by_x(after).tolist(),
        "xgid": ids(done.before)["xgid"],
    }
