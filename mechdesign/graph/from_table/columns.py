"""The columns of a table, the faults found in them, and its records; rows are numbered from 1, below the header."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError, Remark
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import parse_entry
from mechdesign.exact.text import are_shown, shown, shown_cell
from mechdesign.files.numerals import column_with_points
from mechdesign.graph.cell_labels import MISSING, Missing, Reading, alike, label_of, missing_as, order_of
from mechdesign.graph.from_table.distinct import NAMED, Distinct
from mechdesign.graph.labels import Label, is_label
from mechdesign.words import did_you_mean, first_of

LISTED = 20
"""Labels that are not known are listed up to this many."""


class Table:
    """The columns of a table, and the faults found in them. A label or number of None is a missing value.

    What is called a row here is one for all rows of the table that are alike.
    """

    def __init__(self, rows: Distinct, reading: Reading) -> None:
        self.columns, self.orders = rows.columns, rows.orders
        self.times, self.first, self.weights = rows.times, rows.first, rows.weights
        self.reading, self.words = reading, reading.folded
        self.faults = Faults(rows.faults)
        self.missing: dict[str, dict[int, str]] = {}
        """For each column the rows without a value, and how that is written."""

    def labels(self, name: str) -> list[Label | None]:
        """Return a column as labels; cells that cannot be labels are faults."""
        seen: dict[tuple[type, Any], Label] = {}  # by type too: 1, 1.0 and True are equal, but not the same label
        labels: list[Label | None] = []
        unusable = []
        missing = self.missing[name] = {}
        for row, cell in enumerate(self.columns[name], start=1):
            try:
                label = seen.get((type(cell), cell))
            except TypeError:  # a list; a tuple with a list in it
                label = None
            if label is None:
                how = missing_as(cell, self.words)
                if how is not None:
                    missing[row] = how
                elif is_label(label := label_of(cell)):
                    seen[type(cell), cell] = label
                else:
                    unusable.append(row)
            labels.append(label)
        self._rows(name, "expected text or a number, found something else", unusable)
        return labels

    def counts(self, name: str) -> list[int]:
        """Return a column as integers >= 0; 0 where there is no value."""
        return list(map(int, self.numbers(name, "an integer >= 0", lambda one: one >= 0 and one.denominator == 1)))

    def numbers(self, name: str, expected: str, is_one: Callable[[Fraction], bool]) -> list[Fraction]:
        """Return a column as numbers of which `is_one` holds, `expected` in words; 0 where there is no value."""
        numbers, wrong = [], []
        missing = self.missing[name] = {}
        try:
            cells = column_with_points(self.columns[name], lambda row: self._where([row + 1])[0])
        except InputError as error:
            self.faults += [f"column {shown(name)}: {fault}" for fault in error.faults]
            return [Fraction(0)] * len(self.columns[name])
        for row, cell in enumerate(cells, start=1):
            numbers.append(Fraction(0))
            how = missing_as(cell, self.words)
            if how is not None:
                missing[row] = how
                continue
            try:
                numbers[-1] = parse_entry(cell)
                fits = is_one(numbers[-1])
            except InputError:
                fits = False
            if not fits:
                wrong.append(row)
        self._rows(name, f"expected {expected}", wrong)
        return numbers

    def order(self, name: str) -> list[Label] | None:
        """Return the categories of an ordered categorical as labels, without those that mean missing; else None."""
        declared = self.orders.get(name)
        if declared is None:
            return None
        return [label_of(cell) for cell in declared if missing_as(cell, self.words) is None]

    def given(self, place: str, names: Iterable[Any], labels: Sequence[Label]) -> list[Label]:
        """Return names that a user wrote as labels like those of a column; what cannot be one is a fault."""
        result = alike(names, labels)
        for label in result:
            if not is_label(label):
                self.faults.append(f"{place}: expected text or a number, found {shown(label)}")
            elif missing_as(label, self.words) is not None:
                self.faults.append(f"{place}: {shown(label)} means a missing value; leave it out of missing_words=")
        counts = Counter(label for label in result if is_label(label))
        for label, n in counts.items():
            remedy = "; a label with a comma goes in double quotes" if isinstance(label, str) else ""
            self.faults += [f"{place}: {shown(label)} is given {n} times{remedy}"] * (n > 1)
        if not result:
            self.faults.append(f"{place}: expected at least one, found none")
        return result

    def without_value(self, answers: Collection[str]) -> set[int]:
        """Return the rows to leave out; missing values that the rule for their column does not allow are faults.

        Under `Missing.CATEGORY` a missing value of a column of `answers` is an answer.
        """
        rows: set[int] = set()
        for name, missing in self.missing.items():
            rule = self.reading.missing if name in answers else self.reading.missing_profile
            if rule == Missing.DROP:
                rows.update(missing)
            elif missing and rule == Missing.ERROR:
                self._rows(name, "missing value", list(missing), f" ({self._ways(missing, name in answers)})")
        if rows and len(rows) == len(next(iter(self.columns.values()))):
            self.faults.append("every row has a missing value, so none is left")
        return rows

    def check_complete(self) -> None:
        """Add a fault for each column that has missing values."""
        for name, missing in self.missing.items():
            self._rows(name, "missing value", list(missing))

    def _ways(self, missing: Mapping[int, str], is_answer: bool) -> str:
        """Return how missing values are written, how often, and what helps."""
        written: Counter[str] = Counter()
        for row, how in missing.items():
            written[how] += self.number([row])
        ways = ", ".join(f"{how} {times}" for how, times in written.most_common(NAMED))
        other_rule = not is_answer and self.reading.missing != Missing.ERROR
        remedy = f'missing{"_profile" * other_rule}="drop" leaves such rows out'
        remedy += ', missing="category" counts them as an answer' if is_answer else ""
        words = set(written) - {"blank", "no value"}
        remedy += "; a word that means something here is left out of missing_words=" if words else ""
        return f"{ways}; {remedy}"

    def number(self, rows: Collection[int]) -> int:
        """Return how many rows of the table these are."""
        return sum(self.times[row - 1] for row in rows)

    def _where(self, rows: Sequence[int]) -> list[int]:
        """Return the numbers of the first of these rows, as the table has them."""
        return sorted(number for row in rows for number in self.first[row - 1])[:NAMED]

    def _rows(self, name: str, message: str, rows: Sequence[int], after: str = "") -> None:
        if rows:
            number = self.number(rows)
            where = first_of(self._where(rows), NAMED, number)
            self.faults.append(f"column {shown(name)}: {message} in row{'s' * (number > 1)} {where}{after}")

    def check_known(self, name: str, labels: Sequence[Label | None], known: Sequence[Label], kind: str) -> None:
        """Add a fault for each label that is none of those known."""
        rows: dict[Label, list[int]] = defaultdict(list)
        there = set(known)
        for row, label in enumerate(labels, start=1):
            if label is not None and label not in there:
                rows[label].append(row)
        for label, where in list(rows.items())[:LISTED]:
            near = did_you_mean((one for one in known if isinstance(one, str)), label)
            remedy = near if are_shown() else ""  # what a cell is near to says what it is
            if kind == "categories" and not remedy:
                remedy = "; others= makes one category of all such"
            found = shown_cell(label)
            if where[0] in self.missing.get(name, {}):  # then the label is ours
                found, remedy = shown(label), f"; these are the missing values: list it among the {kind} too"
            self._rows(name, f"{found} is not one of the {kind},", where, remedy)
        if len(rows) > LISTED:
            left = len(rows) - LISTED
            self.faults.append(Remark(f"column {shown(name)}: and {left} more that are not", left))


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
