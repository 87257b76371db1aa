"""Learning from pairs of plays: what each is worth, and by how much they differ."""

import numpy as np
import torch
from torch import Tensor

from nardzero.game.bits import WIDTH
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.judge.distinct import distinct
from nardzero.learn.pairs import pairs
from nardzero.learn.selfplay import Window
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet, padded


class PairTrainer(Trainer):
    """Teaches a net by pairs that come up in the positions of its games; a batch has so many of them.

    The games themselves go on by the best play of the roll that comes, as ever.
    """

    together = (2,)

    def _examples(self, played: Window, judge: FoldedNet, lam: float) -> tuple[Boards, Probs]:
        """Pairs [S, 2, 32] from the window's positions, and exact backups [S, 2, K] of both plays."""
        boards = played.boards.reshape(-1, WIDTH)
        sieves = self.sorter(), self.sorter(backups=True)
        return pairs(judge, boards, self.rules, self.rng, *sieves, self.selfplay.endings)

    def _learn(self, boards: Boards, targets: Probs, rate: float) -> tuple[float, float]:
        """As ever, but nothing where any process found no pair, as in tiny windows: all step alike."""
        return super()._learn(boards, targets, rate) if all(self.ranks.gather(len(boards))) else (0.0, 0.0)

    def _outputs(self, boards: Boards) -> tuple[Tensor, Tensor | None]:
        """As ever, but a play that is its own rival is judged once."""
        once, which = distinct(boards)
        if self.precision == "bfloat16":  # nothing is learned from what fills up
            once = once.take(np.arange(padded(len(once))), axis=0, mode="wrap")
        outputs, sieved = self._see(once)
        return outputs[which], None if sieved is None else sieved[which]

    def _extra_loss(self, outputs: Tensor, wanted: Tensor) -> Tensor:
        """How far off the differences between the equities of pairs are, by outputs and targets [2 B, K]."""
        points = torch.from_numpy(self.rules.points).to(outputs)
        errors = (outputs[:, :6].float().softmax(1) - wanted[:, :6]) @ points
        return self.config.learn.pair_weight * (errors[::2] - errors[1::2]).square().mean()
