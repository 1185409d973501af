"""One edge, two edges: no text says "1 edges"."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

import mechdesign
from mechdesign.words import counted

HOME = Path(mechdesign.__file__).parent
NOUNS = ("profiles", "categories", "edges", "outputs", "probabilities", "labels")
"""What is counted most, in messages and tables. A number that cannot be 1 is a constant, in capitals."""
AFTER = re.compile(rf"""[}}"'] ({"|".join(NOUNS)})""")
"""Such a noun where a text begins, or goes on after something that is filled in."""


@pytest.mark.parametrize(
    ("number", "what", "words"),
    [
        (0, "edge", "0 edges"),
        (1, "edge", "1 edge"),
        (2, "edge", "2 edges"),
        (1, "category", "1 category"),
        (3, "category", "3 categories"),
        (2, "transition probability", "2 transition probabilities"),
    ],
)
def test_counted(number: int, what: str, words: str) -> None:
    assert counted(number, what) == words


def plurals_by_hand(path: Path) -> list[str]:
    """Return the f-strings in which such a noun follows something that is filled in, unless it depends on the number.

    That is, within a conditional expression; and numbers with a separator of thousands are large.
    """
    text = path.read_text(encoding="utf-8")
    if not AFTER.search(text):  # most files: to parse them all takes a second
        return []
    found, tree = [], ast.parse(text)
    conditional = {part for node in ast.walk(tree) if isinstance(node, ast.IfExp) for part in (node.body, node.orelse)}
    for node in ast.walk(tree):
        if node in conditional:
            continue
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for before, after in pairwise(parts):
            if isinstance(before, ast.FormattedValue) and isinstance(after, ast.Constant):
                constant = isinstance(before.value, ast.Name) and before.value.id.isupper()
                constant = constant or before.format_spec is not None
                if not constant and str(after.value).startswith(tuple(f" {noun}" for noun in NOUNS)):
                    found.append(ast.unparse(node))
    return found


def test_no_plural_by_hand() -> None:
    assert {str(path): found for path in HOME.rglob("*.py") if (found := plurals_by_hand(path))} == {}
