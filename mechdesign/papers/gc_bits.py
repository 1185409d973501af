"""[GC] on bits: Figure 1(a), Observation 9, and One Bit Cluster beside Smooth Categorical."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.closed_form.one_bit_cluster import flip_probability
from mechdesign.closed_form.two_profiles import two_profiles
from mechdesign.designer.design import design
from mechdesign.designer.method import Method
from mechdesign.exact.exponentials import exp_below
from mechdesign.formulas.find import formula
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.papers.derived import NOTHING, Form, derived
from mechdesign.papers.published import Claim

EPSILONS = ("1", "1/2", "1/10")
CURVES = (*((epsilon, name) for epsilon in EPSILONS[:2] for name in ("p_i = 0", "symmetric")), ("1/10", "symmetric"))
VACUOUS = ("9/10 9/10", "3/10 3/10", "4/5 17/20", "1/10 3/20", "0 1/10")
"""Pairs of means at which the printed bound exceeds 1/2."""
LEVELS = ("1/10", "1/2", "1", "2")
DERIVED = ("3/10 3/10", "4/5 17/20", "1/10 3/20", "0 1/10", "1/5 4/5")
CELLS = 1000
HALVINGS = 50


def couplet(p: Fraction, q: Fraction) -> nx.Graph:
    """Return two neighbouring bits of means p and q."""
    return profile_graph({"a": [1 - p, p], "b": [1 - q, q]}, edges="all", categories=["0", "1"])


def _means(pair: str) -> tuple[Fraction, Fraction]:
    p, q = pair.split()
    return Fraction(p), Fraction(q)


def figure_1a() -> Iterator[Claim]:
    """Flip probabilities of One Bit Cluster, and Warner's."""
    for epsilon, name in CURVES:
        for step in range(1, 6):
            flip = flip_probability(*pair_apart(name, Fraction(step, 5)), epsilon=epsilon)
            yield Claim(f"flip, {name}, difference {step / 5}, epsilon {epsilon}", flip)
    for epsilon in EPSILONS:
        yield Claim(f"flip of Warner's response, epsilon {epsilon}", warner(epsilon))
    for epsilon in EPSILONS:
        curves = [
            [flip_probability(*pair_apart(name, Fraction(step, 50)), epsilon=epsilon) for step in range(51)]
            for name in ("p_i = 0", "symmetric")
        ]
        grows = all(before <= after for curve in curves for before, after in pairwise(curve))
        below = all(flip <= warner(epsilon) for curve in curves for flip in curve)
        yield Claim(f"the flip probability grows with the difference, epsilon {epsilon}", grows)
        yield Claim(f"it stays at or below Warner's, epsilon {epsilon}", below)


def pair_apart(name: str, difference: Fraction) -> tuple[Fraction, Fraction]:
    """Return means with this difference: from 0 on, or symmetric about 1/2."""
    low = Fraction(0) if name == "p_i = 0" else (1 - difference) / 2
    return low, low + difference


def warner(epsilon: str) -> Fraction:
    """Return the flip probability of Warner's randomised response, 1 / (1 + e^epsilon)."""
    return 1 / (1 + exp_below(Fraction(epsilon)))


def observation_9() -> Iterator[Claim]:
    """The printed bound, the solution of (4) found by bisection, and how often the bound says nothing."""
    for pair in VACUOUS:
        means, ratio = _means(pair), exp_below(Fraction(1))
        yield Claim(f"the printed bound, p = {pair.replace(' ', ', ')}, epsilon 1", printed_bound(*means, ratio))
        yield Claim("the solution of (4) there", least_flip(*means, ratio))
    for epsilon in LEVELS:
        share = vacuous_share(float(Fraction(epsilon)))
        yield Claim(f"share of p_i <= p_j where the bound exceeds 1/2, epsilon {epsilon}", share)
    for epsilon in LEVELS:
        distance = _distance_elsewhere(exp_below(Fraction(epsilon)))
        yield Claim(f"largest distance from the solution elsewhere, epsilon {epsilon}", distance)
    for pair in DERIVED:
        means = _means(pair)
        found = formula(couplet(*means), shared=True)
        yield from derived(f"(4), p = {pair.replace(' ', ', ')}", found, corrected(*means))
    for shared in (True, False):
        for categories in (2, 3, 5, 8):
            what = f"its formula, m = {categories}, {'one matrix' if shared else 'a matrix each'}, epsilon 1/2"
            level, program = _wider(categories, shared)
            yield Claim(what, level, reference=program)


def _wider(categories: int, shared: bool) -> tuple[Fraction, Fraction]:
    """Return what two profiles, one rising and one a peak, ask for by formula, and what a linear program finds."""
    rising = [Fraction(2 * x + 1, categories**2) for x in range(categories)]
    peak = [Fraction(x + 1 if x < categories // 2 else categories - x) for x in range(categories)]
    pair = [rising, [height / sum(peak) for height in peak]]
    graph = profile_graph(dict(enumerate(pair)), edges=[(0, 1)], categories=list(range(categories)))
    found = design(graph, epsilon="1/2", method=Method.HIGHS, shared=shared)
    return two_profiles(*pair, epsilon="1/2", shared=shared), found.value


def printed_bound(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the bound as it is printed, for p <= q.

    Examples
    --------
    >>> printed_bound(Fraction(0), Fraction(1), Fraction(3))
    Fraction(1, 4)
    """
    c = ratio - 1
    first, second = q - ratio * p, p - ratio * q + c
    fractions = (first / (2 * first + c), second / (2 * (p - ratio * q) + c))
    return max(Fraction(0), *fractions)


def corrected(p: Fraction, q: Fraction) -> list[Form]:
    """Return the bound with positive parts, N/(2 N + c), as a function of E = e^epsilon, for p <= q.

    For E >= 1 the larger of N1 = q - E p and N2 = 1 - p - E (1 - q) is the one that falls more slowly: at E = 1 both
    are q - p.
    """
    if p == q:
        return [NOTHING]
    start, fall = (q, p) if p <= 1 - q else (1 - p, 1 - q)
    form = Form([start, -fall], [2 * start - 1, 1 - 2 * fall], start / fall if fall else None)
    return [form] if form.high is None else [form, NOTHING]


def least_flip(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the least flip probability that (4) allows, by bisection: 1/2 is allowed, and what is is an interval.

    Examples
    --------
    >>> float(least_flip(Fraction(0), Fraction(1), Fraction(3)))
    0.25
    """
    low, high = Fraction(0), Fraction(1, 2)
    if _allowed(low, p, q, ratio):
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _allowed(middle, p, q, ratio) else (middle, high)
    return high


def _allowed(flip: Fraction, p: Fraction, q: Fraction, ratio: Fraction) -> bool:
    """Return whether both outputs keep their ratio, the constraints of (4)."""
    one, other = (mean * (1 - flip) + (1 - mean) * flip for mean in (p, q))
    return all(a <= ratio * b for a, b in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)))


def vacuous_share(epsilon: float) -> float:
    """Return the share of the pairs p_i <= p_j whose printed bound exceeds 1/2, by counting small cells."""
    middles = (np.arange(CELLS) + 0.5) / CELLS
    vacuous = _is_vacuous(middles[:, None], middles[None, :], math.exp(epsilon))
    weight = np.triu(np.ones((CELLS, CELLS))) - 0.5 * np.identity(CELLS)  # half of a cell on the diagonal counts
    return float((vacuous * weight).sum() / weight.sum())


def _is_vacuous(p: Floats, q: Floats, ratio: float) -> npt.NDArray[np.bool_]:
    """Return whether one of the two printed fractions exceeds 1/2."""
    c = ratio - 1
    first, second = q - ratio * p, p - ratio * q + c
    return (first / (2 * first + c) > 0.5) | (second / (2 * second - c) > 0.5)


def _distance_elsewhere(ratio: Fraction) -> Fraction:
    """Return the largest |printed bound - solution| over a grid of pairs where the bound is at most 1/2."""
    grid = [Fraction(step, 11) for step in range(12)]  # misses the pairs at which a denominator is zero
    pairs = list(combinations_with_replacement(grid, 2))
    bounds = [(printed_bound(p, q, ratio), least_flip(p, q, ratio)) for p, q in pairs]
    return max(abs(bound - solution) for bound, solution in bounds if bound <= Fraction(1, 2))


def bit_versus_categorical() -> Iterator[Claim]:
    """The largest off-diagonal entry that each mechanism needs on two Bernoulli profiles."""
    for pair, epsilon in (("2/5 3/5", "1/5"), ("3/10 3/5", "1/10"), ("0 1", "1")):
        graph, where = couplet(*_means(pair)), f"p = {pair.replace(' ', ', ')}, epsilon {epsilon}"
        yield Claim(f"Smooth Categorical, {where}", design(graph, epsilon=epsilon, method=Method.HIGHS).value)
        cluster = design(graph, epsilon=epsilon, method=Method.ONE_BIT_CLUSTER)
        yield Claim(f"One Bit Cluster, {where}", cluster.value)
