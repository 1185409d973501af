"""Families of random profile graphs at fixed seeds, by size."""

from fractions import Fraction

import networkx as nx
import numpy as np

import mechdesign as md


def ring(profiles: int, categories: int, *, seed: int = 1) -> nx.Graph:
    """Return a ring with chords (Watts-Strogatz, four neighbours) of random profiles."""
    counts = np.random.default_rng(seed).integers(1, 100, (profiles, categories))
    distributions = {i: [Fraction(int(count), int(row.sum())) for count in row] for i, row in enumerate(counts)}
    edges = nx.watts_strogatz_graph(profiles, 4, 0.1, seed=seed).edges
    return md.profile_graph(
        distributions, edges=edges, categories=list(range(categories)), name=f"ring-{profiles}x{categories}"
    )
