"""The floor: the least mean absolute error of any epsilon-private mechanism for a count and a prior.

Whatever the prior, some post-processing of the geometric mechanism is optimal, so the posterior median of a count with
geometric noise is. The linear program says the same: see `prior_graph`.
"""

import math

import networkx as nx

from mechdesign.count.averages import averages
from mechdesign.count.noise import LEAST_EPSILON, Noise, parse_count_epsilon
from mechdesign.count.prior import PriorLike, parse_size, prior_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, parse_number
from mechdesign.exact.text import shown
from mechdesign.graph.values import counting_graph


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


def prior_graph(n: int, p: Number) -> nx.Graph:
    """Return the graph of a count of n records, each weighed by its binomial probability, exactly.

    `design(prior_graph(n, p), epsilon=..., objective=ExpectedLoss("absolute"))` finds the floor and a mechanism at it.

    Parameters
    ----------
    n
        the number of records.
    p
        the probability that a record counts, in [0, 1].

    Raises
    ------
    InputError
        unless n is a positive integer that a graph can be made for, and p a probability.

    Examples
    --------
    >>> dict(prior_graph(2, "1/2").nodes(data="weight"))
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """
    graph, size = counting_graph(parse_size(n)), parse_size(n)
    chance = parse_number(p)
    if not 0 <= chance <= 1:
        raise InputError(f"p: expected a probability in [0, 1], found {shown(p)}")
    for k in graph:
        graph.nodes[k]["weight"] = math.comb(size, k) * chance**k * (1 - chance) ** (size - k)
    return graph
