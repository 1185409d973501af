"""The files that hold a benchmark's measurements, one a row.

A file of rows is JSON, `{"format": "mechdesign-bench/1", "rows": [{...}, ...]}`, or CSV with one column per key. The
keys of a row:

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

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from mechdesign.bench.measurement import PHASES, Ending, Measurement, Run
from mechdesign.errors import InputError
from mechdesign.files.documents import read_json, write_json
from mechdesign.files.kinds import BENCH, TEXT, expecting
from mechdesign.files.opening import opened_text
from mechdesign.files.writing import write_atomically

FORMAT = "mechdesign-bench/1"


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
    """Return the row of such an object; in one from a CSV file all values are text.

    Raises
    ------
    InputError
        if it is not one.
    """
    known = {key: value for key, value in flat.items() if value not in (None, "")}
    try:
        kinds = {"profiles": int, "categories": int, "seed": int, "edges": int, "unknowns": int, "outcome": Ending}
        texts = ("family", "method", "command", "epsilon", "delta", "objective", "words", "bound_exact")
        known = {key: str(v) if key in texts else kinds.get(key, float)(v) for key, v in known.items()}
        run = Run(**{part.name: known.pop(part.name) for part in fields(Run) if part.name in known})
        if "true_epsilon_exact" in known:
            known["true_epsilon"] = known.pop("true_epsilon_exact")
        phases = {phase: known.pop(phase) for phase in PHASES if phase in known}
        return Measurement(run, phases=phases, **known)
    except (KeyError, TypeError, ValueError):
        raise InputError("expected the rows of a benchmark") from None


def write_measurements(rows: Iterable[Measurement], path: str) -> None:
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
    writer = csv.DictWriter(text, record(Measurement(Run("", 0, 0, ""), Ending.DONE)))
    writer.writeheader()
    writer.writerows(records)
    write_atomically(path, lambda beside: beside.write_text(text.getvalue(), encoding="utf-8", newline=""))


def read_measurements(path: str) -> list[Measurement]:
    """Return the rows that `write_measurements` wrote.

    Raises
    ------
    InputError
        naming the file.
    """
    with expecting(BENCH, TEXT, path=path):
        return _read(path)


def _read(path: str) -> list[Measurement]:
    try:
        if check_ending(path) == ".csv":
            with opened_text(path, "the rows of a benchmark") as file:
                return [measurement_of(dict(record)) for record in csv.DictReader(file)]
        document = read_json(path)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise InputError(f'expected a file with "format": "{FORMAT}"')
        return [measurement_of(record) for record in document["rows"]]
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
