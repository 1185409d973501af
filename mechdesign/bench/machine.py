"""Where a benchmark ran."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from mechdesign.bench.methods import METHODS


def machine() -> dict[str, str | int | None]:
    """Return the system, the cores and the versions of what was measured; None for what is not installed.

    Examples
    --------
    >>> machine()["cores"] >= 1
    True
    """
    needs = [method.needs.partition(">=")[0] for method in METHODS.values() if method.needs]
    packages = dict.fromkeys(["mechdesign", "clarabel", *needs])
    facts = {"system": platform.system(), "cores": os.cpu_count(), "python": platform.python_version()}
    return facts | {package: _version(package) for package in packages}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
