"""The floor: the least mean absolute error of any epsilon-private mechanism for a count and a prior.

Whatever the prior, some post-processing of the geometric mechanism is optimal, so the posterior median of a count with
geometric noise is. The linear program says the same: see `prior_graph`.
"""

import math
import numbers
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.count.averages import averages
from mechdesign.count.noise import LEAST_EPSILON, Noise, parse_count_epsilon
from mechdesign.count.prior import Beta, PriorLike, law_of, parse_size, prior_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, parse_entry, parse_number
from mechdesign.graph.values import counting_graph

MOST_WEIGHED = 5_000
"""Records of a graph with a prior: exact masses of 5,000 take seconds, and no more can be designed for."""


def least_error(n: int, p: PriorLike, epsilon: Number) -> float:
    """Return the least mean absolute error of any mechanism that keeps neighbouring counts epsilon-indistinguishable.

    Parameters
    ----------
    n, p, epsilon
        as for `errors`, and as accurate.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms", SIAM J. Comput. 41 (2012),
    arXiv:0811.2841, Theorem 1.1: the geometric mechanism, remapped by Bayes, is optimal for every prior and every loss
    that grows with the distance.

    Examples
    --------
    >>> least_error(100, 0.3, 0.1)
    3.38...
    """
    return averages(prior_of(n, p), parse_count_epsilon(epsilon, LEAST_EPSILON), Noise.GEOMETRIC).median


def prior_graph(n: int, p: PriorLike) -> nx.Graph:
    """Return the graph of a count of n records, each weighed by its prior probability, exactly.

    `design(prior_graph(n, p), epsilon=..., objective=ExpectedLoss("absolute"))` finds the floor and a mechanism at it.

    Parameters
    ----------
    n
        the number of records.
    p
        the probability that a record counts, in [0, 1], a `Beta` law of it, or n + 1 masses; their total may be any.

    Raises
    ------
    InputError
        unless n is a positive integer that a graph can be made for, and p a probability, a law or masses.

    Examples
    --------
    >>> from mechdesign.count import Beta
    >>> dict(prior_graph(2, "1/2").nodes(data="weight"))
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    >>> dict(prior_graph(2, Beta(1, 2)).nodes(data="weight"))
    {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}
    """
    size = parse_size(n)
    if size > MOST_WEIGHED:
        raise InputError(f"n: expected at most {MOST_WEIGHED} records where counts have a prior, found {size}")
    graph = counting_graph(size)
    for k, weight in enumerate(_weights(size, law_of(p))):
        graph.nodes[k]["weight"] = weight
    return graph


def _weights(n: int, p: PriorLike) -> list[Fraction]:
    """Return the prior probabilities of 0..n, up to a factor if they were given so."""
    if isinstance(p, Beta):
        prior_of(n, p)  # says what is wrong with it
        a, b = parse_number(p.alpha), parse_number(p.beta)
        odds = [Fraction(1)]
        for k in range(n):
            odds.append(odds[-1] * (n - k) * (a + k) / ((k + 1) * (b + n - k - 1)))
        total = sum(odds)
        return [weight / total for weight in odds]
    if isinstance(p, str | numbers.Number) or p is None:
        prior_of(n, p)
        chance = parse_number(p)
        return [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    masses = [parse_entry(mass) for mass in np.asarray(p, dtype=object).ravel().tolist()]
    if len(masses) != n + 1:
        raise InputError(f"prior: expected n + 1 = {n + 1} masses, found {len(masses)}")
    if min(masses) < 0 or not any(masses):
        raise InputError("prior: expected masses >= 0, and not only zeros")
    return masses
