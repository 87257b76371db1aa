"""Duels written down: a file with one JSON object a line, so that none is lost or played twice."""

import errno
import fcntl
import json
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from nardzero.game.errors import InvalidInput
from nardzero.game.rules import Ruleset
from nardzero.model.evaluator import Evaluator
from nardzero.play.agents import Agent
from nardzero.play.judges import judge_name
from nardzero.play.result import DuelResult
from nardzero.version import __version__

Row = dict[str, Any]


class InvalidRecord(InvalidInput):
    """A file that holds something else than duels."""


def cpu_seconds() -> float:
    """The CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def weights_of(judge: object) -> str | None:
    """The SHA-256 of the weights that an agent or evaluator judges by; None without any."""
    for inner in ("evaluator", "base"):
        judge = getattr(judge, inner, judge)
    card = getattr(judge, "card", None) or {}
    return card.get("sha256")


class Written(Protocol):
    """A result that can be written down."""

    def to_json(self) -> Row:
        """All of it by name."""
        ...


def terms(
    a: Agent,
    b: Agent,
    judge: Evaluator | None,
    rules: Ruleset,
    seed: int,
    games: int,
    se: float | None,
    cube: Row | None = None,
) -> Row:
    """What a duel is asked to be; the same terms give the same result. `cube` says what is played with it."""
    return {
        "a": a.name,
        "b": b.name,
        "rules": rules.name,
        "seed": seed,
        "asked": {"games": games, "se": se, "luck": judge_name(judge), **({"cube": cube} if cube else {})},
        "weights": {"a": weights_of(a), "b": weights_of(b), "luck": weights_of(judge)},
    }


@dataclass(frozen=True)
class Record:
    """A file of duels, made if it is not there."""

    path: Path
    """The file."""
    command: str = ""
    """The command that the duels are played for."""

    def __post_init__(self) -> None:
        # What cannot be written, or is no record, should be said before hours of play, not after.
        if self.path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(self.path))
        self.path.touch()
        if self.path.is_file():
            for _ in self._rows():
                pass

    def add(self, terms: Row, result: Written, seconds: float) -> None:
        """Write down a duel that was asked for in these terms and took so many seconds of CPU time."""
        origin = {
            "versions": {
                "nardzero": __version__,
                "python": platform.python_version(),
                **{package: version(package) for package in ("numpy", "torch")},
            },
            "command": self.command,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "cpu_seconds": round(seconds, 2),
        }
        self._append(json.dumps(terms | result.to_json() | origin))

    def once(self, terms: Row, play: Callable[[], DuelResult]) -> DuelResult:
        """The duel of these terms: as it is written down, or else played and written down."""
        result = self.find(terms)
        if result is None:
            before = cpu_seconds()
            result = play()
            self.add(terms, result, cpu_seconds() - before)
        return result

    def find(self, terms: Row) -> DuelResult | None:
        """The duel that was asked for in these terms, if it is written down.

        Raises InvalidRecord for a file that holds something else.
        """
        for number, row in self._rows():
            if all(row.get(name) == wanted for name, wanted in terms.items()):
                try:
                    return DuelResult.from_json(row)
                except (KeyError, TypeError, ValueError) as fault:
                    raise InvalidRecord(f"{self.path}, line {number}, is no duel ({fault!r})") from None
        return None

    def _rows(self) -> Iterator[tuple[int, Row]]:
        lines = self.path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if isinstance(row, dict):
                yield number, row
            elif number < len(lines):
                raise InvalidRecord(
                    f"{self.path}, line {number}, is not a JSON object; give the log of duels, or a new file"
                )
            # The last line is empty, or was torn off by a machine that stopped; the next one replaces it.

    def _append(self, line: str) -> None:
        """Add a line: all of it or nothing, and apart from what others add meanwhile."""
        with self.path.open("ab", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            end = self._end_of_lines(file.seek(0, os.SEEK_END))
            if end is not None:
                file.truncate(end)
            data = f"{line}\n".encode()
            try:
                if file.write(data) < len(data):
                    raise OSError(f"no room for a line in {self.path}")
            except BaseException:
                with suppress(OSError):
                    file.truncate(end)
                raise

    def _end_of_lines(self, size: int) -> int | None:
        """Where a torn last line begins, or the size; None for what is no file, such as a pipe."""
        if not self.path.is_file():
            return None
        return size - len(self.path.read_bytes().split(b"\n")[-1])
