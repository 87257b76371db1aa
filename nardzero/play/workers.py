"""Work shared among processes: the same results in the same order, however many there are.

Processes start afresh ("spawn"): a copy of this one ("fork") would inherit the locks of PyTorch's threads
without the threads that open them. Each has one thread to compute with, and ends when its parent does.
"""

import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from nardzero.game.errors import InvalidInput

Task = TypeVar("Task")
Result = TypeVar("Result")
Progress = Callable[[int], object]
"""Told, from time to time, how much more is done."""

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""What tells NumPy and PyTorch, when they are imported, how many threads to use."""
PROGRESS, DONE, FAILED = "progress", "done", "failed"
"""What a worker tells: a number, a result, an exception."""


class NotShareable(InvalidInput):
    """Work that cannot be sent to another process."""


class WorkerDied(InvalidInput):
    """A process that ended before its work was done."""


def share(
    work: Callable[[Task, Progress], Result],
    tasks: Sequence[Task],
    workers: int,
    progress: Progress | None = None,
) -> list[Result]:
    """`[work(task, progress) for task in tasks]`, by so many other processes; none is left behind.

    Raises NotShareable where the work does not pickle, WorkerDied where a process ends too soon, and
    whatever the work raises.
    """
    return list(in_order(work, tasks, workers, progress))


def in_order(
    work: Callable[[Task, Progress], Result],
    tasks: Sequence[Task],
    workers: int,
    progress: Progress | None = None,
) -> Generator[Result, None, None]:
    """The same one result after the other, as soon as those before it are there.

    Whoever has seen enough closes it, which stops the processes.
    """
    packed, early = _pack(work), dict[int, Result]()
    waiting = iter(enumerate(tasks))
    with ExitStack() as stack:
        crew = _hire(min(workers, len(tasks)), stack)
        for worker in crew:
            worker.send(packed)
            worker.begin(*next(waiting))
        arriving = _arriving(crew, waiting, progress)
        for number in range(len(tasks)):
            while number not in early:
                early.update([next(arriving)])
            yield early.pop(number)


def _arriving(
    crew: list["Worker"], waiting: Iterator[tuple[int, object]], progress: Progress | None
) -> Iterator[tuple[int, Any]]:
    """Results as they come, with their numbers; who is done gets what is waiting."""
    while True:
        ready = wait([worker.link for worker in crew])
        for worker in (worker for worker in crew if worker.link in ready):
            what, told = worker.receive()
            if what == FAILED:
                raise told
            if what == DONE:
                done = worker.number
                if following := next(waiting, None):
                    worker.begin(*following)
                yield done, told
            elif progress:
                progress(told)


class Worker:
    """Another process, that does one task after the other."""

    def __init__(self) -> None:
        self.link, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        # Only when nobody else holds it does the end of the process end the connection.
        theirs.close()
        self.number = -1  # the task it is at

    def begin(self, number: int, task: object) -> None:
        """Give it the task of that number."""
        self.number = number
        self.send(task)

    def send(self, thing: object) -> None:
        """Send it something. Raises WorkerDied where nobody is there."""
        with self._alive():
            self.link.send(thing)

    def receive(self) -> tuple[str, Any]:
        """What it tells next: PROGRESS, DONE or FAILED, and with what. Raises WorkerDied."""
        with self._alive():
            what, told = self.link.recv()
        return what, told

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.link.close()

    @contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, ConnectionError):
            self._process.join()
            code = self._process.exitcode or 0
            how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
            raise WorkerDied(
                f"a worker process ended {how} before its work was done, perhaps for want of memory"
            ) from None


def _hire(workers: int, stack: ExitStack) -> list[Worker]:
    """So many workers, that stop when the stack is closed."""
    crew = []
    with _one_thread_each(), _ctrl_c_held_back():
        for _ in range(workers):
            crew.append(Worker())
            stack.callback(crew[-1].stop)
    return crew


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that start in the block compute with one thread, as they share the cores among them."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Processes that start in the block never see Ctrl-C, which a terminal sends to all alike; this one sees
    it after the block, and stops them."""
    # Multiprocessing starts this helper by itself, but then lets Ctrl-C through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(link: Connection) -> None:
    """What a worker does until it is stopped: receive the work, then task after task."""
    try:
        packed, task = _hear(link), _hear(link)
        work = _unpack(packed)
        while True:
            _tell(link, DONE, work(task, partial(_tell, link, PROGRESS)))
            task = _hear(link)
    except Exception as fault:
        # The traceback is lost on the way; a note is not.
        fault.add_note(traceback.format_exc())
        _tell(link, FAILED, fault)


def _hear(link: Connection) -> Any:
    try:
        return link.recv()
    except (EOFError, ConnectionError):
        os._exit(1)  # the parent is no more, and what is done is of use to nobody


def _tell(link: Connection, what: str, told: object) -> None:
    try:
        link.send((what, told))
    except ConnectionError:
        os._exit(1)


def _pack(work: object) -> bytes:
    try:
        return pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as fault:
        raise NotShareable(_advice(fault)) from None


def _unpack(packed: bytes) -> Any:
    try:
        return pickle.loads(packed)
    except (pickle.UnpicklingError, AttributeError, ImportError) as fault:
        raise NotShareable(_advice(fault)) from None


def _advice(fault: Exception) -> str:
    return f"an agent cannot be sent to another process ({fault}): give it by name, or use 1 worker"
