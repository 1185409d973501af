"""How many records each category can have, as far as counts say: exact ones, or noised ones within the noise's law."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.geometric import furthest
from mechdesign.graph.from_table.clopper_pearson import Count, interval_outward

MILLION = 1_000_000


@dataclass(frozen=True)
class Range:
    """Of a profile's records `least` to `most` have a value, and `least_others` to `most_others` have another.

    Examples
    --------
    >>> [str(end) for end in Range(20, 30, 50, 90).in_table]
    ['909/5000', '3/8']
    """

    least: Count
    most: Count
    least_others: Count
    most_others: Count

    @property
    def in_table(self) -> tuple[Fraction, Fraction]:
        """The least and the largest share that the value can have in the table, as decimals rounded outward."""
        return _share_below(self.least, self.most_others), 1 - _share_below(self.least_others, self.most)

    def in_population(self, miss: Fraction) -> tuple[Fraction, Fraction]:
        """Return an interval for the value's probability: outside with probability `miss` at most, as the sample falls.

        Clopper and Pearson's ends grow with the records of the value and fall with those of others: from the outermost
        counts, each end is at or beyond that of the true ones.
        """
        return (
            interval_outward(self.least, self.least + self.most_others, miss)[0],
            interval_outward(self.most, self.most + self.least_others, miss)[1],
        )

    def times(self, factor: Fraction) -> "Range":
        """Return the range of effective records: so many to each, rounded outward to millionths."""
        if factor == 1:
            return self
        most, most_others = (-(-n * factor * MILLION // 1) for n in (self.most, self.most_others))
        least, least_others = (n * factor * MILLION // 1 for n in (self.least, self.least_others))
        return Range(*(Fraction(ends, MILLION) for ends in (least, most, least_others, most_others)))


def _share_below(records: Count, others: Count) -> Fraction:
    """Return the share of these records among all, rounded down to one digit more than their number has."""
    total = records + others
    unit = 10 ** (len(str(int(total))) + 1)
    return Fraction(records * unit // total, unit) if total else Fraction(0)


def exact_ranges(counts: Sequence[Count]) -> list[Range]:
    """Return the ranges of counts that are known."""
    total = sum(counts)
    return [Range(own, own, total - own, total - own) for own in counts]


def noised_ranges(noised: Sequence[int], epsilon: Fraction, miss: Fraction, size: int | None) -> list[Range]:
    """Return the ranges of counts of which noised ones are known; right wherever no noise is beyond its margin.

    `epsilon` is the noise's on each count, beyond the margin with probability `miss` at most; `size` is the number of
    records of the profile, if that is public.
    """
    margin = furthest(epsilon, miss)
    ends = [(max(0, count - margin), count + margin) for count in noised]
    fewest, most = (sum(side) for side in zip(*ends, strict=True))
    if size is None:
        return [Range(low, high, fewest - low, most - high) for low, high in ends]
    if not fewest <= size <= most:  # some noise was beyond its margin: nothing is known
        return [Range(0, size, 0, size)] * len(ends)
    within = [(max(low, size - (most - high)), min(high, size - (fewest - low))) for low, high in ends]
    return [Range(low, high, size - high, size - low) for low, high in within]
