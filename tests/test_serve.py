"""The server as a process: where it listens, what it says, and how it ends."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from nardzero.cli.main import main

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")


def sentence(capsys, *argv):
    """What bad input is told."""
    assert main(["play", *argv]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"nardzero: [^\n]{10,}\n", printed.err)
    return printed.err


@pytest.mark.parametrize(
    "argv",
    [
        ["--port", "70000"],
        ["--port", "none"],
        ["--length", "26"],
        ["--ply", "3"],
        ["--rules", "go"],
        ["--terminal", "--bot", "nobody"],
        ["--no-browser", "--port", "0", "--bot", "nobody"],
        ["--terminal", "--save", f"{__file__}/matches"],
        ["--no-browser", "--host", "no.such.host.invalid"],
    ],
    ids=" ".join,
)
def test_bad_input_gets_one_sentence(capsys, argv):
    sentence(capsys, *argv)


def test_a_port_in_use_is_told(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = sentence(capsys, "--no-browser", "--port", str(port))
    assert f"port {port}" in said
    assert "in use" in said


def test_without_the_extra_the_board_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr("nardzero.cli.play.find_spec", lambda name: None)
    assert 'pip install "nardzero[web]"' in sentence(capsys, "--no-browser")


def started(*argv):
    """A server of its own, and what it said up to where matches are kept."""
    process = subprocess.Popen(
        [sys.executable, "-m", "nardzero", "play", "--no-browser", "--port", "0", "--bot", "random", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )
    said = []
    while not said or "atches" not in said[-1]:
        said.append(process.stdout.readline())
        assert said[-1], process.stderr.read()
    return process, "".join(said)


def test_it_says_where_it_is_serves_and_ends_quietly_with_ctrl_c(tmp_path):
    process, said = started("--save", str(tmp_path / "kept"))
    try:
        host, port = re.search(r"http://(127\.0\.0\.1):(\d+)/", said).groups()
        assert "Other machines" not in said
        assert str(tmp_path / "kept") in said
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request("GET", "/")
        assert b"<html" in connection.getresponse().read()
        connection.request("GET", "/", headers={"Host": "evil.example"})
        assert connection.getresponse().status == 403
        connection.close()
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert out == ""
    assert all("it takes some seconds" in line for line in err.splitlines())  # tables made for the first time
    assert process.returncode in (0, 130)


def test_on_an_open_address_it_says_that_others_can_come_in():
    process, said = started("--host", "0.0.0.0")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert "Other machines" in said
    assert "--save FOLDER" in said
