"""What is told of measurements: a table for each graph, how seconds grow, and where this ran."""

import math
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter
from typing import Any

import numpy as np

from mechdesign.bench.families import FAMILIES
from mechdesign.bench.methods import METHODS
from mechdesign.bench.outcome import PHASES, Measurement, record
from mechdesign.show.answer import Answer, Column, Table, for_people, for_programs
from mechdesign.show.fact_numbers import Exact, Near
from mechdesign.words import counted

HEADINGS = ("method", *PHASES, "seconds", "MiB", "true epsilon", "excess", "certificate")

NEAR = 1e-3
"""A true epsilon relatively as near as this is shown by how far it is off."""


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


def growths(
    rows: Iterable[Measurement], measure: Callable[[Measurement], float | None] = attrgetter("seconds")
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


def answer_of(rows: Sequence[Measurement]) -> Answer:
    """Return what is told of rows."""
    cases: dict[tuple[object, ...], list[Measurement]] = {}
    for row in rows:
        cases.setdefault(row.run.case, []).append(row)
    where = ", ".join(f"{name} {fact}" for name, fact in machine().items() if fact is not None)
    return Answer(
        f"Measured on: {where}.",
        facts=for_programs({"rows": [record(row) for row in rows], "machine": machine()}),
        tables=[*map(_case, cases.values()), _growths(growths(rows))],
    )


def _case(rows: Sequence[Measurement]) -> Table:
    """Return a graph's table, a line for each method; what gave no answer is explained below it."""
    why = "; ".join(f"{row.run.method}: {row.words}" for row in rows if row.words)
    return for_people(_title(rows), HEADINGS, [_cells(row) for row in rows], why)


def _growths(found: Sequence[Growth]) -> Table:
    """Return the fitted exponents."""
    columns = [Column(name, name) for name in ("family", "method", "categories", "profiles", "exponent")]
    rows = [
        [
            one.family,
            one.method,
            Exact(one.categories, "as many" if one.categories is None else ""),
            Exact(list(one.profiles), ", ".join(map(str, one.profiles))),
            Near(one.exponent, 2),
        ]
        for one in found
    ]
    return Table("growth", "Seconds grow with the number of profiles to the power", columns, rows)


def _title(rows: Sequence[Measurement]) -> str:
    run = rows[0].run
    first = next((row for row in rows if row.edges is not None), rows[0])
    size = "" if first.edges is None else f"; {counted(first.edges, 'edge')}, {first.unknowns} transition probabilities"
    delta = "" if run.delta == "0" else f", delta {run.delta}"
    objective = f", {run.objective}" if run.objective else ""
    asked = f"epsilon {run.epsilon}{delta}{objective}, seed {run.seed}"
    return f"{run.family} {run.profiles} x {run.categories}, {asked}{size}"


def _cells(row: Measurement) -> list[Any]:
    if not row.done:
        return [row.run.method, *[None] * len(PHASES), None, None, row.outcome, None, None]
    seconds = [Near(value, 3) for value in (*map(row.phases.get, PHASES), row.seconds)]
    return [
        row.run.method,
        *seconds,
        Near(row.memory, 0),
        _true_epsilon(row),
        Near(row.excess, digits=2),
        Near(row.certificate, 3),
    ]


def _true_epsilon(row: Measurement) -> Exact:
    """Return the true epsilon; where it is near the one asked for as that and how far it is off, such as 0.5+3e-09."""
    true, asked = row.true_epsilon, float(row.run.epsilon)
    if true is None or math.isinf(true):
        return Exact(true)
    off = true - asked
    if abs(off) > NEAR * asked:
        return Exact(true, f"{true:.3g}")
    return Exact(true, f"{asked:g}{off:+.0e}" if off else f"{asked:g}")
