"""[GC] Theorem 8: what is locally private is private for every profile graph, checked exactly at random."""

import random
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.closed_form.k_ary import k_ary
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.graph.values import value_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.gc import PAPER, worst_ratio
from mechdesign.papers.result import Claim, Result

WORDS = """\
The paper proves that an epsilon-locally private mechanism is (G, epsilon)-profile-based private for every \
graph G. It is: what a profile releases is a mixture of the mechanism's rows, and mixtures of rows within a \
factor e^eps of each other are within that factor. Checked in exact arithmetic. Equality holds where the \
profiles are single values."""

CASES = 200
SEED = 8


def reproduce() -> Result:
    """Return how many of many random locally private mechanisms break the theorem on a random profile graph.

    References
    ----------
    [GC] Theorem 8.
    """
    source = random.Random(SEED)
    any_rows, responses, values = 0, 0, 0
    for _ in range(CASES):
        graph = random_graph(source)
        d = len(graph.graph["categories"])
        local, response = random_mechanism(source, d), k_ary(range(d), ratio=Fraction(source.randint(2, 40), 2))
        any_rows += profile_ratio(local, graph) > local_ratio(local)
        responses += profile_ratio(response, graph) > local_ratio(response)
        values += profile_ratio(local, value_graph(range(d))) != local_ratio(local)
    rows = (
        Claim(f"violations, {CASES} random mechanisms on random graphs", any_rows, claimed=0),
        Claim(f"violations, {CASES} k-ary responses on random graphs", responses, claimed=0),
        Claim("single values as profiles: cases that differ from the local ratio", values, reference=0),
    )
    return Result("gc-theorem-8", "Locally private is profile-based private", PAPER, rows, WORDS)


def random_graph(source: random.Random) -> nx.Graph:
    """Return two to six profiles over two to five categories, some of probability 0, with random edges.

    Parameters
    ----------
    source
        of randomness.

    Examples
    --------
    >>> random_graph(random.Random(1)).number_of_edges() > 0
    True
    """
    d, k = source.randint(2, 5), source.randint(2, 6)
    distributions = {}
    for i in range(k):
        weights = [source.randint(0, 9) for _ in range(d - 1)] + [source.randint(1, 9)]
        distributions[i] = [Fraction(weight, sum(weights)) for weight in weights]
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    edges = [(0, 1)] + [pair for pair in pairs if source.random() < 0.5]
    return profile_graph(distributions, edges=edges, categories=range(d))


def random_mechanism(source: random.Random, d: int) -> Mechanism:
    """Return a d x d mechanism whose rows are random multiples, up to a random factor, of one random row.

    Parameters
    ----------
    source
        of randomness.
    d
        the number of values.

    Examples
    --------
    >>> random_mechanism(random.Random(1), 3).weights.shape
    (3, 3)
    """
    base = [source.randint(1, 9) for _ in range(d)]
    factor = source.randint(1, 20)
    weights = [[weight * source.randint(10, 10 * factor) for weight in base] for _ in range(d)]
    rows = [[Fraction(weight, sum(row)) for weight in row] for row in weights]
    return mechanism_from_matrix(np.array(rows, dtype=object))


def local_ratio(mechanism: Mechanism) -> Fraction | float:
    """Return e^epsilon of local privacy: the largest ratio between two rows of one table.

    Parameters
    ----------
    mechanism
        with one row per value.

    Examples
    --------
    >>> local_ratio(k_ary(range(3), ratio=2))
    Fraction(2, 1)
    """
    rows = [mechanism.row(value, value) for value in mechanism.inputs]
    return worst_ratio((a, b) for place, a in enumerate(rows) for b in rows[place + 1 :])


def profile_ratio(mechanism: Mechanism, graph: nx.Graph) -> Fraction | float:
    """Return e^epsilon of profile-based privacy when every profile uses the mechanism's one table.

    Parameters
    ----------
    mechanism
        with one row per value.
    graph
        the profiles and edges.

    Examples
    --------
    >>> profile_ratio(k_ary(range(3), ratio=2), value_graph(range(3)))
    Fraction(2, 1)
    """
    index = np.tile(np.arange(len(mechanism.inputs)), (len(graph), 1))
    used = Mechanism(graph, mechanism.outputs, mechanism.weights, index)
    return worst_ratio((used.released(a), used.released(b)) for a, b in graph.edges)
