"""Stand-ins for trained bots: small, exact about nothing, and the same on every machine."""

from pathlib import Path

import numpy as np

from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards, flip, pips
from nardzero.game.rules import RULESETS, Ruleset


class RaceEvaluator:
    """Judges by the race alone: who leads wins more often; one win in four is a gammon."""

    def __init__(self, rules: str = "standard") -> None:
        self.rules: Ruleset = RULESETS[rules]

    def evaluate(self, boards: Boards) -> Probs:
        win = 1 / (1 + np.exp((pips(boards) - pips(flip(boards))) / 20))
        shares = np.array([0.05, 0.25, 0.7])
        probs = np.concatenate([np.outer(win, shares), np.outer(1 - win, shares[::-1])], axis=1)
        return probs.astype(np.float32)


def write_bot(folder: Path, rules: str = "standard") -> Path:
    """A checkpoint folder of a tiny untrained net."""
    import torch

    from nardzero.model.checkpoint import new_folder, save_model
    from nardzero.model.net import ValueNet

    torch.manual_seed(0)
    with new_folder(folder) as filling:
        save_model(filling, ValueNet((8,)), {"ruleset": rules, "games": 0, "seed": 0, "config": {}})
    return folder
