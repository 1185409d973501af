"""What help() says of each public name: its parameters, what it raises, and an example that is run as a doctest."""

import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_its_parameters_are(name: str) -> None:
    function: Callable[..., object] = FUNCTIONS[name]
    lines = re.findall(r"^(\S[^\n]*)$", sections(function).get("Parameters", ""), re.MULTILINE)
    told = {word.strip(" *") for line in lines for word in line.split(",")}
    assert told == {parameter for parameter in inspect.signature(function).parameters if not parameter.startswith("_")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_raises_and_shows_an_example(name: str) -> None:
    told, function = sections(FUNCTIONS[name]), FUNCTIONS[name]
    assert ">>> " in told.get("Examples", "")
    takes = bool(inspect.signature(function).parameters)
    assert ("Raises" in told) == (takes and name not in RAISES_NOTHING)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_has(name: str) -> None:
    """In its docstring or in that of a class that it is made from; an objective says so in its summary."""
    told = [sections(kind) for kind in CLASSES[name].__mro__]
    text = "".join(one.get("Attributes", "") + one.get("Parameters", "") for one in told)
    words = {word.strip() for line in re.findall(r"^(\S[^\n]*)$", text, re.MULTILINE) for word in line.split(",")}
    fields = {
        field.name for field in getattr(CLASSES[name], "__dataclass_fields__", {}).values() if field.name[0] != "_"
    }
    assert fields <= words or "objective" in CLASSES[name].__module__


@pytest.mark.parametrize("name", [name for name, kind in CLASSES.items() if "objective" in kind.__module__])
def test_what_users_make_themselves_shows_an_example(name: str) -> None:
    assert ">>> " in sections(CLASSES[name]).get("Examples", "")
