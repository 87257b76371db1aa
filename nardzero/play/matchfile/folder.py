"""A folder of match files: one is written without touching any other, and read by its name."""

import os
import re
import tempfile
from datetime import date
from pathlib import Path

from nardzero.game.errors import InvalidInput
from nardzero.play.matchfile.record import MatchRecord
from nardzero.play.matchfile.write import format_match

SUFFIX = ".mat"
NAME = re.compile(r"[\w][\w .()+-]{0,120}\.mat", re.ASCII)
LARGEST = 1 << 20
"""The largest file that is read, in bytes."""


class MatchFolder:
    """The folder where finished matches are kept."""

    def __init__(self, path: Path) -> None:
        """Made if it is not there. Raises OSError where it cannot be."""
        path.mkdir(parents=True, exist_ok=True)
        self.path = path

    def write(self, match: MatchRecord, day: date | None = None) -> Path:
        """Write a match to a new file, whole or not at all. Raises OSError."""
        handle, draft = tempfile.mkstemp(dir=self.path, prefix=".", suffix=".part")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(format_match(match))
            os.chmod(draft, 0o644)
            path = self._reserve((day or date.today()).isoformat())
            os.replace(draft, path)
            return path
        finally:
            Path(draft).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """The match files, newest first."""
        files = [
            path for path in self.path.glob(f"*{SUFFIX}") if NAME.fullmatch(path.name) and path.is_file()
        ]
        return [path.name for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)]

    def read(self, name: str) -> str:
        """The text of a match file. Raises InvalidInput for a name that is not there, and a huge file."""
        if not NAME.fullmatch(name) or name not in self.names():
            raise InvalidInput(f"there is no match file {name!r} in the folder")
        path = self.path / name
        if path.stat().st_size > LARGEST:
            raise InvalidInput(f"{name} is larger than {LARGEST >> 10} KiB, so it is hardly a match")
        return path.read_bytes().decode("utf-8-sig", errors="replace")

    def _reserve(self, day: str) -> Path:
        """The first free name of a day, taken by an empty file."""
        number = 1
        while True:
            path = self.path / f"{day}-{number}{SUFFIX}"
            try:
                path.touch(exist_ok=False)
                return path
            except FileExistsError:
                number += 1
