"""Every way that a component can go has a case that goes it, and is in the decision tree of the solver's README."""

import ast
from collections.abc import Iterator
from pathlib import Path

from cases import FORCED, OPTIONS, WAYS

SOURCE = Path(__file__).parents[1] / "mechdesign"
TREE = (SOURCE / "solver" / "README.md").read_text(encoding="utf-8")


def said() -> Iterator[str]:
    """Yield the texts that solvers and designer give as a `way`."""
    for path in [*(SOURCE / "solver").glob("*.py"), *(SOURCE / "designer").glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text if "way" in text else "")
        assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
        constants = {ast.unparse(node.targets[0]): node.value for node in assigned}
        for node in ast.walk(tree):
            values = []
            if isinstance(node, ast.keyword) and node.arg == "way":
                values = [constants.get(ast.unparse(node.value), node.value)]
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "way" for t in node.targets):
                values = [node.value]
            for part in (part for value in values for part in ast.walk(value) if isinstance(part, ast.Constant)):
                if isinstance(part.value, str) and len(part.value) > 3:
                    yield from part.value.strip("; ").split("; ")


def test_every_way_has_a_case_and_is_in_the_tree() -> None:
    ways = set(said())
    ended = "without a search"  # of a search that has ended early: tests/test_search.py
    gone = "; ".join([*WAYS, *OPTIONS, *(one.way for one in FORCED.values())]).split("; ")
    assert ways | {"any optimum"} == {*gone, ended}
    assert {way for way in ways if f"`{way}`" not in TREE and way != "classes"} == set()
