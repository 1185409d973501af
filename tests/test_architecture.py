"""What the contracts of imports in pyproject.toml hold, and what they do not see: names, loading, numbers."""

import ast
import tomllib
from collections import Counter
from pathlib import Path

import grimp
import pytest
from importlinter import configuration
from importlinter.application.use_cases import lint_imports

import mechdesign
from mechdesign import notebook

HOME = Path(mechdesign.__file__).parent
PROJECT = Path(__file__).parents[1] / "pyproject.toml"
FILES = sorted(HOME.rglob("*.py"))


def test_nothing_is_imported_by_a_hidden_name() -> None:
    """Ruff bans other ways to load a module by a name, but for the files that pyproject.toml lists."""
    assert [path for path in FILES if "__import__" in path.read_text(encoding="utf-8")] == []


SHRINKS = {
    "exact/exponentials.py": "where it is",
    "privacy/inequalities.py": "what privacy asks of variables, whatever they stand for",
    "program/compiler.py": "cliques; all rows of privacy of all programs are here",
    "solver/dualised.py": "the projection without a program",
    "solver/modelled.py": "cone programs, made by cvxpy",
    "solver/reference.py": "the definition written anew: it shares no code with the others, on purpose",
}
"""Who multiplies by e^-epsilon in doubles, and why."""


def test_rows_of_privacy_are_written_in_one_place() -> None:
    assert {
        path.relative_to(HOME).as_posix()
        for path in FILES
        if "import shrink" in path.read_text() or "def shrink(" in path.read_text()
    } == set(SHRINKS)


def test_the_one_way_up_is_to_what_notebooks_show() -> None:
    assert notebook.SHOWN_BY == "mechdesign.reports.in_notebook"


def room(path: Path) -> str:
    return path.relative_to(HOME).parts[0].removesuffix(".py")


def test_imports_keep_the_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    """Of pyproject.toml: rooms on their floors, no circles, an independent derivation.

    Not by its command, which closes what other packages log to: absl's handler, and stderr with it.
    """
    configuration.configure()
    assert lint_imports(str(PROJECT), cache_dir=None), capsys.readouterr().out


@pytest.mark.parametrize("name", ["checker", "formula_checker"])
def test_a_stranger_s_checker_needs_nothing_of_ours(name: str) -> None:
    """Not in a branch that is rarely taken either."""
    graph = grimp.build_graph("mechdesign", cache_dir=None)
    assert graph.find_modules_directly_imported_by(f"mechdesign.certificate.{name}") == set()


def is_of_command(path: Path) -> bool:
    """Return whether a file is that of a command, whose name it has."""
    return room(path) == "cli" and path.read_text(encoding="utf-8").startswith('"""`mechdesign ')


def test_no_two_files_share_a_name() -> None:
    """So that a name means one thing in the whole package; a command's file has the name of the command."""
    names = Counter(path.name for path in FILES if path.name != "__init__.py" and not is_of_command(path))
    assert {name for name, times in names.items() if times > 1} == set()


def test_the_map_shows_every_room_on_its_floor() -> None:
    """`tests/README.md` lists the rooms from the ground up."""
    layers = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]["layers"]
    text = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    lines = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    floors = {room: level for level, layer in enumerate(layers[::-1]) for room in layer.split(" | ")}
    rooms = [name for line in lines for name in line.replace("`", "").replace(",", " ").split()]
    assert set(floors) | {"__init__"} == set(rooms)
    assert [room for room in rooms if room in floors] == sorted(
        floors, key=lambda room: (floors[room], rooms.index(room))
    )


def test_the_package_itself_only_passes_names_on() -> None:
    """Names, where they are from, and a list of them; the two functions are Python's own, for names that load late."""
    lines = [ast.unparse(part).splitlines()[0] for part in ast.parse((HOME / "__init__.py").read_text()).body[1:]]
    begun = ["from mechdesign.late", "_HOMES = ", "_passed_on = ", "def __getattr__(", "__all__ = ", "def __dir__("]
    assert len(lines) == len(begun)
    assert all(map(str.startswith, lines, begun))


STEERS_NOTHING = {
    "names: MOST_DIGITS": "what may stand in a file",
    "mps: LEAST": "what other solvers read",
    "command: WRONG": "what is refused",
    "command: SHOWN": "what is said",
    "dualised: CHUNK": "memory",
    "realise: ENTRIES": "memory",
    "largest_design: MOST_NUMBERS": "memory",
    "largest_design: MOST_LIMITS": "memory",
    "largest_design: MOST_UNCERTAIN": "memory",
    "model_design: MOST_ENTRIES": "memory",
    "by_outputs: MOST_OTHERWISE, MOST_ENTRIES": "memory",
    "output_rows: TOGETHER": "memory",
    "solving: BATCH, TOGETHER, TASKS": "what travels together to another process",
    "search: SHARE": "how often it is seen how far a search has come",
    "search: FIRST": "how often it is seen how far a search has come",
    "sweeper: MOST": "how many designs a sweep may ask for",
    "caution: APART": "what is said",
    "design_answer: ROUGH": "what is said",
    "design_answer: WIDE": "what is said",
    "design_answer: NOISE": "what is said",
    "design_answer: SAME": "what is said",
    "metric_baseline: MOST_APART": "what is said",
    "metric_baseline: FURTHEST": "what is said",
    "metric_baseline: LEAST": "what is said",
    "cubature: RELATIVE_ERROR": "what is said",
    "smallest_epsilon: WITHIN": "how near the ends of a search are",
    "smallest_epsilon: ROUGHLY": "how far a search computes what it only compares",
    "smallest_epsilon: BEYOND": "how far a design is from being enough",
    "smallest_epsilon: TINY": "how far a design is from being enough",
    "smallest_epsilon: GRID": "which epsilons are tried: each is then a design that was asked for",
    "suggested_noise: SHARES": "what is suggested: each is then a design that was asked for",
}
"""Numbers of these rooms that no design depends on, and what does."""


def numbers(path: Path) -> dict[str, int]:
    """Return how many numbers each of a file's constants has, with its name."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            name = ast.unparse(target).strip("()")
            parts = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            count = sum(isinstance(part, int | float) and not isinstance(part, bool) for part in parts)
            if name.replace(", ", "").isupper() and count:
                found[f"{path.stem}: {name}"] = count
    return found


def test_few_numbers_steer_a_design() -> None:
    """One with a meaning that several ways share stands in `program/tolerances.py`; without effect it is none."""
    files = [path for path in FILES if room(path) in ("problem", "program", "solver", "rounding", "designer")]
    found = {name: count for path in files for name, count in numbers(path).items()}
    assert found.keys() >= STEERS_NOTHING.keys()
    assert sum(found[name] for name in found.keys() - STEERS_NOTHING.keys()) <= 56
