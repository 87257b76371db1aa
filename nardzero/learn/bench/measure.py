"""How things are measured: CPU time on one core, medians, peak memory."""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

STATUS = Path("/proc/self/status")
"""Where Linux tells what a process uses."""


def median_seconds(work: Callable[[int], object], repeats: int) -> float:
    """The median CPU time in seconds of `work(1)`, `work(2)`, … up to so many repeats.

    `work(0)` comes first and does not count: it fills caches and pages, as all that follow find them.
    """
    work(0)
    return statistics.median(cpu_seconds(work, repeat) for repeat in range(1, repeats + 1))


def cpu_seconds(work: Callable[[int], object], repeat: int) -> float:
    """The CPU time in seconds of `work(repeat)`, of all threads together."""
    begun = time.process_time()
    work(repeat)
    return time.process_time() - begun


def peak_memory() -> float:
    """The most memory that this process has held at once, in MB (10^6 bytes)."""
    if STATUS.exists():
        # getrusage would count what the parent held when it started this process.
        peak = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
