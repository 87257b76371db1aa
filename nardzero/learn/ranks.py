"""The processes that train one model together, each playing games of its own: data-parallel training.

torchrun starts them and tells each its place. A run of a single process pays nothing for this.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

Item = TypeVar("Item")

LET_GO = 0.3
"""Seconds between the last message and the end of the processes' connection."""


class RankLost(RuntimeError):
    """Another process of the training has died, so this one cannot go on."""


@dataclass(frozen=True)
class Ranks:
    """This process among those that train together."""

    rank: int = 0
    """Which one this is, from 0. Rank 0 writes, logs and talks."""
    world: int = 1
    """How many there are."""

    @property
    def leads(self) -> bool:
        """Whether this process is the one that writes."""
        return self.rank == 0

    def part(self, whole: int) -> int:
        """How many of so many things are this process's."""
        return whole // self.world + (self.rank < whole % self.world)

    @torch.no_grad()
    def average(self, tensors: Sequence[Tensor]) -> None:
        """In place: every tensor becomes its mean over the processes; one message for all of them."""
        if self.world == 1:
            return
        # Through the CPU's memory, where every device can reach it.
        flat = torch.cat([tensor.reshape(-1).cpu() for tensor in tensors])
        with _together():
            dist.all_reduce(flat)
        means = torch.split(flat / self.world, [tensor.numel() for tensor in tensors])
        for tensor, mean in zip(tensors, means, strict=True):
            tensor.copy_(mean.view_as(tensor))

    def total(self, *values: float) -> list[float]:
        """The sum of each value over the processes."""
        if self.world == 1:
            return list(values)
        sums = torch.tensor(values, dtype=torch.float64)
        with _together():
            dist.all_reduce(sums)
        return sums.tolist()

    def gather(self, item: Item) -> list[Item]:
        """What each process has, by rank."""
        if self.world == 1:
            return [item]
        items: list[Any] = [None] * self.world
        with _together():
            dist.all_gather_object(items, item)
        return items


def leads() -> bool:
    """Whether this process is, or would be, rank 0."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def joined() -> Iterator[Ranks]:
    """The processes that torchrun has started, this one alone if it did not start any."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield Ranks()
        return
    dist.init_process_group("gloo")
    try:
        yield Ranks(dist.get_rank(), dist.get_world_size())
        # The threads of gloo let go of their last message a moment after it has arrived; a group that is gone
        # by then aborts the process.
        time.sleep(LET_GO)
    finally:
        dist.destroy_process_group()


@contextmanager
def _together() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise RankLost("another process of this training has died") from error
