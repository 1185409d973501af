"""The categories: of one column, or of several all combinations of theirs."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from mechdesign.exact.faults import Faults
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import MISSING, Missing, Reading, listed
from mechdesign.graph.from_table.columns import Records, Table, sorted_labels
from mechdesign.graph.from_table.histogram import Release
from mechdesign.graph.labels import Label, check_in_order
from mechdesign.words import counted

Given = Sequence[Any] | None
"""Categories as a user gives them: those of the column, or a list for each of several."""


@dataclass(frozen=True)
class Others:
    """What is asked: the category `label` for values that are none of those, or occur in less than `below` rows."""

    label: Label | None
    below: int | None

    def faults(self, release: Release, *, declared: bool) -> Iterator[str]:
        """Yield what stands against it; `declared` says whether categories were given."""
        if self.below is None:
            if self.label is not None and not declared:
                yield "others: goes with categories or merge_below; without these every value is a category"
            return
        faults = Faults()
        faults.whole("merge_below", self.below, "a whole number of rows >= 1")
        yield from faults
        if self.label is None:
            yield "merge_below: give others, a label for what the rare categories become together"
        if release.noise is not None:
            remedy = "with noise give the categories, not from these records, and others for the rest"
            yield f"merge_below: which categories are rare would tell about the records; {remedy}"

    def merged(
        self, table: Table, records: Records, known: Sequence[Label], *, declared: bool
    ) -> tuple[Records, list[Label], Label | None]:
        """Return the records and categories that it leaves, and the label of the others, if it is one of these."""
        if self.label is None:
            return records, list(known), None
        (label,) = table.given("others", [self.label], known)
        rare = self._rare(records, known) - {label}
        left = [category for category in known if category not in rare]
        if label not in left and (rare or declared):
            left.append(label)
        there = set(left)
        what = [one if one is None or one in there else label for one in records.what]
        return replace(records, what=what), left, label if label in there else None

    def _rare(self, records: Records, known: Sequence[Label]) -> set[Label]:
        """Return the categories with too few rows."""
        if self.below is None:
            return set()
        times: Counter[Any] = Counter()
        for category, often in zip(records.what, records.often, strict=True):
            times[category] += often
        return {category for category in known if times[category] < self.below}


@dataclass(frozen=True)
class Alphabet:
    """The categories of the value, which stands in these columns."""

    columns: tuple[str, ...]

    def is_declared(self, table: Table) -> bool:
        """Return whether the table itself says which categories there are."""
        return all(table.order(name) is not None for name in self.columns)

    def faults(self, reading: Reading, merge_below: int | None, given: Given) -> Iterator[str]:
        """Yield what does not go with several columns."""
        number, known = len(self.columns), [] if given is None else listed("categories", given)
        if number == 1:
            if any(isinstance(one, list) for one in known):
                yield f"categories: lists of several columns, where the value is one, {shown(self.columns[0])}"
            return
        if reading.others is not None or merge_below is not None:
            yield "others: goes with one column; bring the rare values of each together in the table"
        if reading.missing == Missing.CATEGORY:
            yield "missing: category goes with one column; write in the table what a missing value is to be called"
        if given is not None and (len(known) != number or any(isinstance(one, str) for one in known)):
            yield f"categories: the value is of {number} columns; give --categories {number} times, once for each"

    def categories(
        self, table: Table, records: Records, profiles: Collection[Label], given: Given
    ) -> tuple[list[Label], bool]:
        """Return the categories in their order, and whether somebody gave it; an InputError if they are too many."""
        if len(self.columns) == 1:
            return _of_column(table, self.columns[0], records.what, given)
        present: list[Any] = [labels for labels in records.what if labels is not None]
        parts = []
        for place, name in enumerate(self.columns):
            own = None if given is None else given[place]
            parts.append(_of_column(table, name, [labels[place] for labels in present], own)[0])
        table.faults += self._too_many([len(part) for part in parts], records, profiles)
        table.faults.check()
        return list(product(*([str(label) for label in part] for part in parts))), False

    def _too_many(self, sizes: Sequence[int], records: Records, profiles: Collection[Label]) -> Iterator[str]:
        """Yield that there are fewer records than combinations."""
        number = sum(often for often, what in zip(records.often, records.what, strict=True) if what is not None)
        cells = prod(sizes) * len(profiles)
        if cells > number:
            combinations = self.in_words({"columns": dict(zip(self.columns, sizes, strict=True))})
            yield (
                f"value: {combinations} for each of {counted(len(profiles), 'profile')} are {cells:,} counts, of only"
                f" {counted(number, 'record')}; bring values or profiles together, or protect each column by itself"
                " (--split)"
            )

    def described(self, categories: Collection[Any]) -> dict[str, Any]:
        """Return what a graph says of several columns: how many categories each has."""
        if len(self.columns) == 1:
            return {}
        return {"columns": {name: len({x[place] for x in categories}) for place, name in enumerate(self.columns)}}

    @staticmethod
    def in_words(made: Mapping[str, Any]) -> str:
        """Return how many combinations there are, of what a graph says of its columns."""
        sizes = made["columns"]
        each = " x ".join(f"{number} ({name})" for name, number in sizes.items())
        return f"{each} = {prod(sizes.values()):,} combinations"


def _of_column(table: Table, name: str, what: Sequence[Label | None], given: Given) -> tuple[list[Label], bool]:
    """Return the categories of a column in their order, and whether somebody gave it."""
    occurring = sorted_labels(what)
    if given is not None:
        check_in_order(given, "categories")
        return table.given("categories", listed("categories", given), occurring), True
    declared = table.order(name)
    if declared is None:
        return occurring, False
    rest = [label for label in occurring if label == MISSING and label not in declared]
    return declared + rest, not rest
