"""What a benchmark asks, and what a method answers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem


@dataclass(frozen=True, eq=False)
class Task:
    """Find the best private mechanism for a checked graph; by the `command`, for the method of that name."""

    graph: nx.Graph
    objective: Objective
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    command: str = ""

    def problem(self) -> Problem:
        """Return the whole graph as one problem, as textbooks have it; values share one matrix, a row for each."""
        distributions = [attributes["distribution"] for attributes in self.graph.nodes.values()]
        weights = np.array([float(weight) for weight in profile_weights(self.graph)])
        required = tuple(requirements(self.graph, self.epsilon, self.delta))
        shared = has_point_masses(self.graph)
        labels = self.graph.graph["categories"]
        return Problem(distributions, required, self.objective, weights / weights.sum(), shared, labels)

    def unknowns(self) -> int:
        """Return the number of transition probabilities: k d^2, for values d^2."""
        d = len(self.graph.graph["categories"])
        return d * d if has_point_masses(self.graph) else len(self.graph) * d * d


@dataclass(frozen=True, eq=False)
class Found:
    """A method's answer.

    Attributes
    ----------
    mechanism
        as the method leaves it.
    value, bound
        exact, where the method proves them.
    certificate
        makes the proof.
    """

    mechanism: Mechanism
    value: Fraction | None = None
    bound: Fraction | None = None
    certificate: Callable[[], dict[str, Any]] | None = None
