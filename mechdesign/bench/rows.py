"""What was asked of a method and what came of it, and the files that hold a benchmark's rows.

A file of rows is JSON, `{"format": "mechdesign-bench/1", "rows": [{...}, ...]}`, or CSV with one column per key. The
keys of a row:

- `family`, `profiles`, `categories`, `seed`, `epsilon`, `method`: what was asked; `edges` and `unknowns` (the number
  of transition probabilities) say how much that is;
- `outcome`: done, timed out, no optimum, failed, not installed, or does not apply; `words` says why;
- `build`, `compile`, `solve`, `canonical`, `repair`, `check`, `bound`: seconds in each phase that the method has; a
  peer's repair is to clip negatives and renormalise; check and bound are mechdesign's exact re-check and lower bound;
- `seconds`: all of them; `memory`: the largest resident size of the whole process, in MiB;
- `value`: the objective of the mechanism made; `bound_exact`: the certified lower bound, as p/q;
- `true_epsilon`: the least epsilon for which the mechanism is private, exact and rounded up; null if it is not known,
  or infinite: `true_epsilon_exact`, which is text, then says "inf";
- `excess`: (value - bound) / bound, with the row's own bound (then this is its certified gap) or else the best one of
  the same graph; value - bound where that is 0;
- `certificate`: seconds to write the certificate and have checker.py accept it, where that was asked;
- `limit`: the seconds that the run was given.
"""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact import float_above
from mechdesign.files.files import opened_text, read_json, write_atomically, write_json
from mechdesign.files.kinds import BENCH, TEXT, expecting

FORMAT = "mechdesign-bench/1"
PHASES = ("build", "compile", "solve", "canonical", "repair", "check", "bound")


class Outcome(StrEnum):
    """How a run ended."""

    DONE = "done"
    TIMED_OUT = "timed out"
    NO_OPTIMUM = "no optimum"
    FAILED = "failed"
    MISSING = "not installed"
    UNFIT = "does not apply"


@dataclass(frozen=True)
class Run:
    """A method on a family's graph."""

    family: str
    profiles: int
    categories: int
    method: str
    epsilon: str = "0.5"
    seed: int = 1

    @property
    def case(self) -> tuple[object, ...]:
        """What runs of different methods have in common."""
        return self.family, self.profiles, self.categories, self.epsilon, self.seed


@dataclass(frozen=True)
class Row:
    """What came of a run; the module says what the fields mean."""

    run: Run
    outcome: Outcome
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
        return self.outcome == Outcome.DONE

    def first_stage(self) -> float:
        """Return the seconds until an optimum was known: to build, compile and solve."""
        return sum(self.phases.get(phase, 0.0) for phase in PHASES[:3])


def with_excess(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with their excess over their own bound, else over the best one certified for the same case."""
    best: dict[tuple[object, ...], Fraction] = {}
    for row in rows:
        if row.bound_exact is not None:
            bound = Fraction(row.bound_exact)
            best[row.run.case] = max(bound, best.get(row.run.case, bound))
    return [replace(row, excess=_excess(row, best.get(row.run.case))) for row in rows]


def _excess(row: Row, best: Fraction | None) -> float | None:
    bound = best if row.bound_exact is None else Fraction(row.bound_exact)
    if bound is None or row.value is None:
        return None
    return float_above((Fraction(row.value) - bound) / (bound or 1))


def record(row: Row) -> dict[str, Any]:
    """Return a row as a flat JSON object.

    Examples
    --------
    >>> record(Row(Run("ring", 10, 5, "scipy"), Outcome.TIMED_OUT))["outcome"]
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


def row_of(flat: dict[str, Any]) -> Row:
    """Return the row of such an object; in one from a CSV file all values are text.

    Raises
    ------
    InputError
        if it is not one.
    """
    known = {key: value for key, value in flat.items() if value not in (None, "")}
    try:
        kinds = {"profiles": int, "categories": int, "seed": int, "edges": int, "unknowns": int, "outcome": Outcome}
        texts = ("family", "method", "epsilon", "words", "bound_exact")
        known = {key: str(v) if key in texts else kinds.get(key, float)(v) for key, v in known.items()}
        run = Run(**{part.name: known.pop(part.name) for part in fields(Run)})
        if "true_epsilon_exact" in known:
            known["true_epsilon"] = known.pop("true_epsilon_exact")
        phases = {phase: known.pop(phase) for phase in PHASES if phase in known}
        return Row(run, phases=phases, **known)
    except (KeyError, TypeError, ValueError):
        raise InputError("expected the rows of a benchmark") from None


def write_rows(rows: Iterable[Row], path: str) -> None:
    """Write rows as CSV or JSON, by the file's ending; the file appears whole or not at all.

    Raises
    ------
    InputError
        if the ending is neither, or the file cannot be written.
    """
    records = [record(row) for row in rows]
    if check_ending(path) == ".json":
        write_json({"format": FORMAT, "rows": records}, path)
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, record(Row(Run("", 0, 0, ""), Outcome.DONE)))
    writer.writeheader()
    writer.writerows(records)
    write_atomically(path, lambda beside: beside.write_text(text.getvalue(), encoding="utf-8", newline=""))


def read_rows(path: str) -> list[Row]:
    """Return the rows that `write_rows` wrote.

    Raises
    ------
    InputError
        naming the file.
    """
    with expecting(BENCH, TEXT, path=path):
        return _read(path)


def _read(path: str) -> list[Row]:
    try:
        if check_ending(path) == ".csv":
            with opened_text(path, "the rows of a benchmark") as file:
                return [row_of(dict(record)) for record in csv.DictReader(file)]
        document = read_json(path)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise InputError(f'expected a file with "format": "{FORMAT}"')
        return [row_of(record) for record in document["rows"]]
    except InputError as error:
        raise InputError(error.faults, source=path) from None
    except (csv.Error, KeyError, TypeError):
        raise InputError("expected the rows of a benchmark", source=path) from None


def check_ending(path: str) -> str:
    """Return ".json" or ".csv", a file's ending.

    Raises
    ------
    InputError
        if it is another.
    """
    ending = Path(path).suffix.lower()
    if ending not in (".json", ".csv"):
        raise InputError("expected a file ending in .json or .csv", source=path)
    return ending
