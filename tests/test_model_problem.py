"""Entries that constraints and privacy force to be 0."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mechdesign import Convex, SolverError, profile_graph
from mechdesign.objective.by_model import Matrices
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.requirement import requirements

GRAPH = profile_graph(
    {"a": ["0.2", "0.3", "0.5"], "b": ["0.5", "0.5", 0], "c": [0, 0, 1]}, edges=[("a", "b")], categories=["x", "y", "z"]
)


def forced(constraints: Callable[[Matrices], list[Any]], delta: Any = 0) -> set[str]:
    """Return the entries forced to be 0, such as axy: of profile a, with which x is reported as y."""
    objective = Convex(lambda matrices, graph: (0, constraints(matrices)))
    problem = ModelProblem.of(objective, GRAPH, range(3), requirements(GRAPH, 1, delta))
    return {"abc"[g] + "xyz"[x] + "xyz"[y] for g, x, y in np.argwhere(~problem.allowed)}


@pytest.mark.parametrize(
    ("constraints", "entries"),
    [
        (lambda A: [], set()),
        (lambda A: [A["a"][0, 1] == 0], {"axy"}),
        (lambda A: [A["a"][0, 1] <= 0], {"axy"}),
        (lambda A: [A["a"][0, 1] <= 1e-30], set()),
        (lambda A: [A["a"][0, 0] == 1], {"axy", "axz"}),
        (lambda A: [A["a"][0, 0] >= 1], {"axy", "axz"}),
        (lambda A: [A["a"][0, 0] + A["a"][0, 1] == 1], {"axz"}),
        (lambda A: [A["a"][0, 1] + 2 * A["c"][1, 2] <= 0], {"axy", "cyz"}),
        (lambda A: [A["a"] == A["c"], A["c"][2, 1] == 0], {"azy", "czy"}),  # one leads to another
        (lambda A: [A["a"][0, 1] <= A["a"][0, 2], A["a"][0, 2] <= 0], {"axy", "axz"}),
        (lambda A: [A["c"][:, 0] == 0], {"cxx", "cyx", "czx"}),  # no edge: nobody else need do so
        # b never releases x, and so neither does a; c has z only, and b never has z.
        (lambda A: [A["b"][:2, 0] == 0], {"bxx", "byx", "axx", "ayx", "azx"}),
    ],
)
def test_what_is_forced(constraints: Callable[[Matrices], list[Any]], entries: set[str]) -> None:
    assert forced(constraints) == entries


def test_with_a_delta_neighbours_may_release_what_a_profile_never_does() -> None:
    assert forced(lambda A: [A["b"][:2, 0] == 0], delta=0.1) == {"bxx", "byx"}


def test_no_output_is_left() -> None:
    with pytest.raises(SolverError, match="they leave no output for the category 'y'"):
        forced(lambda A: [A["b"][:2, :2] == 0, A["a"][1, 2] == 0])  # b always says z, and so must a
