"""Values nearly all pairs of which are required, with an expected loss: what is special about blocks of outputs."""

import numpy as np
import pytest
from strained import strained

from mechdesign import ExpectedLoss, design
from mechdesign.errors import SolverError
from mechdesign.solver import by_outputs, output_blocks


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_outputs, "LEAST_ENTRIES", 0)


@pytest.mark.parametrize("kind", ["nobody is there", "two outputs of the same losses"])
def test_an_optimum_that_is_not_the_only_one(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest is looked for on the face of all optima, up to some size; the usual may go a little beyond."""
    asked = strained("points 8 1 1")
    graph, objective = asked.graph, asked.arguments["objective"]
    if kind == "nobody is there":
        graph.nodes[3]["weight"] = 0
    else:
        objective = ExpectedLoss([[*map(float, row), float(row[0])] for row in objective.table(range(8))])
    usual = design(graph, epsilon=1, objective=objective)
    monkeypatch.setattr(by_outputs, "LEAST_ENTRIES", 0)
    made = design(graph, epsilon=1, objective=objective)
    assert made.stats["way"] == {"program by outputs; nearest on the optimal face": 1}
    assert float(made.value) == pytest.approx(float(usual.value), rel=3e-9)
    ours, theirs = (
        [list(map(float, one.fractions())) for one in each.mechanism.all_released()] for each in (made, usual)
    )
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)
    monkeypatch.setattr(by_outputs, "MOST_PROJECTED", 63)
    larger = design(graph, epsilon=1, objective=objective)
    assert larger.stats["way"] == {"program by outputs; any optimum": 1}
    assert larger.value - larger.bound < larger.value / 10**8


@pytest.mark.usefixtures("small")
def test_more_limits_than_fit_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few of them are looked at here; but then no other way may be tried."""
    monkeypatch.setattr("mechdesign.designer.largest_design.MOST_LIMITS", 40)
    asked = strained("points 9 1 1")
    assert asked.design().stats["way"] == {"program by outputs": 1}
    monkeypatch.setattr("mechdesign.solver.structured.MOST_OTHERWISE", 40)
    monkeypatch.setattr(output_blocks, "MOST_STEPS", 3)
    with pytest.raises(SolverError, match="the interior point by outputs ends with a gap of"):
        asked.design()
