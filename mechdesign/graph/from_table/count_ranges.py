"""How many records each category can have, as far as counts say: exact ones, or noised ones within the noise's law."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from mechdesign.geometric import furthest

Count: TypeAlias = int | Fraction
"""Of records; effective numbers of them are not whole."""

BITS = 128
"""Of what is computed with; a tail of 10^9 trials keeps more than 80 of them."""

MILLION = 1_000_000


@lru_cache(maxsize=100_000)
def interval_outward(successes: Count, trials: Count, miss: Fraction) -> tuple[Fraction, Fraction]:
    """Return (lower, upper) around a probability: each end is beyond it with probability `miss` / 2 at most.

    The ends are decimals of one digit more than `trials` has: less than a tenth of 1 / `trials` further out for it.
    Numbers that are not whole, as effective ones are, are the parameters of the beta law whose quantiles the ends are.

    References
    ----------
    Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika
    26, 1934.

    Examples
    --------
    >>> lower, upper = interval_outward(0, 10, Fraction(1, 20))
    >>> float(lower), float(upper)
    (0.0, 0.309)
    """
    return _lower(successes, trials, miss / 2), 1 - _lower(trials - successes, trials, miss / 2)


def _lower(successes: Count, trials: Count, tail: Fraction) -> Fraction:
    """Return a p, about the largest decimal of so many digits, with P[at least so many successes] <= `tail`."""
    if not successes:
        return Fraction(0)
    from scipy.special import betaincinv  # loads slowly

    unit = 10 ** (len(str(int(trials))) + 1)
    near = float(betaincinv(float(successes), float(trials - successes + 1), float(tail)))
    units, step = (int(near * unit) if 0 < near < 1 else 0), 1
    while units > 0 and tail_above(successes, trials, Fraction(units, unit)) > tail:
        units, step = units - step, 2 * step
    return Fraction(max(0, units), unit)


def tail_above(successes: Count, trials: Count, chance: Fraction) -> Fraction:
    """Return a bound from above of P[at least so many successes], for 0 < `successes` and 0 < `chance` < 1.

    It is the regularised incomplete beta function I_p(s, n - s + 1), of numbers that are not whole too: flint returns a
    ball that it is in. Beyond the likeliest number, where nobody looks, the bound is 1.

    Examples
    --------
    >>> round(tail_above(9, 10, Fraction(1, 2)) * 1024, 4)         # 11 of 1,024
    Fraction(11, 1)
    """
    from flint import arb, ctx, fmpq  # loads slowly

    if chance * (trials + 1) >= successes + 1:
        return Fraction(1)
    with ctx.workprec(BITS):
        p, a, b = (arb(fmpq(*Fraction(x).as_integer_ratio())) for x in (chance, successes, trials - successes + 1))
        end = p.beta_lower(a, b, regularized=True).upper().fmpq()
    return min(Fraction(1), Fraction(int(end.p), int(end.q)))


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
