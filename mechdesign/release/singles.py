"""Values of a kept column that occur once: each tells, to whoever knows it, whose row it is in."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

MOST = 10_000
"""Different values of a column are counted up to this many, whatever its size."""

RISK = "whoever knows one knows whose row it is; round or group them first."


class Singles:
    """Counts how often each value of some columns occurs, in what goes by.

    Examples
    --------
    >>> singles = Singles(["weight"])
    >>> _ = list(singles.seen([pa.RecordBatch.from_pydict({"weight": [1.5, 2.5, 3.5, 3.5]})]))
    >>> singles.warnings()[0].partition(":")[0]
    'weight, which is kept'
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._counts: dict[str, Counter[Any]] = {name: Counter() for name in names}

    def seen(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches as they are."""
        for batch in batches:
            for name, counts in self._counts.items():
                if len(counts) <= MOST:
                    self._add(counts, batch.column(name))
            yield batch

    def _add(self, counts: Counter[Any], column: pa.Array) -> None:
        try:
            found = pc.value_counts(column)[: MOST + 1]
        except pa.ArrowNotImplementedError:  # lists and such: not counted
            return
        for one in found.to_pylist():
            counts[one["values"]] += one["counts"]

    def warnings(self) -> list[str]:
        """Return in words of which columns half of the values or more occur once, or might: there are too many."""
        return [f"{name}, which is kept: {words}; {RISK}" for name, words in self._found() if words]

    def _found(self) -> Iterator[tuple[str, str]]:
        for name, counts in self._counts.items():
            once = sum(times == 1 for times in counts.values())
            if len(counts) > MOST:
                yield name, f"over {MOST:,} different values, of which many may occur once in what is released"
            elif 2 * once >= len(counts) > 1:
                yield name, f"{once:,} of {len(counts):,} values occur once in what is released"
