"""A model in cvxpy together with the privacy of a graph, as solvers, rounding and bounds see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.text import shown
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.objective.by_model import ByModel, Model
from mechdesign.privacy.requirement import Requirement

Allowed = npt.NDArray[np.bool_]
"""For each matrix, category and output whether the entry may be above 0."""

Row = dict[int, dict[int, Fraction]]
"""Of a constraint: for each row of the matrices its coefficients, by output."""


def allowed_entries(
    model: Model,
    exact: Sequence[Sequence[Fraction]],
    groups: Sequence[int],
    required: Sequence[Requirement],
    categories: Sequence[Label],
) -> Allowed:
    """Return which entries are not forced to be 0, exactly; some that are may be missed.

    Raises
    ------
    SolverError
        if a row has no entry left.
    """
    d = len(categories)
    possible = np.ones((len(model.variables) * d, d), dtype=bool)
    constraints = _constraints(model, d)
    used = [[groups[i] * d + x for x, _ in support(own)] for i, own in enumerate(exact)]
    told_apart = [
        [np.array(x, dtype=int) + groups[a] * d for x in _likelier(exact[a], exact[b], edge.epsilon)]
        for edge in required
        for a, b in edge.directions()
        if edge.delta == 0 and groups[a] == groups[b]
    ]
    before = -1
    while before != (before := int(possible.sum())):
        for constant, row in constraints:
            _force(possible, constant, row)
        for edge in required:
            for a, b in edge.directions() if edge.delta == 0 else ():
                never = np.nonzero(~possible[used[a]].any(axis=0))[0]
                possible[np.array(used[b])[:, None], never] = False
        for more, less in told_apart:
            alone = ~possible[less].any(axis=0)
            possible[more[:, None], np.nonzero(alone)[0]] = False
    if not possible.any(axis=1).all():
        x = categories[int((~possible.any(axis=1)).argmax()) % d]
        raise SolverError(f"no mechanism meets the constraints: they leave no output for the category {shown(x)}")
    return possible.reshape(-1, d, d)


def _likelier(
    one: Sequence[Fraction], other: Sequence[Fraction], epsilon: Fraction | float
) -> tuple[list[int], list[int]]:
    """Return the categories that are more than e^epsilon times as likely in one as in the other, and those less."""
    most = exp_above(Fraction(epsilon)) if epsilon <= LARGEST_ABOVE else None
    gaps = [p if not q else -q if most is None else p - most * q for p, q in zip(one, other, strict=True)]
    return [x for x, gap in enumerate(gaps) if gap > 0], [x for x, gap in enumerate(gaps) if gap < 0]


def _constraints(model: Model, d: int) -> list[tuple[Fraction, Row]]:
    """Return the linear constraints, constant + row · entries <= 0."""
    found = []
    for limit in model.linear:
        for rows in (limit.rows, limit.rows.negative()) if limit.equation else (limit.rows,):
            for constant, cells in zip(rows.constants, rows.rows(), strict=True):
                row: Row = {}
                for column, value in cells:
                    row.setdefault(column // d, {})[column % d] = value
                found.append((Fraction(float(constant)), row))
    return found


def _force(possible: Allowed, constant: Fraction, row: Row) -> None:
    """Forbid what a constraint forbids if it is just met where it is least."""
    least, where = constant, {}
    for number, cells in row.items():
        values = {int(y): cells.get(int(y), Fraction(0)) for y in np.nonzero(possible[number])[0]}
        if not values:
            return
        smallest = min(values.values())
        least += smallest
        where[number] = [y for y, value in values.items() if value > smallest]
    if least == 0:
        for number, outputs in where.items():
            possible[number, outputs] = False


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
