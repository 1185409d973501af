"""What is written overwrites nothing that is read, nor what else is written: under no other name either."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from mechdesign.errors import InputError


@dataclass(frozen=True)
class Place:
    """A file; or a folder, with the patterns of the names that its files may get."""

    path: Path
    names: tuple[str, ...] = ()

    def meets(self, other: "Place") -> bool:
        """Return whether writing to one may overwrite something of the other."""
        if _same(self.path, other.path):
            return not (self.names and other.names and set(self.names).isdisjoint(other.names))
        return self._holds(other.path) or other._holds(self.path)

    def _holds(self, file: Path) -> bool:
        """Return whether a file is, under its own name or another, one of those that this folder may get."""
        entries = [self.path / Path(os.path.realpath(file)).name]
        if self.names and self.path.is_dir():
            entries.extend(self.path.iterdir())
        named = [entry for entry in entries if any(fnmatch(entry.name.lower(), name) for name in self.names)]
        return any(_same(entry, file) for entry in named)


def check_apart(
    name: str, text: str | os.PathLike[str], taken: Iterable[tuple[str, Place]], names: tuple[str, ...] = ()
) -> None:
    """Raise an InputError if what is written there would overwrite something of a place that is taken.

    Parameters
    ----------
    name
        of the option or parameter that says where.
    text
        the path.
    taken
        in words what has a place, such as "what data reads", with that place.
    names
        of a folder, the patterns of the names that its files may get.

    Examples
    --------
    >>> check_apart("output", "./raw.csv", [("what data reads", Place(Path("raw.csv")))])
    Traceback (most recent call last):
    mechdesign.errors.InputError: ./raw.csv: output would overwrite what data reads; give another name
    """
    place = Place(Path(text), names)
    for whose, other in taken:
        if place.meets(other):
            raise InputError(f"{name} would overwrite {whose}; give another name", source=os.fspath(text))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)  # also by links, and by small letters for capitals where these are no difference
    except (OSError, ValueError):  # one is not there
        return os.path.realpath(one) == os.path.realpath(other)
