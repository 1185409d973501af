"""A model in cvxpy together with the privacy of a graph, as solvers, rounding and bounds see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.graph.distribution import support
from mechdesign.objective.by_model import ByModel, Model
from mechdesign.objective.forced import Allowed, allowed_entries
from mechdesign.privacy.requirement import Requirement


@dataclass(frozen=True, eq=False)
class ModelProblem:
    """Find private matrices at which a model is least, one of them for each group of profiles.

    Attributes
    ----------
    model
        of one variable for each matrix.
    exact
        the k distributions over d categories.
    groups
        the number of the matrix that each profile uses.
    required
        the requirements, by positions among the profiles.
    allowed
        which entries may be above 0, exactly.
    """

    model: Model
    exact: Sequence[Sequence[Fraction]]
    groups: Sequence[int]
    required: Sequence[Requirement]
    allowed: Allowed

    @classmethod
    def of(
        cls, objective: ByModel, graph: nx.Graph, groups: Sequence[int], required: Sequence[Requirement]
    ) -> "ModelProblem":
        """Return the problem of a graph.

        Raises
        ------
        InputError
            if the objective cannot be used.
        SolverError
            if no mechanism meets the constraints, as far as can be seen from entries that are forced to be 0.
        """
        model = objective.model(graph, groups)
        exact = [attributes["distribution"] for attributes in graph.nodes.values()]
        allowed = allowed_entries(model, exact, groups, required, graph.graph["categories"])
        return cls(model, exact, groups, required, allowed)

    @property
    def d(self) -> int:
        """The number of categories."""
        return len(self.exact[0])

    @cached_property
    def profiles(self) -> Floats:
        """The distributions in doubles, k x d."""
        return np.array([[float(mass) for mass in masses] for masses in self.exact])

    @cached_property
    def unused(self) -> Allowed:
        """For each matrix and category whether none of its profiles ever has that category."""
        unused = np.ones(self.allowed.shape[:2], dtype=bool)
        for group, masses in zip(self.groups, self.exact, strict=True):
            unused[group, [x for x, _ in support(masses)]] = False
        return unused
