"""Which changes of one operator, number or condition no test sees: `python tests/mutants.py rounding --number 50`.

Each is made in a copy of the tree, in which then the tests of that file and of its room run. What survives is printed,
and wants a test, or a reason. cosmic-ray knows the changes; `pip install -e '.[test,mutants]'`.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

TREE = Path(__file__).parents[1]
LEFT_OUT = re.compile(r"BitOr|RemoveDecorator|_Is(Not)?$|ExceptionReplacer")
"""Changes that are of types, or of what is kept in memory; nobody compares numbers by identity."""
PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]


@dataclass(frozen=True)
class Mutant:
    """One change of one file of a room: the operator's occurrence at a place."""

    file: str
    operator: str
    occurrence: int
    line: int

    def code(self, tree: Path) -> str:
        """Return the file with the change."""
        found = mutate_code(
            (tree / self.file).read_text(encoding="utf-8"), get_operator(self.operator)(), self.occurrence
        )
        assert found is not None
        return str(found)


def mutants_of(file: Path, tree: Path) -> Iterator[Mutant]:
    """Yield all changes of a file."""
    nodes = list(ast_nodes(get_ast_from_path(file)))
    for name in operator_names():
        operator: Any = get_operator(name)
        if LEFT_OUT.search(name) or operator.arguments():
            continue
        places = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, (line, _) in enumerate(places):
            yield Mutant(file.relative_to(tree).as_posix(), name, occurrence, line)


def chosen(room: str, tree: Path, number: int, seed: int) -> list[Mutant]:
    """Return so many changes of a room, or of one of its files: lines at random, then one of each line's."""
    home = tree / "mechdesign" / room
    files = sorted(home.rglob("*.py")) if home.is_dir() else [home.with_suffix(".py")]
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for file in files:
        for one in mutants_of(file, tree):
            by_line.setdefault((one.file, one.line), []).append(one)
    rng = random.Random(seed)
    lines = rng.sample(sorted(by_line), min(number, len(by_line)))
    return [rng.choice(by_line[line]) for line in lines]


def tests_of(file: str, tree: Path) -> list[str]:
    """Return the file itself, for its examples, the tests that import it, and those that import its room."""
    module = file.removesuffix(".py").replace("/", ".")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((tree / "tests").glob("test_*.py"))}
    of_file = [path for path, text in texts.items() if re.search(rf"\b{re.escape(module)}\b", text)]
    room = module.rpartition(".")[0]
    of_room = [
        path for path, text in texts.items() if path not in of_file and re.search(rf"\b{re.escape(room)}\b", text)
    ]
    return [file, *(path.relative_to(tree).as_posix() for path in of_file + of_room)]


@contextmanager
def copy_of_tree() -> Iterator[Path]:
    """Give a copy of what git knows of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        listed = subprocess.run(["git", "ls-files"], cwd=TREE, capture_output=True, text=True, check=True).stdout
        for name in listed.splitlines():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / name, target)
        yield Path(folder)


def passes(tests: Sequence[str], tree: Path, limit: float) -> bool:
    """Return whether these tests pass within so many seconds."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run([*PYTEST, *tests], cwd=tree, env=environment, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def survives(mutant: Mutant, tree: Path, limit: float) -> bool:
    """Return whether no test sees a change."""
    path = tree / mutant.file
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.code(tree), encoding="utf-8")
        return passes(tests_of(mutant.file, tree), tree, limit)
    finally:
        path.write_text(before, encoding="utf-8")


def difference(mutant: Mutant, tree: Path) -> str:
    """Return the line before and after a change."""
    before, after = ((tree / mutant.file).read_text(encoding="utf-8").splitlines(), mutant.code(tree).splitlines())
    lines = [f"  - {a.strip()}\n  + {b.strip()}" for a, b in zip(before, after, strict=False) if a != b]
    return f"{mutant.file}, line {mutant.line}\n" + "\n".join(lines[:1])


def main() -> int:
    """Print what survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", nargs="+", help="a room, or a file of one, as in release/sampling")
    parser.add_argument("--number", type=int, default=50, help="changes of each [50]")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found: list[str] = []
    with copy_of_tree() as tree:
        for room in asked.room:
            mutants = chosen(room, tree, asked.number, asked.seed)
            limits: dict[str, float] = {}
            for number, mutant in enumerate(mutants, 1):
                if mutant.file not in limits:
                    began = time.monotonic()
                    assert passes(tests_of(mutant.file, tree), tree, 3600), f"{mutant.file}: its tests fail as it is"
                    limits[mutant.file] = 60 + 3 * (time.monotonic() - began)
                is_left = survives(mutant, tree, limits[mutant.file])
                found += [difference(mutant, tree)] * is_left
                print(f"{room}: {number} of {len(mutants)}, {len(found)} survive", file=sys.stderr, flush=True)
    print("\n".join(found) or "none survives")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
