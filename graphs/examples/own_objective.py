"""My objective is none of those with a name: how do I write it in cvxpy?"""

from collections.abc import Mapping
from typing import Any

import cvxpy as cp
import networkx as nx
import numpy as np

import mechdesign as md


def largest_shift(matrices: Mapping[Any, cp.Variable], graph: nx.Graph) -> Any:
    """Return by how much the share of a category is wrong, at most, for who counts what is released as it stands."""
    shifts = []
    for profile, matrix in matrices.items():
        share = np.array(graph.nodes[profile]["distribution"], dtype=float)
        shifts.append(cp.max(cp.abs(share @ matrix - share)))
    return cp.max(cp.hstack(shifts))


own = md.design("travel-mode-by-income", epsilon=0.5, objective=md.Convex(largest_shift))
print(f"No share is off by more than {float(own.value):.6f}; no mechanism has less than {float(own.bound):.6f}.")
md.save_figure(md.plot_released(own.mechanism), "own_objective.svg")
