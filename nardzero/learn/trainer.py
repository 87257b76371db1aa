"""The training loop: play a window, turn it into targets, learn, log, save, and again."""

import copy
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from nardzero.game.rules import RULESETS
from nardzero.learn.config import Config
from nardzero.learn.selfplay import SelfPlay, Sieve, Window
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.targets import lambda_returns
from nardzero.model.checkpoint import InvalidCheckpoint, fill, load_model
from nardzero.model.folded import FoldedNet
from nardzero.model.net import ValueNet
from nardzero.model.store import find

COUNTERS = ("games", "plies", "steps", "seconds", "earlier_games", "earlier_hours")
"""What a trainer counts; `earlier` is what the bot that it started from had behind it."""


class Trainer:
    """A net that plays itself and learns. Everything that a resumed run needs is in `state()`."""

    def __init__(self, config: Config) -> None:
        self.config = config
        torch.set_num_threads(config.train.threads)
        self.rules = RULESETS[config.selfplay.rules]
        self.rng = np.random.default_rng(config.train.seed)
        self.net = _random_net(config.net.hidden, config)
        self.averaged = copy.deepcopy(self.net).requires_grad_(False)
        self.sieve = _random_net(config.net.sieve, config) if config.net.sieve else None
        learners = [net for net in (self.net, self.sieve) if net is not None]
        parameters = [parameter for net in learners for parameter in net.parameters()]
        self.optimiser = torch.optim.Adam(parameters, lr=config.learn.rate_start, fused=True)
        self.selfplay = SelfPlay(self.rules, config.selfplay.games_at_once, self.rng)
        self.watch = Stopwatch()
        self.games = self.plies = self.steps = 0
        self.seconds = 0.0
        self.earlier_games, self.earlier_hours = 0, 0.0

    def start_from(self, bot: str) -> None:
        """Take over the weights of a bot. Raises UnknownBot, or InvalidCheckpoint if its layers differ."""
        net, card = load_model(find(bot))
        if (net.hidden, net.encoding.name) != (self.net.hidden, self.net.encoding.name):
            raise InvalidCheckpoint(
                f"{bot} has layers {list(net.hidden)} on {net.encoding.name}; "
                f"this run wants {list(self.net.hidden)} on {self.net.encoding.name}"
            )
        for own in (self.net, self.averaged):
            own.load_state_dict(net.state_dict())
        self.earlier_games = int(card.get("games", 0)) + int(card.get("earlier_games", 0))
        self.earlier_hours = float(card.get("hours", 0)) + float(card.get("earlier_hours", 0))

    @property
    def share(self) -> float:
        """How much of the training is done, 0 to 1."""
        return min(self.games / self.config.train.games, 1.0)

    @property
    def play_net(self) -> ValueNet:
        """The weights for play: the averaged ones, unless averaging is off."""
        return self.averaged if self.config.learn.average else self.net

    def window(self) -> dict[str, float]:
        """Play one window and learn from it; returns what is worth logging, by name."""
        begun = time.perf_counter()
        learn = self.config.learn
        rate, lam = learn.rate(self.share), learn.lam(self.share)
        play = self.config.selfplay
        judge = FoldedNet(self.averaged if play.averaged else self.net, play.precision)
        sieve = Sieve(FoldedNet(self.sieve), play.sieve_margin) if self.sieve else None
        played = self.selfplay.window(judge, play.window, self.watch, sieve)
        with self.watch("learn"):
            targets = lambda_returns(played.values, played.done, played.results, lam)
            loss = self._learn(
                played.boards.reshape(-1, played.boards.shape[-1]), targets.reshape(-1, 6), rate
            )
        plies = played.done.size
        self.games += played.games
        self.plies += plies
        self.seconds += time.perf_counter() - begun
        return {"train/loss": loss, "train/rate": rate, "train/lambda": lam} | _game_facts(played)

    def _learn(self, boards: np.ndarray, targets: np.ndarray, rate: float) -> float:
        """Gradient steps over all positions [B, 32] towards targets [B, 6]; returns the mean loss.

        The loss is the cross-entropy less the target's own entropy, so that 0 is perfect.
        """
        self.optimiser.param_groups[0]["lr"] = rate
        batch = self.config.learn.batch
        losses = []
        for _ in range(self.config.learn.epochs):
            order = self.rng.permutation(len(boards))
            for start in range(0, len(order), batch):
                chosen = order[start : start + batch]
                inputs = torch.from_numpy(self.net.encoding.inputs(boards.take(chosen, axis=0)))
                wanted = torch.from_numpy(targets.take(chosen, axis=0))
                losses.append(self._step(inputs, wanted))
        entropy = -np.mean(np.sum(targets * np.log(np.maximum(targets, 1e-12)), axis=-1))
        return float(np.mean(losses) - entropy)

    def _step(self, inputs: Tensor, wanted: Tensor) -> float:
        """One gradient step of the net, and of the sieve beside it; returns the net's loss."""
        half = self.config.learn.precision == "bfloat16"
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            logits = self.net(inputs)
            sieved = self.sieve(inputs) if self.sieve else None
        loss = F.cross_entropy(logits.float(), wanted)
        total = loss if sieved is None else loss + F.cross_entropy(sieved.float(), wanted)
        self.optimiser.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self._average()
        return loss.item()

    @torch.no_grad()
    def _average(self) -> None:
        """Move the averaged weights; while they are young, they forget in a tenth of their life."""
        self.steps += 1
        weight = max(1 - self.config.learn.average, 10 / (self.steps + 9))
        torch._foreach_lerp_(list(self.averaged.parameters()), list(self.net.parameters()), weight)

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything the run depends on from here: tensors, and the rest as JSON."""
        tensors = {f"net.{name}": tensor for name, tensor in self.net.state_dict().items()}
        tensors |= {f"averaged.{name}": tensor for name, tensor in self.averaged.state_dict().items()}
        if self.sieve:
            tensors |= {f"sieve.{name}": tensor for name, tensor in self.sieve.state_dict().items()}
        for index, memory in self.optimiser.state_dict()["state"].items():
            tensors |= {f"adam.{index}.{name}": torch.as_tensor(value) for name, value in memory.items()}
        for name, array in self.selfplay.state().items():
            tensors[f"selfplay.{name}"] = torch.from_numpy(array)
        counters = {name: getattr(self, name) for name in COUNTERS}
        return tensors, {"counters": counters, "generator": self.rng.bit_generator.state}

    def restore(self, tensors: dict[str, Tensor], rest: dict[str, Any], source: Path) -> None:
        """Go on from what `state()` gave. Raises InvalidCheckpoint where it does not fit."""

        def part(prefix: str) -> dict[str, Tensor]:
            return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}

        fill(self.net, part("net."), source)
        fill(self.averaged, part("averaged."), source)
        if self.sieve:
            fill(self.sieve, part("sieve."), source)
        memory: dict[int, dict[str, Tensor]] = {}
        for name, tensor in part("adam.").items():
            index, _, key = name.partition(".")
            memory.setdefault(int(index), {})[key] = tensor
        groups = self.optimiser.state_dict()["param_groups"]
        try:
            self.optimiser.load_state_dict({"state": memory, "param_groups": groups})
            self.selfplay.restore({name: tensor.numpy() for name, tensor in part("selfplay.").items()})
            self.rng.bit_generator.state = rest["generator"]
            for name in COUNTERS:
                setattr(self, name, rest["counters"][name])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidCheckpoint(f"{source} does not hold the state of a training run ({error})") from None


def _random_net(hidden: Sequence[int], config: Config) -> ValueNet:
    """A net of these layers with random weights from the run's seed."""
    with torch.random.fork_rng():
        torch.manual_seed(config.train.seed)
        return ValueNet(hidden, config.net.encoding)


def _game_facts(played: Window) -> dict[str, float]:
    """What the games of a window were like, by name of the log."""
    if not played.games:
        return {}
    ended = played.results[played.done]
    return {
        "games/length": played.done.size / played.games,
        "games/gammons": float(ended[:, 1].mean()),
        "games/backgammons": float(ended[:, 0].mean()),
    }
