"""The graphs that come with the package, by name."""

import os
from importlib import resources
from pathlib import Path


def graph_path(path: str | os.PathLike[str]) -> Path | None:
    """Return where a graph is read from, a file or the shipped graph of that name; None if there is neither."""
    try:
        if Path(path).exists():
            return Path(path)
    except OSError:  # a name that no file can have
        return None
    return shipped_graphs().get(str(path))


def shipped_graphs() -> dict[str, Path]:
    """Return the graphs that come with mechdesign: name -> file.

    Examples
    --------
    >>> "categorical-chain" in shipped_graphs()
    True
    """
    package = Path(str(resources.files("mechdesign")))
    folders = [package / "graphs", package.parent / "graphs"]  # an installed wheel; a source checkout
    folder = next((folder for folder in folders if folder.is_dir()), None)
    return {} if folder is None else {file.stem: file for file in sorted(folder.glob("*.json"))}
