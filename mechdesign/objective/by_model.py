"""Objectives that are written down in cvxpy: their model for a graph, checked, and their value."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, TypeAlias

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.affine import Affine, affine_of, linear_parts, pieces_of
from mechdesign.objective.base import Goal

Matrices: TypeAlias = Mapping[Label, Any]
"""For each profile a cvxpy Variable, d x d: entry (x, y) is the probability with which category x is reported as y."""

Modelled: TypeAlias = Any
"""A cvxpy expression, or (expression, [constraints])."""


class ByModel(Goal):
    """A goal that `modelled` writes down in cvxpy, over the matrices of all profiles of a graph.

    Attributes
    ----------
    reads_unused
        whether rows of categories that no profile of a matrix ever has may count; otherwise they keep the category.
    """

    certified: ClassVar[bool] = False
    reads_unused: ClassVar[bool] = True

    @abstractmethod
    def modelled(self, matrices: Matrices, graph: nx.Graph) -> Modelled:
        """Return what is minimised; or that and constraints."""

    def value(self, mechanism: Mechanism, groups: Sequence[int] | None = None) -> Fraction:
        """Return the objective of a mechanism: exactly if it is linear or a maximum of linear ones, else in doubles.

        `groups` says which profiles share a matrix, as for `model`; none do unless it is given.
        """
        groups = range(len(mechanism.graph)) if groups is None else groups
        first = {group: i for i, group in reversed(list(enumerate(groups)))}
        model = self.model(mechanism.graph, groups)
        return model.value([list(mechanism.rows.table(mechanism.index[first[g]])) for g in sorted(first)])

    def model(self, graph: nx.Graph, groups: Sequence[int]) -> "Model":
        """Return the checked model for a graph whose profiles of one group, numbered from 0, share one matrix.

        Raises
        ------
        InputError
            if what `modelled` returns is no such model, is not convex, or it raises.
        """
        import cvxpy as cp  # here, because it takes a second to load

        d = len(graph.graph["categories"])
        variables = [cp.Variable((d, d), nonneg=True, name=f"A_{group}") for group in range(max(groups) + 1)]
        matrices = {profile: variables[group] for profile, group in zip(graph, groups, strict=True)}
        try:
            with np.errstate(all="ignore"):  # to see a sum's shape, cvxpy adds up what happens to be in memory
                found = self.modelled(matrices, graph)
        except InputError:
            raise
        except Exception as error:  # whatever a function of a user's own may raise
            raise InputError(f"objective: its function raised {type(error).__name__}: {error}") from error
        return Model(variables, *_checked(found, variables))


def value_in(objective: Goal, mechanism: Mechanism, groups: Sequence[int]) -> Fraction:
    """Return the objective of a mechanism in which profiles of one group share a matrix."""
    return objective.value(mechanism, groups) if isinstance(objective, ByModel) else objective.value(mechanism)


def distribution_of(graph: nx.Graph, profile: Label) -> Floats:
    """Return a profile's distribution in doubles."""
    return np.array([float(mass) for mass in graph.nodes[profile]["distribution"]])


@dataclass(frozen=True, eq=False)
class Model:
    """A convex function of matrices, to be minimised, with constraints on them; all in cvxpy."""

    variables: list[Any]
    expression: Any
    constraints: list[Any]

    @cached_property
    def pieces(self) -> Affine | None:
        """Linear functions of the entries of which the objective is the largest; None if it is not known to be."""
        return pieces_of(self.expression, self.variables)

    @cached_property
    def linear(self) -> list["Limit"]:
        """The constraints that are linear, or say that the largest of linear functions is at most 0."""
        return [limit for one in self.constraints for limit in _limits(one, self.variables) or ()]

    @cached_property
    def others(self) -> list[Any]:
        """The other constraints."""
        return [one for one in self.constraints if _limits(one, self.variables) is None]

    @cached_property
    def is_linear(self) -> bool:
        """Whether the objective is linear, or a maximum of linear functions, and all constraints are linear."""
        return self.pieces is not None and not self.others

    def value(self, rows: Sequence[Sequence[Any]]) -> Fraction:
        """Return the objective of matrices of integer rows, one matrix for each variable.

        Raises
        ------
        InputError
            if it is not finite.
        """
        if self.pieces is not None:
            entries = [Fraction(int(w), int(sum(row))) for matrix in rows for row in matrix for w in row]
            return max(self.pieces.at(entries))
        self.put([[np.array(row / row.sum(), dtype=float) for row in matrix] for matrix in rows])
        with np.errstate(all="ignore"):  # what is not finite is refused
            found = float(self.expression.value)
        if not math.isfinite(found):
            raise InputError(f"objective: expected a finite value, found {found}")
        return Fraction(found)

    def put(self, matrices: Any) -> None:
        """Give the variables these values."""
        for variable, matrix in zip(self.variables, matrices, strict=True):
            variable.value = np.asarray(matrix, dtype=float)

    def violation(self, matrices: Floats) -> float:
        """Return by how much these matrices violate a constraint at most, in doubles."""
        self.put(matrices)
        return max((float(np.max(one.violation())) for one in self.constraints), default=0.0)


@dataclass(frozen=True, eq=False)
class Limit:
    """A linear constraint: its cvxpy form, and its rows, which are at most 0; or 0, if it is an equation."""

    constraint: Any
    rows: Affine
    equation: bool


def _limits(constraint: Any, variables: Sequence[Any]) -> list[Limit] | None:
    """Return what linear constraints a constraint is made of; None for another."""
    import cvxpy as cp

    if isinstance(constraint, cp.constraints.Equality | cp.constraints.Zero):
        expression = constraint.expr
        return [Limit(expression == 0, affine_of(expression, variables), True)]
    if not isinstance(constraint, cp.constraints.Inequality | cp.NonPos | cp.NonNeg):
        return None
    parts = linear_parts(constraint.expr, -1 if isinstance(constraint, cp.NonNeg) else 1)
    return None if parts is None else [Limit(part <= 0, affine_of(part, variables), False) for part in parts]


def _checked(found: Any, variables: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return an objective and its constraints.

    Raises
    ------
    InputError
        saying which part of them cannot be used.
    """
    import cvxpy as cp

    wanted = "objective: expected a cvxpy expression, or (expression, [constraints])"
    expression, constraints = found if isinstance(found, tuple) and len(found) == 2 else (found, [])
    if isinstance(expression, Real) and not isinstance(expression, bool):
        expression = cp.Constant(expression)
    if not isinstance(expression, cp.Expression):
        raise InputError(f"{wanted}, found {shown(found)}")
    if not isinstance(constraints, Sequence):
        raise InputError(f"{wanted}, found {shown(constraints)} in place of the constraints")
    faults = [
        f"constraints[{number}]: expected a cvxpy constraint, found {shown(one)}"
        for number, one in enumerate(constraints)
        if not isinstance(one, cp.constraints.constraint.Constraint)
    ]
    if faults:
        raise InputError(faults)
    if not expression.is_scalar():
        remedy = "take its sum or its largest entry, cp.sum or cp.max"
        raise InputError(f"objective: expected one number, found shape {expression.shape}; {remedy}")
    parts = {"objective": expression} | {f"constraints[{n}]": one for n, one in enumerate(constraints)}
    own = {variable.id for variable in variables}
    for name, part in parts.items():
        if others := [variable.name() for variable in part.variables() if variable.id not in own]:
            remedy = "write it with cvxpy's functions of these, such as cp.max"
            faults.append(f"{name}: expected the matrices as the only variables, found {others[0]} too; {remedy}")
        faults += [
            f"{name}: the parameter {parameter.name()} has no value"
            for parameter in part.parameters()
            if parameter.value is None
        ]
        if isinstance(part, cp.Expression) and not part.is_convex():
            faults.append(
                f"{name}: expected a convex function by cvxpy's rules, found one that is {part.curvature.lower()}"
            )
        elif not isinstance(part, cp.Expression) and not part.is_dcp():
            faults.append(f"{name}: expected a convex constraint by cvxpy's rules (DCP), found {part}"[:500])
    if faults:
        raise InputError(faults)
    return cp.reshape(expression, (), order="F"), list(constraints)


@dataclass(frozen=True)
class Convex(ByModel):
    """Any disciplined convex function of the profiles' matrices, with constraints on them.

    Profiles that no edge joins may depend on each other through it, so that a graph is always one problem. It is solved
    through cvxpy. What is returned is private in exact arithmetic; entries that the linear constraints fix at 0 are 0;
    the constraints hold up to 1e-9. The bound is exact where the objective is linear, or the largest of linear
    functions, and so are the constraints; otherwise it is the solver's, in doubles.

    Parameters
    ----------
    build
        called with the matrices and the graph; returns a cvxpy expression to be minimised, or (expression,
        [constraints]). `matrices[profile]` is a cvxpy Variable, d x d, whose entry (x, y) is the probability with which
        category x is reported as y; with `shared`, profiles that edges connect have the same one. That the rows are
        distributions, and privacy, need not be said.

    Raises
    ------
    InputError
        unless it can be called; and from `design`, if it raises, or returns anything else.

    Examples
    --------
    >>> import cvxpy as cp, mechdesign as md
    >>> most = Convex(lambda matrices, graph: -cp.min(cp.hstack([cp.diag(A) for A in matrices.values()])))
    >>> f"{-float(md.design('bernoulli-couplet', epsilon=1, objective=most).value):.6f}"
    '0.913823'
    """

    build: Callable[[Matrices, nx.Graph], Modelled]

    name: ClassVar[str] = "convex"
    words: ClassVar[str] = "objective of one's own"

    def __post_init__(self) -> None:
        if not callable(self.build):
            expected = "expected a function of the matrices and the graph that returns a cvxpy expression"
            raise InputError(f"Convex: {expected}, found {shown(self.build)}")

    def may_be_negative(self, categories: Sequence[Label]) -> bool:
        """Return True: the function may say anything."""
        del categories
        return True

    def modelled(self, matrices: Matrices, graph: nx.Graph) -> Modelled:
        """Return what the function says."""
        return self.build(matrices, graph)
