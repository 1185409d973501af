from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.linear_program import Model, total
from strategies import distributions

from mechdesign.arrays import Floats
from mechdesign.objective.reachability import least_levels, reach_excess


def least_of(before: Floats, after: Floats) -> float:
    """Return the least t of all profiles as one part."""
    (level,) = set(least_levels(before, after, np.zeros(len(before), dtype=np.int64)).tolist())
    return float(level)


Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
PAIRS = st.integers(1, 5).flatmap(lambda d: st.tuples(distributions(d), distributions(d)))


def subsets(d: int, sizes: range) -> list[tuple[int, ...]]:
    return [chosen for size in sizes for chosen in combinations(range(d), size)]


def by_brute_force(before: tuple[Fraction, ...], after: tuple[Fraction, ...]) -> Fraction:
    """max over S of (q(S) - P(S)) / (|S| (1 - P(S)))."""
    level = Fraction(0)
    for chosen in subsets(len(before), range(1, len(before))):
        outside = 1 - sum(before[y] for y in chosen)
        if outside:
            gain = sum((after[y] - before[y] for y in chosen), Fraction(0))
            level = max(level, gain / (len(chosen) * outside))
    return level


def by_linear_program(before: tuple[Fraction, ...], after: tuple[Fraction, ...]) -> Fraction:
    """The least t such that some plan moves at most t P(x) from x to each y."""
    model = Model()
    plan, t = model.transport(before, after), model.unknown()
    for (x, row), y in product(enumerate(plan), range(len(after))):
        if x != y:
            model.require(total([(before[x], t), (-1, row[y])]))
    return model.least(t)


@given(PAIRS)
def test_the_least_level_is_that_of_the_worst_set(pair: Pair) -> None:
    """Max flow = min cut: all sets together are sufficient, and one of them is necessary."""
    before, after = pair
    found = least_of(np.array([before], dtype=float), np.array([after], dtype=float))
    assert by_brute_force(before, after) == by_linear_program(before, after)
    assert found == pytest.approx(float(by_brute_force(before, after)), abs=1e-12)


@given(PAIRS, PAIRS)
def test_several_profiles_need_the_largest_of_their_levels(first: Pair, second: Pair) -> None:
    if len(first[0]) != len(second[0]):
        return
    before, after = (np.array([one, other], dtype=float) for one, other in zip(first, second, strict=True))
    each = [least_of(before[i : i + 1], after[i : i + 1]) for i in (0, 1)]
    assert least_of(before, after) == max(each)
    assert least_levels(before, after, np.arange(2)).tolist() == each


@given(PAIRS, st.fractions(0, 1, max_denominator=20))
def test_sorting_finds_the_worst_set_of_each_size(pair: Pair, level: Fraction) -> None:
    before, after = pair
    d = len(before)
    excess, slopes, orders = reach_excess(np.array([before], dtype=float), np.array([after], dtype=float), float(level))
    assert excess.shape == (1, d - 1)
    for size in range(1, d):
        values = {
            chosen: sum(after[y] - before[y] for y in chosen) - level * size * (1 - sum(before[y] for y in chosen))
            for chosen in subsets(d, range(size, size + 1))
        }
        assert excess[0, size - 1] == pytest.approx(float(max(values.values())), abs=1e-14)
        found = tuple(sorted(int(y) for y in orders[size - 1][0, :size]))
        assert float(values[found]) == pytest.approx(float(max(values.values())), abs=1e-14)
        assert slopes[0, size - 1] == pytest.approx(float(size * (1 - sum(before[y] for y in found))), abs=1e-14)


def test_what_does_not_move_needs_nothing() -> None:
    profile = np.array([[0.1, 0.2, 0.7]])
    assert least_of(profile, profile) == 0
    assert least_of(np.array([[1.0]]), np.array([[1.0]])) == 0


def test_the_least_level_where_nearly_nothing_is_outside() -> None:
    """1 - P(S) is 1e-20 for one set and 1e-310 for another: doubles near 1 know neither."""
    before = np.array([[1.0, 1e-20, 1e-310]])
    with np.errstate(all="raise", under="ignore"):
        # The second gives up a quarter of itself, an eighth to each of the others.
        assert least_of(before, np.array([[1.0, 0.75e-20, 0.25e-20]])) == pytest.approx(0.125, rel=1e-12)
        assert least_of(before, np.array([[0.5, 0.25, 0.25]])) == pytest.approx(0.25, rel=1e-12)
