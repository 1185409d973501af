"""What places take, and what detours save: python benchmarks/detours.py [--places 60] [--detours 0] [--gap 1%].

Random places in the unit square with random visits, all pairs, the expected distance, at 5 per unit; a detour of 0 is
the design on all pairs, with --gap one that ends as near to the optimum. Each row: the edges that are kept, seconds of
processor time and by the clock of the whole design with rounding, proof and check, the value, the bound of all pairs,
and the gap between them. OPENBLAS_NUM_THREADS=1 keeps matrix products to one thread.
"""

import argparse

import networkx as nx
import numpy as np
from shared import Table, timed

from mechdesign import ExpectedLoss, design, distances, point_graph

EPSILON = 5
HEADINGS = ("places", "detours up to", "edges kept", "of", "seconds", "by the clock", "value", "bound", "gap")


def places(count: int, seed: int) -> nx.Graph:
    """Return so many places, each with its visits."""
    x, y, visits = np.random.default_rng(seed).random((3, count)).tolist()
    return point_graph({"x": x, "y": y, "visits": visits}, at=["x", "y"], prior="visits")


def row(count: int, most: str, gap: str | None, seed: int) -> list[str]:
    """Return what one design is and takes, as cells."""
    graph = places(count, seed)
    objective, limit = ExpectedLoss(distances(graph)), None if most == "0" else most
    with timed() as taken:
        found = design(graph, epsilon=EPSILON, objective=objective, detours=limit, gap=gap)
    edges = graph.number_of_edges()
    kept = found.stats["detours"]["kept"] if most != "0" else edges
    seconds = (f"{taken.processor:.1f}", f"{taken.clock:.1f}")
    numbers = (f"{float(found.value):.4f}", f"{float(found.bound):.4f}", f"{100 * float(found.gap):.2g} %")
    return [f"{count}", most if most != "0" else "all pairs", f"{kept:,}", f"{edges:,}", *seconds, *numbers]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", default="60,100,200")
    parser.add_argument("--detours", default="1.5,1.2,1.05")
    parser.add_argument("--gap")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    table = Table(*HEADINGS)
    for count in map(int, asked.places.split(",")):
        for most in asked.detours.split(","):
            table.row(*row(count, most, asked.gap, asked.seed))


if __name__ == "__main__":
    main()
