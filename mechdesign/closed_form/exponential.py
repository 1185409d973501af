"""The discrete exponential mechanism of [HLM] for any utility, and the graph of all databases of n rows.

P(X_d = a) = C_d e^{u(d, a)} with C_d = 1 / sum_a e^{u(d, a)}. Here e^u is a positive rational weight, so the mechanism
is exact as what it is: whoever rounds e^u rounds before, and privacy is then decided for the rounded mechanism.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import floor, log2
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact import LARGEST_ABOVE, Number, check_positive_integer, exp_above, parse_number, shown
from mechdesign.graph.profile_graph import Label, PointMass, checked
from mechdesign.mechanism.mechanism import Mechanism, mechanism_from_matrix
from mechdesign.words import counted

Database: TypeAlias = tuple[Label, ...]
"""n rows, each a value."""

MAX_DATABASES = 10_000
"""More databases than this are not listed: a product sanitisation needs no list."""

MAX_ROWS = 2_000
"""More databases than this get no matrix written out, which has their square."""


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
    exact = parse_number(utility)
    if abs(exact) > LARGEST_ABOVE:
        raise InputError(f"utility: expected a number within ±{LARGEST_ABOVE}, found {shown(utility)}")
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
    faults: list[str] = []
    rows = np.empty((len(inputs), len(outputs)), dtype=object)
    for row, d in zip(rows, inputs, strict=True):
        row[:] = [_weight(d, a, weight(d, a), faults) for a in outputs]
        row /= row.sum()
    if faults:
        raise InputError(faults)
    return mechanism_from_matrix(rows, inputs=inputs, outputs=outputs)


def _weight(d: Label, a: Label, value: object, faults: list[str]) -> Fraction:
    """Return the weight; one that is not positive is a fault, and 1 so that the others can be looked at."""
    try:
        weight = parse_number(value)
    except InputError:
        weight = Fraction(0)
    if weight <= 0:
        faults.append(f"weight({shown(d)}, {shown(a)}): expected a positive number, found {shown(value)}")
        return Fraction(1)
    return weight


def database_graph(values: Sequence[Label], n: int) -> nx.Graph:
    """Return the graph of all databases of n rows: point masses on D^n, neighbours differ in one row.

    Parameters
    ----------
    values
        D, at least two values.
    n
        how many rows; it is public.

    Raises
    ------
    InputError
        if a value is given twice, n is not positive, or there are more than 10,000 databases.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: §2.1, (1).

    Examples
    --------
    >>> graph = database_graph(["no", "yes"], 2)
    >>> list(graph.edges)[:2]
    [(('no', 'no'), ('yes', 'no')), (('no', 'no'), ('no', 'yes'))]
    """
    check_database_count(values, n, MAX_DATABASES)
    databases = list(product(values, repeat=n))
    source = "Holohan, Leith and Mason, arXiv:1505.07254, §2.1"
    graph = nx.Graph(name=f"databases-{len(values)}-{n}", categories=databases, source=source)
    for position, database in enumerate(databases):
        graph.add_node(database, distribution=PointMass(position, len(databases)))
    later = {value: values[position + 1 :] for position, value in enumerate(values)}
    for database in databases:
        for row, value in enumerate(database):
            for other in later[value]:
                graph.add_edge(database, (*database[:row], other, *database[row + 1 :]))
    return checked(graph)


def check_database_count(values: Sequence[Label], n: int, most: int) -> None:
    """Raise unless `values` and `n` make a D^n of at most `most` databases.

    Parameters
    ----------
    values, n
        D and the number of rows.
    most
        how many databases are not too many.

    Raises
    ------
    InputError
        saying what to do instead.

    Examples
    --------
    >>> check_database_count(["a", "b", "c"], 2, 9)
    """
    check_positive_integer("n", n)
    m = len(values)
    if m < 2 or len(set(values)) < m:
        raise InputError(f"values: expected at least two different ones, found {shown(list(values))}")
    # The first test spares the power: two values already make too many databases.
    if n > log2(most) or m**n > most:
        raise InputError(
            f"{m} values and {counted(n, 'row')} make {m}^{n} databases, and at most {most} can be written out; "
            "sanitise each row by itself: ProductSanitisation(parent, n) has the privacy of its parent for any n"
        )
