"""Objectives that are written down in cvxpy: one model of a whole graph, solved by Clarabel."""

import warnings
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.certificate.model_bound import ModelMultipliers
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.requirement import Directed, both_ways
from mechdesign.problem import NEAR, NOTHING
from mechdesign.solver.minimise import MOST_ERROR

TOLERANCES, REGULARISATIONS = (NOTHING, NEAR, MOST_ERROR), (1e-8, 1e-7)
"""Feasibility and gap that Clarabel is asked for, with either regularisation of its linear systems, in turn until it
finds an answer. Mutual information needs more regularisation where it is nearly 0: benchmark designs various 5 and 15.
"""


@dataclass(frozen=True, eq=False)
class ModelSolution:
    """An optimum, in doubles.

    Attributes
    ----------
    matrices
        one for each variable of the model.
    bound
        what the solver says no mechanism is below.
    canonical
        whether it is the one of the nearly optimal that distorts least, or unique as far as is known.
    multipliers
        of a linear model.
    """

    matrices: Floats
    bound: float
    canonical: bool
    multipliers: ModelMultipliers | None = None


class Posing:
    """A model of a graph with privacy: the constraints that every objective and every centre have."""

    def __init__(self, problem: ModelProblem) -> None:
        self.model, self.allowed, self.groups = problem.model, problem.allowed, problem.groups
        self.required = list(both_ways(problem.required))
        self._profiles = problem.profiles
        self._matrices = [problem.model.variables[group] for group in problem.groups]

    def optimum(self, *, any_optimum: bool) -> ModelSolution:
        """Return an optimum: the solver's, whether or not `any_optimum` will do.

        Raises
        ------
        SolverError
            if there is none, or the solver finds none.
        """
        import cvxpy as cp  # here, because it takes a second to load

        del any_optimum
        private = [one for edge in self.required for one in self._private(edge, 0.0)]
        bound = _solve(cp.Problem(cp.Minimize(self.model.expression), [*private, *self._common()]))
        return ModelSolution(self._found(), bound, canonical=False)

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
        """Return what an edge asks in one direction, divided by e^epsilon, with so much to spare.

        It is to spare on each output, if epsilon is not 0, and a share of delta.
        """
        import cvxpy as cp

        a, b, edge = directed
        factor = shrink(edge.epsilon)
        gap = factor * (self._profiles[a] @ self._matrices[a]) - self._profiles[b] @ self._matrices[b]
        if edge.epsilon == edge.delta == 0:
            return [gap == 0] if a < b else []  # two inequalities would leave no interior
        spared = spare * self._has_room(directed) if edge.epsilon > 0 else 0.0
        if not edge.delta:
            return [gap + spared <= 0]
        slack = cp.Variable(gap.shape, nonneg=True)
        return [gap + spared <= slack, cp.sum(slack) <= factor * float(edge.delta) * (1 - spare)]

    def _has_room(self, directed: Directed) -> Floats:
        """Return 1 for each output on which an edge without delta can be met with something to spare, else 0."""
        a, b, _ = directed
        first, second = (self.allowed[self.groups[i]][self._profiles[i] > 0].any(axis=0) for i in (a, b))
        return np.array(first | second, dtype=np.float64)

    def _found(self) -> Floats:
        """Return the matrices that were found, with rows of total 1."""
        found = np.array([A.value for A in self.model.variables]) * self.allowed
        found = np.maximum(found, 0.0)
        return np.array(found / found.sum(axis=2, keepdims=True))


def _solve(problem: Any) -> float:
    """Solve a problem, and return the solver's dual value."""
    import cvxpy as cp

    for tolerance, regularisation in product(TOLERANCES, REGULARISATIONS):
        options = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), tolerance)
        options["static_regularization_constant"] = regularisation
        data, chain, inverse = problem.get_problem_data(cp.CLARABEL, solver_opts=options)
        answer = chain.solve_via_data(problem, data, solver_opts=options)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an inaccurate answer is none: the next settings are tried
                problem.unpack_results(answer, chain, inverse)
        except cp.error.SolverError:
            continue
        if problem.status == cp.OPTIMAL:
            return float(problem.value - abs(answer.obj_val - answer.obj_val_dual))
        if problem.status in (cp.INFEASIBLE, cp.INFEASIBLE_INACCURATE):
            infeasible = "the solver says that they contradict each other, or privacy"
            raise SolverError(f"no private mechanism meets the constraints: {infeasible}")
    raise SolverError("the solver stops without an answer; a simpler objective may help")
