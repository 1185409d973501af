"""Packages that pass names on: a stub beside one says where each is from, and it is loaded when it is asked for."""

import sys
from collections.abc import Callable
from importlib import import_module
from io import open_code


def homes_in(stub: str) -> dict[str, str]:
    """Return the module that each name is from, by the imports in a stub, as type checkers and editors read them."""
    with open_code(stub) as file:
        lines = [line.decode().split() for line in file if line.startswith(b"from ")]
    return {name: home for _, home, _, name, *_ in lines}


def passing_on(package: str, homes: dict[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package whose names are from these modules; one that was asked for is kept."""

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        found = import_module(f"{home}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, found)
        return found

    return get
