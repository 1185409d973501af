"""Processes that work, as `--workers N` asks for: a pool of processes that ends cleanly."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import forkserver
from typing import Any

from mechdesign.solver.stopping import INTERRUPTED


@contextmanager
def worker_pool(count: int) -> Iterator[Executor | None]:
    """Yield a pool of that many processes, None for one; a failure or an interruption ends them at once.

    A process that ends in the midst of a result leaves a part of it in the pool's pipe. Python waits for the rest for
    ever, as long as anybody could write it, so our own end for writing is closed as well.
    """
    if count == 1:
        yield None
        return
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(count, mp_context=_context(), initializer=_noting) as pool:
        try:
            yield pool
        except BaseException:
            writing = pool._result_queue._writer  # type: ignore[attr-defined]
            ending = _cancelled(pool)
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            writing.close()
            ending.join()
            raise


@contextmanager
def keeping_the_best(elsewhere: bool) -> Iterator[None]:
    """Let a first interruption end a design with the best that has been found, and a second one end all.

    `elsewhere` says whether others work for this process: they are told of it, and return what they have. They are told
    again and again, as those that just begin do not hear it.
    """
    over = threading.Event()

    def tell() -> None:
        while not over.wait(timeout=0.5):
            for worker in multiprocessing.active_children():
                if worker.pid is not None:
                    os.kill(worker.pid, signal.SIGINT)

    def taken(*_: object) -> None:
        if elsewhere and not INTERRUPTED.asked:
            threading.Thread(target=tell, daemon=True).start()
        INTERRUPTED()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, taken) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        with INTERRUPTED.kept_if(found=elsewhere):
            yield
    finally:
        over.set()
        for one, ours in before.items():
            signal.signal(one, ours)


def _cancelled(pool: ProcessPoolExecutor) -> threading.Thread:
    """Cancel what has not begun, wait until the pool has seen that, and return the thread in which the pool ends.

    Until then it would complain, on Python 3.11, of processes that end (loky's pool does so even later). It cancels in
    the order in which work came, so what came last tells. A pool that is broken knows already; one that breaks just
    now may never tell.
    """
    seen = threading.Event()
    try:
        pool.submit(int).add_done_callback(lambda _: seen.set())
    except BrokenExecutor:
        seen.set()
    ending = threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True})
    ending.start()
    seen.wait(timeout=1)
    return ending


_IGNORED = (signal.SIGINT, signal.SIG_IGN)
"""What workers that have not begun do about an interruption: they leave it to this process."""


def _noting() -> None:
    """Let a worker take note of interruptions, and go on."""
    signal.signal(signal.SIGINT, INTERRUPTED.note)


def _context() -> Any:
    """Return how to start processes: from one that has loaded mechdesign and ignores interruptions, where possible."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["mechdesign.designer.design"])
    ours = signal.signal(*_IGNORED)  # inherited, so that not even the imports there are interrupted with a traceback
    forkserver.ensure_running()
    signal.signal(signal.SIGINT, ours)
    first = context.Process(target=int)  # wait for it here, where an interruption leaves no half-made pool behind
    first.start()
    first.join()
    return context
