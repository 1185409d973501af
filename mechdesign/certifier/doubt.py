"""What is to be said of a verdict on a matrix whose numbers are rounded: whether rounding alone may account for it."""

import os
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, MAX_EPSILON, exp_above
from mechdesign.exact.numbers import Epsilon, parse_entry
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import MATRIX, TEXT, kind_of
from mechdesign.graph.labels import Label
from mechdesign.mechanism.matrix import read_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.show.fact_numbers import Exact
from mechdesign.show.language import ENGLISH, Language

MOST_DIGITS = 9
"""With more the numbers count as exact: they are doubles, as a rule."""

SIGNIFICANT = re.compile(r"\.\d*e", re.IGNORECASE)

Row = Sequence[Fraction]

Ends = Callable[[Row], list[Fraction]]


@dataclass(frozen=True)
class Rounded:
    """Rows as they are given, to so many digits."""

    rows: Sequence[Row]
    digits: int

    @property
    def half(self) -> Fraction:
        """How far an entry may be from what is given."""
        return Fraction(1, 2 * 10**self.digits)

    def beyond(self) -> list[int]:
        """Return the rows whose total misses 1 by more than rounding each entry explains."""
        return [i for i, row in enumerate(self.rows) if not sum(self._low(row)) <= 1 <= sum(self._high(row))]

    def gap(
        self, i: int, j: int, among: Collection[int], epsilon: Fraction, delta: Fraction
    ) -> tuple[Fraction, Fraction]:
        """Return around Pr(i in it) - e^epsilon Pr(j in it) - delta, for all matrices that the rows may stand for.

        Neither row may be one of `beyond`. The factor e^epsilon is rounded up, so that both ends are low.
        """
        factor = exp_above(epsilon)
        (low, high), (other_low, other_high) = (self._mass(self.rows[at], among) for at in (i, j))
        return low - factor * other_high - delta, high - factor * other_low - delta

    def surest(self, epsilon: Fraction) -> tuple[int, int]:
        """Return the two rows of which the outputs that surely exceed what epsilon allows do so by most, in doubles."""
        return self._furthest(self._low, self._high, epsilon)

    def likeliest(self, epsilon: Fraction) -> tuple[int, int]:
        """Return the two rows of which the outputs that may exceed what epsilon allows do so by most, in doubles."""
        return self._furthest(self._high, self._low, epsilon)

    def _furthest(self, first: Ends, second: Ends, epsilon: Fraction) -> tuple[int, int]:
        ours, theirs = (np.array(list(map(ends, self.rows)), dtype=np.float64) for ends in (first, second))
        allowed = float(exp_above(min(epsilon, MAX_EPSILON))) * theirs
        by = np.array([np.maximum(0.0, row - allowed).sum(axis=1) for row in ours])
        np.fill_diagonal(by, -1.0)
        i, j = divmod(int(by.argmax()), len(by))
        return i, j

    def surely_likelier(self, i: int, j: int, epsilon: Fraction) -> set[int]:
        """Return the outputs that exceed what epsilon allows whichever the matrix is."""
        low, high = self._low(self.rows[i]), self._high(self.rows[j])
        return {y for y, (a, b) in enumerate(zip(low, high, strict=True)) if a > exp_above(epsilon) * b}

    def perhaps_likelier(self, i: int, j: int, epsilon: Fraction) -> set[int]:
        """Return the outputs that together exceed what epsilon allows by most under some matrix.

        Those that each may exceed it need not do so together. Sets of as many outputs that j has, that i alone has, and
        that neither has, differ by what is given alone, which adds up; of those that neither has it is best to take as
        many as both rows have room for. One that j alone has adds nothing, since e^epsilon >= 1.
        """
        unit, factor = 2 * 10**self.digits, exp_above(epsilon)  # in halves every entry is an integer, and 1 is `unit`
        ours, theirs = ([int(entry * unit) for entry in self.rows[at]] for at in (i, j))
        gains = [factor.denominator * a - factor.numerator * b for a, b in zip(ours, theirs, strict=True)]
        by = sorted(range(len(gains)), key=lambda y: -gains[y])
        both, alone = ([y for y in by if ours[y] and (theirs[y] > 0) is had] for had in (True, False))
        neither = [y for y in by if not ours[y] and not theirs[y]]
        least, most = sum(max(a - 1, 0) for a in ours), sum(b + 1 for b in theirs)
        sums = [list(accumulate((gains[y] for y in part), initial=0)) for part in (both, alone)]

        def gap(sizes: tuple[int, int]) -> tuple[int, int]:
            """Return by how much the best set exceeds it, and how many of it neither has."""
            sure, size = unit - least - sum(sizes), sum(sizes)
            room = min(sure, most - unit - sizes[0]) - size
            size += (more := min(max(room, 0), len(neither)))
            moved = factor.denominator * min(size, sure) - factor.numerator * max(-sizes[0], unit - most + size)
            return sums[0][sizes[0]] + sums[1][sizes[1]] + moved, more

        sizes = max(product(range(len(both) + 1), range(len(alone) + 1)), key=gap)
        return {*both[: sizes[0]], *alone[: sizes[1]], *neither[: gap(sizes)[1]]}

    def _mass(self, row: Row, among: Collection[int]) -> tuple[Fraction, Fraction]:
        low, high = self._low(row), self._high(row)
        inside, beside = ([y for y in range(len(row)) if (y in among) is wanted] for wanted in (True, False))
        least = max(sum(low[y] for y in inside), 1 - sum(high[y] for y in beside))
        return Fraction(least), Fraction(min(sum(high[y] for y in inside), 1 - sum(low[y] for y in beside)))

    def _low(self, row: Row) -> list[Fraction]:
        return [max(Fraction(0), entry - self.half) for entry in row]

    def _high(self, row: Row) -> list[Fraction]:
        return [entry + self.half for entry in row]


def rounded(rows: Sequence[Sequence[object]] | npt.NDArray[Any]) -> Rounded | None:
    """Return rows with the decimals to which they are given; None of fractions, of arrays, and if these are too many.

    None also where some are given to significant digits, as 1.25e-3: how many decimals the others have is then unknown.

    Examples
    --------
    >>> found = rounded([["0.667", "0.333"], ["0.33", "0.66"]])
    >>> found.digits, found.beyond()
    (3, [1])
    """
    if isinstance(rows, np.ndarray):
        return None
    texts = [entry for row in rows for entry in row if isinstance(entry, str)]
    if any("/" in text or SIGNIFICANT.search(text) for text in texts):
        return None
    written = max((len(text.strip().partition(".")[2]) for text in texts if "e" not in text.lower()), default=0)
    if written > MOST_DIGITS:
        return None
    numbers = [[parse_entry(entry) for entry in row] for row in rows]
    for digits in range(written, MOST_DIGITS + 1):
        if all((entry * 10**digits).denominator == 1 for row in numbers for entry in row):
            return Rounded(numbers, digits)
    return None


@dataclass(frozen=True)
class Doubt:
    """How far rounding may move Pr - e^epsilon Pr - delta; or the rows that are no rounded ones.

    Of two inputs for which it is above 0 whichever the matrix is, or else of the worst edge.
    """

    digits: int
    beyond: Sequence[Label] = ()
    gap: tuple[Fraction, Fraction] | None = None
    normalised: bool = True
    refuted: bool = False

    def words(self, say: Language = ENGLISH) -> str | None:
        """Return it in words; None if there is nothing to be said."""
        if self.beyond:
            return say.count("doubt.beyond", self.digits, names=say.few(self.beyond))
        assert self.gap is not None
        low, high = self.gap
        if self.refuted and low > 0:  # if nobody said that it is rounded, nothing
            surely = say.count("doubt.surely", self.digits, gap=Exact(low, digits_below(low)))
            return surely if self.normalised else None
        if self.refuted:
            return f"{say.count('doubt.refuted', self.digits)} {say('doubt.ask')}"
        if high > 0:
            gap = Exact(high, digits_above(high))
            return f"{say.count('doubt.certified', self.digits, gap=gap)} {say('doubt.ask')}"
        return None

    def summary(self) -> dict[str, Any]:
        """Return the same for JSON."""
        low, high = (None, None) if self.gap is None else (float_below(self.gap[0]), float_above(self.gap[1]))
        return {"digits": self.digits, "gap_lower": low, "gap_upper": high, "beyond_rounding": list(self.beyond)}


def doubt_of(
    path: str | os.PathLike[str],
    mechanism: Mechanism,
    *,
    epsilon: Epsilon,
    delta: Fraction,
    layout: Layout = RECOGNISED,
    normalised: bool = False,
    edge: Sequence[Label] = (),
    among: Sequence[Label] = (),
    every_pair: bool = True,
) -> Doubt | None:
    """Return whether rounding may be why a matrix is certified for every two inputs, or is refuted.

    None if the numbers of the matrix in the file are not rounded.

    Parameters
    ----------
    mechanism
        that of the matrix, its profiles the inputs.
    normalised
        whether the reader asked for that, and so takes the numbers for rounded ones.
    edge, among
        the worst edge of what is refuted, and its set of outputs.
    every_pair
        whether that is about every two inputs: two are then looked for first that surely fail.
    """
    found, doubt = _rounded(path, layout, mechanism, epsilon, normalised)
    if found is None:
        return doubt
    asked = Fraction(epsilon)
    if not edge:
        i, j = found.likeliest(asked)
        gap = found.gap(i, j, found.perhaps_likelier(i, j, asked), asked, delta)
        return Doubt(found.digits, gap=gap, normalised=normalised)
    i, j = map(list(mechanism.profiles).index, edge)
    first, second = found.surest(asked) if every_pair else (i, j)
    gap = found.gap(first, second, found.surely_likelier(first, second, asked), asked, delta)
    if gap[0] <= 0:
        gap = found.gap(i, j, {list(mechanism.outputs).index(output) for output in among}, asked, delta)
    return Doubt(found.digits, gap=gap, normalised=normalised, refuted=True)


def _rounded(
    path: str | os.PathLike[str], layout: Layout, mechanism: Mechanism, epsilon: Epsilon, normalised: bool
) -> tuple[Rounded | None, Doubt | None]:
    """Return the numbers of the matrix in a file, if they are rounded; or, if that explains no totals, a doubt."""
    if kind_of(path) not in (MATRIX, TEXT) or epsilon > LARGEST_ABOVE:
        return None, None
    found = rounded(read_matrix(path, layout).rows)
    if found is None or not (found.digits or normalised):
        return None, None
    beyond = found.beyond()
    return (None, Doubt(found.digits, [mechanism.profiles[row] for row in beyond])) if beyond else (found, None)
