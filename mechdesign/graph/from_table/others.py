"""Values that are none of the categories, or rare, brought together in one category."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mechdesign.exact.faults import Faults
from mechdesign.graph.from_table.columns import Table
from mechdesign.graph.from_table.disclosure import Release
from mechdesign.graph.from_table.records import Records
from mechdesign.graph.labels import Label


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

    def merged(self, table: Table, records: Records, known: Sequence[Label], *, declared: bool) -> "Merged":
        """Return the records and categories that it leaves; a label that is none is a fault of the table."""
        if self.label is None:
            return Merged(records, list(known), None)
        (label,) = table.given("others", [self.label], known)
        rare = self._rare(records, known) - {label}
        left = [category for category in known if category not in rare]
        if label not in left and (rare or declared):
            left.append(label)
        there = set(left)
        what = [one if one is None or one in there else label for one in records.what]
        return Merged(replace(records, what=what), left, label if label in there else None)

    def _rare(self, records: Records, known: Sequence[Label]) -> set[Label]:
        """Return the categories with too few rows."""
        if self.below is None:
            return set()
        times: Counter[Any] = Counter()
        for category, often in zip(records.what, records.often, strict=True):
            times[category] += often
        return {category for category in known if times[category] < self.below}


@dataclass(frozen=True)
class Merged:
    """Records, the categories in their order, and the label of the others, if it is one of these."""

    records: Records
    categories: list[Label]
    others: Label | None
