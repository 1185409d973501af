"""The way that each component went is said, and the decision tree in the solver's README names them all."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from strained import strained

from mechdesign import design

SOURCE = Path(__file__).parents[1] / "mechdesign"
TREE = (SOURCE / "solver" / "README.md").read_text(encoding="utf-8")

WAYS = {
    "chain 3x3 max-off-diagonal none 9 0": {"no noise needed"},
    "chain 5x4 max-off-diagonal none 0.5 0": {"cutting planes; nearest, held"},
    "ring 20x5 max-off-diagonal none 0.5 0": {"pairs that decide; nearest, held"},
    "values 6 expected-loss hamming 0.5 0": {"classes; cutting planes; nearest on the optimal face"},
    "counting 6 expected-loss absolute 0.5 0": {"geometric mechanism"},
    "chain 4x3 expected-loss hamming 0.5 0 shared": {"textbook program; nearest, held"},
    "within 1/50 chain 3x3 max-off-diagonal none 0.5 0": {"cuts of worst distributions; nearest, held"},
    "ring 60x15 expected-loss hamming 0.5 0": {"whole program; nearest on the optimal face"},
    "ring 60x10 worst-loss absolute 0.5 0": {"profiles that decide; nearest on the optimal face"},
    "ring 400x20 max-off-diagonal none 0.5 0": {"pairs that decide; projection"},
}


@pytest.mark.parametrize("name", WAYS)
def test_each_way_is_gone_and_said(name: str) -> None:
    assert strained(name).design().stats["way"].keys() == WAYS[name]


def test_any_optimum_is_said() -> None:
    assert design("categorical-chain", epsilon=1, any_optimum=True).stats["way"] == {"cutting planes; any optimum": 1}


def said() -> Iterator[str]:
    """Yield the texts that solvers and designer give as a `way`."""
    for path in [*(SOURCE / "solver").glob("*.py"), *(SOURCE / "designer").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            values = []
            if isinstance(node, ast.keyword) and node.arg == "way":
                values = [node.value]
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "way" for t in node.targets):
                values = [node.value]
            for part in (part for value in values for part in ast.walk(value) if isinstance(part, ast.Constant)):
                if isinstance(part.value, str) and len(part.value) > 3:
                    yield part.value.strip("; ")


def test_the_tree_names_what_the_code_says() -> None:
    ways = set(said())
    assert len(ways) >= 12
    assert {way for way in ways if f"`{way}`" not in TREE and way != "classes"} == set()
