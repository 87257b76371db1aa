"""One judgement at a time, away from the event loop, and no more waiting than can be served soon."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from nardzero.web.faults import Refused

Answer = TypeVar("Answer")
MOST_WAITING = 32


class Thinker:
    """A thread that does everything that plays or judges, in the order it is asked."""

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._most_waiting = most_waiting
        self._waiting = 0

    async def do(self, work: Callable[[], Answer]) -> Answer:
        """What the work returns. Raises Refused where too many are waiting, and what the work raises."""
        if self._waiting >= self._most_waiting:
            raise Refused(503, "busy", "too many requests are waiting; try again in a moment")
        self._waiting += 1
        self._thread = self._thread or ThreadPoolExecutor(1, "thinker")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    def stop(self) -> None:
        """End the thread once it has nothing to do; whoever asks again gets a new one."""
        if self._thread:
            self._thread.shutdown()
        self._thread = None
