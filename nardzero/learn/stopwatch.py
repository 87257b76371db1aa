"""Where the time of training goes."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """CPU time by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Add the CPU time of the block to the stage."""
        begun = time.process_time()
        try:
            yield
        finally:
            self.seconds[stage] += time.process_time() - begun

    def shares(self) -> dict[str, float]:
        """The share of each stage in the sum of all."""
        total = sum(self.seconds.values())
        return {stage: spent / total for stage, spent in self.seconds.items()} if total else {}
