"""The optimum of a design, exactly, as one linear program straight from the definition.

Nothing of the package's is used, but for the names of objectives and their tables of losses.

What is exact needs no tolerance: a bound is at most this, and the value of a private mechanism at least.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

import networkx as nx
from exactly import exp_64_above
from rationally import Program

from mechdesign import ExpectedLoss, MaxOffDiagonal
from mechdesign.objective import Objective

Edge: TypeAlias = tuple[int, int, Fraction | float, Fraction]
"""(i, j, E, delta), with E in the place of e^epsilon: a larger one makes the optimum less, infinity asks nothing."""
Table: TypeAlias = Sequence[Sequence[Fraction | int]]
Terms: TypeAlias = dict[int | None, Fraction]
"""A linear function of the unknowns: coefficients by column, and what is constant at None."""


def optimum(
    profiles: Table,
    edges: Sequence[Edge],
    groups: Sequence[Sequence[int]],
    *,
    outputs: int,
    loss: Table | None = None,
    weights: Sequence[Fraction | int] | None = None,
) -> Fraction:
    """Return the least largest off-diagonal entry; with a loss, its least weighted mean, or without weights its worst.

    Unknowns: t; a matrix for each group but for its last column, which each row's total decides, and rows that none of
    its profiles uses; and the parts s_y of delta for each edge and direction.
    """
    unknowns = iter(range(10**9))
    t: Terms = {next(unknowns): Fraction(1)}
    matrices: dict[int, dict[int, list[Terms]]] = {}
    for group in groups:
        used = [x for x in range(len(profiles[0])) if any(profiles[i][x] for i in group)]
        rows = {x: _distribution([{next(unknowns): Fraction(1)} for _ in range(outputs - 1)]) for x in used}
        matrices |= dict.fromkeys(group, rows)
    nonnegative = [row[-1] for group in groups for row in matrices[group[0]].values()]
    for i, j, ratio, delta in edges:
        for a, b in ((i, j), (j, i)) if ratio != math.inf else ():
            p, q = (_released(profiles[one], matrices[one], outputs) for one in (a, b))
            parts: list[Terms] = [{next(unknowns): Fraction(1)} if delta else {} for _ in range(outputs)]
            shrink = 1 / Fraction(ratio)
            nonnegative += [_sum([(1, q[y]), (shrink, parts[y]), (-shrink, p[y])]) for y in range(outputs)]
            nonnegative.append(_sum([(1, {None: Fraction(delta)}), *((-1, part) for part in parts)]))
    if loss is None:
        nonnegative += [
            _sum([(1, t), (-1, row[y])])
            for group in groups
            for x, row in matrices[group[0]].items()
            for y in range(outputs)
            if x != y
        ]
        return _least(t, nonnegative, next(unknowns))
    costs = [
        _sum((mass * loss[x][y], matrices[i][x][y]) for x, mass in enumerate(masses) if mass for y in range(outputs))
        for i, masses in enumerate(profiles)
    ]
    if weights is not None:
        shares = [Fraction(weight) / sum(weights) for weight in weights]
        return _least(_sum(zip(shares, costs, strict=True)), nonnegative, next(unknowns))
    worst = _sum([(1, t), (min(map(min, loss)), {None: Fraction(1)})])  # t >= 0, and no cost is below the least loss
    nonnegative += [_sum([(1, worst), (-1, cost)]) for cost in costs]
    return _least(worst, nonnegative, next(unknowns))


def optimum_of(graph: nx.Graph, epsilon: Fraction, delta: Fraction, objective: Objective, *, shared: bool) -> Fraction:
    """Return the optimum, from the graph itself."""
    place = {profile: number for number, profile in enumerate(graph)}
    edges = []
    joined = nx.empty_graph(len(graph))
    for a, b, own in graph.edges(data=True):
        distance = own.get("distance", 1)
        used = own.get("epsilon", epsilon * distance)
        if used != math.inf:
            edges.append((place[a], place[b], exp_64_above(used), own.get("delta", delta)))
            joined.add_edge(place[a], place[b])
    profiles = [node["distribution"] for node in graph.nodes.values()]
    table = None if isinstance(objective, MaxOffDiagonal) else objective.table(range(len(profiles[0])))
    weights = [node.get("weight", 1) for node in graph.nodes.values()]
    return optimum(
        profiles,
        edges,
        [sorted(group) for group in nx.connected_components(joined)] if shared else [[i] for i in range(len(profiles))],
        outputs=len(profiles[0] if table is None else table[0]),
        loss=table,
        weights=weights if isinstance(objective, ExpectedLoss) else None,
    )


def optimum_on_path(loss: Table, epsilons: Sequence[Fraction], weights: Sequence[int] | None = None) -> Fraction:
    """Return that of the values along a path, one epsilon a step: the least weighted mean of their losses, or worst."""
    n = len(loss)
    steps = [(i, i + 1, exp_64_above(epsilon), Fraction(0)) for i, epsilon in enumerate(epsilons)]
    values = [[int(x == y) for y in range(n)] for x in range(n)]
    return optimum(values, steps, [range(n)], outputs=len(loss[0]), loss=loss, weights=weights)


def _distribution(entries: list[Terms]) -> list[Terms]:
    return [*entries, _sum([(1, {None: Fraction(1)}), *((-1, entry) for entry in entries)])]


def _released(masses: Sequence[Fraction | int], matrix: dict[int, list[Terms]], outputs: int) -> list[Terms]:
    return [_sum((mass, matrix[x][y]) for x, mass in enumerate(masses) if mass) for y in range(outputs)]


def _sum(parts: Iterable[tuple[Fraction | int, Terms]]) -> Terms:
    total: Terms = {}
    for factor, terms in parts:
        for place, coefficient in terms.items():
            total[place] = total.get(place, Fraction(0)) + factor * coefficient
    return total


def _least(goal: Terms, nonnegative: list[Terms], columns: int) -> Fraction:
    constants = [terms.pop(None, Fraction(0)) for terms in (goal, *nonnegative)]
    rows = [{j: -entry for j, entry in terms.items() if j is not None and entry} for terms in nonnegative]
    costs = {j: entry for j, entry in goal.items() if j is not None}
    return constants[0] + Program(costs, rows, constants[1:], columns).least()
