"""How long designs take that hold for every profile within bounds, and how near to optimal they are.

`python benchmarks/robust.py times` prints them for rings in which each profile has two neighbours on each side, with
distributions drawn from a Dirichlet distribution of parameter 2 and each probability known within r; epsilon is 0.5.
"""

import sys
import time
from fractions import Fraction

import networkx as nx
import numpy as np

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


def times() -> None:
    """Print a line for each size."""
    print("profiles categories      r      value   gap      alone  seconds   busy  proved and checked")
    for k, d, r in SIZES:
        graph = ring(k, d, Fraction(r))
        start, busy = time.perf_counter(), time.process_time()
        result = md.design(graph, epsilon="0.5")
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
        gap = float((result.value - result.bound) / result.value)
        alone = float(md.design(graph, epsilon="0.5", nominal=True).value)
        start = time.perf_counter()
        document = result.certificate
        assert md.check_certificate(document) == (result.value, result.bound)
        proved = time.perf_counter() - start
        values = f"{float(result.value):.8f} {gap:.0e} {alone:.8f}"
        print(f"{k:8} {d:10} {r:>6} {values} {seconds:8.2f} {busy:6.2f} {proved:8.2f}")


if __name__ == "__main__":
    if sys.argv[1:] != ["times"]:
        sys.exit(__doc__)
    times()
