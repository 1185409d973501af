"""Objectives of one's own, as a function that writes them down in cvxpy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.objective.by_model import ByModel, Matrices, Modelled


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

    def modelled(self, matrices: Matrices, graph: nx.Graph) -> Modelled:
        """Return what the function says."""
        return self.build(matrices, graph)
