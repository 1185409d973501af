"""[HLM] product sanitisation: Examples 1 and 3, Theorems 1, 6, 7, 8 and 10, Corollary 3."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import networkx as nx
import numpy as np

from mechdesign.closed_form.exponential import exponential_mechanism
from mechdesign.closed_form.k_ary import symmetric
from mechdesign.closed_form.product_sanitisation import ProductSanitisation, least_error, optimal_product_sanitisation
from mechdesign.designer.design import design
from mechdesign.exact.exponentials import exp_below
from mechdesign.formulas.find import formula
from mechdesign.graph.databases import database_graph
from mechdesign.graph.values import value_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, Objective, WorstLoss
from mechdesign.papers.derived import Form, derived
from mechdesign.papers.hlm import base_of_alpha, distance, expected_changes, least_delta, parent_alpha
from mechdesign.papers.published import Claim

HOBBIES = ("Sports", "Cars", "Television", "Computer games", "Reading")
DATABASE = ("Sports", "Computer games", "Television", "Sports", "Reading", "Television")
ALPHA = Fraction(1, 10)

LEVELS = (("1", "0"), ("1/2", "1/10"), ("1/10", "1/100"), ("0", "1/20"), ("2", "1/20"), ("3", "1/2"))
"""Epsilon and delta."""
PARENTS = ((2, "1/2", "0"), (2, "1", "1/10"), (3, "1", "0"), (3, "0", "1/20"), (5, "1", "1/100"), (7, "2", "1/5"))
DATABASES = ((2, 2), (3, 2), (2, 3))
LARGE = ((2, 8), (4, 4))
"""Databases of which there are 256: all alike, so that their program has a variable for each number of changed rows."""
IN_DELTA = ((2, "1"), (3, "3/2"), (5, "2"), (8, "5"))
"""m, and the e^epsilon at which it is derived in delta."""
PRIORS = {("0.6", "0.3", "0.1"): "1", ("0.9", "0.1"): "1/2"}
"""prior -> epsilon."""


def examples_1_3() -> Iterator[Claim]:
    """The two answers of Example 1, the parent of Example 3, and Theorem 1 on a query."""
    parent = symmetric(HOBBIES, ALPHA)
    ratio = 1 / base_of_alpha(len(HOBBIES), ALPHA)
    television = parent.row("Television", "Television")
    database_delta, query_delta = deltas_of_a_query(ratio / 2)
    yield Claim("Example 1: different hobbies", len(set(DATABASE)))
    yield Claim("Example 1: people who name television", DATABASE.count("Television"))
    yield Claim("Example 3: alpha is at most 1/5", Fraction(1, 5) >= ALPHA)
    yield Claim("Example 3: P(television stays television)", television[2])
    yield Claim("Example 3: P(television becomes cars)", television[1])
    yield Claim("Example 3: e^epsilon of any number of rows", ratio)
    private = ProductSanitisation(parent, len(DATABASE)).is_private(ratio=ratio)
    yield Claim("six rows are private at that", private)
    yield Claim("Theorem 1: a query has no larger delta", query_delta <= database_delta)


def deltas_of_a_query(ratio: Fraction) -> tuple[Fraction, Fraction]:
    """Return the least delta of two sanitised rows, and of how many of these name television.

    Examples
    --------
    >>> deltas_of_a_query(Fraction(3))
    (Fraction(3, 10), Fraction(9, 50))
    """
    graph = database_graph(HOBBIES, 2)
    mechanism = ProductSanitisation(symmetric(HOBBIES, ALPHA), 2).mechanism()
    count = np.array([[int(database.count("Television") == k) for k in range(3)] for database in graph])
    query = mechanism.then(count, outputs=range(3))
    return least_delta(mechanism, graph, ratio), least_delta(query, graph, ratio)


def theorem_6() -> Iterator[Claim]:
    """In how many cases n rows are as private as one, are the Hamming mechanism, and need no smaller alpha."""
    cases = list(product((2, 3), (1, 2, 3), ("1", "1/2", "1/10")))
    inherited, same = (sum(column) for column in zip(*(_product_is(*case) for case in cases), strict=True))
    yield Claim("Theorem 6: cases of 18 where n rows have exactly the delta of one", inherited)
    yield Claim("Theorem 7: cases of 18 where the two matrices are equal", same)
    yield Claim("Theorem 8: cases of 36 where alpha is exactly the least that is private", boundary())
    large = ProductSanitisation(optimal_product_sanitisation(range(5), epsilon=1, delta="0.01"), 10**6)
    yield Claim("Corollary 3: a million rows of five values, delta at epsilon = 1", large.delta(epsilon=1))
    yield Claim("its expected number of changed rows", large.error())


def _product_is(m: int, n: int, share: str) -> tuple[bool, bool]:
    """Return whether n rows have the delta of one row, and are the exponential mechanism, for alpha = share / m."""
    alpha, graph = Fraction(share) / m, database_graph(range(m), n)
    z = base_of_alpha(m, alpha)
    rows = ProductSanitisation(symmetric(range(m), alpha), n)
    databases = list(graph)
    exponential = exponential_mechanism(databases, databases, lambda d, a: z ** distance(d, a))
    ratio = (1 + 1 / z) / 2
    private = rows.delta(ratio=ratio) == least_delta(rows.mechanism(), graph, ratio)
    return private, bool((rows.mechanism().weights == exponential.weights).all())


def boundary() -> int:
    """Return in how many cases of 36 the alpha of (21) has exactly the delta asked for, and a smaller one more."""
    exact = 0
    for m, ratio, delta in product((2, 3, 7), ("1", "3/2", "3", "8"), ("0", "1/100", "1/2")):
        E, asked = Fraction(ratio), Fraction(delta)
        alpha = parent_alpha(m, ratio=E, delta=asked)
        at, below = (ProductSanitisation(symmetric(range(m), a), 1) for a in (alpha, alpha * Fraction(999, 1000)))
        exact += at.delta(ratio=E) == asked < below.delta(ratio=E)
    return exact


def theorem_10() -> Iterator[Claim]:
    """The formula beside linear programs: over all parents, over all mechanisms on D^n, and for other priors."""
    yield from in_epsilon()
    yield from in_delta()
    for m, epsilon, delta in PARENTS:
        value = design(value_graph(range(m)), epsilon=epsilon, delta=delta, objective=WorstLoss()).value
        what = f"best parent: m = {m}, epsilon {epsilon}, delta {delta}"
        yield Claim(what, value, claimed=_error(m, 1, epsilon, delta))
    for (m, n), (epsilon, delta), kind in product(DATABASES, LEVELS, (WorstLoss, ExpectedLoss)):
        graph = database_graph(range(m), n)
        objective = kind([[distance(d, a) for a in graph] for d in graph])
        yield _best(m, n, epsilon, delta, objective)
    for m, n in LARGE:
        yield _best(m, n, "1", "0", ExpectedLoss("rows"))
    for prior, epsilon in PRIORS.items():
        what = f"prior ({', '.join(prior)}), epsilon {epsilon}"
        yield Claim(f"best for {what}", best_for_prior(prior, epsilon))
        yield Claim(f"Theorem 10's for {what}", _error(len(prior), 1, epsilon, "0"))
    yield from _mixture()


def _best(m: int, n: int, epsilon: str, delta: str, objective: Objective) -> Claim:
    value = design(database_graph(range(m), n), epsilon=epsilon, delta=delta, objective=objective).value
    what = f"best on D^n, {objective.name}: m = {m}, n = {n}, epsilon {epsilon}, delta {delta}"
    return Claim(what, value, reference=_error(m, n, epsilon, delta))


def in_epsilon() -> Iterator[Claim]:
    """Derive the error, and the entries of k-ary randomised response, for delta = 0 and every epsilon."""
    for m in range(2, 9):
        graph, parent = value_graph(range(m)), Form([m - 1], [m - 1, 1])
        yield from derived(f"best parent, m = {m}", formula(graph, objective=WorstLoss()), [parent], claimed=True)
        entry = formula(graph, objective=MaxOffDiagonal())
        yield from derived(f"its largest entry off the diagonal, m = {m}", entry, [Form([1], [m - 1, 1])])
    for m, n in DATABASES:
        graph, rows = database_graph(range(m), n), Form([n * (m - 1)], [m - 1, 1])
        yield from derived(f"best on D^n, m = {m}, n = {n}", formula(graph, objective=WorstLoss("rows")), [rows])


def in_delta() -> Iterator[Claim]:
    """Derive the error at some e^epsilon for every delta."""
    for m, ratio in IN_DELTA:
        E, found = Fraction(ratio), formula(value_graph(range(m)), objective=WorstLoss(), ratio=ratio)
        form = Form([m - 1, 1 - m], [E + m - 1], Fraction(1))
        yield from derived(f"best parent, m = {m}, e^epsilon {ratio}", found, [form], claimed=True)


def _error(m: int, n: int, epsilon: str, delta: str) -> Fraction:
    return least_error(m, n, epsilon=epsilon, delta=delta)


def best_for_prior(prior: Sequence[str], epsilon: str) -> Fraction:
    """Return the least expected Hamming error of a private mechanism when the values have this prior."""
    graph = value_graph(range(len(prior)))
    nx.set_node_attributes(graph, dict(enumerate(map(Fraction, prior))), "weight")
    return design(graph, epsilon=epsilon, objective=ExpectedLoss()).value


def _mixture() -> Iterator[Claim]:
    """Compare truth with probability delta, else the product for delta = 0, with the product for delta."""
    ratio, delta = exp_below(Fraction(1)), Fraction(1, 10)
    graph = database_graph(range(2), 2)
    plain, strict = (
        ProductSanitisation(optimal_product_sanitisation(range(2), ratio=ratio, delta=d), 2).mechanism()
        for d in (delta, Fraction(0))
    )
    rows = np.array([strict.row(d, d) for d in graph], dtype=object) * (1 - delta)
    rows[np.diag_indices(len(rows))] += delta
    mixture = mechanism_from_matrix(rows, inputs=list(graph))
    first = next(iter(graph))
    yield Claim("mixture for m = n = 2, epsilon 1, delta 0.1: error", max(expected_changes(mixture)))
    yield Claim("product: error", max(expected_changes(plain)))
    yield Claim("mixture: delta at epsilon = 1", least_delta(mixture, graph, ratio))
    yield Claim("mixture: P(database unchanged)", mixture.row(first, first)[0])
    yield Claim("product: P(database unchanged)", plain.row(first, first)[0])
