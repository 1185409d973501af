"""How seconds grow with the number of profiles: slopes on a log-log scale."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from mechdesign.bench.families import FAMILIES
from mechdesign.bench.outcome import Measurement


@dataclass(frozen=True)
class Growth:
    """Seconds of a method on a family grow like (profiles) ** exponent, over a range.

    Attributes
    ----------
    categories
        fixed; None for single values, where they grow along.
    profiles
        the sizes measured, at least three.
    exponent
        fitted by least squares on a log-log scale.
    """

    family: str
    method: str
    categories: int | None
    profiles: tuple[int, ...]
    exponent: float


def seconds_in_all(row: Measurement) -> float | None:
    """Return a row's seconds."""
    return row.seconds


def growths(
    rows: Iterable[Measurement], measure: Callable[[Measurement], float | None] = seconds_in_all
) -> list[Growth]:
    """Return the growth of each method on each family with three sizes or more at one number of categories.

    Graphs of other seeds are points of their own.

    Examples
    --------
    >>> from mechdesign.bench.outcome import Ending, Run
    >>> rows = [Measurement(Run("ring", k, 20, "scipy"), Ending.DONE, seconds=k**2) for k in (10, 20, 40)]
    >>> [(growth.profiles, round(growth.exponent, 6)) for growth in growths(rows)]
    [((10, 20, 40), 2.0)]
    """
    groups: dict[tuple[str, str, int | None, str, str, str], list[tuple[int, float]]] = {}
    for row in rows:
        seconds = measure(row)
        if row.done and seconds:
            run = row.run
            fixed = None if FAMILIES[run.family].values else run.categories
            key = run.family, run.method, fixed, run.epsilon, run.delta, run.objective
            groups.setdefault(key, []).append((run.profiles, seconds))
    result = []
    for (family, method, fixed, *_), points in groups.items():
        sizes = tuple(sorted({k for k, _ in points}))
        if len(sizes) >= 3:
            logarithms = np.log(points)
            slope = np.polyfit(logarithms[:, 0], logarithms[:, 1], 1)[0]
            result.append(Growth(family, method, fixed, sizes, float(slope)))
    return result
