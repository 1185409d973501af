"""The categories: of one column, or of several all combinations of theirs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import MISSING, Missing
from mechdesign.graph.from_table.columns import Table
from mechdesign.graph.from_table.histogram import Tally
from mechdesign.graph.from_table.reading import Reading, listed
from mechdesign.graph.from_table.records import sorted_labels
from mechdesign.graph.labels import Label
from mechdesign.words import counted

Given = Sequence[Any] | None
"""Categories as a user gives them: those of the column, or a list for each of several."""


@dataclass(frozen=True)
class Alphabet:
    """The categories of the value, which stands in these columns."""

    columns: tuple[str, ...]

    def is_declared(self, table: Table) -> bool:
        """Return whether the table itself says which categories there are."""
        return all(table.order(name) is not None for name in self.columns)

    def faults(self, reading: Reading, merge_below: int | None, given: Given) -> Iterator[str]:
        """Yield what does not go with several columns."""
        number = len(self.columns)
        if number == 1:
            if given is not None and any(isinstance(one, list) for one in given):
                yield f"categories: lists of several columns, where the value is one, {shown(self.columns[0])}"
            return
        if reading.others is not None or merge_below is not None:
            yield "others: goes with one column; bring the rare values of each together in the table"
        if reading.missing == Missing.CATEGORY:
            yield "missing: category goes with one column; write in the table what a missing value is to be called"
        if given is not None and (len(given) != number or any(isinstance(one, str) for one in given)):
            yield f"categories: the value is of {number} columns; give --categories {number} times, once for each"

    def categories(self, table: Table, what: Sequence[Any], given: Given) -> tuple[list[Label], bool]:
        """Return the categories in their order, and whether somebody gave it."""
        if len(self.columns) == 1:
            return _of_column(table, self.columns[0], what, given)
        present = [labels for labels in what if labels is not None]
        parts = []
        for place, name in enumerate(self.columns):
            own = None if given is None else given[place]
            parts.append(_of_column(table, name, [labels[place] for labels in present], own)[0])
        return list(product(*([str(label) for label in part] for part in parts))), False

    def too_many(self, categories: Collection[Label], tally: Tally) -> Iterator[str]:
        """Yield that there are fewer records than combinations."""
        cells, records = len(categories) * len(tally), sum(counter.total() for counter in tally.values())
        if len(self.columns) > 1 and cells > records:
            yield (
                f"value: {self.in_words(self.described(categories))} for each of {counted(len(tally), 'profile')} are"
                f" {cells:,} counts, of only {counted(records, 'record')}; bring values or profiles together, or"
                " protect each column by itself (--split)"
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
        return table.given("categories", listed("categories", given), occurring), True
    declared = table.order(name)
    if declared is None:
        return occurring, False
    rest = [label for label in occurring if label == MISSING and label not in declared]
    return declared + rest, not rest
