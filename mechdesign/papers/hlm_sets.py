"""[HLM] Theorems 2 and 3, Corollaries 1 and 2, Example 2: which sets decide, against all sets, and how many."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import cycle, permutations
from operator import add

import networkx as nx

from mechdesign.certifier.sufficient_sets import cells, hamming_set, larger_set, subsets, work
from mechdesign.closed_form.exponential import exponential_mechanism, exponential_weight
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.databases import database_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.hlm import hamming_mechanism
from mechdesign.papers.published import Claim
from mechdesign.privacy.gaps import excess, worst_set

SINGLE_SET = "the single set A*"
RATIOS = (Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(3))
TENTHS = (0, 5, 17, 30, 14, 9)
"""-10 u(0, a) of the circulant utility; u(d, a) depends on a - d modulo 6."""


def example_2() -> Iterator[Claim]:
    """The counts of Example 2, u(d, a) = -||d - a||_1 on two rows of {0, 1, 2}, exactly and in double precision."""
    counts = work(_mechanism(), _databases())
    doubles = sizes_in_doubles()
    yield Claim("ordered pairs of neighbours", counts.pairs)
    yield Claim("checks of every subset", counts.every_subset)
    yield Claim("checks of a pair with |A| = 3", 2**3 - 1)
    yield Claim("checks of a pair with |A| = 6", 2**6 - 1)
    yield Claim("pairs with |A| = 3", counts.sizes[3])
    yield Claim("pairs with |A| = 6", counts.sizes[6])
    yield Claim("checks by Theorem 2", counts.theorem_2)
    yield Claim("checks of the single set A*", counts.pairs)
    yield Claim("pairs with |A| = 3, in double precision", doubles[3])
    yield Claim("pairs with |A| = 6, in double precision", doubles[6])
    yield Claim("checks by Theorem 2, in double precision", sum(n * (2**s - 1) for s, n in doubles.items()))


def _databases() -> nx.Graph:
    return database_graph((0, 1, 2), 2)


def _mechanism() -> Mechanism:
    """Return the exponential mechanism of Example 2."""
    databases, base = list(_databases()), exponential_weight(-1)
    return exponential_mechanism(databases, databases, lambda d, a: base ** l1(d, a))


def l1(d: Sequence[int], a: Sequence[int]) -> int:
    """Return ||d - a||_1."""
    return sum(abs(x - y) for x, y in zip(d, a, strict=True))


def sizes_in_doubles() -> Counter[int]:
    """Return |A_dd'| -> ordered pairs, with P = exp(u)/sum(exp(u)) in double precision.

    Examples
    --------
    >>> sorted(sizes_in_doubles().items())
    [(3, 21), (6, 15)]
    """
    graph = _databases()
    released = {}
    for d in graph:
        # Correctly rounded exponentials and a plain loop of sums: the same on every machine.
        weights = [float(exponential_weight(-l1(d, a))) for a in graph]
        total = reduce(add, weights)
        released[d] = [weight / total for weight in weights]
    pairs = [pair for d, other in graph.edges for pair in ((d, other), (other, d))]
    return Counter(sum(p > q for p, q in zip(released[d], released[other], strict=True)) for d, other in pairs)


def sufficient_sets() -> Iterator[Claim]:
    """How often each collection of sets decides otherwise than all sets, and the two counterexamples."""
    for what, count in violations().items():
        yield Claim(f"{what}: pairs of 36 of Example 2 on which its sets decide otherwise than all", count)
    cell, union = circulant_deltas()
    yield Claim("Corollary 1, delta > 0: worst cell of the circulant utility", cell)
    yield Claim("its delta at epsilon = 0.1", union)
    share, delta = two_outputs()
    yield Claim("(8) without C_d: e P_1(0)", share)
    yield Claim("(8) without C_d: delta at epsilon = 1", delta)
    yield Claim("Corollary 2: A_dd' = {a : a_i = d_i} is the one cell", corollary_2_holds())


def violations() -> dict[str, int]:
    """Return, for each theorem, on how many pairs of Example 2 its sets fail to decide for all they stand for.

    They decide at every delta if their largest excess is that of all sets, the empty one counted in.
    """
    counts = {"Theorem 2": 0, SINGLE_SET: 0, "Theorem 3": 0, "Corollary 1, delta = 0": 0}
    graph = _databases()
    released = dict(zip(graph, _mechanism().all_released(), strict=True))
    pairs = [pair for d, other in graph.edges for pair in ((d, other), (other, d))]
    for (d, other), ratio in zip(pairs, cycle(RATIOS), strict=False):
        first, second = released[d], released[other]
        excesses = {outputs: excess(first, second, ratio, outputs) for outputs in subsets(tuple(range(len(graph))))}
        excesses[()] = Fraction(0)
        largest = max(excesses.values())
        parts = list(cells(first, second).values())
        counts["Theorem 2"] += max(excesses[s] for s in [(), *subsets(larger_set(first, second))]) != largest
        counts[SINGLE_SET] += excesses[worst_set(first, second, ratio)] != largest
        counts["Theorem 3"] += any(
            excesses[s] > max(Fraction(0), excesses[cell]) for cell in parts for s in subsets(cell)
        )
        counts["Corollary 1, delta = 0"] += all(excesses[cell] <= 0 for cell in parts) != (largest <= 0)
    return counts


def circulant() -> Mechanism:
    """Return the exponential mechanism of the circulant utility on Z_6."""
    base = exponential_weight("-1/10")
    return exponential_mechanism(range(6), range(6), lambda d, a: base ** TENTHS[(a - d) % 6])


def circulant_deltas() -> tuple[Fraction, Fraction]:
    """Return the largest excess of a cell, and of any set, for the circulant utility at epsilon = 1/10."""
    ratio = exp_below(Fraction(1, 10))
    pairs = list(permutations(circulant().all_released(), 2))
    by_cell = max(excess(p, q, ratio, cell) for p, q in pairs for cell in cells(p, q).values())
    return by_cell, max(excess(p, q, ratio, worst_set(p, q, ratio)) for p, q in pairs)


def two_outputs() -> tuple[Fraction, Fraction]:
    """Return e P_1(0) and the delta at epsilon = 1 for u(0, .) = (0, 0), u(1, .) = (1, 5).

    Without the constants A_01 = {a : u(0, a) > u(1, a)} is empty.
    """
    utility = ((0, 0), (1, 5))
    mechanism = exponential_mechanism(range(2), range(2), lambda d, a: exponential_weight(utility[d][a]))
    first, second = mechanism.all_released()
    ratio = exp_below(Fraction(1))
    return ratio * second.fractions()[0], excess(first, second, ratio, worst_set(first, second, ratio))


def corollary_2_holds() -> bool:
    """Return whether, for three values and two rows, A_dd' is the set of Corollary 2 and its only cell."""
    graph, base = _databases(), exponential_weight(-1)
    released = dict(zip(graph, hamming_mechanism(range(3), 2, base).all_released(), strict=True))
    return all(
        cells(released[d], released[other]) == {1 / base: hamming_set(d, other, list(graph))}
        for pair in graph.edges
        for d, other in (pair, pair[::-1])
    )
