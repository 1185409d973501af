"""What help() says of each public name: its parameters, what it raises, and an example that is run as a doctest."""

import inspect
import re
from types import ModuleType
from typing import Any

import mechdesign as md

RAISES_NOTHING = {"plot_formula", "plot_matrices", "plot_tight_epsilons"}
"""They draw what other functions returned."""


def public() -> dict[str, Any]:
    """Return the public names, those of the two public modules among them."""
    found = {name: getattr(md, name) for name in md.__all__ if name != "__version__"}
    inner = [(name, module) for name, module in found.items() if isinstance(module, ModuleType)]
    for name, module in inner:
        found |= {f"{name}.{part}": value for part, value in vars(module).items() if not part.startswith("_")}
    return {name: value for name, value in found.items() if not isinstance(value, ModuleType)}


FUNCTIONS = {name: value for name, value in public().items() if inspect.isfunction(value)}
CLASSES = {
    name: value
    for name, value in public().items()
    if inspect.isclass(value) and not issubclass(value, Exception)
}  # fmt: skip


def sections(value: object) -> dict[str, str]:
    """Return what stands below each heading of a docstring."""
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def headings(text: str) -> list[str]:
    """Return the names that stand at the left of a section, several in a line among them."""
    lines = re.findall(r"^(\S[^\n]*)$", text, re.MULTILINE)
    return [word.strip(" *") for line in lines for word in line.split(",")]


def test_a_function_says_what_it_takes_and_raises_and_shows_an_example() -> None:
    """Parameters in the order of the signature."""
    for name, function in FUNCTIONS.items():
        told, takes = sections(function), inspect.signature(function).parameters
        wanted = [parameter for parameter in takes if not parameter.startswith("_")]
        assert headings(told.get("Parameters", "")) == wanted, name
        assert ("Raises" in told) == (bool(takes) and name not in RAISES_NOTHING), name
        assert ">>> " in told.get("Examples", ""), name


def test_a_class_says_what_it_has() -> None:
    """In its docstring or in that of a class that it is made from; an objective says so in its summary."""
    for name, kind in CLASSES.items():
        told = [sections(one) for one in kind.__mro__]
        text = "".join(one.get("Attributes", "") + one.get("Parameters", "") for one in told)
        fields = {field for field in getattr(kind, "__dataclass_fields__", {}) if field[0] != "_"}
        assert fields <= set(headings(text)) or "objective" in kind.__module__, name
        assert "objective" not in kind.__module__ or ">>> " in sections(kind).get("Examples", ""), name
