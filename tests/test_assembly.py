"""What decides that a design is private: its own rows, the graph's own requirements."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from mechdesign import MaxOffDiagonal, SolverError, design, profile_graph
from mechdesign.certificate.bound import Bound, Weights
from mechdesign.designer.assembly import assembled, check_private
from mechdesign.designer.component import Answer, components
from mechdesign.privacy.requirement import requirements
from mechdesign.rounding.realise import NoisyRows

GRAPH = profile_graph(
    {"a": ["0.9", "0.1"], "b": ["0.2", "0.8"], "c": ["0.3", "0.7"], "d": ["0.6", "0.4"]},
    edges=[("a", "b"), ("c", "d")],
    categories=["no", "yes"],
)
REQUIRED = requirements(GRAPH, Fraction(1, 2), Fraction(0))
PARTS = components(GRAPH, REQUIRED, MaxOffDiagonal(), shared=False)


def test_a_private_mechanism_passes() -> None:
    check_private(design(GRAPH, epsilon="0.5").mechanism, REQUIRED, PARTS)


def test_one_that_is_private_by_little_less_is_refused() -> None:
    mechanism = design(GRAPH, epsilon="0.5").mechanism
    stricter = requirements(GRAPH, Fraction(49, 100), Fraction(0))
    with pytest.raises(SolverError, match="not exactly private"):
        check_private(mechanism, stricter, components(GRAPH, stricter, MaxOffDiagonal(), shared=False))


@pytest.mark.parametrize("wrong", ["epsilon", "delta", "nothing"])
def test_components_that_require_less_than_the_graph_are_noticed(wrong: str) -> None:
    """However private the mechanism is by them."""
    first, second = PARTS
    (edge,) = first.problem.required
    easier = {"epsilon": (replace(edge, epsilon=Fraction(5)),), "delta": (replace(edge, delta=Fraction(1, 2)),)}
    less = replace(first, problem=replace(first.problem, required=easier.get(wrong, ())))
    mechanism = design(GRAPH, epsilon="0.5").mechanism
    with pytest.raises(SolverError, match="not exactly private"):
        check_private(mechanism, REQUIRED, [less, second])


def test_rows_of_a_component_serve_its_own_members() -> None:
    nothing = Answer([], Bound(Fraction(0), Weights({}, None, None)), False, True, 0.0, {})
    flipped: NoisyRows = [((0, 1), x, np.array(row, dtype=object)) for x, row in enumerate(((3, 1), (1, 3)))]
    mechanism = assembled(GRAPH, PARTS, [nothing, replace(nothing, rows=flipped)])
    assert mechanism.row("a", "no")[0] == 1
    assert mechanism.row("c", "no") == mechanism.row("d", "no") == (Fraction(3, 4), Fraction(1, 4))
