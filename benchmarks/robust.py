"""How long designs take that hold for every profile within bounds, and how near to optimal they are.

`python benchmarks/robust.py` prints them for rings in which each profile has two neighbours on each side, with
distributions drawn from a Dirichlet distribution of parameter 2 and each probability known within r; epsilon is 0.5.
"""

from fractions import Fraction

import networkx as nx
import numpy as np
from shared import Table, timed

import mechdesign as md

SIZES = [(10, 10, "0.01"), (20, 10, "0.01"), (20, 20, "0.005"), (20, 20, "0.02"), (50, 20, "0.005")]
DIGITS = 6


def ring(k: int, d: int, r: Fraction, *, seed: int = 1) -> nx.Graph:
    """Return a ring of k profiles over d categories, the same for the same seed."""
    graph = nx.Graph(categories=[f"c{x}" for x in range(d)])
    unit = 10**DIGITS
    for i, masses in enumerate(np.random.default_rng(seed).dirichlet(np.full(d, 2.0), size=k)):
        counts = [int(mass * unit) for mass in masses]
        counts[int(np.argmax(masses))] += unit - sum(counts)
        nominal = [Fraction(count, unit) for count in counts]
        lower, upper = (
            [max(Fraction(0), mass - r) for mass in nominal],
            [min(Fraction(1), mass + r) for mass in nominal],
        )
        graph.add_node(i, distribution=nominal, lower=lower, upper=upper)
    graph.add_edges_from((i, (i + step) % k) for i in range(k) for step in (1, 2))
    return graph


def main() -> None:
    """Print a line for each size."""
    shown = Table("profiles", "categories", "r", "value", "gap", "alone", "seconds", "busy", "proved and checked")
    for k, d, r in SIZES:
        graph = ring(k, d, Fraction(r))
        with timed() as taken:
            result = md.design(graph, epsilon="0.5")
        gap = float((result.value - result.bound) / result.value)
        alone = float(md.design(graph, epsilon="0.5", nominal=True).value)
        with timed() as proved:
            assert md.check_certificate(result.certificate) == (result.value, result.bound)
        seconds = (f"{one:.2f}" for one in (taken.clock, taken.processor, proved.clock))
        shown.row(k, d, r, f"{float(result.value):.8f}", f"{gap:.0e}", f"{alone:.8f}", *seconds)


if __name__ == "__main__":
    main()
