"""The optimum of a design, exactly, as one linear program straight from the definition.

Nothing of the package's is used, but for the names of objectives and their tables of losses. What is exact needs no
tolerance: a bound is at most this, and the value of a private mechanism at least.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import networkx as nx

from mechdesign import ExpectedLoss, LargestCost, MaxOffDiagonal, Mechanism, WeightedOffDiagonal, WorstLoss
from mechdesign.objective import Goal
from oracles.divergence import cost, exp_64_above, released, required
from oracles.linear_program import Model, Number, Terms, constant, total
from oracles.vertices import vertices

Edge: TypeAlias = tuple[int, int, Fraction | float, Fraction]
"""(i, j, E, delta), with E in the place of e^epsilon: a larger one makes the optimum less, infinity asks nothing."""
Table: TypeAlias = Sequence[Sequence[Number]]


TABLED = (ExpectedLoss, WorstLoss, WeightedOffDiagonal)


class Designs(Model):
    """All private mechanisms: a matrix for each group, in rows that its profiles use, and the parts of each delta.

    A profile has one distribution, or is known within a set, and then released is what each of its vertices gives.
    """

    def __init__(self, profiles: Table, groups: Sequence[Sequence[int]], outputs: int, sets: Sequence[Table] | None):
        super().__init__()
        self.profiles, self.outputs = profiles, outputs
        self.sets: Sequence[Table] = sets or [[masses] for masses in profiles]
        self.matrices: dict[int, dict[int, list[Terms]]] = {}
        for group in groups:
            used = [x for x in range(len(profiles[0])) if any(end[x] for i in group for end in self.sets[i])]
            matrix = {x: self.distribution(outputs) for x in used}
            self.matrices |= dict.fromkeys(group, matrix)

    def released(self, i: int, masses: Sequence[Number]) -> list[Terms]:
        used = [(mass, self.matrices[i][x]) for x, mass in enumerate(masses) if mass]
        return [total((mass, row[y]) for mass, row in used) for y in range(self.outputs)]

    def keep_private(self, a: int, b: int, ratio: Number, delta: Fraction) -> None:
        """Of each output the worst vertices count: what they have too much of is at most delta in all."""
        parts: list[Terms] = [self.unknown() if delta else {} for _ in range(self.outputs)]
        for here, there in product(*([self.released(i, end) for end in self.sets[i]] for i in (a, b))):
            for p, q, part in zip(here, there, parts, strict=True):
                self.require(total([(1, q), (1 / Fraction(ratio), part), (-1 / Fraction(ratio), p)]))
        if delta:
            self.require(total([(1, constant(delta)), *((-1, part) for part in parts)]))

    def keep_shares(self, shares: Sequence[Number]) -> None:
        """What all release together, by their shares, is what they have together."""
        for y in range(self.outputs):
            moved = [(share, self.released(i, self.profiles[i])[y]) for i, share in enumerate(shares)]
            there = sum(Fraction(share) * self.profiles[i][y] for i, share in enumerate(shares))
            self.require(total([*moved, (-1, constant(there))]))
            self.require(total([*((-share, one) for share, one in moved), (1, constant(there))]))

    def above(self, functions: Sequence[Terms], least: Number = 0) -> Terms:
        """Return an unknown above them all, and above what is known to be less than the largest."""
        top = total([(1, self.unknown()), (1, constant(least))])
        self.require(*(total([(1, top), (-1, one)]) for one in functions))
        return top

    def off_diagonal(self, weights: Table | None) -> Terms:
        """Return the largest entry off the diagonal, each times its weight."""
        rows = {id(row): (x, row) for matrix in self.matrices.values() for x, row in matrix.items()}
        return self.above(
            [
                total([(weights[x][y] if weights else 1, row[y])])
                for x, row in rows.values()
                for y in range(self.outputs)
                if x != y
            ]
        )

    def change(self) -> Terms:
        """Return the most by which a released probability differs from the profile's."""
        moved = [
            total([(1, q), (-1, constant(p))])
            for i, masses in enumerate(self.profiles)
            for p, q in zip(masses, self.released(i, masses), strict=True)
        ]
        return self.above([*moved, *(total([(-1, one)]) for one in moved)])

    def costs(self, loss: Table) -> list[Terms]:
        """Return each profile's expected loss."""
        return [
            total((masses[x] * loss[x][y], entry) for x, row in matrix.items() for y, entry in enumerate(row))
            for masses, matrix in ((self.profiles[i], self.matrices[i]) for i in range(len(self.profiles)))
        ]


def optimum(
    profiles: Table,
    edges: Sequence[Edge],
    groups: Sequence[Sequence[int]],
    *,
    outputs: int,
    loss: Table | None = None,
    weights: Sequence[Number] | None = None,
    sets: Sequence[Table] | None = None,
    kind: type[Goal] | None = None,
    kept: Sequence[Number] = (),
) -> Fraction:
    """Return the least largest off-diagonal entry; with a loss, its least weighted mean, or without weights its worst.

    Of another kind of objective it is the largest weighted entry, or the largest change. With `kept` shares of the
    profiles, it is that of mechanisms that keep the overall ones.
    """
    designs = Designs(profiles, groups, outputs, sets)
    for i, j, ratio, delta in edges:
        for a, b in ((i, j), (j, i)) if ratio != math.inf else ():
            designs.keep_private(a, b, Fraction(ratio), delta)
    if kept:
        designs.keep_shares(kept)
    if kind is LargestCost:
        return designs.least(designs.change())
    if loss is None or kind is WeightedOffDiagonal:
        return designs.least(designs.off_diagonal(loss))
    costs = designs.costs(loss)
    if weights is None:
        return designs.least(designs.above(costs, least=min(map(min, loss))))
    shares = [Fraction(weight) / sum(weights) for weight in weights]
    return designs.least(total(zip(shares, costs, strict=True)))


def optimum_of(
    graph: nx.Graph,
    epsilon: Fraction,
    delta: Fraction,
    objective: Goal,
    *,
    shared: bool = False,
    keep_shares: bool = False,
) -> Fraction:
    """Return the optimum, from the graph itself."""
    place = {profile: number for number, profile in enumerate(graph)}
    edges = [(place[a], place[b], exp_64_above(own), one) for a, b, own, one in required(graph, epsilon, delta)]
    joined = nx.empty_graph(len(graph))
    joined.add_edges_from((a, b) for a, b, _, _ in edges)
    profiles = [list(map(Fraction, node["distribution"])) for node in graph.nodes.values()]
    table = objective.table(graph.graph["categories"]) if isinstance(objective, TABLED) else None
    weights = [node.get("weight", 1) for node in graph.nodes.values()]
    return optimum(
        profiles,
        edges,
        [sorted(group) for group in nx.connected_components(joined)] if shared else [[i] for i in range(len(profiles))],
        outputs=len(profiles[0] if table is None else table[0]),
        loss=table,
        weights=weights if isinstance(objective, ExpectedLoss) else None,
        sets=[vertices(node) for node in graph.nodes.values()],
        kind=type(objective),
        kept=weights if keep_shares else (),
    )


def value(mechanism: Mechanism, graph: nx.Graph, objective: Goal) -> Fraction:
    """Return what a mechanism's objective is, from single rows."""
    categories, worst = mechanism.categories, []
    profiles = {i: [Fraction(mass) for mass in node["distribution"]] for i, node in graph.nodes.items()}
    if isinstance(objective, LargestCost):
        for i, masses in profiles.items():
            worst += [abs(p - q) for p, q in zip(masses, released(mechanism, i), strict=True)]
        return max(worst)
    if isinstance(objective, MaxOffDiagonal | WeightedOffDiagonal):
        weights = objective.table(categories) if isinstance(objective, WeightedOffDiagonal) else None
        for i, masses in profiles.items():
            rows = enumerate(mechanism.row(i, x) for x in categories)
            worst += [
                entry * (weights[x][y] if weights else 1)
                for x, row in rows
                for y, entry in enumerate(row)
                if x != y and (weights is None or masses[x])
            ]
        return max(worst, default=Fraction(0))
    assert isinstance(objective, TABLED)
    costs = [cost(mechanism, i, [list(row) for row in objective.table(categories)]) for i in graph]
    if isinstance(objective, WorstLoss):
        return max(costs)
    shares = [Fraction(node.get("weight", 1)) for node in graph.nodes.values()]
    return sum((share * one for share, one in zip(shares, costs, strict=True)), Fraction(0)) / sum(shares)


def optimum_on_path(loss: Table, epsilons: Sequence[Fraction], weights: Sequence[int] | None = None) -> Fraction:
    """Return that of the values along a path, one epsilon a step: the least weighted mean of their losses, or worst."""
    n = len(loss)
    steps = [(i, i + 1, exp_64_above(epsilon), Fraction(0)) for i, epsilon in enumerate(epsilons)]
    values = [[int(x == y) for y in range(n)] for x in range(n)]
    return optimum(values, steps, [range(n)], outputs=len(loss[0]), loss=loss, weights=weights)
