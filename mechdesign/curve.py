"""The privacy curve: how large a delta a mechanism needs at each epsilon."""

import math
import sys
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.applied import largest_delta, released_under, required_by
from mechdesign.exact import Number, parse_epsilon
from mechdesign.graph import checked
from mechdesign.mechanism import Mechanism

LARGEST_DOUBLE = Fraction(sys.float_info.max)
"""Stands in a curve for a larger epsilon that is finite."""


def privacy_curve(
    mechanism: Mechanism, graph: nx.Graph | None, epsilons: Sequence[Number]
) -> list[tuple[float, float, float]]:
    """Return (epsilon, delta lower, delta upper) for each epsilon: the tight delta there, rounded outward.

    Raises
    ------
    InputError
        if the graph does not fit, or an epsilon cannot be used.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [upper for _, _, upper in md.privacy_curve(coin, None, [0, "1.1"])]
    [0.5, 0.0]
    """
    graph = None if graph is None else checked(graph)
    names, released = released_under(mechanism, graph)
    curve = []
    for epsilon in epsilons:
        asked = parse_epsilon(epsilon)
        point = math.inf if asked == math.inf else float(min(asked, LARGEST_DOUBLE))
        curve.append((point, *largest_delta(released, required_by(names, graph, asked, Fraction(0)))))
    return curve
