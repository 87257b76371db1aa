"""What was measured, as a table for people and as JSON."""

import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from nardzero.learn.bench.effort import layers
from nardzero.learn.bench.generator import GeneratorRow
from nardzero.learn.bench.judging import JudgingRow
from nardzero.learn.bench.looking import LookingRow
from nardzero.learn.bench.peers import PeerSpeed
from nardzero.learn.bench.training import TrainingRow
from nardzero.play.peers.gnubg import PACKAGE
from nardzero.version import __version__

CPUINFO = Path("/proc/cpuinfo")
"""Where Linux tells what the processor is."""
DEEP = 2
"""The plies of lookahead that are compared."""
STAGES = ("generate", "sieve", "judge", "choose", "learn")
"""The stages of training, in the order they come in."""


@dataclass(frozen=True)
class Machine:
    """What it was measured on."""

    cpu: str
    """The processor, as it calls itself."""
    cores: int
    """Its cores; one was used."""
    vectors: str
    """The vector instructions that PyTorch uses."""
    python: str
    """Versions, of Python and what computes."""
    numpy: str
    torch: str
    nardzero: str

    @classmethod
    def this(cls) -> "Machine":
        """The machine this runs on."""
        return cls(
            cpu=_cpu(),
            cores=os.cpu_count() or 1,
            vectors=torch.backends.cpu.get_cpu_capability(),
            python=platform.python_version(),
            numpy=np.__version__,
            torch=torch.__version__,
            nardzero=__version__,
        )


def _cpu() -> str:
    if CPUINFO.exists():
        for line in CPUINFO.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class Report:
    """All that a bench has measured."""

    machine: Machine
    quick: bool
    """Whether it was only a trial, with figures that mean little."""
    length: float
    """Plies of a game of trained play, which games a second count by."""
    generator: list[GeneratorRow]
    judging: list[JudgingRow]
    looking: list[LookingRow]
    training: list[TrainingRow]
    peer: PeerSpeed | None
    """What another engine does, if that was asked."""

    def comparison(self) -> list[dict[str, str | float]]:
        """What nardzero and the other engine do a second, and the ratio; the first of the nets counts."""
        if self.peer is None:
            return []
        net = layers(self.judging[0].hidden)
        rows = (
            (
                "distinct afterstates found",
                max(row.afterstates_per_second for row in self.generator if row.rules == "standard"),
                self.peer.afterstates_per_second,
            ),
            (f"afterstates judged, {net}", 1e6 / self.judging[0].float32, self.peer.positions_per_second),
            (
                f"games played, {self.training[0].case} with learning",
                self.training[0].games_per_second,
                self.peer.games_per_second,
            ),
            *(
                ("plays chosen at 2-ply", row.decisions_per_second, self.peer.decisions_per_second)
                for row in self.looking[-1:]
                if row.ply == DEEP
            ),
        )
        return [
            {"what": what, "nardzero": ours, "peer": theirs, "ratio": ours / theirs}
            for what, ours, theirs in rows
        ]

    def to_json(self) -> dict[str, object]:
        """Everything, ready for `json.dumps`; times are CPU time of one core."""
        peer = None if self.peer is None else {"package": PACKAGE, **asdict(self.peer)}
        return {
            "machine": asdict(self.machine),
            "quick": self.quick,
            "plies_per_game": self.length,
            "generator": [asdict(row) for row in self.generator],
            "judging": [{**asdict(row), "gain": row.gain} for row in self.judging],
            "looking": [asdict(row) for row in self.looking],
            "training": [asdict(row) for row in self.training],
            "peer": peer,
            "comparison": self.comparison(),
        }

    def __str__(self) -> str:
        parts = (
            self._head(),
            self._generator(),
            self._judging(),
            self._looking(),
            self._training(),
            self._comparison(),
        )
        return "\n".join(line for part in parts for line in part)

    def _head(self) -> Iterator[str]:
        machine = self.machine
        yield f"{machine.cpu}, one of {machine.cores} cores, {machine.vectors}; CPU time, medians"
        yield (
            f"nardzero {machine.nardzero}, Python {machine.python}, NumPy {machine.numpy}, "
            f"PyTorch {machine.torch}"
        )
        if self.quick:
            yield "A quick trial: these figures mean little."

    def _generator(self) -> Iterator[str]:
        yield ""
        yield "Finding plays: million distinct afterstates/s, in positions of trained play"
        batches = sorted({row.games for row in self.generator})
        yield f"{'games at once':30}" + "".join(f"{games:>12,}" for games in batches)
        for rules in dict.fromkeys(row.rules for row in self.generator):
            rows = {row.games: row for row in self.generator if row.rules == rules}
            for how, field in (
                ("afterstates()", "afterstates_per_second"),
                ("in training", "inside_per_second"),
            ):
                yield f"{f'{rules}, {how}':30}" + "".join(
                    f"{getattr(rows[games], field) / 1e6:12.1f}" for games in batches
                )

    def _judging(self) -> Iterator[str]:
        yield ""
        yield "Judging sibling afterstates: µs a board"
        yield f"{'net':30}{'float32':>12}{'bfloat16':>12}{'auto takes':>14}"
        for row in self.judging:
            yield f"{layers(row.hidden):30}{row.float32:12.2f}{row.bfloat16:12.2f}{row.automatic:>14}"

    def _looking(self) -> Iterator[str]:
        yield ""
        yield "Choosing plays with lookahead, the shipped bot: decisions/s"
        yield f"{'':30}{'decisions at once':>20}{'decisions/s':>14}"
        for row in self.looking:
            yield f"{f'{row.ply}-ply':30}{row.at_once:20}{row.decisions_per_second:14,.0f}"

    def _training(self) -> Iterator[str]:
        yield ""
        yield f"Learning: games/s at {self.length:.0f} plies a game, peak memory, shares of the time"
        yield f"{'net':24} {'':8}{'games/s':>8}{'MB':>5}" + "".join(f" {stage}" for stage in STAGES)
        for row in self.training:
            case = f"{row.case!s:24} {row.case.precision:8}"
            figures = f"{row.games_per_second:8,.0f}{row.peak_mb:5,.0f}"
            shares = "".join(f" {row.shares.get(stage, 0):{len(stage)}.0%}" for stage in STAGES)
            yield case + figures + shares

    def _comparison(self) -> Iterator[str]:
        if self.peer is None:
            return
        yield ""
        their_name = f"{PACKAGE} {self.peer.version}"
        yield f"{'A second, each called from Python':40}{'nardzero':>12}{their_name:>20}{'ratio':>8}"
        for row in self.comparison():
            yield f"{row['what']:40}{row['nardzero']:12,.0f}{row['peer']:20,.0f}{row['ratio']:8.1f}"
