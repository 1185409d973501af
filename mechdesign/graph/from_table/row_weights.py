"""Weights of a sample's rows: read exactly, one for each row, and how many records of a plain sample they are worth."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from mechdesign.arrays import Integers
from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import Number, number, parse_entry
from mechdesign.exact.text import format_number, shown
from mechdesign.files.numerals import column_with_points
from mechdesign.graph.cell_labels import Reading, missing_as
from mechdesign.graph.from_table.histogram import Release
from mechdesign.words import first_of

NAMED = 5
"""A message about many weights names this many of their rows."""

FARTHEST = 10**100
"""No weight is larger, or smaller than its inverse: so doubles hold their squares, and sums of these."""

_WORDS = Reading().folded

UNITS = 1000
"""A weight with a limit is counted in units of so many to the limit: finer than any noise that hides a whole one."""

BY_A_PERSON = (
    "weight: with noise a person would change a count by as much as their weight, which nothing bounds; give"
    " weight_limit=, the largest weight that counts, chosen without a look at these records"
)

NO_LIMIT = "weight_limit: cuts weights where counts are noised; give both weight= and noise=, or leave it out"


class WeightColumn:
    """A column of weights, read part by part; what is none becomes a fault that names its rows.

    With a limit they are whole numbers of units, `UNITS` to the limit: those above it cut to it, the others rounded
    down.
    """

    def __init__(self, name: str, limit: Fraction | None = None) -> None:
        self.name, self.limit, self.rows = name, limit, 0
        self._wrong: dict[str, list[int]] = defaultdict(list)
        self._number: dict[str, int] = defaultdict(int)

    def read(self, cells: Sequence[Any], places: Integers) -> list[Fraction]:
        """Return the weights that are in these cells of a part of the column, of which `places` says whose is which."""
        there, first = np.unique(places, return_index=True)
        rows = dict(zip(there.tolist(), (self.rows + first + 1).tolist(), strict=True))
        present = [cells[place] if place in rows else 0 for place in range(len(cells))]
        weights = []
        for place, cell in enumerate(column_with_points(present, lambda place: rows[place])):
            weight, fault = _weight(cell)
            if fault:
                where = np.flatnonzero(places == place)
                self._number[fault] += len(where)
                self._wrong[fault] += (self.rows + where[:NAMED] + 1).tolist()
            weights.append(weight if self.limit is None else Fraction(min(weight, self.limit) * UNITS // self.limit))
        self.rows += len(places)
        return weights

    def sums(
        self, cells: Sequence[Any], places: Integers, which: Integers, kinds: int
    ) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield for each kind of row the sum of its weights in a part of the column, and that of their squares."""
        weights = self.read(cells, places)
        unit = lcm(*(one.denominator for one in weights)) if weights else 1
        whole = [int(one * unit) for one in weights]
        sums, squares = [0] * kinds, [0] * kinds
        pairs, times = np.unique(which * max(1, len(whole)) + places, return_counts=True)
        for pair, often in zip(pairs.tolist(), times.tolist(), strict=True):
            kind, place = divmod(pair, len(whole))
            sums[kind] += often * whole[place]
            squares[kind] += often * whole[place] ** 2
        for one, square in zip(sums, squares, strict=True):
            yield Fraction(one, unit), Fraction(square, unit**2)

    @property
    def place(self) -> str:
        """What messages call the column."""
        return f"column {shown(self.name)}" if self.name else "weight"

    def faults(self) -> list[str]:
        """Return in words which rows have no weight."""
        return [
            f"{self.place}: expected a weight >= 0, {what} in row{'s' * (number > 1)} "
            f"{first_of(sorted(self._wrong[what])[:NAMED], NAMED, number)}"
            for what, number in self._number.items()
        ]


def _weight(cell: Any) -> tuple[Fraction, str]:
    """Return a weight, or what is wrong with it."""
    if missing_as(cell, _WORDS) is not None:
        return Fraction(0), "found none"
    try:
        weight = parse_entry(cell)
    except InputError:
        return Fraction(0), "found no number"
    if weight and not 1 <= abs(weight) * FARTHEST <= FARTHEST**2:
        return Fraction(0), "found a number that is not between 1e-100 and 1e100"
    return (weight, "") if weight >= 0 else (Fraction(0), "found a negative number")


def weight_column(name: str | None, limit: Number | None) -> WeightColumn | None:
    """Return the column that has this name, to be read, if any.

    Raises
    ------
    InputError
        if the limit is no number > 0, or is of no column.
    """
    most = None if limit is None else number("weight_limit", limit, outside="a number > 0", above=0)
    if name is None and most is not None:
        raise InputError(NO_LIMIT)
    return None if name is None else WeightColumn(name, most)


@dataclass(frozen=True)
class Sample:
    """How the records were drawn, as far as bounds of a population's profiles need to know.

    Attributes
    ----------
    weight
        the column of the records' weights; None if all count alike.
    effect
        by how much larger variances are than those of as many independent draws; None: as Kish has it, by the weights.
    limit
        the largest weight that counts where counts are noised; these are then in units, `UNITS` to the limit.
    """

    weight: str | None = None
    effect: Fraction | None = None
    limit: Fraction | None = None

    @property
    def units(self) -> int:
        """By how much one record can change a count."""
        return 1 if self.limit is None else UNITS

    @property
    def unit(self) -> Fraction | int:
        """What one of a count is, in weight."""
        return 1 if self.limit is None else self.limit / UNITS

    @property
    def is_plain(self) -> bool:
        """Whether the records are independent draws that count alike."""
        return self.weight is None and self.effect is None

    def worth(self, weight: Fraction, squares: Fraction, records: int) -> Fraction:
        """Return how many effective records a unit of weight is.

        Kish's effective number of records is (sum of weights)^2 / sum of squares. With a limit that is at least sum of
        weights / limit, which needs no look at the squares.

        Examples
        --------
        >>> str(Sample("w").worth(Fraction(6), Fraction(14), 3))           # weights 1, 2, 3: 36 / 14 records
        '3/7'
        """
        if self.limit is not None:
            return Fraction(1, UNITS)
        if self.weight is None or not weight:
            return 1 / (self.effect or Fraction(1))
        return weight / squares if self.effect is None else records / self.effect / weight

    def words(self) -> str:
        """Return how the effective numbers of records come about."""
        by = "(sum of weights)^2 / sum of their squares, Kish's"
        if self.limit is not None:
            by = f"sum of weights / {format_number(self.limit)}, at most Kish's"
        if self.effect is not None:
            by = f"records / {format_number(self.effect)}, the design effect"
        return (
            f"; Korn and Graubard's for surveys: of each profile's effective number of records, {by}, in place of the"
            " number of records, which is an approximation where weights differ or draws depend on each other"
        )

    def cut(self) -> str:
        """Return what a limit makes of the weights."""
        most, unit = format_number(Fraction(self.units * self.unit)), format_number(Fraction(self.unit))
        return f"weights above {most} count as {most}, all are rounded down to multiples of {unit}"

    def described(self) -> dict[str, str]:
        """Return what the graph says of it, in its attribute `made`."""
        said = {} if self.weight is None else {"weight": self.weight}
        said |= {} if self.limit is None else {"weight_limit": format_number(self.limit), "weights": self.cut()}
        return said if self.effect is None else said | {"design_effect": format_number(self.effect)}


def read_sample(
    weight: WeightColumn | None, effect: Number | None, count: str | None, release: Release, faults: Faults
) -> Sample:
    """Return how the records were drawn; what stands against it is added to the faults."""
    if weight is not None and count is not None:
        faults.append("weight: a row with a weight is one record; give either weight or count")
    if weight is not None and release.noise is not None:
        faults += _against_noise(weight.limit, effect, release)
    elif weight is not None and weight.limit is not None:
        faults.append(NO_LIMIT)
    known = None
    if effect is not None:
        known = faults.number("design_effect", effect, "a number >= 1, such as 1.5", at_least=1)
    return Sample(None, known) if weight is None else Sample(weight.name, known, weight.limit)


def _against_noise(limit: Fraction | None, effect: Number | None, release: Release) -> Iterator[str]:
    """Yield what stands against noise on sums of weights."""
    if limit is None:
        yield BY_A_PERSON
    if effect is not None:
        yield "design_effect: with weights and noise the number of records is hidden; only weight_limit= counts"
    if release.public_sizes:
        yield "public_sizes: numbers of records say nothing of sums of weights, which are noised; leave it out"
