"""What one sees of a training run: a progress bar, TensorBoard scalars, duels against fixed opponents."""

from pathlib import Path
from types import TracebackType

from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from nardzero.game.outcomes import flip_outcomes
from nardzero.learn.trainer import Trainer
from nardzero.model.folded import FoldedNet
from nardzero.model.store import Bot
from nardzero.play.arena import duel

YARDSTICKS = ("random", "pips")
"""The fixed opponents that a net is measured against while it learns."""


class Monitor:
    """The eyes on a run; those of all ranks but the first are shut."""

    def __init__(self, trainer: Trainer, run: Path) -> None:
        self.trainer = trainer
        self.leads = trainer.ranks.leads
        self.writer = (
            SummaryWriter(str(run), purge_step=trainer.games + 1 if trainer.steps else 0)
            if self.leads
            else None
        )
        self.bar = tqdm(
            total=trainer.config.train.games,
            initial=trainer.games,
            unit="game",
            smoothing=0.05,
            desc=run.name,
            disable=not self.leads,
        )
        self.say(f"{run.name}: {trainer.precision} on {trainer.device}, {trainer.ranks.world} process(es)")

    def __enter__(self) -> "Monitor":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.close()
        if self.writer:
            self.writer.close()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if self.leads:
            self.bar.write(text)

    def log(self, facts: dict[str, float]) -> None:
        """Write down what a window gave, with what the net thinks of the start and where the time went."""
        if self.writer is None:
            return
        shares = {f"time/{stage}": share for stage, share in self.trainer.watch.shares().items()}
        for name, value in (facts | self._start_value() | shares).items():
            self.writer.add_scalar(name, value, self.trainer.games)
        self.bar.set_postfix(loss=f"{facts['train/loss']:.4f}", refresh=False)
        self.bar.update(self.trainer.games - self.bar.n)

    def _bot(self) -> Bot:
        """The net as it would be loaded for play."""
        return Bot("net", self.trainer.rules, {}, FoldedNet(self.trainer.play_net))

    def _start_value(self) -> dict[str, float]:
        """The net's opinion of the start position; gammons include backgammons."""
        probs = self._bot().evaluate(self.trainer.rules.start_board[None])[0]
        return {
            "start/wins": float(probs[:3].sum()),
            "start/gammons": float(probs[:2].sum()),
            "start/gammons lost": float(flip_outcomes(probs)[:2].sum()),
            "start/equity": float(probs @ self.trainer.rules.points),
        }

    def duels(self) -> dict[str, float]:
        """Points a game against each of the yardsticks, with dice of their own."""
        if not self.leads:
            return {}
        goals, rules = self.trainer.config.train, self.trainer.rules
        with self.trainer.watch("duel"):
            bot = self._bot()
            results = {name: duel(bot, name, goals.duel_games, rules, goals.seed) for name in YARDSTICKS}
        return {f"duel/{name}": result.ppg for name, result in results.items()}
