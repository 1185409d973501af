"""Matching in order: totals are kept, whatever is matched is there, and sources never cross."""

from hypothesis import given
from hypothesis import strategies as st

from mechdesign.objective.matching import matched

WEIGHTS = st.lists(st.integers(0, 9) | st.integers(0, 10**30), min_size=1, max_size=8)


@given(WEIGHTS, WEIGHTS)
def test_integers_are_matched_as_far_as_both_reach(supply: list[int], demand: list[int]) -> None:
    found = list(matched(supply, demand))
    assert all(amount > 0 for _, _, amount in found)
    assert [(x, y) for x, y, _ in found] == sorted({(x, y) for x, y, _ in found})
    assert [y for _, y, _ in found] == sorted(y for _, y, _ in found)
    assert sum(amount for _, _, amount in found) == min(sum(supply), sum(demand))
    for side, given_weights in ((0, supply), (1, demand)):
        for place, weight in enumerate(given_weights):
            assert sum(match[2] for match in found if match[side] == place) <= weight


def test_doubles_of_nearly_one_total() -> None:
    """What rounding leaves over is nobody's."""
    found = list(matched([0.1, 0.2, 0.0], [0.3, 0.0]))
    assert [(x, y) for x, y, _ in found] == [(0, 0), (1, 0)]
    assert [amount for *_, amount in found] == [0.1, 0.3 - 0.1]
