"""What data tell beside what is proved: kept columns, and values that their profile never has.

Kept columns tell whose row it is, by values that occur once; and of what is hidden, by what they rule out.
A mechanism hides which profile a row is of. A kept value that occurs with one profile alone tells it, and one that
never occurs with a profile rules it out; nothing that is proved of the mechanism holds against that. Which is counted:

- Few rows rule something out by accident. So at least `EXPECTED` rows would have the kept value together with what it
  rules out, were the two unrelated: with one profile; or, if it occurs with one alone, with all others together.
- Only profiles that an edge joins to one that the value occurs with: others need not be hidden from each other.
- What is kept belongs into the profile: carriers on a day, where the day is kept. A column that follows from the
  profile is taken to be in it, and its values tell something only if they occur with one profile alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.arrays import Integers
from mechdesign.graph.distribution import support
from mechdesign.graph.from_table.distinct import encoded
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import is_robust, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.release.codebook import UNKNOWN, Codebook, Codes

MOST = 10_000
"""Different values of a column are counted up to this many, whatever its size."""

CELLS = 1 << 20
"""Kept values times profiles: of more than this, pairs are not counted, but only how often each value occurs."""

EXPECTED = 10
"""Of unrelated columns one pair in 22,000 (e^10) that is expected so often never occurs."""

RISK = "whoever knows one knows whose row it is; round or group them first."


class Kept:
    """Counts how often each value of the kept columns occurs, and with which profiles, in what goes by.

    What is hidden is the column of the profiles; without one the column that they were made from, if the data have it;
    and else the value itself, where each profile is a single value.

    Examples
    --------
    >>> import mechdesign as md
    >>> kept = Kept(md.k_ary(["no", "yes"], epsilon=1), "answer")
    >>> kept.add({"party": pa.array(["left"] * 40 + ["right"] * 40)}, [np.repeat(np.int32([0, 1]), 40)])
    >>> kept.warnings()[0].partition(", and")[0]
    'party, which is kept, tells of answer: 2 of 2 values, in 80 of 80 rows, occur with one answer only'
    """

    def __init__(self, mechanism: Mechanism, value: str, profile: str | None = None) -> None:
        self.column = None if profile is not None else mechanism.hidden_column
        self._hidden, self._is_value, self._asked = profile or value, profile is None, mechanism.asked
        self._book = Codebook(mechanism.profiles, "profiles", mechanism.reading.missing_words)
        self._profiles = _profiles_of_values(mechanism) if has_point_masses(mechanism.graph) else None
        self._columns: dict[str, _Column] = {}

    def add(self, columns: Mapping[str, pa.Array], codes: Sequence[Codes], cells: pa.Array | None = None) -> None:
        """Count kept columns, beside the positions of values and profiles, or the cells of the hidden `column`."""
        profiles = self._profiles_of(codes, cells) if columns else None
        for name, column in columns.items():
            if name not in self._columns:
                self._columns[name] = _Column(1 if profiles is None else len(self._book.names) + 1)
            self._columns[name].add(column, profiles)

    def _profiles_of(self, codes: Sequence[Codes], cells: pa.Array | None) -> Codes | None:
        """Return the position of each row's profile, or something below 0; None where nothing says it."""
        if len(codes) > 1:
            return codes[1]
        if cells is not None and self.column is not None:
            self._hidden, self._is_value = self.column, False
            try:
                return self._book.codes(_as_text(cells))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # cells that cannot be labels
                return None
        return None if self._profiles is None else self._profiles.take(codes[0])

    def warnings(self) -> list[str]:
        """Return in words which columns tell whose row it is, and which tell of what is hidden."""
        once = [(name, column.once()) for name, column in self._columns.items()]
        found = [f"{name}, which is kept: {words}; {RISK}" for name, words in once if words]
        return found + list(self._telling())

    def _telling(self) -> Iterator[str]:
        """Yield in words of each column what it tells of what is hidden."""
        for name, column in self._columns.items():
            found, alone = ruling_out(column.counts, self._asked)
            if name != self._hidden and found.any():
                rows = column.counts.sum(axis=1)
                many = f"{found.sum():,} of {len(rows):,} values, in {rows[found].sum():,} of {rows.sum():,} rows,"
                yield self._words(name, many, int(found.sum()), int(alone.sum()))

    def _words(self, name: str, many: str, found: int, alone: int) -> str:
        which = f"one {self._hidden}" if alone == found else f"some values of {self._hidden}"
        more = f", {alone:,} of them with one" if 0 < alone < found else ""
        remedy = f"leave {name} out, group it, or {'sanitise it too' if self._is_value else 'put it into the profile'}"
        told = f"{name}, which is kept, tells of {self._hidden}: {many} occur{'s' * (found == 1)} with {which} only"
        return f"{told}{more}, and nothing of what is proved protects that; {remedy}."


class _Column:
    """How often each value of a kept column, by row, occurs with each profile, by column; last, with none known."""

    def __init__(self, width: int) -> None:
        self._places: dict[Any, int] = {}
        self.counts: Integers = np.zeros((0, width), np.int64)

    def add(self, column: pa.Array, profiles: Codes | None) -> None:
        """Count a part of the column, unless there are too many values."""
        if len(self._places) > MOST or pa.types.is_nested(column.type):
            return
        try:
            cells, codes = encoded(column)
        except pa.ArrowNotImplementedError:  # such as UUIDs: not counted
            return
        values = cells if column.null_count else cells[:-1]
        places = np.array([self._places.setdefault(cell, len(self._places)) for cell in values], np.int64)
        if len(self._places) > MOST:
            self.counts = self.counts[:0]
            return
        if len(self._places) * self.counts.shape[1] > CELLS:
            self.counts = self.counts.sum(axis=1, keepdims=True)
        self._count(places.take(codes), profiles)

    def _count(self, places: Integers, profiles: Codes | None) -> None:
        width = self.counts.shape[1]
        known = np.full(len(places), UNKNOWN) if profiles is None or width == 1 else profiles
        pairs = places * width + np.where(known < 0, width - 1, known)
        counts = np.bincount(pairs, minlength=len(self._places) * width).reshape(-1, width)
        counts[: len(self.counts)] += self.counts
        self.counts = counts

    def once(self) -> str:
        """Return in words that half of the values or more occur once, or might: there are too many; else nothing."""
        if len(self._places) > MOST:
            return f"over {MOST:,} different values, of which many may occur once in what is released"
        once, number = int(np.count_nonzero(self.counts.sum(axis=1) == 1)), len(self.counts)
        return f"{once:,} of {number:,} values occur once in what is released" if 2 * once >= number > 1 else ""


def ruling_out(counts: Integers, asked: Asked) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which kept values rule profiles out, by more than accident, and which of these occur with one alone.

    Examples
    --------
    >>> import mechdesign as md
    >>> asked = md.k_ary(["a", "b", "c"], epsilon=1).asked
    >>> [one.tolist() for one in ruling_out(np.array([[90, 0, 0, 0], [0, 90, 90, 0], [2, 0, 0, 0]]), asked)]
    [[True, True, False], [True, False, False]]
    """
    known = counts[:, :-1]
    there = known > 0
    if there.all():
        return np.zeros(len(counts), bool), np.zeros(len(counts), bool)
    expected = np.outer(known.sum(axis=1), known.sum(axis=0)) / max(known.sum(), 1)
    missed = np.where(there | ~_beside(there, asked), 0, expected)
    alone = (there.sum(axis=1) == 1) & (missed.sum(axis=1) >= EXPECTED)
    follows = (there.sum(axis=0) <= 1).all()
    return alone if follows else alone | (missed >= EXPECTED).any(axis=1), alone


def _beside(there: npt.NDArray[np.bool_], asked: Asked) -> Any:
    """Return for each kept value which profiles must not be told apart from one that it occurs with."""
    if asked.every_pair:  # from any that it occurs with
        return there.any(axis=1, keepdims=True)
    place = {name: i for i, name in enumerate(asked.names)}
    ends = np.array([(place[a], place[b]) for a, b in asked.profiles.edges]).T
    joined = np.zeros((len(place), len(place)), np.float32)
    joined[ends, ends[::-1]] = 1
    return np.greater(there.astype(np.float32) @ joined, 0)


def _profiles_of_values(mechanism: Mechanism) -> Codes:
    """Return for each category the position of the profile that is this single value, or UNKNOWN."""
    found = np.full(len(mechanism.categories), UNKNOWN, np.int32)
    for place, attributes in enumerate(mechanism.graph.nodes.values()):
        found[[x for x, share in enumerate(attributes["distribution"]) if share]] = place
    return found


def _as_text(cells: pa.Array) -> pa.Array:
    """Return cells of bytes in a CSV file as the text that they are."""
    is_bytes = pa.types.is_dictionary(cells.type) and pa.types.is_binary(cells.type.value_type)
    return cells.cast(pa.dictionary(cells.type.index_type, pa.string())) if is_bytes else cells


class Never:
    """Counts such values, by the profile that they are of; or, where nobody says which, those that none has.

    Examples
    --------
    >>> import mechdesign as md
    >>> graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["x", "y"])
    >>> never = Never(graph, by_profile=True)
    >>> never.add(np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> never.rows
    1
    """

    def __init__(self, graph: nx.Graph, *, by_profile: bool) -> None:
        within = is_robust(graph)
        table: npt.NDArray[np.bool_] = np.ones((len(graph) if by_profile else 1, len(graph.graph["categories"])), bool)
        for i, attributes in enumerate(graph.nodes.values()):
            most = uncertainty_of(attributes).reach if within else attributes["distribution"]
            table[i if by_profile else 0, [x for x, _ in support(most)]] = False
        self.rows = 0
        self._table = table if table.any() else None

    def add(self, values: Codes, profiles: Codes | None) -> None:
        """Count those among the positions of values, and of profiles."""
        if self._table is not None:
            places = values if profiles is None else profiles * np.int64(self._table.shape[1]) + values
            self.rows += int(np.count_nonzero(self._table.take(places, mode="clip")))

    def warnings(self) -> list[str]:
        """Return in words how many there were; nothing where there were none."""
        if not self.rows:
            return []
        many = f"{self.rows:,} row{'s have' if self.rows > 1 else ' has'} a value that the profile never has"
        return [f"{many}, by the mechanism's file. How these are released is no part of what is proved."]
