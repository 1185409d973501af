"""Solution files of solvers from outside.

Lines of a name and a number: a column and its value or, as far as they are known, a row and its multiplier, the rate at
which the optimum changes with the row's bound (of either sign). Empty lines and those beginning with # say nothing. A
column that is not there is 0, a row likewise, but at least one column must be. Those of profiles in other components
are passed over: an answer to the whole graph's program is one to each component's. Or HiGHS' own format, as its
`--solution_file` writes it: told by its section "# Primal solution values"; multipliers are taken from its dual one.
"""

import math
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.exact.text import shown
from mechdesign.program.names import first_profile

PRIMAL, DUAL = "# Primal solution values", "# Dual solution values"


def read_solution(
    path: Path, columns: Sequence[str], rows: Sequence[str], others: Container[int] = ()
) -> tuple[Floats, Floats | None]:
    """Return the values of the columns and the multipliers of the rows, None if the file has none.

    Lines about profiles at the positions `others`, which are in other components, are passed over.

    Raises
    ------
    SolverError
        naming the line that cannot be used.
    """
    lines = list(enumerate(path.read_text(encoding="utf-8-sig", errors="replace").splitlines(), start=1))
    found: tuple[dict[str, float], dict[str, float]] = {}, {}
    names = (set(columns), set(rows))
    for number, line in _of_highs(lines) if any(line.strip() == PRIMAL for _, line in lines) else lines:
        words, where = line.split(), f"line {number} of the solution"
        if not words or words[0].startswith("#"):
            continue
        name, kind = words[0], 0 if words[0] in names[0] else 1
        if len(words) == 2 and first_profile(name) in others:
            continue
        if len(words) != 2 or name not in names[kind]:
            raise SolverError(f"{where}: expected the name of a column or row and a number, found {shown(line)}")
        if name in found[kind]:
            raise SolverError(f"{where}: {name} is there twice")
        found[kind][name] = _number(words[1], where)
    if not found[0]:
        raise SolverError("the solution has no columns: expected lines such as entry_0_0_0 0.75")
    values = np.array([found[0].get(name, 0.0) for name in columns])
    return values, np.array([found[1].get(name, 0.0) for name in rows]) if found[1] else None


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SolverError(f"{where}: expected a finite number, found {shown(text)}")
    return value


def _of_highs(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines of HiGHS' own format that are columns' values and rows' multipliers."""
    part, wanted = "", False
    for number, line in lines:
        if line.startswith(("# Columns ", "# Rows ")):
            wanted = line.startswith({PRIMAL: "# Columns ", DUAL: "# Rows "}.get(part, "neither"))
        elif line.startswith("#"):
            part, wanted = line.strip(), False
        elif wanted:
            yield number, line
