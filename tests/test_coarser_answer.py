"""What a coarser graph changes, and what is left of the guarantee."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.designer.coarser_answer import gain, used_by

F = Fraction
OPTIONS: dict[str, Any] = {"epsilon": F(1, 2), "delta": F(0), "objective": md.MaxOffDiagonal()}


@given(st.sets(st.integers(0, 3), min_size=2, max_size=3), st.sampled_from(["categorical-chain", "resource-usage"]))
def test_joining_categories_loses_no_privacy(places: set[int], name: str) -> None:
    """The profiles as they were release the same, so what holds for the joined holds for them."""
    fine = md.read_graph(name)
    fine.graph["ordered"] = False
    group = [fine.graph["categories"][place] for place in places]
    found = gain(fine, OPTIONS, categories=[group])
    used = used_by(found.result.mechanism, fine, (), [group])
    assert [used.released(p) for p in fine] == [found.result.mechanism.released(p) for p in fine]
    assert found.kept.private
    assert found.kept.epsilon == md.certify(found.result.mechanism, found.result.graph, epsilon=F(1, 2)).epsilon


def test_fewer_categories_cost_no_more_errors_but_perhaps_a_larger_entry() -> None:
    fine = md.read_graph("travel-mode-by-income")
    pairs = [*combinations(fine.graph["categories"], 2)]
    largest = [("air", "bus"), ("air", "car"), ("bus", "car")]
    for objective, expected in ((md.ExpectedLoss(), []), (md.WorstLoss(), []), (md.MaxOffDiagonal(), largest)):
        options = OPTIONS | {"objective": objective}
        value = md.design(fine, **options).value
        dearer = [pair for pair in pairs if gain(fine, options, categories=[pair]).result.bound > value]
        assert dearer == expected


def test_joining_neighbours_loses_what_kept_them_apart() -> None:
    """In the example one of two has a category that the other never has: then nothing at all is left."""
    fine = md.profile_graph(
        {"a": [1, 0, 0], "b": [0, 1, 0], "c": ["0.4", "0.4", "0.2"]},
        edges=[("a", "b"), ("b", "c")],
        categories=["x", "y", "z"],
    )
    found = gain(fine, OPTIONS, profiles=[("a", "b")])
    assert found.result.value < md.design(fine, **OPTIONS).bound
    assert not found.kept.private
    assert found.kept.epsilon[1] > 0.5
    used = used_by(found.result.mechanism, fine, [("a", "b")], ())
    joined = found.result.mechanism.released("a+b")
    assert [(p + q) / 2 for p, q in zip(used.released("a"), used.released("b"), strict=True)] == list(joined)
