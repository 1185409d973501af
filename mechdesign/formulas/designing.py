"""The mechanism of a formula at one epsilon, as a design like any other: exact, with multipliers as its proof."""

import math
import time
from collections.abc import Callable, Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
from flint import fmpq, fmpq_poly

from mechdesign.arrays import Exact
from mechdesign.certificate.bound import Bound, Weights, bound_below
from mechdesign.certificate.certificate import whole_proof, written_above
from mechdesign.certificate.private import check_private
from mechdesign.designer.component import Component, components
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.numbers import Number, parse_epsilon
from mechdesign.formulas.cover import Part
from mechdesign.formulas.ends import End
from mechdesign.formulas.lifted import entries_of, multipliers_of, side_of, weights_of
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.program import Key
from mechdesign.formulas.solved import Solved
from mechdesign.graph.own_epsilons import scaled
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal
from mechdesign.objective.by_model import value_in
from mechdesign.objective.multipliers import FINENESS
from mechdesign.privacy.requirement import Requirement, as_multiples, requirements
from mechdesign.stopwatch import Stopwatch

METHOD = "formula"

BESIDE = Fraction(1, 2**80)
"""How far from E = 1 multipliers are taken that grow without end towards it: the bound is below the optimum by so much
times its slope. A larger E allows more, so that they hold for 1 too."""


def design_by(formula: Solved, asked: Number, mechanism_at: Callable[[Fraction], Solved]) -> Design:
    """Return the exact mechanism of a formula of epsilon in its range, with multipliers that prove it.

    `mechanism_at` says which solutions the mechanism is taken from, at a value of the variable.

    Raises
    ------
    InputError
        if the epsilon is infinite.
    """
    start, timed = time.perf_counter(), Stopwatch()
    terms = formula.terms
    assert terms.delta is not None  # the parameter is epsilon
    epsilon = parse_epsilon(asked)
    if epsilon == math.inf:
        raise InputError("design: expected a finite epsilon, found inf, which asks for nothing")
    graph = scaled(terms.graph, epsilon) if terms.scale_own else terms.graph
    required = requirements(graph, epsilon, terms.delta)
    with timed("solve"):
        parts = components(graph, required, terms.objective, shared=terms.shared)
        z = _below(formula, Fraction(epsilon), required)
        rows = _matrices(mechanism_at(z), z)
    with timed("bound"):
        prices, total = _prices(formula, exp_above(Fraction(epsilon) / terms.root))
        bounds = [_bound(formula, part, prices, total) for part in parts]
        proof = whole_proof(terms.objective, [(part.members, part.problem) for part in parts], bounds)
    mechanism = _assembled(formula, graph, rows)
    mechanism.notes.update(epsilon=str(epsilon), delta=str(terms.delta), objective=terms.objective.name, method=METHOD)
    with timed("check"):
        value = written_above(value_in(terms.objective, mechanism, proof.groups))
        check_private(mechanism, required, [(part.members, part.problem) for part in parts])
    counts = {"components": len(parts), "without_noise": 0, "any_optimum": 0}
    return Design(
        mechanism=mechanism,
        graph=graph,
        epsilon=epsilon,
        delta=terms.delta,
        required=as_multiples(required, terms.graph) if terms.scale_own else required,
        objective=terms.objective,
        method=METHOD,
        value=value,
        proof=proof,
        stats={**counts, "seconds": time.perf_counter() - start, "phases": timed.seconds},
        scale_own=terms.scale_own,
    )


def _below(formula: Solved, epsilon: Fraction, required: Sequence[Requirement]) -> Fraction:
    """Return a value of the variable at which no edge allows more than the bound of e^epsilon that it is held to."""
    powers = [edge.power or 0 for edge in formula.terms.edges]
    most = MAX_EPSILON / max([1, *powers])  # no bound of an edge is beyond e^700
    z = exp_below(min(epsilon / formula.terms.root, most))
    while any(z**power > one.ratio_below for power, one in zip(powers, required, strict=True)):
        z = max(Fraction(1), z - z / 2**62)
    return z


def _part_at(parts: list[Part], z: Fraction) -> Part:
    """Return the part of a proof at a point, or the nearest."""
    at = End.at(z)
    return next((part for part in parts if part.stretch.high is None or at <= part.stretch.high), parts[-1])


def _matrices(formula: Solved, z: Fraction) -> dict[tuple[int, int], Exact]:
    """Return the matrices' rows at a point, (group, x) -> integers in the proportions of the probabilities."""
    side = side_of(_part_at(formula.found.primal, z))
    terms, at = formula.terms, rational(z)
    outputs = len(terms.objective.output_labels(terms.graph.graph["categories"]))
    rows: dict[tuple[int, int], list[fmpq]] = {}
    for (kind, group, x, y), value in entries_of(formula, side).items():
        if kind == "entry":
            rows.setdefault((group, x), [fmpq(0)] * outputs)[y] = value(at)
    return {place: _whole(row) for place, row in rows.items()}


def _whole(row: list[fmpq]) -> Exact:
    unit = math.lcm(*(int(value.q) for value in row))
    values = [int(value.p) * (unit // int(value.q)) for value in row]
    common = math.gcd(*values)
    return np.array([value // common for value in values], dtype=object)


def _assembled(formula: Solved, graph: nx.Graph, rows: dict[tuple[int, int], Exact]) -> Mechanism:
    """Return the mechanism of these rows; a category that no profile of a group has keeps its free output.

    Where no two groups have a category in common, as those of single values, one matrix serves them all.
    """
    objective, categories = formula.terms.objective, graph.graph["categories"]
    free = [[int(y == kept) for y in range(formula.outputs)] for kept in objective.free_outputs(categories)]
    table = [np.array(row, dtype=object) for row in free]
    index = np.tile(np.arange(len(free)), (len(graph), 1))
    apart = len({x for _, x in rows}) == len(rows)
    for (group, x), row in rows.items():
        if apart:
            table[x] = row
        else:
            index[[i for i, own in enumerate(formula.terms.groups) if own == group], x] = len(table)
            table.append(row)
    used, numbers = np.unique(index, return_inverse=True)
    return Mechanism(
        graph, objective.output_labels(categories), np.array([table[row] for row in used]), numbers.reshape(index.shape)
    )


def _prices(formula: Solved, z: Fraction) -> tuple[dict[Key, Fraction], dict[tuple[int, ...], Fraction]]:
    """Return the multipliers of privacy at a point, and the objective's own weights."""
    side = side_of(_part_at(formula.found.dual, z))
    found = multipliers_of(formula, side)
    at = rational(z)
    if side.denominator(at) == 0:  # multipliers may have no limit at 1; those beside it prove as much, but for this
        at += rational(BESIDE)
    below = side.denominator(at)

    def value(polynomial: fmpq_poly) -> Fraction:
        number = polynomial(at) / below
        return max(Fraction(0), Fraction(int(number.p), int(number.q)))

    weights = weights_of(formula, found, side.denominator)
    prices = {key: value(price) for key, price in found.items() if key[0] == "privacy"}
    return prices, {place: value(weight) for place, weight in weights.items()}


def _bound(
    formula: Solved, part: Component, prices: dict[Key, Fraction], weights: dict[tuple[int, ...], Fraction]
) -> Bound:
    """Return what the multipliers prove of a component; where its largest cost counts, as if it were alone."""
    problem, objective = part.problem, formula.terms.objective
    place = {i: position for position, i in enumerate(part.members)}
    numbers = sorted({formula.terms.groups[i] for i in part.members})
    groups = {group: number for number, group in enumerate(numbers)}
    profiles, entries, share = None, None, Fraction(1)
    if isinstance(objective, ExpectedLoss):
        profiles = list(part.prior)
    elif isinstance(objective, MaxOffDiagonal):
        own = {key: weight for key, weight in weights.items() if key[0] in groups}
        share = sum(own.values(), Fraction(0))
        d = len(problem.exact[0])
        entries = [np.zeros((d, d), dtype=object) for _ in groups]
        for (group, x, y), weight in own.items():
            entries[groups[group]][x, y] = weight.numerator * FINENESS // (weight.denominator * share) if share else 0
    else:
        costs = {i: weights.get((i,), Fraction(0)) for i in part.members}
        share = sum(costs.values(), Fraction(0))
        profiles = [costs[i] / share if share else Fraction(1, len(place)) for i in part.members]
    privacy = {
        (place[a], place[b], y): int(price / share * FINENESS)
        for (_, a, b, y), price in prices.items()
        if share and a in place
    }
    found = Weights(privacy, entries, profiles)
    return Bound(bound_below(problem, found), found)
