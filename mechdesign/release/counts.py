"""From released data to counts: how often each output was released, by profile."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.exact import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.from_table.labels import label_of
from mechdesign.graph.profile_graph import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.streams import open_stream
from mechdesign.words import counted

ALL = "all"
"""The name of the one entry where profiles are not told apart."""

NAMED = 5
"""An error names so many of the labels that nobody knows."""

MOST_COUNTED = 1_000_000
"""Up to so many pairs of labels are counted in a table, 8 MB; more by sorting, which takes three times as long."""

Counts: TypeAlias = npt.NDArray[np.int64]

Pairs: TypeAlias = Counter[tuple[Any, Any]]
"""How many rows have which cells: (profile, value)."""


def tally(
    mechanism: Mechanism,
    released: Any,
    value: str | None,
    profile: Any,
    layout: Layout = RECOGNISED,
) -> dict[Label, Counts]:
    """Return, for each profile that occurs, how often each output was released to it.

    Parameters
    ----------
    released
        the path of a file or folder; a table, whatever has `__arrow_c_stream__`, or maps columns to cells; or labels.
    value, profile
        the columns of a file or table; with labels `profile` is as many labels of profiles. Without a profile all rows
        count under the name `all`.

    Raises
    ------
    InputError
        if there are no rows; or counting the labels that the mechanism does not know, and missing ones.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
    >>> tally(coin, ["no", "yes", "no"], None, None)
    {'all': array([2, 1])}
    """
    pairs: Pairs = Counter()
    for profiles, values in _columns(released, value, profile, layout):
        pairs.update(_paired(profiles, values))
    outputs = _Known(mechanism.outputs)
    any_group = mechanism.one_matrix  # rows that are the same for everybody serve any group of people
    names = _Known(() if any_group else mechanism.profiles)
    unknown: dict[str, Counter[Any]] = {"profile": Counter(), "value": Counter()}
    result: dict[Label, Counts] = {}
    for (group, cell), rows in pairs.items():
        place = outputs.position(cell)
        name = ALL if profile is None else names.label(group)
        if name is None and any_group and not _missing(group):
            name = label_of(group)
        if place is None:
            unknown["value"][_shown(cell)] += rows
        if name is None:
            unknown["profile"][_shown(group)] += rows
        if place is not None and name is not None:
            result.setdefault(name, np.zeros(len(mechanism.outputs), dtype=np.int64))[place] += rows
    faults = [_fault(kind, cells) for kind, cells in unknown.items() if cells]
    if faults or not result:
        raise InputError(faults or "expected released data, found no rows")
    order = {name: place for place, name in enumerate(mechanism.profiles)}
    return dict(sorted(result.items(), key=lambda item: (order.get(item[0], len(order)), str(item[0]))))


def _fault(kind: str, cells: Counter[str]) -> str:
    """Return in words how many rows have which labels that are none of the mechanism's."""
    first = ", ".join(f"{cell} {times}" for cell, times in cells.most_common(NAMED))
    rest = len(cells) - NAMED
    more = f" and {counted(rest, 'more label')}" if rest > 0 else ""
    what = "outputs; is this what this mechanism released?" if kind == "value" else "profiles"
    return f"{kind}: {counted(cells.total(), 'row')} with labels that are none of the mechanism's {what} {first}{more}"


class _Known:
    """The labels of a mechanism, found by what a cell holds: itself, or as a table writes it."""

    def __init__(self, labels: Sequence[Label]) -> None:
        self.labels = labels
        self._places = {label: place for place, label in enumerate(labels)}
        written = Counter(str(label) for label in labels)
        self._written = {str(label): place for place, label in enumerate(labels) if written[str(label)] == 1}

    def position(self, cell: Any) -> int | None:
        """Return where the label stands that a cell means; None if there is none."""
        if _missing(cell):
            return None
        label = label_of(cell)
        try:
            found = self._places.get(label)
        except TypeError:  # a list, say
            return None
        return self._written.get(str(label)) if found is None else found

    def label(self, cell: Any) -> Label | None:
        """Return the label that a cell means."""
        place = self.position(cell)
        return None if place is None else self.labels[place]


def _missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)


def _shown(cell: Any) -> str:
    return "without a value" if _missing(cell) else shown(cell)


def _columns(released: Any, value: str | None, profile: Any, layout: Layout) -> Iterator[tuple[Any, Any]]:
    """Yield Arrow arrays of profiles (None without) and values, batch by batch."""
    if isinstance(released, str | os.PathLike) or hasattr(released, "__arrow_c_stream__"):
        names = [_name("value", value)] + ([] if profile is None else [_name("profile", profile)])
        for batch in _batches(released, names, layout):
            yield None if profile is None else batch.column(names[1]), batch.column(names[0])
    elif isinstance(released, Mapping):
        yield None if profile is None else _cells(released, "profile", profile), _cells(released, "value", value)
    elif value is not None:
        raise InputError(f"value: a column's name goes with a file or a table, found {type(released).__name__}")
    else:
        yield None if profile is None else _listed(profile, "profile"), _listed(released, "released")


def _batches(released: Any, names: Sequence[str], layout: Layout) -> Iterator[pa.RecordBatch]:
    if isinstance(released, str | os.PathLike):
        with open_stream(released, names, layout=layout) as stream:
            yield from stream
        return
    reader = pa.RecordBatchReader.from_stream(released)
    missing = [name for name in names if name not in reader.schema.names]
    if missing:
        raise InputError([f"no column {shown(name)}; there are {', '.join(reader.schema.names)}" for name in missing])
    yield from reader


def _name(what: str, column: Any) -> str:
    if not isinstance(column, str):
        raise InputError(f"{what}: expected the name of a column, found {shown(column)}")
    return column


def _cells(table: Mapping[str, Any], what: str, column: Any) -> Sequence[Any]:
    name = _name(what, column)
    if name not in table:
        raise InputError(f"no column {shown(name)}; there are {', '.join(map(str, table))}")
    return _listed(table[name], what)


def _listed(cells: Any, what: str) -> Sequence[Any]:
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise InputError(f"{what}: expected labels, one for each row, found {shown(cells)}")
    return list(cells.tolist() if isinstance(cells, np.ndarray) else cells)


def _paired(profiles: Any, values: Any) -> Pairs:
    """Return how often each pair of cells occurs; columns of Arrow are counted without looking at each row."""
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        groups = [None] * len(values) if profiles is None else profiles
        if len(groups) != len(values):
            raise InputError(f"profile: expected {len(values)} labels, one for each row, found {len(groups)}")
        try:
            return Counter(zip(groups, values, strict=True))
        except TypeError:
            raise InputError("released: expected labels, found what has no hash, such as a list") from None
    names, codes = _coded(values)
    if profiles is None:
        return Counter({(None, names[code]): int(rows) for code, rows in _occurring(codes, len(names))})
    others, groups = _coded(profiles)
    both = _occurring(groups * len(names) + codes, len(others) * len(names))
    return Counter({(others[code // len(names)], names[code % len(names)]): int(rows) for code, rows in both})


def _coded(column: Any) -> tuple[list[Any], npt.NDArray[np.int64]]:
    """Return the different cells of a column, a missing one last, and which of them each row has."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    names = coded.dictionary.to_pylist()
    codes = coded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False).astype(np.int64)
    return [*names, None], codes


def _occurring(codes: npt.NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Yield (code, how often) for the codes below `size` that occur."""
    if size <= MOST_COUNTED:
        rows = np.bincount(codes, minlength=size)
        return zip(np.flatnonzero(rows).tolist(), rows[rows > 0].tolist(), strict=True)
    numbers, times = np.unique(codes, return_counts=True)
    return zip(numbers.tolist(), times.tolist(), strict=True)
