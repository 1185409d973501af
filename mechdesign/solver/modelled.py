"""Objectives that are written down in cvxpy: one model of a whole graph, solved by Clarabel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.certificate.model_bound import ModelMultipliers
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.forced import Allowed
from mechdesign.objective.modelled import Model
from mechdesign.privacy.requirement import Directed, Requirement, both_ways

TOLERANCES = (1e-12, 1e-10, 1e-8)
"""Feasibility and gap that Clarabel is asked for, in turn until it finds an answer; the last is its own."""


@dataclass(frozen=True, eq=False)
class ModelSolution:
    """What a solver finds for a model, in doubles.

    Attributes
    ----------
    matrices
        one for each variable of the model.
    bound
        what the solver says no mechanism is below: its dual value.
    multipliers
        of a linear model.
    """

    matrices: Floats
    bound: float
    multipliers: ModelMultipliers | None


class Posing:
    """A model of a graph with privacy: the constraints that every objective and every centre have."""

    def __init__(
        self,
        model: Model,
        graph: nx.Graph,
        groups: Sequence[int],
        required: Sequence[Requirement],
        allowed: Allowed,
    ) -> None:
        self.model, self.allowed, self.groups = model, allowed, groups
        self.required = list(both_ways(required))
        self._profiles = [np.array(list(map(float, attributes["distribution"]))) for attributes in graph.nodes.values()]
        self._matrices = [model.variables[group] for group in groups]

    def optimum(self) -> ModelSolution:
        """Return an optimum.

        Raises
        ------
        SolverError
            if there is none, or the solver finds none.
        """
        import cvxpy as cp  # here, because it takes a second to load

        model = self.model
        privacy = {(a, b): self._private((a, b, edge), 0.0) for a, b, edge in self.required}
        constraints = [one for parts in privacy.values() for one in parts] + self._common()
        if model.pieces is None or not model.is_linear:
            bound = _solve(cp.Problem(cp.Minimize(model.expression), constraints))
            return ModelSolution(self._found(), bound, None)
        value = cp.Variable()
        pieces = self._rows(model.pieces) <= value
        bound = _solve(cp.Problem(cp.Minimize(value), [*constraints, pieces]))
        lam = {(a, b): shrink(edge.epsilon) * _multipliers(privacy[a, b][0]) for a, b, edge in self.required}
        nu = [_multipliers(limit.constraint) for limit in model.linear]
        return ModelSolution(self._found(), bound, ModelMultipliers(lam, _multipliers(pieces), nu))

    def centre(self) -> Floats:
        """Return matrices that meet the constraints and are private with as much to spare as can be.

        Edges of epsilon = delta = 0 have nothing to spare; nor have outputs that two profiles never release.

        Raises
        ------
        SolverError
            if the solver finds none.
        """
        import cvxpy as cp

        spare = cp.Variable()
        private = [one for edge in self.required for one in self._private(edge, spare)]
        _solve(cp.Problem(cp.Maximize(spare), [*private, spare <= 1, *self._common()]))
        return self._found()

    def _common(self) -> list[Any]:
        import cvxpy as cp

        never = [(A, 1.0 * ~allowed) for A, allowed in zip(self.model.variables, self.allowed, strict=True)]
        fixed = [cp.sum(cp.multiply(mask, A)) == 0 for A, mask in never if mask.any()]
        rows = [cp.sum(A, axis=1) == 1 for A in self.model.variables]
        return rows + fixed + [limit.constraint for limit in self.model.linear] + self.model.others

    def _private(self, directed: Directed, spare: Any) -> list[Any]:
        """Return what an edge asks in one direction, divided by e^epsilon, with so much to spare."""
        import cvxpy as cp

        a, b, edge = directed
        factor = shrink(edge.epsilon)
        gap = factor * (self._profiles[a] @ self._matrices[a]) - self._profiles[b] @ self._matrices[b]
        if edge.delta:
            slack = cp.Variable(gap.shape, nonneg=True)
            return [gap <= slack, cp.sum(slack) + spare <= factor * float(edge.delta)]
        return [gap + spare * self._has_room(directed) <= 0]

    def _has_room(self, directed: Directed) -> Floats:
        """Return 1 for each output on which an edge without delta can be met with something to spare, else 0."""
        a, b, edge = directed
        first, second = (self.allowed[self.groups[i]][self._profiles[i] > 0].any(axis=0) for i in (a, b))
        room: Floats = (first | second) * float(edge.epsilon > 0)
        return room

    def _rows(self, pieces: Any) -> Any:
        import cvxpy as cp

        entries = cp.hstack([cp.reshape(A, (A.size,), order="C") for A in self.model.variables])
        return pieces.coefficients @ entries + pieces.constants

    def _found(self) -> Floats:
        """Return the matrices that were found, with rows of total 1."""
        found = np.array([A.value for A in self.model.variables]) * self.allowed
        found = np.maximum(found, 0.0)
        return np.array(found / found.sum(axis=2, keepdims=True))


def _multipliers(constraint: Any) -> Floats:
    return np.ravel(np.asarray(constraint.dual_value, dtype=np.float64), order="F")


def _solve(problem: Any) -> float:
    """Solve a problem, and return the solver's dual value."""
    import cvxpy as cp

    for tolerance in TOLERANCES:
        options = {"tol_gap_abs": tolerance, "tol_gap_rel": tolerance, "tol_feas": tolerance}
        data, chain, inverse = problem.get_problem_data(cp.CLARABEL, solver_opts=options)
        answer = chain.solve_via_data(problem, data, solver_opts=options)
        try:
            problem.unpack_results(answer, chain, inverse)
        except cp.error.SolverError:
            continue
        if problem.status == cp.OPTIMAL:
            return float(problem.value - abs(answer.obj_val - answer.obj_val_dual))
        if problem.status in (cp.INFEASIBLE, cp.INFEASIBLE_INACCURATE):
            raise SolverError("no private mechanism meets the constraints: the solver calls them infeasible")
        if problem.status in (cp.UNBOUNDED, cp.UNBOUNDED_INACCURATE):
            raise SolverError("the objective has no least value: the solver calls it unbounded")
    raise SolverError("the solver stops without an answer; a simpler objective may help")
