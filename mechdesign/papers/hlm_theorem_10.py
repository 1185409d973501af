"""[HLM] Theorem 10: the optimal product sanitisation, beside linear programs over all mechanisms."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from mechdesign.closed_form import ProductSanitisation, least_error, optimal_product_sanitisation
from mechdesign.designer.design import design
from mechdesign.exact.exponentials import exp_below
from mechdesign.formulas import formula
from mechdesign.graph.databases import database_graph
from mechdesign.graph.values import value_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, WorstLoss
from mechdesign.papers.derived import Form, derived
from mechdesign.papers.drawing import COLOURS, panels
from mechdesign.papers.hlm import PAPER, distance, expected_changes, least_delta
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
Theorem 10 is true and stronger than stated. ERR-2.4: "the minimum of all product sanitisation mechanisms" is the \
minimum of all private mechanisms from D^n to D^n, correlated ones included: summing p_ii <= e^eps p_ji + delta over \
all ordered pairs bounds the mean of p_ii, also given the other rows. Its error, (m - 1)(1 - delta)/(e^eps + m - 1) \
for a row, and the entries 1/(e^eps + m - 1) of k-ary randomised response, which is the mechanism for delta = 0, are \
derived by machine, as functions of e^eps and of delta. For the same reason it is optimal for the \
uniform average. But "the most accurate mechanism possible for discrete data" overstates it: for a prior that is not \
uniform other mechanisms are better, for a strong one even a constant answer. Nor is it the only optimal one for n \
>= 2 and delta > 0: to tell the truth with probability delta, and else to use the product for delta = 0, errs as \
often, and leaves the whole database unchanged more often."""

LEVELS = (("1", "0"), ("1/2", "1/10"), ("1/10", "1/100"), ("0", "1/20"), ("2", "1/20"), ("3", "1/2"))
PARENTS = ((2, "1/2", "0"), (2, "1", "1/10"), (3, "1", "0"), (3, "0", "1/20"), (5, "1", "1/100"), (7, "2", "1/5"))
DATABASES = tuple((m, n, *level) for m, n in ((2, 2), (3, 2), (2, 3)) for level in LEVELS)
LARGE = ((2, 8), (4, 4))
"""Databases of which there are 256: all alike, so that their program has a variable for each number of changed rows."""

DERIVED = range(2, 9)
"""Numbers m of values for which the formula is derived, in epsilon."""

IN_DELTA = ((2, "1"), (3, "3/2"), (5, "2"), (8, "5"))
"""m, and the e^epsilon at which it is derived in delta."""

DATABASES_DERIVED = ((2, 2), (3, 2), (2, 3))

PRIORS = {
    ("0.6", "0.3", "0.1"): ("1", "0.342047", "0.423883"),
    ("0.9", "0.1"): ("1/2", "0.1", "0.377541"),
}
"""prior -> epsilon, what the linear program gives, what the formula gives."""


def reproduce() -> Result:
    """Return the formula beside linear programs: over all parents, over all mechanisms on D^n, and for other priors.

    References
    ----------
    [HLM] Theorem 10.
    """
    rows = [*_in_epsilon(), *_in_delta()]
    for m, epsilon, delta in PARENTS:
        value = design(value_graph(range(m)), epsilon=epsilon, delta=delta, objective=WorstLoss()).value
        what = f"best parent: m = {m}, epsilon {epsilon}, delta {delta}"
        rows.append(Claim(what, value, claimed=_error(m, 1, epsilon, delta)))
    for m, n, epsilon, delta in DATABASES:
        graph = database_graph(range(m), n)
        for objective in (WorstLoss(changed_rows(graph)), ExpectedLoss(changed_rows(graph))):
            value = design(graph, epsilon=epsilon, delta=delta, objective=objective).value
            what = f"best on D^n, {objective.name}: m = {m}, n = {n}, epsilon {epsilon}, delta {delta}"
            rows.append(Claim(what, value, reference=_error(m, n, epsilon, delta)))
    for m, n in LARGE:
        value = design(database_graph(range(m), n), epsilon=1, objective=ExpectedLoss("rows")).value
        what = f"best on D^n, expected-loss: m = {m}, n = {n}, epsilon 1, delta 0"
        rows.append(Claim(what, value, reference=_error(m, n, "1", "0")))
    for prior, (epsilon, best, least) in PRIORS.items():
        what = f"prior ({', '.join(prior)}), epsilon {epsilon}"
        rows.append(Claim(f"best for {what}", best_for_prior(prior, epsilon), reference=best))
        rows.append(Claim(f"Theorem 10's for {what}", _error(len(prior), 1, epsilon, "0"), reference=least))
    rows += _mixture_rows()
    return Result("hlm-theorem-10", "The optimal sanitisation", PAPER, tuple(rows), WORDS, draw)


def _in_epsilon() -> list[Claim]:
    """Derive the error, and the entries of k-ary randomised response, for delta = 0 and every epsilon."""
    rows = []
    for m in DERIVED:
        graph, parent = value_graph(range(m)), Form([m - 1], [m - 1, 1])
        rows += derived(f"best parent, m = {m}", formula(graph, objective=WorstLoss()), [parent], claimed=True)
        entry = formula(graph, objective=MaxOffDiagonal())
        rows += derived(f"its largest entry off the diagonal, m = {m}", entry, [Form([1], [m - 1, 1])])
    for m, n in DATABASES_DERIVED:
        graph, product = database_graph(range(m), n), Form([n * (m - 1)], [m - 1, 1])
        rows += derived(f"best on D^n, m = {m}, n = {n}", formula(graph, objective=WorstLoss("rows")), [product])
    return rows


def _in_delta() -> list[Claim]:
    """Derive the error at some e^epsilon for every delta."""
    rows = []
    for m, ratio in IN_DELTA:
        E, found = Fraction(ratio), formula(value_graph(range(m)), objective=WorstLoss(), ratio=ratio)
        form = Form([m - 1, 1 - m], [E + m - 1], Fraction(1))
        rows += derived(f"best parent, m = {m}, e^epsilon {ratio}", found, [form], claimed=True)
    return rows


def _error(m: int, n: int, epsilon: str, delta: str) -> Fraction:
    return least_error(m, n, epsilon=epsilon, delta=delta)


def changed_rows(graph: nx.Graph) -> list[list[int]]:
    """Return the loss table of the number of rows that change.

    Parameters
    ----------
    graph
        of databases.

    Examples
    --------
    >>> changed_rows(database_graph("ab", 2))[0]
    [0, 1, 1, 2]
    """
    return [[distance(d, a) for a in graph] for d in graph]


def best_for_prior(prior: Sequence[str], epsilon: str) -> Fraction:
    """Return the least expected Hamming error of a private mechanism when the values have this prior.

    Parameters
    ----------
    prior
        the probabilities of the values.
    epsilon
        in nats.

    Examples
    --------
    >>> f"{float(best_for_prior(('0.9', '0.1'), '1/2')):.6f}"
    '0.100000'
    """
    graph = value_graph(range(len(prior)))
    nx.set_node_attributes(graph, dict(enumerate(map(Fraction, prior))), "weight")
    return design(graph, epsilon=epsilon, objective=ExpectedLoss()).value


def _mixture_rows() -> list[Claim]:
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
    return [
        Claim(
            "mixture for m = n = 2, epsilon 1, delta 0.1: error",
            max(expected_changes(mixture)),
            reference="0.484094558466",
        ),
        Claim("product: error", max(expected_changes(plain)), reference="0.484094558466"),
        Claim("mixture: delta at epsilon = 1", least_delta(mixture, graph, ratio), reference="0.1"),
        Claim("mixture: P(database unchanged)", mixture.row(first, first)[0], reference="0.581002"),
        Claim("product: P(database unchanged)", plain.row(first, first)[0], reference="0.574492"),
    ]


def draw() -> "Figure":
    """Return the error per row against epsilon, the formula beside linear programs."""
    titles = ["δ = 0", "δ = 0.1"]
    figure, axes = panels(titles, across="privacy level ε", up="probability that a row changes")
    levels = [step / 25 for step in range(101)]
    for one, delta in zip(axes, ("0", "1/10"), strict=True):
        for m, colour in zip((2, 3, 5), COLOURS, strict=False):
            formula = [float(_error(m, 1, str(level), delta)) for level in levels]
            one.plot(levels, formula, color=colour, label=f"m = {m}")
            graph = value_graph(range(m))
            found = [design(graph, epsilon=e, delta=delta, objective=WorstLoss()).value for e in range(5)]
            one.plot(range(5), [float(value) for value in found], "o", color=colour, fillstyle="none", clip_on=False)
        one.set(xlim=(0, 4), ylim=(0, 1))
    axes[0].legend(fontsize=8, frameon=False)
    return figure
