"""The discrete exponential mechanism of [HLM] for any utility, and the graph of all databases of n rows.

P(X_d = a) = C_d e^{u(d, a)} with C_d = 1 / sum_a e^{u(d, a)}. Here e^u is a positive rational weight, so the mechanism
is exact as what it is: whoever rounds e^u rounds before, and privacy is then decided for the rounded mechanism.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import Number, number, parse_entry
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism


def exponential_weight(utility: Number, *, bits: int = 64) -> Fraction:
    """Return the rational of `bits` significant bits that is nearest to e^utility.

    Utilities on a grid of step s keep their ties and their ratios if one rounds e^s once and takes integer powers.

    Parameters
    ----------
    utility
        a rational of either sign.
    bits
        at least 2.

    Raises
    ------
    InputError
        if the utility is no number, or beyond 100,000 on either side.

    Examples
    --------
    >>> exponential_weight(0), float(exponential_weight(-1))
    (Fraction(1, 1), 0.36787944117144233)
    """
    expected = f"a number within ±{LARGEST_ABOVE}"
    exact = number("utility", utility, expected, at_least=-LARGEST_ABOVE, at_most=LARGEST_ABOVE)
    if exact == 0:
        return Fraction(1)
    # e^u is irrational, so with enough guard bits both of its bounds round to the same neighbour.
    guard = bits
    while True:
        guard += 32
        bounds = {_nearest(bound, bits) for bound in _bounds(exact, guard)}
        if len(bounds) == 1:
            return bounds.pop()


def _bounds(utility: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^utility, 2^(2-bits) apart, relatively."""
    above = exp_above(abs(utility), bits=bits)
    below = above * (1 - Fraction(4, 2**bits))
    return (below, above) if utility > 0 else (1 / above, 1 / below)


def _nearest(value: Fraction, bits: int) -> Fraction:
    """Round a positive rational to `bits` significant bits, upwards from halfway."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - bits + 1)
    return floor(value / unit + Fraction(1, 2)) * unit


def exponential_mechanism(
    inputs: Sequence[Label], outputs: Sequence[Label], weight: Callable[[Any, Any], Number]
) -> Mechanism:
    """Return the mechanism that answers input d with output a with probability C_d weight(d, a).

    Parameters
    ----------
    inputs, outputs
        labels; for databases the tuples of their rows, as `database_graph` lists them.
    weight
        a positive rational that stands for e^{u(d, a)}.

    Raises
    ------
    InputError
        listing every weight that is no positive number.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Definition 3, (7), the mechanism of McSherry and Talwar
    with epsilon absorbed in u.

    Examples
    --------
    >>> mechanism = exponential_mechanism([0, 1, 2], [0, 1, 2], lambda d, a: Fraction(1, 2) ** abs(d - a))
    >>> mechanism.row(0, 0)
    (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    """
    faults = Faults()
    rows = np.empty((len(inputs), len(outputs)), dtype=object)
    for row, d in zip(rows, inputs, strict=True):
        for y, a in enumerate(outputs):
            place, value = f"weight({shown(d)}, {shown(a)})", weight(d, a)
            row[y] = faults.number(place, value, "a positive number", above=0, parse=parse_entry)
        row /= row.sum()
    faults.check()
    return mechanism_from_matrix(rows, inputs=inputs, outputs=outputs)
