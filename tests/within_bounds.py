"""Small graphs whose profiles are known only within bounds, and all that can be said of them by brute force."""

import itertools
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from scipy.optimize import linprog

from mechdesign.graph.uncertainty import Ball, Box, Uncertainty, uncertainty_of

Floats = npt.NDArray[np.float64]


def vertices(one: Uncertainty) -> Floats:
    """Return the vertices of a set: all points where d - 1 of its inequalities, and the total, hold with equality."""
    d = len(one.reach)
    unit = np.identity(d)
    if isinstance(one, Box):
        rows = [*-unit, *unit]
        limits = [*(-float(low) for low in one.lower), *map(float, one.upper)]
    else:
        subsets = [np.array(side) for side in itertools.product((0, 1), repeat=d) if 0 < sum(side) < d]
        centre = np.array(list(map(float, one.centre)))
        rows, limits = [*-unit, *subsets], [0.0] * d + [float(centre @ side + float(one.radius)) for side in subsets]
    found = []
    for chosen in itertools.combinations(range(len(rows)), d - 1):
        system = np.array([*(rows[row] for row in chosen), np.ones(d)])
        if abs(np.linalg.det(system)) > 1e-9:
            point = np.linalg.solve(system, [*(limits[row] for row in chosen), 1.0])
            if (np.array(rows) @ point <= np.array(limits) + 1e-12).all():
                found.append(point)
    return np.array(found)


def least_by_vertices(graph: nx.Graph, epsilon: float, delta: float, loss: Floats | None, *, worst: bool) -> float:
    """Return the optimum by scipy, from the definition with every vertex of every set.

    The largest off-diagonal entry without a loss. For delta > 0 the worst cases of the outputs are added up.
    """
    sets = [uncertainty_of(attributes) for attributes in graph.nodes.values()]
    P = np.array([list(map(float, attributes["distribution"])) for attributes in graph.nodes.values()])
    k, d = P.shape
    m = d if loss is None else loss.shape[1]
    corners = list(map(vertices, sets))
    place = {profile: i for i, profile in enumerate(graph)}
    pairs = [pair for a, b in graph.edges for pair in ((place[a], place[b]), (place[b], place[a]))]
    n = k * d * m
    columns: int = n + 1 + len(pairs) * m
    rows: list[Floats] = []
    limits: list[float] = []

    def entry(i: int, x: int, y: int) -> int:
        return int((i * d + x) * m + y)

    def at_most(row: Floats, limit: float) -> None:
        rows.append(row)
        limits.append(limit)

    for number, (a, b) in enumerate(pairs):
        for y in range(m):
            for here, there in itertools.product(corners[a], corners[b]):
                row = np.zeros(columns)
                for x in range(d):
                    row[entry(a, x, y)] += here[x]
                    row[entry(b, x, y)] -= np.exp(epsilon) * there[x]
                row[n + 1 + number * m + y] = -1.0
                at_most(row, 0.0)
        row = np.zeros(columns)
        row[n + 1 + number * m : n + 1 + (number + 1) * m] = 1.0
        at_most(row, delta)
    costs = np.zeros((k, columns))
    for i, x, y in itertools.product(range(k), range(d), range(m)):
        if loss is not None:
            costs[i, entry(i, x, y)] = P[i, x] * loss[x, y]
        elif x != y and sets[i].reach[x] > 0:
            row = np.zeros(columns)
            row[[entry(i, x, y), n]] = 1.0, -1.0
            at_most(row, 0.0)
    if loss is not None:
        for row in costs if worst else [costs.mean(axis=0)]:
            row[n] = -1.0
            at_most(row, 0.0)
    totals = np.kron(np.identity(k * d), np.ones(m))
    sums = np.hstack([totals, np.zeros((k * d, columns - n))])
    cost = np.zeros(columns)
    cost[n] = 1.0
    answer = linprog(cost, np.array(rows), limits, sums, np.ones(k * d), method="highs")
    assert answer.status == 0
    return float(answer.fun)


@st.composite
def uncertain_graphs(draw: st.DrawFn, *, profiles: int = 3, categories: int = 3) -> nx.Graph:
    """Draw a path or ring of profiles, each with a box, a ball or nothing around its distribution."""
    k, d = draw(st.integers(2, profiles)), draw(st.integers(2, categories))
    graph = nx.Graph(categories=[f"c{x}" for x in range(d)])
    for i in range(k):
        masses = draw(st.lists(st.integers(0, 6), min_size=d, max_size=d).filter(any))
        nominal = [Fraction(mass, sum(masses)) for mass in masses]
        attributes: dict[str, Any] = {"distribution": nominal}
        width = Fraction(draw(st.integers(0, 6)), 20)
        match draw(st.sampled_from(["box", "ball", "lower", "known"])):
            case "box":
                attributes["lower"] = [max(Fraction(0), mass - width) for mass in nominal]
                attributes["upper"] = [min(Fraction(1), mass + width / 2) for mass in nominal]
            case "ball":
                attributes["radius"] = width
            case "lower":
                attributes["lower"] = [mass * (1 - width) for mass in nominal]
        graph.add_node(f"p{i}", **attributes)
    nx.add_path(graph, graph)
    if k > 2 and draw(st.booleans()):
        graph.add_edge("p0", f"p{k - 1}")
    return graph


def ball(*masses: str, radius: str) -> Ball:
    """Return a ball around these masses."""
    return Ball(tuple(map(Fraction, masses)), Fraction(radius))
