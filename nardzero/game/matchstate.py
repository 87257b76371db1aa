"""Everything an ID can say about a moment of a match: board, dice, cube, score and rules."""

from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

from nardzero.game.dice import validate_dice
from nardzero.game.errors import InvalidPosition
from nardzero.game.position import COLUMNS, Boards, validate

Player = Literal["x", "o"]
Offer = Literal["double", "beaver", "raccoon"]
Game = Literal["unstarted", "playing", "over", "resigned", "dropped"]
Decision = Literal["roll", "play", "take", "resignation", "none"]

PLAYERS: tuple[Player, ...] = get_args(Player)
OFFERS: tuple[Offer, ...] = get_args(Offer)
GAMES: tuple[Game, ...] = get_args(Game)
HIGHEST_CUBE = 2**15
"""The highest value of the cube that every format can hold: a match ID has four bits for its logarithm."""


def other(player: Player) -> Player:
    """The opponent."""
    return "o" if player == "x" else "x"


@dataclass(frozen=True, eq=False)
class MatchState:
    """One moment of a match or of a money game. Raises InvalidPosition or InvalidDice for fields that do
    not fit together.

    X is XGID's X, GNU Backgammon's player 1 and OGID's White; O is the other.
    """

    board: Boards
    """The board [26] seen by the player on roll."""
    on_roll: Player = "x"
    """Whose turn it is: he rolls or doubles, has rolled, or has doubled. While his double awaits an answer
    he stays on roll, and the board is still seen from his side, though the opponent decides."""
    dice: tuple[int, int] | None = None
    """What he rolled, in the order given; None before the roll."""
    offered: Offer | None = None
    """The offer that awaits an answer: his double, the opponent's beaver, his raccoon. In a dropped game the
    offer that was dropped. `cube` does not count the offer yet."""
    resigned: int = 0
    """The loss that one player offers to concede: 1 single, 2 gammon, 3 backgammon; 0 for none."""
    cube: int = 1
    """The value of the cube."""
    cube_owner: Player | None = None
    """Who owns the cube; None while it is centred."""
    cube_limit: int = 1024
    """The highest value the cube may reach in a money game. It is not checked against `cube`: XGIDs in use
    leave it at 1."""
    length: int = 0
    """The length of the match in points; 0 for a money game."""
    score_x: int = 0
    """The points X has won."""
    score_o: int = 0
    """The points O has won."""
    crawford: bool = False
    """Whether this is the Crawford game of a match."""
    jacoby: bool = False
    """Whether the Jacoby rule is on. In a match it means nothing, though a match ID may say so."""
    beaver: bool = False
    """Whether beavers are allowed. In a match it means nothing."""
    game: Game = "playing"
    """How the game stands: not begun, being played, played to the end, or ended by resigning or dropping."""

    def __post_init__(self) -> None:
        board = validate(self.board)
        if board.ndim != 1:
            raise InvalidPosition(f"a board is one row of {COLUMNS} columns, not shape {board.shape}")
        board.setflags(write=False)
        object.__setattr__(self, "board", board)
        if self.dice is not None:
            first, second = validate_dice(self.dice)
            object.__setattr__(self, "dice", (int(first), int(second)))
        self._check_words()
        self._check_cube()
        self._check_score()

    def _check_words(self) -> None:
        _one_of("the player on roll", self.on_roll, PLAYERS)
        _one_of("the cube's owner", self.cube_owner, (None, *PLAYERS))
        _one_of("the offer", self.offered, (None, *OFFERS))
        _one_of("the resignation", self.resigned, (0, 1, 2, 3))
        _one_of("the game's state", self.game, GAMES)
        _require(self.game != "resigned" or self.resigned > 0, "a resigned game has a resignation of 1 to 3")
        _require(self.game != "dropped" or self.offered is not None, "a dropped game has a dropped offer")

    def _check_cube(self) -> None:
        for name, value in (("cube", self.cube), ("limit of the cube", self.cube_limit)):
            power = 1 <= value <= HIGHEST_CUBE and value & (value - 1) == 0
            _require(power, f"the {name} is a power of two up to {HIGHEST_CUBE}, not {value}")
        untouched = self.cube == 1 and self.offered is None
        _require(untouched or not self.crawford, "nobody may double in the Crawford game")
        if self.offered is None:
            return
        _require(self.dice is None, "a double is offered before the roll, and here there are dice")
        _require(self.game in ("playing", "dropped"), f"nothing is on offer in a game {self.game}")
        if self.offered == "double":
            access = self.cube_owner != other(self.on_roll)
            _require(access, "the player on roll cannot double with a cube that the opponent owns")
        else:
            _require(self.length == 0, f"a {self.offered} belongs to a money game, not to a match")

    def _check_score(self) -> None:
        low, high = sorted((self.score_x, self.score_o))
        _require(self.length >= 0, f"a match is 1 point or longer, and 0 is a money game, not {self.length}")
        _require(low >= 0, f"a score is 0 or more points, not {low}")
        _require(self.length > 0 or not self.crawford, "a money game has no Crawford game")
        # The scores of a game that has ended may include it, and then reach or pass the length.
        if self.length == 0 or self.game not in ("unstarted", "playing"):
            return
        _require(high < self.length, f"a score of {high} has already won a match to {self.length}")
        # The only game of a match to one point may be called its Crawford game, though both are a point away.
        one_away = high == self.length - 1 and (low < high or self.length == 1)
        score = f"{self.score_x}-{self.score_o} to {self.length}"
        _require(
            one_away or not self.crawford, f"{score} is no score of a Crawford game: one side is a point away"
        )

    @property
    def decides(self) -> Player:
        """Whose decision it is. An offer, and a resignation, each hand it to the other side."""
        handed = (OFFERS.index(self.offered) + 1 if self.offered else 0) + (self.resigned > 0)
        return other(self.on_roll) if handed % 2 else self.on_roll

    @property
    def decision(self) -> Decision:
        """What is to be decided: roll or double, a play, take or drop, a resignation; none after the end."""
        if self.game != "playing":
            return "none"
        if self.resigned:
            return "resignation"
        if self.offered:
            return "take"
        return "play" if self.dice else "roll"

    def renamed(self) -> "MatchState":
        """The same moment with the names of the players exchanged."""
        return replace(
            self,
            on_roll=other(self.on_roll),
            cube_owner=self.cube_owner and other(self.cube_owner),
            score_x=self.score_o,
            score_o=self.score_x,
        )

    def _key(self) -> tuple[object, ...]:
        return (self.board.tobytes(), *(getattr(self, field.name) for field in fields(self)[1:]))

    def __eq__(self, value: object) -> bool:
        return self._key() == value._key() if isinstance(value, MatchState) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise InvalidPosition(reason)


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    _require(value in allowed, f"{name} is one of {', '.join(map(str, allowed))}, not {value!r}")
