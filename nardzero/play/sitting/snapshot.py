"""A sitting as the person sees it now: one dictionary, ready for JSON."""

from nardzero.game.errors import InvalidID
from nardzero.game.matchid import format_gnubg_id
from nardzero.game.matchstate import MatchState, other
from nardzero.game.position import flip, off, pips
from nardzero.game.xgid import format_xgid
from nardzero.play.sitting.sitting import YOU, Sitting
from nardzero.play.sitting.views import (
    NAMES,
    View,
    move_view,
    result_view,
    score_view,
    sheet_view,
    tally_view,
)


def snapshot(sitting: Sitting) -> View:
    """Everything that is to be shown but the events: all points in the person's numbering."""
    state, table, hand = sitting.state, sitting.table, sitting.hand
    board = sitting.your_board
    playing = sitting.phase not in ("opening", "over", "finished")
    return {
        "rules": table.rules.name,
        "length": state.length,
        "jacoby": state.jacoby and state.length == 0,
        "beavers": state.beaver and state.length == 0,
        "bot": sitting.head.name,
        "ply": sitting.head.ply,
        "phase": sitting.phase,
        "turn": NAMES[YOU] if playing else None,
        "actions": sitting.actions,
        "game": {"number": len(table.games), "crawford": state.crawford},
        "score": _score(sitting),
        "board": board.tolist(),
        "off": {"you": int(off(board)), "bot": int(off(flip(board)))},
        "pips": {"you": int(pips(board)), "bot": int(pips(flip(board)))},
        "dice": _dice(sitting),
        "moves": [move_view(move) for move in hand.moves()] if hand else [],
        "played": _played(sitting),
        "forced": hand is not None and hand.forced,
        "cube": _cube(sitting),
        "result": table.result and result_view(table.result),
        "winner": table.winner and NAMES[table.winner],
        "sheet": sheet_view(table.sheet),
        "ids": ids(state),
        "coach": {
            "on": sitting.coached,
            "possible": sitting.head.judge is not None,
            **tally_view(sitting.tally),
        },
    }


def ids(state: MatchState) -> dict[str, str | None]:
    """The XGID and the GNUBG ID of a state; None where a notation cannot hold it."""
    written: dict[str, str | None] = {}
    for name, write in (("xgid", format_xgid), ("gnubg", format_gnubg_id)):
        try:
            written[name] = write(state)
        except InvalidID:
            written[name] = None
    return written


def _score(sitting: Sitting) -> View:
    result, state = sitting.table.result, sitting.state
    if result:
        return score_view(result.score_x, result.score_o)
    return score_view(state.score_x, state.score_o)


def _dice(sitting: Sitting) -> View | None:
    hand = sitting.hand
    if hand is None:
        return None
    used = [step.die for step in hand.steps]
    return {"player": NAMES[YOU], "rolled": list(hand.dice), "left": list(hand.left), "used": used}


def _played(sitting: Sitting) -> list[View]:
    steps = sitting.hand.steps if sitting.hand else ()
    return [{"from": step.source, "to": step.target, "die": step.die, "hit": step.hit} for step in steps]


def _cube(sitting: Sitting) -> View | None:
    state, limit = sitting.state, sitting.table.rules.cube_limit
    if limit == 1:
        return None
    offered = None
    if state.offered and not sitting.table.result:
        by = NAMES[other(state.decides)]
        offered = {"by": by, "kind": state.offered, "value": 2 * state.cube}
    owner = state.cube_owner and NAMES[state.cube_owner]
    return {"value": state.cube, "owner": owner, "limit": limit, "offered": offered}
