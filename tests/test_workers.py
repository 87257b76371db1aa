"""Work shared among processes: the same results as alone, and nothing left behind when things go wrong."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes import RaceEvaluator, write_bot

from nardzero.game.errors import InvalidInput
from nardzero.model.threads import one_thread
from nardzero.play import arena
from nardzero.play.agents import EvaluatorAgent, RandomAgent, settle
from nardzero.play.arena import duel
from nardzero.play.workers import NotShareable, WorkerDied, in_order, share


def square(number, progress):
    """A task: slower for smaller numbers, so that they end out of order."""
    time.sleep(0.2 / (number + 1))
    progress(1)
    return number**2


def threads(name, progress):
    return os.environ[name]


def fail(number, progress):
    raise InvalidInput(f"{number} is not wanted")


def die(number, progress):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(autouse=True)
def _nothing_is_left():
    yield
    assert multiprocessing.active_children() == []


def test_results_come_in_the_order_of_the_tasks():
    told = []
    assert share(square, range(5), 2, told.append) == [0, 1, 4, 9, 16]
    assert sum(told) == 5


def test_who_has_seen_enough_stops_the_rest():
    results = in_order(square, range(1000), 2)
    assert [next(results), next(results)] == [0, 1]
    results.close()
    assert multiprocessing.active_children() == []


def test_a_worker_computes_with_one_thread_and_its_parent_as_before():
    before = dict(os.environ)
    assert share(threads, ["OMP_NUM_THREADS"], 1) == ["1"]
    assert os.environ == before


def test_what_goes_wrong_in_a_worker_is_raised_here():
    with pytest.raises(InvalidInput, match="7 is not wanted") as raised:
        share(fail, [7], 1)
    assert "Traceback" in raised.value.__notes__[0]


def test_a_worker_that_dies_is_missed():
    with pytest.raises(WorkerDied, match=r"ended by SIGKILL before its work was done"):
        share(die, [1, 2], 2)


def test_what_does_not_pickle_is_refused():
    with pytest.raises(NotShareable, match="give it by name, or use 1 worker"):
        share(lambda task, progress: task, [1], 1)


@pytest.fixture
def _small_chunks(monkeypatch):
    monkeypatch.setattr(arena, "CHUNK", 16)


@pytest.mark.usefixtures("_small_chunks")
def test_any_number_of_workers_gives_the_same_result():
    told = []
    alone = duel("random", "pips", 80, "takhteh", seed=3)
    for workers in (2, 3, 9):
        assert duel("random", "pips", 80, "takhteh", 3, told.append, workers) == alone
    assert sum(told) == 3 * 80


@pytest.mark.usefixtures("_small_chunks")
def test_bots_play_the_same_games_in_workers(tmp_path):
    bot = write_bot(tmp_path / "bot")
    race = EvaluatorAgent(RaceEvaluator(), "race")
    assert duel(bot, race, 64, workers=2) == duel(bot, race, 64)


@pytest.mark.usefixtures("_small_chunks")
def test_an_agent_that_cannot_be_sent_is_refused():
    agent = RandomAgent(name=(part for part in "random"))
    with pytest.raises(NotShareable, match="generator"):
        duel(agent, "pips", 64, workers=2)


def test_a_run_that_goes_on_saving_is_the_same_bot_for_all(tmp_path):
    first = write_bot(tmp_path / "step-0000000001")
    settled = settle(tmp_path)
    write_bot(tmp_path / "step-0000000002")
    assert settled == first
    assert settle("pips") == "pips"


def test_pytorch_uses_one_thread_in_a_duel_and_as_many_as_before_after_it():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with one_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def group_is_gone(group):
    """Whether no process of the group is left, after a while."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopping_the_command_is_quiet_and_stops_its_workers(how):
    # Shells that start something in the background have it ignore Ctrl-C, and so this test may have to undo.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from nardzero.cli.main import main; print('ready', flush=True); "
        "sys.exit(main(['arena', 'random', 'pips', '--games', '1000000', '--workers', '2']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"ready\n"
    time.sleep(1)  # the workers start, and play
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does
    else:
        process.kill()
    out, err = process.communicate(timeout=20)
    assert (out, err) == (b"", b"")
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert group_is_gone(process.pid)
