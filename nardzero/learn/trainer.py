"""The training loop: play a window, turn it into targets, learn, log, save, and again."""

import copy
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nardzero.game.bits import WIDTH, Index
from nardzero.game.outcomes import Probs
from nardzero.game.position import Boards
from nardzero.game.rules import RULESETS
from nardzero.judge.bearoff.tables import two_sided
from nardzero.learn.centring import Centring
from nardzero.learn.config import Config, ConfigError
from nardzero.learn.endings import Endings
from nardzero.learn.ranks import Ranks
from nardzero.learn.replay import Replay
from nardzero.learn.selfplay import SelfPlay, Window
from nardzero.learn.stopwatch import Stopwatch
from nardzero.learn.targets import cube_targets, lambda_returns
from nardzero.model.checkpoint import InvalidCheckpoint, load_model
from nardzero.model.device import pick_device, pick_precision
from nardzero.model.folded import FoldedNet
from nardzero.model.grow import grown
from nardzero.model.net import ValueNet
from nardzero.model.sieve import Sieve
from nardzero.model.store import find

SIEVE_FROM = 2_000
"""Gradient steps after which a sieve that began with random weights is good enough to sort out plays."""
SAMPLE = 1024
"""Examples of a window by which inputs are centred."""
LEAST_BATCH = 64
"""Positions of a gradient step in each of many processes, at least."""
YOUTH = 10
"""How many times its memory the average must have lived before that is as long as configured."""


class Trainer:
    """A net that plays itself and learns. What a resumed run needs of it is in state.py.

    Several processes may each have one, with games and dice of their own. After every window their weights
    and the memories of their optimisers are averaged (local SGD, Stich 2019, arXiv:1805.09767): averaging
    the gradients of every single step would cost small nets half of what a second core brings. They share the
    games at once and the batch, so that they learn as often and in as many steps as one process would.
    """

    together: tuple[int, ...] = ()
    """How many positions are learned together, as the axes that this adds to them."""

    def __init__(self, config: Config, ranks: Ranks | None = None) -> None:
        self.config = config
        self.ranks = ranks or Ranks()
        torch.set_num_threads(config.train.threads)
        self.device = pick_device(config.train.device)
        self.precision = pick_precision(config.train.precision, config.net.hidden, self.device)
        self.rules = RULESETS[config.selfplay.rules]
        self.rng = np.random.default_rng((config.train.seed, self.ranks.rank))
        self.net = _random_net(config.net.hidden, config, head=True).to(self.device)
        self.averaged = copy.deepcopy(self.net).requires_grad_(False)
        self.sieve = _random_net(config.net.sieve, config).to(self.device) if config.net.sieve else None
        learners = self._learners()
        self.parameters = [parameter for net in learners for parameter in net.parameters()]
        self.centring = Centring(learners) if config.learn.centred else None
        # What Adam moves: the weights that learn, or their stand-ins.
        self.moved = self.centring.parameters if self.centring else self.parameters
        self.optimiser = torch.optim.Adam(self.moved, lr=config.learn.rate_start, fused=True)
        if config.selfplay.games_at_once < self.ranks.world:
            raise ConfigError(
                f"{self.ranks.world} processes share selfplay.games_at_once, which must be at least as many, "
                f"not {config.selfplay.games_at_once}"
            )
        play, games = config.selfplay, self.ranks.part(config.selfplay.games_at_once)
        endings = Endings(two_sided()) if play.exact_endings else None
        settings = play.hard_starts, endings, config.learn.exact_backups, play.cube
        self.selfplay = SelfPlay(self.rules, games, self.rng, *settings)
        self.replay = Replay(config.learn.replay, 9 if self.net.cube else 6, self.together)
        self.watch = Stopwatch()
        self.games = self.steps = 0
        self.sieve_from = SIEVE_FROM
        self.seconds = 0.0
        self.earlier_games, self.earlier_hours = 0, 0.0

    def start_from(self, bot: str) -> None:
        """Take over the weights of a bot, in a deeper net if this one is.

        Raises UnknownBot, InvalidCheckpoint if it reads boards in another way, CannotGrow for other layers.
        """
        net, small, card = load_model(find(bot))
        if net.encoding != self.net.encoding:
            raise InvalidCheckpoint(
                f"{bot} reads boards as {net.encoding.name}; this run wants {self.net.encoding.name}"
            )
        with _seeded(self.config):
            head = self.net.cube is not None, self.net.cube_hidden
            weights = grown(net, self.net.hidden, *head).state_dict()
        for own in (self.net, self.averaged):
            own.load_state_dict(weights)
        if self.sieve and small and small.hidden == self.sieve.hidden:
            self.sieve.load_state_dict(small.state_dict())
            self.sieve_from = 0
        elif self.sieve and self.config.learn.part in ("net", "cube"):
            raise ConfigError(
                f"learn.part = {self.config.learn.part!r} leaves the sieve of {bot} as it is: "
                "net.sieve must be the same"
            )
        self.earlier_games = int(card.get("games", 0)) + int(card.get("earlier_games", 0))
        self.earlier_hours = round(float(card.get("hours", 0)) + float(card.get("earlier_hours", 0)), 4)

    def _learners(self) -> list[nn.Module]:
        """Whose weights gradient steps change; all others are held."""
        both: list[nn.Module] = [net for net in (self.net, self.sieve) if net is not None]
        parts: dict[str, list[nn.Module | None]] = {
            "all": [self.net, self.sieve],
            "net": [self.net],
            "cube": [self.net.cube],
            "sieve": [self.sieve],
        }
        learners = [part for part in parts[self.config.learn.part] if part is not None]
        for net in both:
            net.requires_grad_(False)
        for learner in learners:
            learner.requires_grad_(True)
        return learners

    @property
    def share(self) -> float:
        """How much of the training is done, 0 to 1."""
        return min(self.games / self.config.train.games, 1.0)

    @property
    def play_net(self) -> ValueNet:
        """The weights for play: the averaged ones, unless averaging is off."""
        return self.averaged if self.config.learn.average else self.net

    def sorter(self, backups: bool = False) -> Sieve | None:
        """What sorts out plays before the net judges them, in games or in exact backups, as it stands; None
        while it is young."""
        if not self.sieve or self.steps < self.sieve_from:
            return None
        play, net = self.config.selfplay, FoldedNet(self.sieve, self.precision)
        return Sieve(net, play.sieve_margin, play.sieve_most if backups else 0)

    def window(self) -> dict[str, float]:
        """Play one window and learn from it; returns what is worth logging, by name."""
        begun = time.perf_counter()
        learn = self.config.learn
        rate, lam = learn.rate(self.share), learn.lam(self.share)
        play = self.config.selfplay
        judge = FoldedNet(self.averaged if play.averaged else self.net, self.precision)
        played = self.selfplay.window(judge, play.window, self.watch, self.sorter(learn.exact_backups))
        with self.watch("learn"):
            losses = self._learn_from(played, judge, rate, lam)
        if not all(torch.isfinite(parameter).all() for parameter in self.parameters):
            losses["train/loss"] = math.nan
        games, *sums = self.ranks.total(played.games, *losses.values())
        self.games += int(games)
        self.seconds += time.perf_counter() - begun
        means = (total / self.ranks.world for total in sums)
        facts = dict(zip(losses, means, strict=True)) | {"train/rate": rate, "train/lambda": lam}
        return facts | _game_facts(played)

    def _learn_from(self, played: Window, judge: FoldedNet, rate: float, lam: float) -> dict[str, float]:
        """Learn from a window that this net has judged; returns the mean losses by name of the log."""
        loss, cube = self._learn(*self._examples(played, judge, lam), rate)
        return {"train/loss": loss} | ({"train/cube": cube} if self.net.cube else {})

    def _examples(self, played: Window, judge: FoldedNet, lam: float) -> tuple[Boards, Probs]:
        """What a window that this net has judged teaches: boards [B, ..., 32] and targets [B, ..., K]."""
        targets = self._targets(played, lam)
        return played.boards.reshape(-1, WIDTH), targets.reshape(-1, targets.shape[-1])

    def _targets(self, played: Window, lam: float) -> Probs:
        """What all outputs of the net should have been [T, N, K]."""
        if played.backups is not None:
            return played.backups
        targets = lambda_returns(played.values[..., :6], played.done, played.results, lam)
        if not self.net.cube:
            return targets
        points = played.results @ self.rules.points
        cubeful = cube_targets(played.values[..., 6:], played.done, points)
        return np.concatenate([targets, cubeful], axis=-1)

    def _learn(self, boards: Boards, targets: Probs, rate: float) -> tuple[float, float]:
        """Gradient steps on as many positions as a window has [B, ..., 32], towards targets [B, ..., K];
        returns the mean losses.

        The first is the cross-entropy of the outcomes less the targets' own entropy, so that 0 is perfect,
        the second half the squared error of the cubeful equities.
        """
        if self.centring:
            some = boards.take(self.rng.integers(0, len(boards), SAMPLE), axis=0).reshape(-1, WIDTH)
            with self.centring.measuring():
                self._see(some)
        losses, fresh = [], len(boards)
        boards, targets = self.replay.add(boards, targets)
        for chosen in self._batches(len(boards), fresh, rate):
            wanted = torch.from_numpy(targets.take(chosen, axis=0)).flatten(0, -2)
            losses.append(self._step(boards.take(chosen, axis=0), wanted.to(self.device)))
        self.ranks.average(self._learned())
        chances = targets[..., :6]
        entropy = -np.mean(np.sum(chances * np.log(np.maximum(chances, 1e-12)), axis=-1))
        outcome, cube = torch.stack(losses).mean(0).tolist()
        return outcome - float(entropy), cube

    def _step(self, boards: Boards, wanted: Tensor) -> Tensor:
        """One gradient step of the net, and of the sieve beside it; returns the net's two losses [2]."""
        outputs, sieved = self._outputs(boards.reshape(-1, WIDTH))
        chances = wanted[:, :6]
        loss = F.cross_entropy(outputs[:, :6].float(), chances)
        cube_loss = (outputs[:, 6:].float() - wanted[:, 6:]).square().sum(1).mean() / 2
        total = loss + self.config.learn.cube_weight * cube_loss + self._extra_loss(outputs, wanted)
        if sieved is not None:
            total = total + F.cross_entropy(sieved.float(), chances)
        self._descend(total)
        self._average()
        return torch.stack([loss, cube_loss]).detach()

    def _extra_loss(self, outputs: Tensor, wanted: Tensor) -> Tensor | float:
        """What else there is to lose."""
        return 0.0

    def _outputs(self, boards: Boards) -> tuple[Tensor, Tensor | None]:
        """What is learned from: what net and sieve make of the boards [N, 32] of a batch."""
        return self._see(boards)

    def _see(self, boards: Boards) -> tuple[Tensor, Tensor | None]:
        """What the net, and the sieve if it learns beside it, make of boards [N, 32]."""
        beside = self.sieve if self.config.learn.part == "all" else None
        inputs = torch.from_numpy(self.net.encoding.inputs(boards)).to(self.device)
        with torch.autocast(self.device, torch.bfloat16, enabled=self.precision == "bfloat16"):
            return self.net(inputs), beside(inputs) if beside else None

    def _batches(self, count: int, taken: int, rate: float) -> Iterator[Index]:
        """Which of so many examples each gradient step takes; sets the rate. Every epoch takes so many of
        them, in another order."""
        whole = self.config.learn.batch
        batch = max(whole // self.ranks.world, min(LEAST_BATCH, whole))
        # Adam divides by the noise of a gradient, which is so much larger in a smaller batch.
        self.optimiser.param_groups[0]["lr"] = rate * math.sqrt(whole / batch)
        for _ in range(self.config.learn.epochs):
            order = self.rng.permutation(count)[:taken]
            for start in range(0, len(order), batch):
                yield order[start : start + batch]

    def _descend(self, loss: Tensor) -> None:
        """Move the weights that learn by one step."""
        for parameter in self.parameters:
            parameter.grad = None
        loss.backward()  # type: ignore[no-untyped-call]
        if self.centring:
            self.centring.gradients()
        self.optimiser.step()
        if self.centring:
            self.centring.steps()

    def _learned(self) -> list[Tensor]:
        """Everything that gradient steps have changed, in the same order on every rank."""
        memory = [
            self.optimiser.state[parameter][name]
            for parameter in self.moved
            for name in sorted(self.optimiser.state[parameter])
        ]
        return [*self.parameters, *self.averaged.parameters(), *memory]

    @torch.no_grad()
    def _average(self) -> None:
        """Move the averaged weights; while they are young, they forget within a tenth of their life."""
        self.steps += 1
        weight = max(1 - self.config.learn.average, YOUTH / (self.steps + YOUTH - 1))
        for average, newest in zip(self.averaged.parameters(), self.net.parameters(), strict=True):
            average.lerp_(newest, weight)


def _random_net(hidden: Sequence[int], config: Config, head: bool = False) -> ValueNet:
    """A net of these layers with random weights from the run's seed; with a cube head where one is wanted."""
    with _seeded(config):
        return ValueNet(hidden, config.net.encoding, head and config.net.cube, config.net.cube_hidden)


@contextmanager
def _seeded(config: Config) -> Iterator[None]:
    """Random weights inside the block come from the run's seed."""
    with torch.random.fork_rng():
        torch.manual_seed(config.train.seed)
        yield


def _game_facts(played: Window) -> dict[str, float]:
    """What the games of a window were like, by name of the log; gammons include backgammons."""
    if not played.games:
        return {}
    ended = played.results[played.done]
    return {
        "games/length": float(played.lengths[played.done].mean()),
        "games/gammons": float(ended[:, :2].sum(1).mean()),
        "games/backgammons": float(ended[:, 0].mean()),
    }
