"""What privacy requires of profiles that are known only within bounds, exactly.

Let h^i_y be the largest and g^i_y the least of P A^i_y over the distributions P in the set of profile i. An edge (i, j)
is held to sum_y max(0, h^i_y - e^epsilon g^j_y) <= delta, both ways. For delta = 0 this says just that privacy holds
for every pair of distributions within the sets. For delta > 0 it is sufficient: it adds up the worst cases of the
outputs, which no one pair of distributions need have together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Any

import numpy as np

from mechdesign.exact.numbers import over_common
from mechdesign.graph.uncertainty import Uncertainty
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement

_LARGEST, _LEAST = attrgetter("largest"), attrgetter("least")


@dataclass(frozen=True)
class Extremes:
    """The largest and the least that a profile may release of each output."""

    largest: tuple[Fraction, ...]
    least: tuple[Fraction, ...]


def extremes(one: Uncertainty, rows: Sequence[Sequence[Any]]) -> Extremes:
    """Return the extremes of sum_x P(x) row_x over the distributions in a set, for exact rows of one total.

    Examples
    --------
    >>> from mechdesign.graph.uncertainty import uncertainty_of
    >>> one = uncertainty_of({"distribution": (Fraction(1, 2), Fraction(1, 2)), "radius": Fraction(1, 4)})
    >>> extremes(one, [[1, 0], [0, 1]]).largest
    (Fraction(3, 4), Fraction(3, 4))
    """
    columns = list(zip(*rows, strict=True))
    return Extremes(
        tuple(_largest(one, column) for column in columns),
        tuple(-_largest(one, [-value for value in column]) for column in columns),
    )


def _largest(one: Uncertainty, values: Sequence[Any]) -> Fraction:
    return sum((mass * value for mass, value in zip(one.largest(values), values, strict=True)), Fraction(0))


def over_one_total(masses: Sequence[Fraction], unit: int = 1) -> Released:
    """Return exact masses of outputs over a unit as integers over one number, which need not be their total.

    Examples
    --------
    >>> over_one_total((Fraction(1, 2), Fraction(2, 3))).weights.tolist()
    [3, 4]
    """
    weights, common = over_common(masses)
    return Released(np.array(weights, dtype=object), common * unit)


def met_within(found: Sequence[Extremes], required: Iterable[Requirement]) -> bool:
    """Return whether every requirement is met; True proves privacy, for a rational below e^epsilon stands for it."""
    most, least = ([over_one_total(side(one)) for one in found] for side in (_LARGEST, _LEAST))
    return unmet(most, required, least) is None
