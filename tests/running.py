"""Scripts that no package has, processes that are limited or killed, what goes to others, and how many steps it is."""

import importlib.util
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any


def script(path: Path) -> ModuleType:
    """Return a file of Python as a module, by its path."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def without_bytecode(script: str, *words: str) -> list[str]:
    """Return the command that runs a script whose process is limited or killed: it writes no bytecode.

    Half a file of bytecode, cut off by a limit on the size of files, would fail every later process that imports it.
    """
    return [sys.executable, "-B", "-c", script, *words]


class Pickling(ThreadPoolExecutor):
    """Hands over what it is given as a pool of processes does."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return super().submit(*pickle.loads(pickle.dumps((fn, *args))), **kwargs)


def steps(module: ModuleType, run: Callable[[], object]) -> int:
    """Return how many lines of a module a run takes, each turn of a loop again."""
    count = 0

    def local(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return local

    def called(frame: FrameType, *_: Any) -> Any:
        return local if frame.f_code.co_filename == module.__file__ else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        run()
    finally:
        sys.settrace(before)
    return count
