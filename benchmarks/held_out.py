"""Where design is slow, for designs drawn at random: python benchmarks/held_out.py --seeds 0 100.

A scan of named families says nothing of what lies between them. Each seed here draws a graph, distributions, how large,
what is to be least, and an epsilon and a delta, the same for all edges or of their own; a delta may be asked of a part
of them. The table is that of benchmarks/cliffs.py. Seeds that nobody has looked at before show what is still slow, or
fails.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
from cliffs import Case, Masses, add_options, bells, dirichlet, exact, half_empty, lattice, scan, squares

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, profile_graph
from mechdesign.objective import Objective

Drawing = np.random.Generator


def chords(k: int, random: Drawing) -> nx.Graph:
    """Return a ring with half as many chords as it has nodes."""
    ring = nx.cycle_graph(k)
    ring.add_edges_from(random.choice(k, 2, replace=False).tolist() for _ in range(k // 2))
    return ring


def _seed(random: Drawing) -> int:
    return int(random.integers(2**31))


GRAPHS: dict[str, Callable[[int, Drawing], nx.Graph]] = {
    "tree": lambda k, random: nx.random_labeled_tree(k, seed=_seed(random)),
    "chords": chords,
    "near": lambda k, random: nx.random_geometric_graph(k, 1.6 / k**0.5, seed=_seed(random)),
    "random": lambda k, random: nx.gnm_random_graph(k, 2 * k, seed=_seed(random)),
    "grid": lambda k, _: nx.Graph(lattice(k)),
    "dense": lambda k, random: nx.gnp_random_graph(k, min(0.5, 15 / k), seed=_seed(random)),
    "cliques": lambda k, _: nx.connected_caveman_graph(k // 5, 5),
}

MASSES: dict[str, Masses] = {
    "flat": dirichlet(30),
    "even": dirichlet(1),
    "sharp": dirichlet(0.15),
    "zeros": lambda k, d, random: half_empty(k, d, random) + 1e-3 * (np.arange(d) == 0),
    "bells": bells,
    "mixed": lambda k, d, random: 0.7 * dirichlet(0.3)(k, d, random) + 0.3 * random.dirichlet(np.ones(d)),
}

LOSSES: dict[str, Any] = {"hamming": "hamming", "absolute": "absolute", "circular": "circular", "squares": squares}


@dataclass(frozen=True)
class Drawn(Case):
    """A case by its seed."""

    masses: str
    uneven: bool
    share: float
    weighted: bool
    seed: int

    def __str__(self) -> str:
        kinds = f"{self.masses}{', uneven' * self.uneven}, delta of {self.share:.0%} of the edges"
        return f"{self.seed}: {super().__str__()}, {kinds}"

    def _posed(self) -> tuple[nx.Graph, Objective]:
        random, (k, d) = np.random.default_rng([self.seed, 1]), self.size
        edges = GRAPHS[self.family](k, random)
        masses = {i: exact(row) for i, row in enumerate(MASSES[self.masses](k, d, random))}
        graph = profile_graph(masses, edges=edges.edges, categories=list(range(d)))
        for edge in graph.edges.values():
            times = Fraction(int(random.integers(300, 1700)), 1000) if self.uneven else 1
            edge["epsilon"] = Fraction(self.epsilon) * times
            edge["delta"] = Fraction(self.delta) if random.random() < self.share else Fraction(0)
        if self.weighted:
            weights = enumerate(random.integers(1, 50, k).tolist())
            nx.set_node_attributes(graph, {i: Fraction(weight) for i, weight in weights}, "weight")
        kind, _, loss = self.objective.partition(" ")
        if kind == "largest":
            return graph, MaxOffDiagonal()
        table = random.integers(1, 10, (d, d)) * (1 - np.eye(d, dtype=int))
        return graph, {"expected": ExpectedLoss, "worst": WorstLoss}[kind](LOSSES.get(loss, table.tolist()))


def drawn(seed: int) -> Drawn:
    """Return what a seed draws."""
    random = np.random.default_rng(seed)
    losses = [f"{kind} {loss}" for kind in ("expected", "worst") for loss in (*LOSSES, "table")]
    family = str(random.choice(list(GRAPHS)))
    return Drawn(
        family=family,
        objective=str(random.choice(["largest entry"] * 3 + losses)),
        epsilon=str(random.choice(["0.1", "0.3", "0.7", "1.5", "3"])),
        delta=str(random.choice(["0", "1e-9", "1e-6", "0.001", "0.02", "0.1"])),
        size=(int(random.choice([15, 30, 50, 80, 120])), int(random.choice([3, 6, 10, 16, 24]))),
        masses=str(random.choice(list(MASSES))),
        uneven=bool(random.random() < 0.5),
        share=float(random.choice([0.3, 1.0])),
        weighted=bool(random.random() < 0.5),
        seed=seed,
    )


def main() -> None:
    """Run the scan and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 100), metavar=("FIRST", "END"))
    add_options(parser)
    given = parser.parse_args()
    scan([drawn(seed) for seed in range(*given.seeds)], given)


if __name__ == "__main__":
    main()
