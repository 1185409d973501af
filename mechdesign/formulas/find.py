"""`formula`: from a profile graph to the optimum as an exact function of e^epsilon, or of delta."""

import math
import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, number, parse_delta, parse_epsilon, parse_number
from mechdesign.exact.text import shown
from mechdesign.formulas.formula import Formula
from mechdesign.formulas.parametric_program import program_of
from mechdesign.formulas.polynomials import End
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.terms import Terms, formulated, terms_of
from mechdesign.formulas.whole_range import cover
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.uncertainty import is_robust
from mechdesign.graph.uncertainty import nominal as at_distributions
from mechdesign.objective import Goal, MaxOffDiagonal, checked_objective
from mechdesign.size import check_size

MOST_CELLS = 5_000_000
"""Coefficients of the program: so many take a GiB."""


@with_flags
def formula(
    graph: nx.Graph | str | os.PathLike[str],
    *,
    objective: Goal | None = None,
    epsilon: tuple[Number, Number] = (0, "inf"),
    delta: Number | tuple[Number, Number] | None = None,
    ratio: Number | None = None,
    shared: bool = False,
    scale_own: bool = False,
    nominal: bool = False,
) -> Formula:
    """Return the optimum of a graph as an exact function of E = e^epsilon; or of delta, at a rational E.

    Between finitely many breakpoints the optimum of the linear program is a rational function of E with rational
    coefficients. All of them are found, and proved, in exact arithmetic.

    Parameters
    ----------
    graph
        a profile graph, the name of a shipped one, or the path of its file.
    objective
        `MaxOffDiagonal()` (the default), `ExpectedLoss(loss)` or `WorstLoss(loss)`.
    epsilon
        the range, in nats; an edge's distance multiplies it.
    delta
        in [0, 1), 0 by default; with `ratio` the range, (0, 1) by default.
    ratio
        e^epsilon, a rational number: the formula is then one of delta.
    shared, scale_own, nominal
        as for `design`.

    Raises
    ------
    InputError
        if an argument cannot be used, or the optimum is no rational function of one variable.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (5) Smooth Categorical.

    Examples
    --------
    >>> import mechdesign as md
    >>> md.formula(md.read_graph("categorical-chain"))
    Formula(max-off-diagonal, epsilon 0 to inf, 3 pieces, breakpoints 0.287682, 1.09861)
    """
    graph = as_graph(graph)
    unbounded = nominal and is_robust(graph)
    if nominal:
        graph = at_distributions(graph)
    goal = MaxOffDiagonal() if objective is None else checked_objective(objective)
    goal = formulated(goal.settled(graph.graph["categories"]))
    exact = None if ratio is None else number("ratio", ratio, "e^epsilon, a number >= 1", at_least=1)
    one_delta = None if exact is not None else parse_delta(0 if delta is None else _number(delta))
    terms = terms_of(graph, goal, ratio=exact, delta=one_delta, shared=shared, scale_own=scale_own)
    terms = replace(terms, unbounded=unbounded)
    if exact is None:
        low, high = _ends("epsilon", epsilon, parse_end)
        within = _in_z(low, high, terms)
    else:
        low, high = _ends("delta", (0, 1) if delta is None else delta, parse_number)
        if not 0 <= low < 1 or high is None or high > 1:
            raise InputError(f"delta: expected a range within 0 and 1, found {shown(delta)}")
        within = Stretch(End.at(low), End.at(high))
    _check(terms)
    program = program_of(terms)
    return Formula(terms, program, cover(program, within), low, high)


def parse_end(value: object) -> Epsilon:
    """Return an end of a range of epsilon.

    Raises
    ------
    InputError
        if it is no epsilon, or larger than 700 and finite: e^epsilon would be no double, and soon too long to write.

    Examples
    --------
    >>> parse_end("0.5"), parse_end("inf")
    (Fraction(1, 2), inf)
    """
    end = parse_epsilon(value)
    if MAX_EPSILON < end < math.inf:
        raise InputError(f"epsilon: expected an end of at most {MAX_EPSILON}, or inf, found {shown(value)}")
    return end


def _number(delta: Number | tuple[Number, Number]) -> Number:
    if isinstance(delta, tuple):
        raise InputError(f"delta: a range, {shown(delta)}, goes with ratio, e^epsilon; expected one number in [0, 1)")
    return delta


def _ends(name: str, given: object, parse: Callable[[object], Fraction | float]) -> tuple[Fraction, Fraction | None]:
    """Return the ends of a range; None for infinity."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(f"{name}: expected a range, two numbers, found {shown(given)}")
    low, high = (parse(end) for end in given)
    if not low < high:
        raise InputError(f"{name}: expected a range from a smaller to a larger number, found {shown(tuple(given))}")
    return Fraction(low), None if high == math.inf else Fraction(high)


def _in_z(low: Fraction, high: Fraction | None, terms: Terms) -> Stretch:
    """Return a range of epsilon as one of z, rounded outward."""
    above = None if high is None else End.at(exp_above(high / terms.root))
    return Stretch(End.at(exp_below(low / terms.root)), above)


def _check(terms: Terms) -> None:
    """Raise an InputError if the program does not fit in memory."""
    graph = terms.graph
    d = len(graph.graph["categories"])
    spread = max(sum(mass > 0 for mass in masses) for masses in terms.distributions)
    cells = len(terms.outputs) * (len(graph) * spread + 4 * len(terms.edges) * spread)
    sizes = f"{len(graph):,} profiles, {d:,} categories and {len(terms.edges):,} edges need {{}} coefficients"
    check_size(cells, MOST_CELLS, sizes, "`design` computes one epsilon after another")
