"""The mechanism of a whole graph, from the rows of its components."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from mechdesign import MaxOffDiagonal, profile_graph
from mechdesign.certificate.bound import Bound
from mechdesign.certificate.weights import exact_weights
from mechdesign.designer.assembly import assembled
from mechdesign.designer.component import Answer, components
from mechdesign.privacy.requirement import requirements
from mechdesign.rounding.realise import NO_ROWS, NoisyRows

GRAPH = profile_graph(
    {"a": ["0.9", "0.1"], "b": ["0.2", "0.8"], "c": ["0.3", "0.7"], "d": ["0.6", "0.4"]},
    edges=[("a", "b"), ("c", "d")],
    categories=["no", "yes"],
)
REQUIRED = requirements(GRAPH, Fraction(1, 2), Fraction(0))
PARTS = components(GRAPH, REQUIRED, MaxOffDiagonal(), shared=False)


def test_rows_of_a_component_serve_its_own_members() -> None:
    nothing = Answer(
        NO_ROWS, Bound(Fraction(0), exact_weights(PARTS[0].problem, None, PARTS[0].prior)), False, True, 0.0, {}
    )
    categories = np.array([0, 1, 0, 1])
    flipped = NoisyRows(np.array([0, 0, 1, 1]), categories, categories, np.array([[3, 1], [1, 3]]))
    mechanism = assembled(GRAPH, PARTS, [nothing, replace(nothing, rows=flipped)])
    assert mechanism.row("a", "no")[0] == 1
    assert mechanism.row("c", "no") == mechanism.row("d", "no") == (Fraction(3, 4), Fraction(1, 4))
