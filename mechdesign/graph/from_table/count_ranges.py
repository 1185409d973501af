"""How many records each category can have, as far as counts say: exact ones, or noised ones within the noise's law."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.geometric import furthest
from mechdesign.graph.from_table.clopper_pearson import interval_outward
from mechdesign.graph.labels import Label


@dataclass(frozen=True)
class Range:
    """Of a profile's records `least` to `most` have a value, and `least_others` to `most_others` have another.

    Examples
    --------
    >>> share = Range(20, 30, 50, 90).in_table
    >>> [str(end) for end in share]
    ['2/11', '3/8']
    """

    least: int
    most: int
    least_others: int
    most_others: int

    @property
    def in_table(self) -> tuple[Fraction, Fraction]:
        """The least and the largest share that the value can have in the table."""
        least_total, total = self.least + self.most_others, self.most + self.least_others
        return (
            Fraction(self.least, least_total) if least_total else Fraction(0),
            Fraction(self.most, total) if total else Fraction(1),
        )

    def in_population(self, miss: Fraction) -> tuple[Fraction, Fraction]:
        """Return an interval for the value's probability: outside with probability `miss` at most, as the sample falls.

        Clopper and Pearson's lower end falls with fewer records of the value and more of others, the upper one
        otherwise: from the outermost counts, each is beyond that of the true ones.
        """
        return (
            interval_outward(self.least, self.least + self.most_others, miss)[0],
            interval_outward(self.most, self.most + self.least_others, miss)[1],
        )


def exact_ranges(counter: Counter[Label], categories: Sequence[Label]) -> list[Range]:
    """Return the ranges of counts that are known."""
    total = counter.total()
    return [Range(own := counter[one], own, total - own, total - own) for one in categories]


def noised_ranges(
    counter: Counter[Label], categories: Sequence[Label], epsilon: Fraction, miss: Fraction, size: int | None
) -> list[Range]:
    """Return the ranges of counts of which noised ones are known; none holds unless all noise is as small as usual.

    `epsilon` is the noise's on each count, beyond its margin with probability `miss` at most; `size` is the number of
    records of the profile, if that is public.
    """
    margin = furthest(epsilon, miss)
    ends = [(max(0, counter[one] - margin), counter[one] + margin) for one in categories]
    fewest, most = (sum(side) for side in zip(*ends, strict=True))
    if size is None:
        return [Range(low, high, fewest - low, most - high) for low, high in ends]
    if not fewest <= size <= most:  # the noise was further out than `miss` allows for: nothing is known
        return [Range(0, size, 0, size)] * len(ends)
    within = [(max(low, size - (most - high)), min(high, size - (fewest - low))) for low, high in ends]
    return [Range(low, high, size - high, size - low) for low, high in within]
