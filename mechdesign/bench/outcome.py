"""What was asked of a method, and what came of it; and how that is written as a row of JSON.

A file of rows is `{"format": "mechdesign-bench/1", "rows": [{...}, ...]}`. The keys of a row:

- `family`, `profiles`, `categories`, `seed`, `epsilon`, `delta`, `objective` (empty for the family's own), `method`,
  `command` (which the method "command" runs): what was asked; `edges` and `unknowns` (the number of transition
  probabilities) say how much that is;
- `outcome`: done, timed out, no optimum, failed, not installed, or does not apply; `words` says why;
- `build`, `compile`, `solve`, `canonical`, `repair`, `check`, `bound`: seconds in each phase that the method has; a
  peer's repair is to clip negatives and renormalise; check and bound are mechdesign's exact re-check and lower bound;
- `seconds`: all of them; `memory`: the largest resident size of the whole process, or of what a command
  started if that is larger, in MiB;
- `value`: the objective of the mechanism made; `bound_exact`: the certified lower bound, as p/q;
- `true_epsilon`: the least epsilon for which the mechanism is private, exact and rounded up; null if it is not known,
  or infinite: `true_epsilon_exact`, which is text, then says "inf";
- `excess`: (value - bound) / bound, with the row's own bound (then this is its certified gap) or else the best one of
  the same graph; value - bound where that is 0;
- `certificate`: seconds to write the certificate and have checker.py accept it, where that was asked;
- `limit`: the seconds that the run was given.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from mechdesign.exact.bounds import float_above
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import BENCH

PHASES = ("build", "compile", "solve", "canonical", "repair", "check", "bound")


class Ending(StrEnum):
    """How a run ended."""

    DONE = "done"
    TIMED_OUT = "timed out"
    NO_OPTIMUM = "no optimum"
    FAILED = "failed"
    MISSING = "not installed"
    UNFIT = "does not apply"


@dataclass(frozen=True)
class Run:
    """A method on a family's graph; with an `objective` of `OBJECTIVES` in place of the family's own, if it has one.

    `command` is what the method "command" runs.
    """

    family: str
    profiles: int
    categories: int
    method: str
    epsilon: str = "0.5"
    seed: int = 1
    objective: str = ""
    delta: str = "0"
    command: str = ""

    @property
    def case(self) -> tuple[object, ...]:
        """What runs of different methods have in common."""
        return self.family, self.profiles, self.categories, self.epsilon, self.seed, self.objective, self.delta


@dataclass(frozen=True)
class Measurement:
    """What came of a run; the module says what the fields mean."""

    run: Run
    outcome: Ending
    words: str = ""
    edges: int | None = None
    unknowns: int | None = None
    phases: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    memory: float | None = None
    value: float | None = None
    bound_exact: str | None = None
    true_epsilon: float | None = None
    excess: float | None = None
    certificate: float | None = None
    limit: float | None = None

    @property
    def done(self) -> bool:
        """Whether the method gave an answer."""
        return self.outcome == Ending.DONE

    def first_stage(self) -> float:
        """Return the seconds until an optimum was known: to build, compile and solve."""
        return sum(self.phases.get(phase, 0.0) for phase in PHASES[:3])


def with_excess(rows: Sequence[Measurement]) -> list[Measurement]:
    """Return the rows with their excess over their own bound, else over the best one certified for the same case."""
    best: dict[tuple[object, ...], Fraction] = {}
    for row in rows:
        if row.bound_exact is not None:
            bound = Fraction(row.bound_exact)
            best[row.run.case] = max(bound, best.get(row.run.case, bound))
    return [replace(row, excess=_excess(row, best.get(row.run.case))) for row in rows]


def _excess(row: Measurement, best: Fraction | None) -> float | None:
    bound = best if row.bound_exact is None else Fraction(row.bound_exact)
    if bound is None or row.value is None:
        return None
    return float_above((Fraction(row.value) - bound) / (bound or 1))


def record(row: Measurement) -> dict[str, Any]:
    """Return a row as a flat JSON object.

    Examples
    --------
    >>> record(Measurement(Run("ring", 10, 5, "scipy"), Ending.TIMED_OUT))["outcome"]
    'timed out'
    """
    flat = asdict(row)
    true = row.true_epsilon
    return {
        **flat.pop("run"),
        "outcome": flat.pop("outcome").value,
        **{key: flat.pop(key) for key in ("words", "edges", "unknowns")},
        **{phase: row.phases.get(phase) for phase in PHASES},
        **{key: value for key, value in flat.items() if key != "phases"},
        "true_epsilon": None if true == math.inf else true,
        "true_epsilon_exact": None if true is None else repr(true),
    }


def measurement_of(flat: dict[str, Any]) -> Measurement:
    """Return the row that `record` wrote."""
    known = {key: value for key, value in flat.items() if value is not None}
    run = Run(**{part.name: known.pop(part.name) for part in fields(Run)})
    phases = {phase: known.pop(phase) for phase in PHASES if phase in known}
    if "true_epsilon_exact" in known:
        known["true_epsilon"] = float(known.pop("true_epsilon_exact"))
    return Measurement(run, Ending(known.pop("outcome")), phases=phases, **known)


def write_rows(rows: Iterable[Measurement], path: str | Path) -> None:
    """Write rows; the file appears whole or not at all."""
    write_json({"format": BENCH.format, "rows": [record(row) for row in rows]}, path)
