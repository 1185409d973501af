"""Values nearly all pairs of which are required, with an expected loss: what is special about blocks of outputs."""

import pytest
from strained import strained

from mechdesign import ExpectedLoss, design
from mechdesign.solver import by_outputs, output_blocks, output_trees


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_outputs, "LEAST_ENTRIES", 0)


@pytest.mark.usefixtures("small")
def test_an_optimum_that_is_not_the_only_one() -> None:
    """Two outputs of the same losses: how they share what is released is no matter. No nearest is looked for."""
    asked = strained("points 8 1 1")
    graph, goal = asked.graph, asked.arguments["objective"]
    table = [[*map(float, row), float(row[0])] for row in goal.table(range(8))]
    made = design(graph, epsilon=1, objective=ExpectedLoss(table))
    assert made.stats["way"] == {"program by outputs; any optimum": 1}
    assert made.value - made.bound < made.value / 10**8
    assert float(made.value) == pytest.approx(float(asked.design().value), rel=1e-8)


@pytest.mark.usefixtures("small")
def test_rows_that_bind_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interior point alone ends as near to the optimum, but cannot say that there is no other."""
    asked = strained("points 9 1 1")
    monkeypatch.setattr(by_outputs, "vertex_near", lambda *_: None)
    made = asked.design()
    assert made.stats["way"] == {"program by outputs; any optimum": 1}
    assert made.value - made.bound < made.value / 10**8


@pytest.mark.usefixtures("small")
def test_it_gives_up_for_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_blocks, "MOST_STEPS", 3)
    made = strained("points 9 1 1").design()
    assert made.stats["way"].keys() == {"cutting planes; nearest, held"}


@pytest.mark.usefixtures("small")
def test_outputs_without_a_small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the multipliers of the interior point prove the same, though there are more of them."""
    asked = strained("points 9 1 1")
    usual = asked.design()
    monkeypatch.setattr(output_trees, "_few", lambda _, left, otherwise: otherwise)
    made = asked.design()
    assert made.value == usual.value
    assert made.value - made.bound < made.value / 10**8
