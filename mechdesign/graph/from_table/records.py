"""The records of a table: who, what, how often, and in which group; those left out are None."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.graph.cell_labels import MISSING, Missing, order_of
from mechdesign.graph.from_table.columns import Table
from mechdesign.graph.labels import Label


@dataclass(frozen=True)
class Records:
    """One entry for all rows of the table that are alike; `group` is its profile's, if a column joins profiles.

    `rows` are the numbers that the first of them have in the table; `weights`, if they have any, the sums of these and
    of their squares.
    """

    who: Sequence[Label | None]
    what: Sequence[Label | None]
    often: Sequence[int]
    group: Sequence[Label | None]
    rows: Sequence[int]
    left_out: set[int]
    weights: Sequence[tuple[Fraction, Fraction]] | None = None

    def tally(self, profiles: Iterable[Label]) -> dict[Label, Counter[Label]]:
        """Return for each of these profiles how many records have which category; weighted, their total weight."""
        return self._summed(profiles, self.often if self.weights is None else [weight for weight, _ in self.weights])

    def sizes(self, profiles: Iterable[Label]) -> dict[Label, int]:
        """Return for each of these profiles how many records it has, whatever they weigh."""
        return {profile: counter.total() for profile, counter in self._summed(profiles, self.often).items()}

    def squares(self, profiles: Iterable[Label]) -> dict[Label, Fraction]:
        """Return for each of these profiles the sum of its records' squared weights."""
        squares = self.often if self.weights is None else [square for _, square in self.weights]
        return {profile: Fraction(one.total()) for profile, one in self._summed(profiles, squares).items()}

    def _summed(self, profiles: Iterable[Label], numbers: Sequence[Any]) -> dict[Label, Counter[Label]]:
        result: dict[Label, Counter[Label]] = {profile: Counter() for profile in profiles}
        for one, category, number in zip(self.who, self.what, numbers, strict=True):
            if one in result and category is not None:
                result[one][category] += number
        return result


def read_records(table: Table, profile: str, value: Sequence[str], count: str | None, joined_by: str | None) -> Records:
    """Return the records in these columns, of several as tuples; what is wrong becomes a fault of the table."""
    who, what = table.labels(profile), _together([table.labels(name) for name in value])
    often = table.times
    if count is not None:
        often = [one * each for one, each in zip(table.counts(count), table.times, strict=True)]
    group = who if joined_by is None else table.labels(joined_by)
    left_out = table.without_value(value)
    if table.reading.missing == Missing.CATEGORY:
        what = [MISSING if label is None else label for label in what]
    who, what, group = (_kept(labels, left_out) for labels in (who, what, group))
    rows = [numbers[0] for numbers in table.first]
    return Records(who, what, often, group, rows, left_out, table.weights)


def _together(columns: Sequence[list[Label | None]]) -> list[Label | None]:
    """Return the labels of a column; or of several the tuples of what these are written as, None if one has none."""
    if len(columns) == 1:
        return columns[0]
    return [None if None in parts else tuple(map(str, parts)) for parts in zip(*columns, strict=True)]


def _kept(labels: list[Label | None], left_out: set[int]) -> list[Label | None]:
    return [None if row in left_out else label for row, label in enumerate(labels, start=1)] if left_out else labels


def sorted_labels(labels: Iterable[Label | None]) -> list[Label]:
    """Return the labels that occur, each once; numbers by size, then words."""
    return sorted({label for label in labels if label is not None}, key=order_of)
