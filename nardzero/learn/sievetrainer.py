"""A sieve learns alone, from a finished net that plays itself and stays as it is."""

import torch
from torch import Tensor, nn

from nardzero.learn.config import ConfigError
from nardzero.learn.selfplay import Window
from nardzero.learn.siblings import Siblings, disagreement, siblings
from nardzero.learn.trainer import Trainer
from nardzero.model.checkpoint import load_model
from nardzero.model.folded import FoldedNet
from nardzero.model.store import find


class SieveTrainer(Trainer):
    """Teaches the sieve what the net says of all plays of a roll, in the positions that self-play comes to.

    Examples are sets of siblings: a batch has so many of them.
    """

    def start_from(self, bot: str) -> None:
        """As ever. Raises ConfigError for a net of other layers, which would not stay as it is."""
        if _shapes(load_model(find(bot)).net) != _shapes(self.net):
            raise ConfigError(
                f"learn.part = 'sieve' leaves the net of {bot} as it is: net.hidden, net.cube and "
                "net.cube_hidden must be the same"
            )
        super().start_from(bot)

    def _learn_from(self, played: Window, judge: FoldedNet, rate: float, lam: float) -> dict[str, float]:
        boards = played.boards.reshape(-1, played.boards.shape[-1])
        sets = siblings(judge, boards, self.rules, self.rng)
        losses = [self._sieve_step(sets.take(chosen)) for chosen in self._batches(len(sets), len(sets), rate)]
        self.ranks.average(self._learned())
        return {"train/loss": float(torch.stack(losses).mean())}

    def _sieve_step(self, sets: Siblings) -> Tensor:
        """One gradient step; returns how far the sieve disagreed with the net."""
        assert self.sieve
        inputs = torch.from_numpy(self.sieve.encoding.inputs(sets.boards))
        ours = self.sieve(inputs.to(self.device)).softmax(1).cpu() @ torch.from_numpy(self.rules.points)
        loss = disagreement(ours, torch.from_numpy(sets.worth), sets.starts)
        self._descend(loss)
        self.steps += 1
        return loss.detach()


def _shapes(net: nn.Module) -> dict[str, torch.Size]:
    return {name: tensor.shape for name, tensor in net.state_dict().items()}
