"""GNU Backgammon by its nets and C code, as the package gnubg-nn brings them.

It sees its own side and the opponent's apart, tells cumulative probabilities of the player on roll, and plays
one position a call. Its plies are ours: 0 is the bare net. Letters in shapes: N boards.
"""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from nardzero.game.base64key import key_texts
from nardzero.game.bits import Index
from nardzero.game.ids import KEY_BYTES, decode_positions
from nardzero.game.outcomes import Probs, exclusive
from nardzero.game.position import BAR, COLUMNS, Boards, flip
from nardzero.game.rules import Ruleset
from nardzero.play.agents import Turn
from nardzero.play.peers.engine import STANDARD, check_rules, engine, first_legal

MODULE, PACKAGE = "gnubg_nn", "gnubg-nn"

TheirBoard = list[list[int]]
"""Checkers of the opponent [25] and of the player on roll [25], each from his own ace point to the bar."""


def gnubg_nn() -> ModuleType:
    """The engine. Raises PeerMissing where it is not installed."""
    return engine(MODULE, PACKAGE)


@dataclass(frozen=True)
class Gnubg:
    """GNU Backgammon at some plies: judges positions without the cube, and plays what it judges best.

    With lookahead it leaves out candidates by filters of its own, as its users know it.
    """

    ply: int
    """How far it looks ahead; 0 is the bare net."""

    @property
    def name(self) -> str:
        return f"gnubg:{self.ply}"

    @property
    def rules(self) -> Ruleset:
        return STANDARD

    def evaluate(self, boards: Boards) -> Probs:
        """The six outcome probabilities [N, 6] of positions [N, 26], for the player on roll."""
        judge = gnubg_nn().probabilities
        told = [judge(board, self.ply) for board in their_boards(boards)]
        return exclusive(np.array(told, np.float32).reshape(-1, 5))

    def choose(self, turn: Turn, rng: np.random.Generator) -> Index:
        check_rules(self.name, turn.rules)
        play = gnubg_nn().best_move
        chosen = turn.starts[:-1].copy()
        games = np.flatnonzero(np.diff(turn.starts) > 1)
        asked = zip(their_boards(turn.boards[games]), turn.dice[games].tolist(), strict=True)
        # The board it gives back is the one that the opponent finds.
        after = flip(boards_of_keys([play(board, *dice, n=self.ply, b=1)[1] for board, dice in asked]))
        chosen[games] = [
            first_legal(turn, game, [row.tobytes()]) for game, row in zip(games.tolist(), after, strict=True)
        ]
        return chosen


def their_boards(boards: Boards) -> list[TheirBoard]:
    """Positions [N, 26 or wider] as gnubg-nn takes them."""
    own = np.maximum(boards[:, 1:COLUMNS], 0)
    opponent = np.maximum(-boards[:, BAR - 1 :: -1], 0)
    both: list[TheirBoard] = np.stack([opponent, own], axis=1).tolist()
    return both


def boards_of_keys(keys: list[str]) -> Boards:
    """The boards [N, 26] of its keys of 20 letters: the bytes of a position ID, four bits a letter from A."""
    halves = np.frombuffer("".join(keys).encode(), np.uint8).reshape(-1, KEY_BYTES, 2) - np.uint8(ord("A"))
    return decode_positions(key_texts(halves[..., 0] << np.uint8(4) | halves[..., 1]))
