"""Formulas held against designs: python benchmarks/formula.py [--graphs 30] [--designs 200] [--seed 1]; or --speed.

Random graphs with all that formulas take: the three objectives, tables of losses, matrices shared, distances,
epsilons of the edges' own to be scaled, delta, profiles without some categories, several components. At random
epsilons the formula must be between bound and value of `design`; on both sides of each breakpoint both functions must
agree, and neither fall below the other. --speed instead prints processor seconds of each step on some graphs.
"""

import json
import random
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
from shared import Table, asked, timed

import mechdesign as md
from mechdesign.certificate import formula_checker
from mechdesign.formulas.polynomials import End

SLACK = 1e-15
"""What rounding to the nearest double may add."""


def random_graph(chance: random.Random) -> tuple[nx.Graph, dict[str, Any]]:
    """Return a graph, and what else a formula and a design are asked with."""
    d, k = chance.randint(2, 4), chance.randint(2, 5)
    profiles = {}
    for i in range(k):
        counts = [chance.choice((0, 1, 2, 3, 5, 8)) for _ in range(d)]
        counts[chance.randrange(d)] += 1
        profiles[f"p{i}"] = [Fraction(count, sum(counts)) for count in counts]
    pairs = [pair for pair in combinations(profiles, 2) if chance.random() < 0.6]
    weights = {name: chance.randint(1, 4) for name in profiles}
    graph = md.profile_graph(profiles, edges=pairs, categories=list(range(d)), weights=weights)
    options: dict[str, Any] = {"objective": objective(chance, d)}
    kind = chance.choice(("plain", "plain", "distance", "own", "shared", "delta"))
    for pair in pairs:
        if kind == "distance":
            graph.edges[pair]["distance"] = chance.choice((Fraction(1), Fraction(2), Fraction(1, 2)))
        if kind == "own":
            graph.edges[pair]["epsilon"] = chance.choice((Fraction(1), Fraction(3, 2), Fraction(1, 2), Fraction(0)))
    if kind == "own":
        options["scale_own"] = True
    if kind == "shared":
        options["shared"] = True
    if kind == "delta":
        options["delta"] = chance.choice((Fraction(1, 50), Fraction(1, 10)))
    return graph, options


def objective(chance: random.Random, d: int) -> Any:
    """Return one of the three, with one of some losses."""
    table = [[0 if x == y else chance.randint(-1, 4) for y in range(d)] for x in range(d)]
    losses: list[Any] = ["hamming", "absolute", table]
    return chance.choice((md.MaxOffDiagonal(), md.ExpectedLoss(chance.choice(losses)), md.WorstLoss(losses[0])))


def beside(end: End) -> tuple[Fraction, Fraction]:
    """Return rationals on both sides of an end, near it."""
    end.narrow(Fraction(1, 2**60))
    return end.low - Fraction(1, 2**58), end.high + Fraction(1, 2**58)


def held(graph: nx.Graph, options: dict[str, Any], epsilons: list[float]) -> tuple[Any, list[str]]:
    """Return a graph's formula, and what is wrong with it."""
    formula = md.formula(graph, **options)
    faults = [f"not settled: {gap}" for gap in formula.unsettled]
    for before, after in pairwise(formula.pieces):
        left, right = beside(after.low)
        steps = abs(before(left) - after(left)), abs(before(right) - after(right))
        if max(steps) > Fraction(1, 2**40) or before(left) < after(right):
            faults.append(f"breakpoint {after.low}: {before} and {after}")
    for epsilon in epsilons:
        design, value = md.design(graph, epsilon=epsilon, **options), formula(epsilon)
        if not float(design.bound) - SLACK <= value <= float(design.value) + SLACK:
            faults.append(f"epsilon {epsilon}: {value} outside [{float(design.bound)}, {float(design.value)}]")
    return formula, faults


def ring(k: int, d: int) -> nx.Graph:
    """Return a ring of random profiles."""
    chance = random.Random(1)
    counts = [[chance.randint(1, 9) for _ in range(d)] for _ in range(k)]
    profiles = {i: [Fraction(count, sum(row)) for count in row] for i, row in enumerate(counts)}
    return md.profile_graph(profiles, edges=[(i, (i + 1) % k) for i in range(k)], categories=list(range(d)))


def speed() -> None:
    """Print processor seconds of each step, for epsilon from 0 to 5."""
    graphs: dict[str, Any] = {name: name for name in ("categorical-chain", "hobbies", "resource-usage")}
    graphs |= {name: name for name in ("vote-by-education", "departure-by-carrier")}
    graphs |= {"ring 10 x 5": ring(10, 5), "local privacy, 30 values": md.value_graph([str(i) for i in range(30)])}
    shown = Table("graph", "pieces", "bases", "formula", "proof", "checked")
    for name, graph in graphs.items():
        with timed() as found:
            formula = md.formula(graph, epsilon=(0, 5))
        with timed() as proof:
            text = json.dumps(formula.certificate)
        with timed() as checked:
            formula_checker.check(text)
        steps = (f"{one.processor:.2f}" for one in (found, proof, checked))
        shown.row(name, len(formula.pieces), formula.found.bases, *steps)


def main() -> None:
    """Print each graph's formula and faults, then the totals."""
    given = asked(__doc__, graphs=30, designs=200, seed=1, speed=False)
    if given.speed:
        speed()
        return
    chance, wrong, pieces = random.Random(given.seed), 0, 0
    with timed() as taken:
        for number in range(given.graphs):
            graph, options = random_graph(chance)
            each = given.designs // given.graphs + (number < given.designs % given.graphs)
            formula, faults = held(graph, options, [chance.uniform(0, 4) for _ in range(each)])
            wrong += len(faults)
            pieces += len(formula.pieces)
            print(f"{number}: {formula}", *faults, sep="\n   ")
    counts = f"{given.graphs} graphs, {given.designs} designs, {pieces} pieces, {wrong} faults"
    print(f"{counts}, {taken.processor:.1f} s of processor")


if __name__ == "__main__":
    main()
