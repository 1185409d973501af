"""Designs that strain doubles, at fixed seeds, each under a name: what tests and ablations are made of.

A name is the kind and what that kind needs:

    various 87                                 a random graph, sparse or dense, with profiles of no weight
    extreme 175                                tiny masses, epsilons and deltas, edges of epsilon 0, point masses
    bell 12 0.5 10 worst-loss hamming          bins, width of the bell, epsilon, objective
    tiny-delta 6 3 1 1e-15 expected-loss hamming   profiles, categories, seed, delta, objective
    below-doubles expected-loss hamming        masses below all doubles
    tree 8 worst-loss random 2 0.01 shared     a family of `mechdesign bench`, profiles (x categories), objective,
                                               epsilon, delta
    shipped hobbies worst-loss hamming 0.5 0   a graph that comes with mechdesign, objective, epsilon, delta
    within 1/50 ring 6x4 worst-loss hamming 0.5 0   a family whose profiles are known within a radius
    sharp 100x10 3 0.3                         a path of profiles with many zeros: profiles x categories, seed, epsilon;
                                               worst absolute loss
    points 9 1 0.5                             places in the plane, all pairs, their distances as losses: seed, epsilon

An objective is its name and a loss: hamming, absolute, random, or none for the largest off-diagonal entry.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.bench.families import graph_of_family
from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.graph.graph_file import read_graph
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.graph.values import value_graph
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, Objective, WorstLoss

OBJECTIVES: tuple[Objective, ...] = (
    MaxOffDiagonal(),
    ExpectedLoss(),
    ExpectedLoss("absolute"),
    WorstLoss(),
    WorstLoss("absolute"),
)


@dataclass(frozen=True, eq=False)
class Strained:
    """What is to be designed: a graph, and the arguments of `design`."""

    graph: nx.Graph
    arguments: dict[str, Any]

    def design(self) -> Design:
        """Return the design."""
        return design(self.graph, **self.arguments)


def strained(name: str) -> Strained:
    """Return what a name stands for.

    Examples
    --------
    >>> len(strained("various 87").graph)
    8
    """
    kind, *rest = name.split()
    return KINDS[kind](*rest) if kind in KINDS else _of_family(kind, *rest)


def _objective(name: str, loss: str, categories: int) -> Objective:
    """Return an objective; a random loss has whole numbers from 1 to 99, and 0 for the truth."""
    if name == MaxOffDiagonal.name:
        return MaxOffDiagonal()
    table = np.random.default_rng(1).integers(1, 100, (categories, categories)) * (1 - np.eye(categories, dtype=int))
    kind = WorstLoss if name == WorstLoss.name else ExpectedLoss
    return kind(table.tolist() if loss == "random" else loss)


def _normalised(masses: list[Fraction]) -> list[Fraction]:
    total = sum(masses)
    return [mass / total for mass in masses]


def _various(seed: str) -> Strained:
    draw = np.random.default_rng(int(seed))
    k, d = int(draw.integers(2, 12)), int(draw.integers(2, 8))
    profiles: dict[int, list[Fraction]] = {}
    for i in range(k):
        counts = draw.multinomial(1000, draw.dirichlet(np.full(d, draw.choice([0.1, 1, 10]))))
        counts = counts + (draw.random(d) < 0.8)
        profiles[i] = [Fraction(int(count), int(counts.sum())) for count in counts]
    share = draw.choice([0.2, 0.6, 1.0])
    edges = [(i, j) for i in range(k) for j in range(i) if draw.random() < share]
    weights = {i: int(draw.integers(0, 4)) if i else 1 for i in range(k)}
    graph = profile_graph(profiles, edges=edges, categories=list(range(d)), weights=weights)
    objective = OBJECTIVES[int(draw.integers(0, len(OBJECTIVES)))]
    epsilon = str(draw.choice(["0", "1/1000000", "1/100", "1/10", "1/2", "1", "3", "10"]))
    delta = str(draw.choice(["0", "0", "1/1000000", "1/100", "1/5"]))
    return Strained(graph, {"epsilon": epsilon, "delta": delta, "objective": objective})


def _extreme(seed: str) -> Strained:
    draw = random.Random(int(seed))
    k, d = draw.randint(2, 7), draw.randint(2, 8)
    kinds: list[Callable[[], Fraction | int]] = [
        lambda: draw.randint(1, 1000),
        lambda: draw.randint(0, 3),
        lambda: Fraction(1, 10 ** draw.choice([0, 1, 3, 8, 15])),
        lambda: 1 + Fraction(draw.randint(0, 9), 10 ** draw.choice([3, 9, 15])),
    ]
    graph = nx.Graph()
    for i in range(k):
        kind = draw.choice(kinds)
        masses = [Fraction(kind()) for _ in range(d)]
        masses[draw.randrange(d)] += 1
        graph.add_node(i, distribution=_normalised(masses))
    for edge in combinations(range(k), 2):
        if draw.random() < 0.6:
            graph.add_edge(*edge)
            if draw.random() < 0.2:
                graph.edges[edge]["epsilon"] = Fraction(draw.choice(["0", "1e-12", "1e-8", "1/100", "5", "20"]))
            if draw.random() < 0.1:
                graph.edges[edge]["delta"] = Fraction(draw.choice(["0", "1e-12", "1/100"]))
    graph.graph["categories"] = list(range(d))
    epsilon = draw.choice(["0", "1e-12", "1e-8", "1/1000", "1/2", "3", "30"])
    delta = draw.choice(["0", "0", "0", "1e-12", "1e-6", "1/100"])
    shared = draw.random() < 0.2
    objective = draw.choice(OBJECTIVES)
    return Strained(graph, {"epsilon": epsilon, "delta": delta, "objective": objective, "shared": shared})


def _bell(bins: str, width: str, epsilon: str, name: str, loss: str) -> Strained:
    count = int(bins)
    profiles = {}
    for i in range(count):
        heights = [math.exp(-(((x - i) / float(width)) ** 2) / 2) for x in range(count)]
        profiles[i] = _normalised([Fraction(height) for height in heights])
    edges = [(i, i + 1) for i in range(count - 1)]
    graph = profile_graph(profiles, edges=edges, categories=list(range(count)))
    return Strained(graph, {"epsilon": epsilon, "objective": _objective(name, loss, count)})


def _tiny_delta(profiles: str, categories: str, seed: str, delta: str, name: str, loss: str) -> Strained:
    k, d = int(profiles), int(categories)
    draw = np.random.default_rng(int(seed))
    distributions = {
        i: _normalised([Fraction(float(mass)) for mass in draw.dirichlet(np.full(d, 0.05))]) for i in range(k)
    }
    edges = [(i, j) for i in range(k) for j in range(i) if (i + j) % 3]
    graph = profile_graph(distributions, edges=edges, categories=list(range(d)))
    for number, edge in enumerate(edges):
        if number % 4 == 0:
            graph.edges[edge]["epsilon"] = Fraction(0)
        if number % 7 == 0:
            graph.edges[edge]["epsilon"] = Fraction(1, 10)
    return Strained(graph, {"epsilon": "1/2", "delta": delta, "objective": _objective(name, loss, d)})


def _below_doubles(name: str, loss: str) -> Strained:
    profiles = {i: _normalised([Fraction(1, 10 ** (60 * ((x - i) % 7))) for x in range(7)]) for i in range(4)}
    graph = profile_graph(profiles, edges=[(0, 1), (1, 2), (2, 3)], categories=list(range(7)))
    return Strained(graph, {"epsilon": 1, "objective": _objective(name, loss, 7)})


def _of_family(family: str, size: str, name: str, loss: str, epsilon: str, delta: str, *shared: str) -> Strained:
    """Return a family's graph of a size such as 80x20; of one number, with half as many categories as profiles."""
    profiles, _, categories = size.partition("x")
    graph = graph_of_family(family, int(profiles), int(categories or int(profiles) // 2 + 1), seed=1)
    objective = _objective(name, loss, len(graph.graph["categories"]))
    return Strained(graph, {"epsilon": epsilon, "delta": delta, "objective": objective, "shared": bool(shared)})


def _shipped(graph: str, name: str, loss: str, epsilon: str, delta: str, *shared: str) -> Strained:
    read = read_graph(graph)
    objective = _objective(name, loss, len(read.graph["categories"]))
    return Strained(read, {"epsilon": epsilon, "delta": delta, "objective": objective, "shared": bool(shared)})


def _within(radius: str, *rest: str) -> Strained:
    asked = _of_family(*rest)
    nx.set_node_attributes(asked.graph, Fraction(radius), "radius")
    return asked


def _points(count: str, seed: str, epsilon: str) -> Strained:
    """Return places of weights of their own, and their distances as losses."""
    draw, k = np.random.default_rng(int(seed)), int(count)
    places = draw.random((k, 2)) * math.sqrt(k)
    graph = value_graph(range(k), metric=lambda a, b: math.dist(places[a], places[b]))
    nx.set_node_attributes(graph, dict(enumerate(draw.integers(1, 1000, k).tolist())), "weight")
    losses = [[math.dist(a, b) for b in places] for a in places]
    return Strained(graph, {"epsilon": epsilon, "objective": ExpectedLoss(losses)})


def _sharp(size: str, seed: str, epsilon: str) -> Strained:
    k, d = map(int, size.split("x"))
    shares = np.random.default_rng(int(seed)).dirichlet(np.full(d, 0.1), size=k)
    counts = np.round(shares * 1000).astype(int).tolist()
    profiles = {i: [Fraction(count, sum(row)) for count in row] for i, row in enumerate(counts)}
    graph = profile_graph(profiles, edges=[(i, i + 1) for i in range(k - 1)], categories=list(range(d)))
    return Strained(graph, {"epsilon": epsilon, "objective": WorstLoss("absolute")})


KINDS: dict[str, Callable[..., Strained]] = {
    "various": _various,
    "extreme": _extreme,
    "bell": _bell,
    "tiny-delta": _tiny_delta,
    "below-doubles": _below_doubles,
    "shipped": _shipped,
    "within": _within,
    "points": _points,
    "sharp": _sharp,
}
