"""GNU Backgammon's match ID, and the GNUBG ID that joins a position ID and a match ID.

The key is nine bytes, the lowest bit of the first byte first, with the fields of LAYOUT one after another.
Source: the GNU Backgammon manual, "A technical description of the Match ID"; bit 66, which newer versions
add, and how beavers and finished games are written were recorded from GNU Backgammon 1.07. X is player 1.
"""

import numpy as np

from nardzero.game.base64key import key_texts, text_keys
from nardzero.game.errors import InvalidID, InvalidPosition
from nardzero.game.ids import decode_position, encode_position
from nardzero.game.matchstate import GAMES, Game, MatchState, Offer, Player, other
from nardzero.game.position import Boards
from nardzero.game.rules import START_POSITIONS

KEY_BYTES = 9
LAYOUT = (
    ("cube", 4),  # its logarithm
    ("owner", 2),
    ("on_roll", 1),
    ("crawford", 1),
    ("game", 3),
    ("decides", 1),
    ("doubled", 1),
    ("resigned", 2),
    ("larger_die", 3),
    ("smaller_die", 3),
    ("length", 15),
    ("score_o", 15),
    ("score_x", 15),
    ("jacoby_off", 1),
)
"""The fields and their widths in bits; five bits after them are 0."""

PLAYER_BITS: tuple[Player, Player] = ("o", "x")
CENTRED = 3
"""The owner of a cube that nobody owns."""


def encode_match(state: MatchState) -> str:
    """The match ID of a state, without its board, the order of its dice, and the rules it has no bits for
    (beavers and the cube's limit). Raises InvalidID for numbers or an offer that it cannot hold."""
    if state.offered in ("beaver", "raccoon") and state.cube_owner != other(state.on_roll):
        raise InvalidID(f"a match ID holds a {state.offered} only if the player who beavered owns the cube")
    key = 0
    for (name, width), value in zip(reversed(LAYOUT), reversed(_values(state)), strict=True):
        if value >> width:
            raise InvalidID(f"a match ID has room for a {name} up to {2**width - 1}, not {value}")
        key = key << width | value
    raw = np.frombuffer(key.to_bytes(KEY_BYTES, "little"), np.uint8)
    return key_texts(raw[np.newaxis])[0]


def decode_match(text: str, board: Boards = START_POSITIONS["usual"]) -> MatchState:
    """The state of a match ID, which holds no board: the board [26] of the player on roll is given, or is
    the usual start. Raises InvalidID for text that is no match ID or whose fields contradict each other."""
    fields = _unpack(text)
    try:
        return _state(fields, board)
    except InvalidPosition as fault:
        raise InvalidID(f"{text.strip()!r} is not a legal match ID: {fault}") from fault


def format_gnubg_id(state: MatchState) -> str:
    """`position ID:match ID`, as GNU Backgammon shows them. Raises InvalidID as `encode_match` does."""
    return f"{encode_position(state.board)}:{encode_match(state)}"


def parse_gnubg_id(text: str) -> MatchState:
    """The state of `position ID:match ID`. Raises InvalidID if either does not decode."""
    position, colon, match = text.strip().partition(":")
    if not colon or ":" in match:
        raise InvalidID("a GNUBG ID is a position ID and a match ID with one colon between them")
    return decode_match(match, decode_position(position))


def _values(state: MatchState) -> tuple[int, ...]:
    """The values of the fields, in the order of LAYOUT."""
    larger, smaller = sorted(state.dice or (0, 0), reverse=True)
    return (
        state.cube.bit_length() - 1,
        PLAYER_BITS.index(state.cube_owner) if state.cube_owner else CENTRED,
        PLAYER_BITS.index(state.on_roll),
        int(state.crawford),
        GAMES.index(state.game),
        PLAYER_BITS.index(state.decides),
        int(state.offered is not None and state.game == "playing"),
        state.resigned,
        larger,
        smaller,
        state.length,
        state.score_o,
        state.score_x,
        int(not state.jacoby),
    )


def _unpack(text: str) -> dict[str, int]:
    key = int.from_bytes(text_keys([text], KEY_BYTES, "match ID").tobytes(), "little")
    fields = {}
    for name, width in LAYOUT:
        fields[name] = key & (1 << width) - 1
        key >>= width
    if key:
        raise InvalidID(f"{text.strip()!r} is not a match ID: bits are set after its last field")
    return fields


def _state(fields: dict[str, int], board: Boards) -> MatchState:
    if fields["game"] >= len(GAMES):
        raise InvalidID(f"a game's state is 0 to {len(GAMES) - 1}, not {fields['game']}")
    game = GAMES[fields["game"]]
    state = MatchState(
        board=board,
        on_roll=PLAYER_BITS[fields["on_roll"]],
        dice=_dice(fields["larger_die"], fields["smaller_die"]),
        offered=_offer(fields, game),
        resigned=fields["resigned"],
        cube=1 << fields["cube"],
        cube_owner=_owner(fields["owner"]),
        length=fields["length"],
        score_x=fields["score_x"],
        score_o=fields["score_o"],
        crawford=bool(fields["crawford"]),
        jacoby=not fields["jacoby_off"],
        game=game,
    )
    if state.decides != PLAYER_BITS[fields["decides"]]:
        raise InvalidID("the player who is to decide contradicts who is on roll and what is on offer")
    return state


def _owner(code: int) -> Player | None:
    if code == 2:
        raise InvalidID("a cube's owner is 0, 1 or 3 for a centred cube, not 2")
    return None if code == CENTRED else PLAYER_BITS[code]


def _dice(first: int, second: int) -> tuple[int, int] | None:
    """The dice, larger first. A key with the smaller one first is read too, as GNU Backgammon reads it."""
    if first == second == 0:
        return None
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise InvalidID(f"the dice are 1 to 6, or 0 and 0 before the roll, not {first} and {second}")
    return max(first, second), min(first, second)


def _offer(fields: dict[str, int], game: Game) -> Offer | None:
    """What is on offer, or was dropped; a dropped game has the bit for it cleared. The bit serves all three
    offers: after a beaver the doubler's opponent owns the cube, and a raccoon leaves the decision to him."""
    if not fields["doubled"] and game != "dropped":
        return None
    if fields["owner"] in (CENTRED, fields["on_roll"]):
        return "double"
    to_doubler = fields["decides"] == fields["on_roll"]
    return "beaver" if to_doubler != bool(fields["resigned"]) else "raccoon"
