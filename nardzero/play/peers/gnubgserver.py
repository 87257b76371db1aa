"""The program GNU Backgammon, started by us to answer one line at a time on a socket of the file system.

It lives as long as our process does. A small shell stands between, which waits for the end of a pipe that
only we hold and then ends the program: so it goes whether we finish, are interrupted or are killed.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple, TextIO

from nardzero.play.peers.engine import PeerMissing, StrangePlay

PROGRAM, DEBIAN = "gnubg", "/usr/games:/usr/local/games"
"""What it is called, and where Debian has such programs, which need not be on the PATH."""
PATIENCE = 60.0
"""Seconds that it may take to start, or to answer."""
GUARD = '"$0" "$@" </dev/null >/dev/null 2>&1 & cat >/dev/null; kill -9 $! 2>/dev/null'
"""Runs a program until its own input ends."""


class Settings(NamedTuple):
    """How it judges; 0 to 2 plies with the filters that it has for them, and no noise."""

    ply: int
    """How far it looks ahead."""
    cubeful: bool
    """Whether it chooses plays by cubeful equity."""

    @property
    def commands(self) -> list[str]:
        """The same as it is told."""
        play, cube = "set evaluation chequerplay", "set evaluation cubedecision"
        return [
            "set threads 1",
            "set beavers 0",
            "set jacoby off",
            *(f"{kind} type evaluation" for kind in (play, cube)),
            *(f"{kind} evaluation plies {self.ply}" for kind in (play, cube)),
            *(f"{kind} evaluation noise 0" for kind in (play, cube)),
            f"{play} evaluation cubeful {'on' if self.cubeful else 'off'}",
        ]


class Server:
    """A running program. Errors on its side are raised as StrangePlay."""

    def __init__(self, settings: Settings) -> None:
        """Starts it. Raises PeerMissing where it is not installed or does not come up."""
        program = find_program()
        with tempfile.TemporaryDirectory(prefix="nardzero-") as folder:
            place, script = Path(folder) / "socket", Path(folder) / "commands"
            script.write_text("\n".join([*settings.commands, f"external {place}", ""]))
            # A session of its own keeps Ctrl-C from it, and a home of its own its user's settings.
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", GUARD, program, "-t", "-q", "-r", "-c", str(script)],
                stdin=subprocess.PIPE,
                start_new_session=True,
                env=os.environ | {"HOME": folder, "LC_ALL": "C"},
            )
            try:
                self._socket = _connect(place)
            except BaseException:
                self.stop()
                raise
        self._answers: TextIO = self._socket.makefile("r", encoding="ascii")

    def ask(self, line: str) -> str:
        """Its answer to a line. Raises StrangePlay where it refuses or says nothing."""
        try:
            self._socket.sendall(f"{line}\n".encode())
            answer = self._answers.readline()
        except OSError as fault:
            raise StrangePlay(f"GNU Backgammon does not answer ({fault})") from None
        if not answer or answer.startswith("Error"):
            raise StrangePlay(
                f"GNU Backgammon does not understand {line!r}: {answer.strip() or 'it has ended'}"
            )
        return answer.strip()

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@cache
def server(settings: Settings) -> Server:
    """The program with these settings, started once a process. Raises PeerMissing where that fails."""
    return Server(settings)


def find_program() -> str:
    """The path of the program. Raises PeerMissing where it is not installed."""
    found = shutil.which(PROGRAM, path=DEBIAN) or shutil.which(PROGRAM)
    if found is None:
        raise PeerMissing(
            "the program gnubg is not installed: apt install gnubg, or take gnubg:0 and pip install gnubg-nn"
        )
    return found


def _connect(place: Path) -> socket.socket:
    """The program's end of the line, once it listens. Raises PeerMissing if it does not come to that."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(PATIENCE)
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        try:
            line.connect(str(place))
        except (FileNotFoundError, ConnectionRefusedError):
            time.sleep(0.02)
        else:
            return line
    line.close()
    raise PeerMissing("the program gnubg is installed but does not start to listen on a socket")
