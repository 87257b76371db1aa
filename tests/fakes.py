"""Stand-ins for trained bots: small, exact about nothing, and the same on every machine."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nardzero.game.bits import pad
from nardzero.game.outcomes import Probs, finished
from nardzero.game.position import Boards, flip, pips
from nardzero.game.rules import RULESETS, Ruleset
from nardzero.judge.replies import best_replies


class RaceEvaluator:
    """Judges by the race alone: who leads wins more often; one win in four is a gammon."""

    def __init__(self, rules: str = "standard") -> None:
        self.rules: Ruleset = RULESETS[rules]

    def evaluate(self, boards: Boards) -> Probs:
        win = 1 / (1 + np.exp((pips(boards) - pips(flip(boards))) / 20))
        shares = np.array([0.05, 0.25, 0.7])
        probs = np.concatenate([np.outer(win, shares), np.outer(1 - win, shares[::-1])], axis=1)
        return probs.astype(np.float32)


@dataclass(frozen=True)
class ShortGame(Ruleset):
    """Rules by which few checkers are left and games are soon over."""

    checkers: tuple[int, ...] = ()
    """The points where each side's checkers start."""

    @property
    def start_board(self) -> Boards:
        board = np.zeros(26, np.int8)
        np.add.at(board, list(self.checkers), 1)
        return board + flip(board)


RACE = ShortGame("short race", checkers=(6, 6))
SCUFFLE = ShortGame("scuffle", checkers=(20, 6, 4))


class SolvedRace:
    """Knows the exact chances of races so short that all their games can be played out."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.known: dict[bytes, Probs] = {}

    def evaluate(self, boards: Boards) -> Probs:
        return np.stack([self._solve(board) for board in boards])

    def _solve(self, board: Boards) -> Probs:
        key = board.tobytes()
        if key not in self.known:
            over = finished(flip(board))
            lost = np.zeros(6, np.float32)  # `after_probs` knows better
            self.known[key] = lost if over else best_replies(self, pad(board[None]), self.rules).mean[0]
        return self.known[key]


def write_bot(folder: Path, rules: str = "standard") -> Path:
    """A checkpoint folder of a tiny untrained net."""
    import torch

    from nardzero.model.checkpoint import new_folder, save_model
    from nardzero.model.net import ValueNet

    torch.manual_seed(0)
    with new_folder(folder) as filling:
        save_model(filling, ValueNet((8,)), {"ruleset": rules, "games": 0, "seed": 0, "config": {}})
    return folder
