"""The short names of papers, [GC] and the like, are explained wherever a user meets them."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import mechdesign as md

AUTHORS = {"GC": "Geumlek", "HLM": "Holohan", "ND": "Naldi", "SM": "Sarathy"}
TAG = re.compile(r"\[(GC|HLM|ND|SM)\]|ERR-\d|theory\.md")
HOME = Path(md.__file__).parent


def helped() -> Iterator[tuple[str, str]]:
    """Yield what `help` is asked about: public functions and classes with their methods."""
    for home in (md, md.count, md.audit):
        for name in dir(home):
            one = getattr(home, name)
            if name.startswith("_") or not (inspect.isfunction(one) or inspect.isclass(one)):
                continue
            yield f"{home.__name__}.{name}", one.__doc__ or ""
            if inspect.isclass(one):
                own = [(key, part) for key, part in vars(one).items() if not key.startswith("_")]
                yield from ((f"{home.__name__}.{name}.{key}", getattr(part, "__doc__", "") or "") for key, part in own)


HELPED = dict(helped())


def test_a_help_text_spells_out_the_papers_it_names() -> None:
    for name, text in HELPED.items():
        assert "ERR-" not in text, name
        assert "theory.md" not in text, name
        for tag, author in AUTHORS.items():
            assert f"[{tag}]" not in text or author in text, f"{name}: [{tag}] is explained nowhere"


def printed(path: Path) -> Iterator[str]:
    """Yield the texts in a module that are no docstrings: what can be printed."""
    text = path.read_text(encoding="utf-8")
    if not TAG.search(text):  # most files: to parse them all takes a second
        return
    tree = ast.parse(text)
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


MODULES = [path for path in HOME.rglob("*.py") if "papers" not in path.parts and path.name != "__init__.py"]


def test_nothing_printed_has_a_bare_tag() -> None:
    assert not [(path, text) for path in MODULES for text in printed(path) if TAG.search(text)]
