"""What decides that a design is private: its own rows, the graph's own requirements."""

from dataclasses import replace
from fractions import Fraction

import pytest

from mechdesign import MaxOffDiagonal, SolverError, design, profile_graph
from mechdesign.certificate.private import check_private
from mechdesign.designer.component import components
from mechdesign.privacy.requirement import Requirement, requirements
from mechdesign.problem import Problem

GRAPH = profile_graph(
    {"a": ["0.9", "0.1"], "b": ["0.2", "0.8"], "c": ["0.3", "0.7"], "d": ["0.6", "0.4"]},
    edges=[("a", "b"), ("c", "d")],
    categories=["no", "yes"],
)


def problems(required: list[Requirement]) -> list[tuple[list[int], Problem]]:
    return [(part.members, part.problem) for part in components(GRAPH, required, MaxOffDiagonal(), shared=False)]


REQUIRED = requirements(GRAPH, Fraction(1, 2), Fraction(0))
PARTS = problems(REQUIRED)


def test_a_private_mechanism_passes() -> None:
    check_private(design(GRAPH, epsilon="0.5").mechanism, REQUIRED, PARTS)


def test_one_that_is_private_by_little_less_is_refused() -> None:
    mechanism = design(GRAPH, epsilon="0.5").mechanism
    stricter = requirements(GRAPH, Fraction(49, 100), Fraction(0))
    with pytest.raises(SolverError, match="not exactly private"):
        check_private(mechanism, stricter, problems(stricter))


@pytest.mark.parametrize("wrong", ["epsilon", "delta", "nothing"])
def test_components_that_require_less_than_the_graph_are_noticed(wrong: str) -> None:
    """However private the mechanism is by them."""
    first, second = PARTS
    (edge,) = first[1].required
    easier = {"epsilon": (replace(edge, epsilon=Fraction(5)),), "delta": (replace(edge, delta=Fraction(1, 2)),)}
    less = (first[0], replace(first[1], required=easier.get(wrong, ())))
    mechanism = design(GRAPH, epsilon="0.5").mechanism
    with pytest.raises(SolverError, match="not exactly private"):
        check_private(mechanism, REQUIRED, [less, second])


def test_design_refuses_what_is_not_private(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever solvers and rounding did: here every category keeps its output."""
    honest = design(GRAPH, epsilon="inf").mechanism
    monkeypatch.setattr("mechdesign.designer.design.assembled", lambda *_: honest)
    with pytest.raises(SolverError, match="not exactly private"):
        design(GRAPH, epsilon="0.5")
