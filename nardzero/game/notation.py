"""A position in any notation that is read here, told apart by its looks."""

import re

from nardzero.game.errors import InvalidPosition
from nardzero.game.ids import decode_position
from nardzero.game.matchid import parse_gnubg_id
from nardzero.game.matchstate import MatchState
from nardzero.game.ogid import parse_ogid
from nardzero.game.text import parse_position
from nardzero.game.xgid import parse_xgid


def parse_state(text: str) -> MatchState:
    """The state that a text describes: a GNUBG position ID, `position ID:match ID`, an XGID or OGID with or
    without its prefix, or the text form `x 6:5 8:3; o 19:5`.

    What a notation does not hold keeps the defaults of MatchState. Raises InvalidPosition, or InvalidID,
    which is one too, with the reason.
    """
    bare = text.strip()
    if ";" in bare or re.match(r"[xo](\s|$)", bare, re.IGNORECASE):
        return MatchState(parse_position(bare))
    if re.match("XGID=", bare, re.IGNORECASE) or re.match(r"[-a-o]{26}:", bare, re.IGNORECASE):
        return parse_xgid(bare)
    if re.match("OGID=", bare, re.IGNORECASE) or bare.count(":") > 1:
        return parse_ogid(bare)
    if ":" in bare:
        return parse_gnubg_id(bare)
    if " " in bare:
        known = "a GNUBG position ID, an XGID, an OGID, or a text like x 6:5; o 19:5"
        raise InvalidPosition(f"{bare!r} is no position; give {known}")
    return MatchState(decode_position(bare))
