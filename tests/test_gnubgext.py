"""GNU Backgammon as a program of its own: what it is told, how answers are read, that it ends with us."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from nardzero.cli.main import main
from nardzero.game.board import Board
from nardzero.game.rules import RULESETS
from nardzero.judge.standing import AFTER, BEFORE, CRAWFORD, Standing
from nardzero.play.agents import Turn, agent
from nardzero.play.arena import duel
from nardzero.play.cubeagents import BeforeRoll, CubeAgent
from nardzero.play.peers import gnubgserver
from nardzero.play.peers.engine import PeerMissing, StrangePlay
from nardzero.play.peers.gnubgext import GnubgExt, after_play, fibs_line
from nardzero.play.peers.gnubgserver import DEBIAN, PROGRAM, Server, Settings, find_program

STANDARD = RULESETS["standard"]
RNG = np.random.default_rng(0)
START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
INSTALLED = shutil.which(PROGRAM, path=DEBIAN) or shutil.which(PROGRAM)
needs_it = pytest.mark.skipif(INSTALLED is None, reason="the program gnubg is not installed")

FAKE = f"""#!{sys.executable}
import os, socket, sys
commands = open(sys.argv[-1]).read().split("\\n")
place = next(line for line in commands if line.startswith("external")).split()[1]
listening = socket.socket(socket.AF_UNIX)
listening.bind(place)
listening.listen()
line = listening.accept()[0]
for asked in line.makefile():
    answer = str(os.getpid()) if asked == "pid\\n" else "Error: no" if asked == "bad\\n" else "24/18 13/11"
    line.sendall((answer + "\\n").encode())
import time
time.sleep(60)
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A program in the place of GNU Backgammon that does not end when it is left alone."""
    program = tmp_path / "fake-gnubg"
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setattr(gnubgserver, "find_program", lambda: str(program))
    return program


def gone(pid, patience=20.0):
    last = time.monotonic() + patience
    while time.monotonic() < last:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def match(away, other, phase=BEFORE):
    return Standing.match(7, np.array([away]), np.array([other]), np.array([phase]))


# What it is told.


def fields(line):
    return line.removeprefix("board:we:they:").split(":")


def test_a_position_is_told_as_fibs_writes_it():
    told = fields(fibs_line(START, (3, 1), Standing.money(1), 0))
    board = ":".join(map(str, START))
    assert ":".join(told) == f"0:0:0:{board}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"


def test_checkers_off_and_on_the_bar_are_counted():
    board = Board.parse("x bar:2 6:5; o bar:1 24:4").position.tolist()
    told = fields(fibs_line(board, (0, 0), Standing.money(1), 0))
    assert told[3] == "-1"
    assert told[28] == "2"
    assert told[42:46] == ["8", "10", "2", "1"]


@pytest.mark.parametrize(("place", "may"), [(0, ["1", "1"]), (1, ["1", "0"]), (2, ["0", "1"])])
def test_who_may_double_is_told(place, may):
    standing = replace(Standing.money(1), cube=np.array([4]), place=np.array([place]))
    told = fields(fibs_line(START, (0, 0), standing, 0))
    assert told[34:37] == ["4", *may]


def test_scores_of_a_double_and_of_everything_else_come_in_the_order_that_it_reads():
    standing = match(5, 1, AFTER)
    assert fields(fibs_line(START, (0, 0), standing, 0))[:3] == ["7", "6", "2"]
    doubled = fields(fibs_line(START, (0, 0), standing, 0, doubled=True))
    assert doubled[:3] == ["7", "2", "6"]
    assert (doubled[37], doubled[-1]) == ("1", "1")
    assert fields(fibs_line(START, (0, 0), match(5, 1, CRAWFORD), 0))[-2:] == ["0", "0"]


def test_the_jacoby_rule_is_told():
    assert fibs_line(START, (0, 0), Standing.money(1, jacoby=True), 0).endswith(":0 jacobyrule on")


# What it answers.


@pytest.mark.parametrize(
    ("position", "play", "after"),
    [
        ("x 13:5 8:3; o 1:2", "13/8 13/11", "x 13:3 11:1 8:4; o 1:2"),
        ("x bar:1 6:2; o 20:1 3:1", "25/20* 6/3*", "x 20:1 6:1 3:1; o bar:2"),
        ("x 6:2 5:1; o 24:2", "6/0 5/0", "x 6:1; o 24:2"),
        ("x bar:2; o 20:2", "", "x bar:2; o 20:2"),
    ],
)
def test_its_plays_are_read(position, play, after):
    board = Board.parse(position).position.tolist()
    assert after_play(board, play) == Board.parse(after).position.tobytes()


@pytest.mark.parametrize("play", ["roll", "8/", "99/98", "8-5"])
def test_what_is_no_play_is_refused(play):
    with pytest.raises(StrangePlay, match="no play"):
        after_play(START, play)


# How it lives and ends.


def test_without_the_program_one_sentence_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(gnubgserver.shutil, "which", lambda *_, **__: None)
    with pytest.raises(PeerMissing, match="apt install gnubg"):
        find_program()
    assert main(["arena", "gnubg-ext:0", "pips", "--games", "2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["arena", "gnubg-ext:9", "pips", "--games", "2"]) == 2
    assert "gnubg-ext:0, gnubg-ext:1, gnubg-ext:2" in capsys.readouterr().err


def test_it_answers_and_stops(fake):
    server = Server(Settings(0, False))
    assert server.ask("board:…") == "24/18 13/11"
    pid = int(server.ask("pid"))
    with pytest.raises(StrangePlay, match="does not understand 'bad'"):
        server.ask("bad")
    server.stop()
    assert gone(pid)
    with pytest.raises(StrangePlay):
        server.ask("pid")


def test_a_program_that_does_not_listen_is_told_of(fake, monkeypatch):
    fake.write_text("#!/bin/sh\nexit 1\n")
    monkeypatch.setattr(gnubgserver, "PATIENCE", 0.2)
    with pytest.raises(PeerMissing, match="does not start"):
        Server(Settings(0, False))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_however_we_do(fake, how):
    code = f"""
import signal, time
from nardzero.play.peers import gnubgserver
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background is started without
gnubgserver.find_program = lambda: {str(fake)!r}
server = gnubgserver.Server(gnubgserver.Settings(0, False))
print(server.ask("pid"), flush=True)
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as us:
        pid = int(us.stdout.readline())
        us.send_signal(how)
        us.wait()
    assert gone(pid)


# The program itself.


@pytest.mark.peer
@needs_it
def test_it_plays_and_leaves_nothing_behind():
    gnubgserver.server.cache_clear()
    result = duel("gnubg-ext:0", "pips", games=20)
    assert result.ppg > 0.5
    assert duel("gnubg-ext:0", "pips", games=20).ppg == result.ppg
    server = gnubgserver.server(Settings(0, False))
    server.stop()
    gnubgserver.server.cache_clear()
    assert server._process.returncode is not None


@pytest.mark.peer
@needs_it
def test_it_plays_openings_as_everybody_does():
    boards = np.tile(STANDARD.start_board, (3, 1))
    turn = Turn.of(boards, np.array([[3, 1], [4, 2], [6, 1]]), STANDARD)
    after = turn.after[GnubgExt(0).choose(turn, RNG)]
    expected = [after_play(START, play) for play in ("8/5 6/5", "8/4 6/4", "13/7 8/7")]
    assert [row.tobytes() for row in after] == expected


@pytest.mark.peer
@needs_it
def test_it_doubles_and_takes():
    engine = agent("gnubg-ext:0")
    assert isinstance(engine, CubeAgent)
    ahead = Board.parse("x 6:5 5:5 4:5; o 13:3 17:3 19:3 20:3 21:3").position
    boards = np.stack([ahead, np.array(START, np.int8)])
    before = BeforeRoll(boards, Standing.money(2), STANDARD)
    assert engine.offer(before, RNG).tolist() == [True, False]
    assert engine.take(before, RNG).tolist() == [False, True]


@pytest.mark.peer
@needs_it
def test_it_knows_the_score():
    """After the Crawford game who is behind doubles at once; the leader, far from it, would not."""
    for standing, doubles in ((match(5, 1, AFTER), True), (match(1, 5, AFTER), False), (match(5, 2), False)):
        before = BeforeRoll(np.array([START], np.int8), standing, STANDARD)
        assert GnubgExt(0).offer(before, RNG).tolist() == [doubles]
