"""Learning from pairs of plays: what each is worth, and by how much they differ."""

import torch
from torch import Tensor

from nardzero.learn.pairs import pairs
from nardzero.learn.selfplay import Window
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet


class PairTrainer(Trainer):
    """Teaches a net by pairs that come up in the positions of its games; a batch has so many of them.

    The games themselves go on by the best play of the roll that comes, as ever.
    """

    together = (2,)

    def _learn_from(self, played: Window, judge: FoldedNet, rate: float, lam: float) -> dict[str, float]:
        boards = played.boards.reshape(-1, played.boards.shape[-1])
        found, targets = pairs(judge, boards, self.rules, self.rng, self.sorter(), self.selfplay.endings)
        some = all(self.ranks.gather(len(found)))  # in tiny windows there may be none
        loss, cube = self._learn(found, targets, rate) if some else (0.0, 0.0)
        return {"train/loss": loss} | ({"train/cube": cube} if self.net.cube else {})

    def _more(self, outputs: Tensor, wanted: Tensor) -> Tensor:
        """How far off the differences between the equities of pairs are, by outputs and targets [2 B, K]."""
        points = torch.from_numpy(self.rules.points).to(outputs)
        errors = (outputs[:, :6].float().softmax(1) - wanted[:, :6]) @ points
        return self.config.learn.pair_weight * (errors[::2] - errors[1::2]).square().mean()
