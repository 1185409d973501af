"""Which changes of one operator, number or condition no test sees: `python tests/mutants.py rounding --number 50`.

Each is made in a copy of the tree, where those quick tests run that say most of the changed file, until one fails; if
none does, all quick tests. What survives is printed, and wants a test, or a reason in `mutants.json`. cosmic-ray knows
the changes; `pip install -e '.[test,mutants]'`.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

TREE = Path(__file__).parents[1]
ACCEPTED = Path(__file__).with_suffix(".json")
"""Survivors that have a reason: the file, the first line that differs before and after, and why no test can see it."""
LEFT_OUT = re.compile(r"BitOr|RemoveDecorator|_Is(Not)?$|ExceptionReplacer")
"""Changes that are of types, or of what is kept in memory; nobody compares numbers by identity."""
QUICK = [
    "-q",
    "-rfE",
    "-n0",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]
FORKS = multiprocessing.get_context("forkserver")
LOADED = ["__main__", "clarabel", "flint", "highspy", "hypothesis", "networkx", "numpy", "pytest", "scipy.optimize"]
"""What every run of tests needs, and no change touches."""
MOST_TESTS = 6
"""Files of tests for a change."""
OF_DESIGNS = ("designer", "objective", "program", "rounding", "solver", "symmetry")
"""Rooms that every design goes through."""
EVERY = ["tests"]
"""All quick tests."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::\w+)*)", re.MULTILINE)
"""A test that fails, whatever its parameters, in what a run of tests prints at its end."""
LOG, SECONDS = "tests.log", "seconds"
"""What a run of tests prints, and the processor time that it took."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file of a room: the operator's occurrence at a place."""

    file: str
    operator: str
    occurrence: int
    line: int

    def code(self) -> str:
        """Return the file with the change."""
        before = (TREE / self.file).read_text(encoding="utf-8")
        found = mutate_code(before, get_operator(self.operator)(), self.occurrence)
        assert found is not None
        return str(found)

    def is_guard(self) -> bool:
        """Return whether zip is less strict, or a dataclass is not frozen: guards against mistakes of ours alone."""
        _, before, after = self.change()
        return any(before.replace(f"{guard}=True", f"{guard}=False") == after for guard in ("strict", "frozen"))

    def change(self) -> tuple[str, str, str]:
        """Return the file and the first line that differs, before and after."""
        before, after = ((TREE / self.file).read_text(encoding="utf-8").splitlines(), self.code().splitlines())
        old, new = next((a, b) for a, b in zip(before, after, strict=False) if a != b)
        return self.file, old.strip(), new.strip()


def files_of(room: str) -> list[Path]:
    """Return the files of a room, or the one of it that is named."""
    home = TREE / "mechdesign" / room
    return sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Yield all changes of a file."""
    nodes = list(ast_nodes(get_ast_from_path(file)))
    for name in operator_names():
        operator: Any = get_operator(name)
        if LEFT_OUT.search(name) or operator.arguments():
            continue
        places = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, (line, _) in enumerate(places):
            yield Mutant(file.relative_to(TREE).as_posix(), name, occurrence, line)


def chosen(room: str, number: int, seed: int) -> list[Mutant]:
    """Return so many changes of a room, or of one of its files: lines at random, then one of each line's."""
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for file in files_of(room):
        for one in mutants_of(file):
            by_line.setdefault((one.file, one.line), []).append(one)
    rng = random.Random(seed)
    lines = rng.sample(sorted(by_line), min(number, len(by_line)))
    return [rng.choice(by_line[line]) for line in lines]


@cache
def tests_of(file: str) -> list[str]:
    """Return the file itself, for its examples, and its tests: first its own, then by how much they say of it.

    Then those of modules that import it, and those that say most of its room; of some rooms also those of any design.
    """
    module = file.removesuffix(".py").replace("/", ".")
    room = module.rpartition(".")[0]
    users = [path for path in (TREE / "mechdesign").rglob("*.py") if f"{module} import" in path.read_text("utf-8")]
    own, above = mirror(Path(file)), set(map(mirror, users))
    ranked = []
    for path in sorted((TREE / "tests").glob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        here, around = (len(re.findall(rf"\b{re.escape(one)}\b", text)) for one in (module, room))
        ranked.append(((path.stem == own, here, path.stem in above, around), path.relative_to(TREE).as_posix()))
    ranked.sort(reverse=True)
    every = ["tests/test_agree.py"] if room.rpartition(".")[2] in OF_DESIGNS else []
    return [file, *(path for said, path in ranked[:MOST_TESTS] if any(said)), *every]


def mirror(path: Path) -> str:
    """Return the name of the tests of a module."""
    return f"test_cli_{path.stem}" if path.parent.name == "cli" else f"test_{path.stem}"


def copy_of_tree(folder: Path) -> Path:
    """Copy what git knows of the tree."""
    listed = subprocess.run(["git", "ls-files"], cwd=TREE, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TREE / name, target)
    return folder


def run_pytest(tree: Path, tests: Sequence[str], limit: int) -> None:
    """Run tests in a copy of the tree, and exit as pytest does: in a process that has loaded what others write."""
    os.setsid()
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    os.environ["PYTHONPATH"] = str(tree)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream.fileno())
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    status = pytest.main([*QUICK, *tests])
    Path(SECONDS).write_text(str(time.process_time()), encoding="utf-8")
    sys.exit(status)


def passes(tree: Path, tests: Sequence[str], limit: float = 1200) -> bool:
    """Return whether tests pass within so many seconds of a processor, or ten times as long: all, until one fails."""
    return ended(tree, ["-x", *tests], limit)


def ended(tree: Path, asked: Sequence[str], limit: float = 1200) -> bool:
    """Return whether a run of tests ends without a failure."""
    process = FORKS.Process(target=run_pytest, args=(tree, asked, int(limit)))
    process.start()
    process.join(10 * limit)
    if process.exitcode is None:
        assert process.pid is not None
        os.killpg(process.pid, signal.SIGKILL)  # with the processes that a test has started
        process.join()
    return process.exitcode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


@contextmanager
def made(mutants: Sequence[Mutant], tree: Path) -> Iterator[None]:
    """Change a tree, each file once, and take it back."""
    try:
        for mutant in mutants:
            (tree / mutant.file).write_text(mutant.code(), encoding="utf-8")
            forget(tree / mutant.file)
        yield
    finally:
        for mutant in mutants:
            shutil.copy(TREE / mutant.file, tree / mutant.file)
            forget(tree / mutant.file)


def unseen_nearby(mutant: Mutant, tree: Path, seconds: Mapping[str, float]) -> list[Mutant]:
    """Return a change that the tests nearest to it do not see, which take so many seconds without one; or nothing."""
    tests = sorted(tests_of(mutant.file), key=seconds.__getitem__)
    with made([mutant], tree):
        return [mutant] * passes(tree, tests, 20 + 2 * sum(map(seconds.__getitem__, tests)))


def unseen(mutants: Sequence[Mutant], tree: Path) -> list[Mutant]:
    """Return which of these changes of different files no test sees: those that fail for all tell which it is."""
    with made(mutants, tree):
        if ended(tree, EVERY):
            return list(mutants)
        failed = sorted(set(FAILED.findall((tree / LOG).read_text(encoding="utf-8")))) or EVERY
    left = []
    for mutant in mutants:
        with made([mutant], tree):
            left += [mutant] * passes(tree, failed)
    return left


def forget(path: Path) -> None:
    """Remove what was compiled: two changes of one second and size are not told apart."""
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()


def seconds_of(tests: Sequence[str], tree: Path) -> float:
    """Return how long tests take without a change, on a processor."""
    assert passes(tree, tests), f"tests fail without a change:\n{(tree / LOG).read_text()[-2000:]}"
    return float((tree / SECONDS).read_text(encoding="utf-8"))


def survivors_of(room: str, mutants: Sequence[Mutant], trees: Sequence[Path]) -> list[Mutant]:
    """Return the changes that no test sees, and say how far it is."""
    seconds = {test: seconds_of([test], trees[0]) for test in {test for one in mutants for test in tests_of(one.file)}}
    nearby = at_once(lambda one, tree: unseen_nearby(one, tree, seconds), mutants, trees, f"{room}: nearest tests")
    by_file = [[one for one in nearby if one.file == file] for file in sorted({one.file for one in nearby})]
    groups = [[one for one in group if one] for group in zip_longest(*by_file)]
    return at_once(unseen, groups, trees, f"{room}: all tests, of {len(nearby)} changes")


def at_once(
    work: Callable[[Any, Path], list[Mutant]], asked: Sequence[Any], trees: Sequence[Path], name: str
) -> list[Mutant]:
    """Return what is left of all that is asked, each in a tree that is free, and say how far it is."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def worked(one: Any) -> list[Mutant]:
        tree = free.get()
        try:
            return work(one, tree)
        finally:
            free.put(tree)

    left: list[Mutant] = []
    with ThreadPoolExecutor(len(trees)) as executor:
        for number, more in enumerate(executor.map(worked, asked), 1):
            left += more
            print(f"{name}: {number} of {len(asked)}, {len(left)} left", file=sys.stderr, flush=True)
    return left


def main() -> int:
    """Print what survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", nargs="+", help="a room, or a file of one, as in release/sampling")
    parser.add_argument("--number", type=int, default=50, help="changes of each [50]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="changes at a time [2]")
    asked = parser.parse_args()
    FORKS.set_forkserver_preload(LOADED)
    accepted = {(one["file"], one["before"], one["after"]) for one in json.loads(ACCEPTED.read_text(encoding="utf-8"))}
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        trees = [copy_of_tree(Path(folder, str(i))) for i in range(asked.processes)]
        seconds_of(EVERY, trees[0])
        for room in asked.room:
            found = chosen(room, asked.number, asked.seed)
            mutants = [one for one in found if one.change() not in accepted and not one.is_guard()]
            left = survivors_of(room, mutants, trees)
            for one in left:
                file, before, after = one.change()
                print(f"{file}, line {one.line}\n  - {before}\n  + {after}", flush=True)
            print(f"{room}: {len(mutants) - len(left)} of {len(mutants)} changes are seen", flush=True)
            total += len(left)
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
