"""What detours save among places, and what they cost: python benchmarks/detours.py [--places 60].

Random places in the unit square with random visits, all pairs, the expected distance, at 5 per unit; a detour of 0 is
the design on all pairs. Each row: the edges that are kept, seconds of processor time of the whole design with rounding,
proof and check, the value, the bound of all pairs, and the gap between them.
"""

import argparse
import time

import networkx as nx
import numpy as np

from mechdesign import ExpectedLoss, design, distances, point_graph

EPSILON = 5
HEADINGS = ("places", "detours up to", "edges kept", "of", "seconds", "value", "bound", "gap")


def places(count: int, seed: int) -> nx.Graph:
    """Return so many places, each with its visits."""
    x, y, visits = np.random.default_rng(seed).random((3, count)).tolist()
    return point_graph({"x": x, "y": y, "visits": visits}, at=["x", "y"], prior="visits")


def row(count: int, most: str, seed: int) -> list[str]:
    """Return what one design is and takes, as cells."""
    graph = places(count, seed)
    objective, start = ExpectedLoss(distances(graph)), time.process_time()
    found = design(graph, epsilon=EPSILON, objective=objective, detours=None if most == "0" else most)
    seconds, edges = time.process_time() - start, graph.number_of_edges()
    kept = found.stats["detours"]["kept"] if most != "0" else edges
    numbers = (f"{float(found.value):.4f}", f"{float(found.bound):.4f}", f"{100 * float(found.gap):.2g} %")
    return [f"{count}", most if most != "0" else "all pairs", f"{kept:,}", f"{edges:,}", f"{seconds:.1f}", *numbers]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", default="60,100,200")
    parser.add_argument("--detours", default="1.5,1.2,1.05")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("| " + " | ".join(HEADINGS) + " |")
    print("|---" * len(HEADINGS) + "|")
    for count in map(int, asked.places.split(",")):
        for most in asked.detours.split(","):
            print("| " + " | ".join(row(count, most, asked.seed)) + " |", flush=True)


if __name__ == "__main__":
    main()
