"""Differences between two groups: Newcombe's intervals, that they cover, and bounds where a share is not determined."""

import numpy as np
import pytest

import mechdesign as md
from mechdesign.release.channels import Channel
from mechdesign.release.estimates import Estimate
from mechdesign.release.estimating import _apart, group_differences
from mechdesign.release.intervals import QUANTILE
from mechdesign.release.samples import Sample
from mechdesign.release.shares import Shares

BLIND = [["4/5", "1/5"], ["3/10", "7/10"], ["3/10", "7/10"]]
COIN = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), np.arange(2))


def wilson(hits: int, rows: int) -> Estimate:
    """Return a share with Wilson's interval."""
    share, z = hits / rows, QUANTILE
    middle = (share + z**2 / (2 * rows)) / (1 + z**2 / rows)
    reach = z * (share * (1 - share) / rows + z**2 / (4 * rows**2)) ** 0.5 / (1 + z**2 / rows)
    return Estimate(share, share, (share * (1 - share) / rows) ** 0.5, middle - reach, middle + reach)


@pytest.mark.parametrize(
    ("one", "two", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_table_of_newcombe(one: tuple[int, int], two: tuple[int, int], low: float, high: float) -> None:
    """Contrasts (a), (b), (d), (e) and (h) of his table II, by method 10."""
    assert _apart(wilson(*one), wilson(*two), 0.0) == pytest.approx((low, high), abs=6e-5)


def test_what_two_groups_share_cancels_out() -> None:
    """With a correlation of 1 and the same standard errors nothing is left that could differ."""
    one = wilson(50, 100)
    assert one.se is not None
    low, high = _apart(one, one, one.se**2)
    assert (low, high) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert _apart(one, one, -(one.se**2)) == pytest.approx((one.low - one.high, one.high - one.low))


def test_each_group_less_the_other() -> None:
    rows, groups = [0] * 300 + [1] * 100 + [0] * 150 + [1] * 250, ["a"] * 400 + ["b"] * 400
    found = md.estimate(md.k_ary(range(2), epsilon=2), rows, profile=groups, differences=[("a", "b"), ("b", "a")])
    there, back = found.differences["a", "b"][0], found.differences["b", "a"][0]
    one, two = found.profiles["a"][0], found.profiles["b"][0]
    assert (there.estimate, there.unbiased) == pytest.approx((one.estimate - two.estimate, one.unbiased - two.unbiased))  # type: ignore[operator]
    assert there.se == pytest.approx(np.hypot(one.se or 0, two.se or 0))
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert 0 < there.low < there.high < 1
    assert found.answer().sentence.endswith("for each share and difference.")


def test_without_a_share_there_are_bounds() -> None:
    """From the lower end of one to the upper one of the other; each misses in half of 5 %."""
    rows, groups = ([0] * 500 + [1] * 500) * 2, ["a"] * 1_000 + ["b"] * 1_000
    found = md.estimate(BLIND, rows, profile=groups, differences=[("a", "b")])
    one = md.estimate(BLIND, rows, profile=groups, level="0.975").profiles["a"]
    first, second, _ = found.differences["a", "b"].values()
    assert not first.bounded
    assert (second.estimate, second.unbiased, second.se, second.bounded) == (None, None, None, True)
    assert (second.low, second.high) == pytest.approx((one[1].low - one[1].high, one[1].high - one[1].low))


def test_groups_of_the_same_name() -> None:
    """Are told apart, unless they are to be named."""
    groups = [1, "1"] * 20
    assert list(md.estimate(np.eye(2), [0, 1] * 20, profile=groups).profiles) == [1, "1"]
    with pytest.raises(md.InputError, match="profiles: two labels are written '1'"):
        md.estimate(np.eye(2), [0, 1] * 20, profile=groups, differences=[(1, "1")])


def test_groups_are_named_as_in_the_data() -> None:
    found = md.estimate(np.eye(2), [0, 1] * 20, profile=[1, 2] * 20, differences=[("1", 2)])
    assert list(found.differences) == [(1, 2)]


def test_simultaneous_intervals_count_differences() -> None:
    """Two groups and a difference, of two categories: three intervals."""
    groups = ["a", "b"] * 200
    at_once = md.estimate(
        np.eye(2), [0, 1, 1, 0] * 100, profile=groups, differences=[("a", "b")], level="0.94", simultaneous=True
    )
    each = md.estimate(np.eye(2), [0, 1, 1, 0] * 100, profile=groups, differences=[("a", "b")], level="0.98")
    assert at_once.differences == each.differences
    assert at_once.profiles == each.profiles
    assert at_once.answer().sentence.endswith("for every share and difference at once.")


@pytest.mark.parametrize("these", [False, True])
def test_coverage(these: bool) -> None:
    """Of 90 %, in 150 runs with a standard error of 2.5 %: a rare answer, and one that is not."""
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(150):
        people = [rng.multinomial(rows, [share, 1 - share]) for rows, share in ((300, 0.02), (200, 0.4))]
        counts = [sum(rng.multinomial(n, row) for n, row in zip(some, COIN.matrix, strict=True)) for some in people]
        groups = [Shares(COIN, Sample(np.asarray(one, np.float64)), 0.1, these) for one in counts]
        true = people[0][0] / 300 - people[1][0] / 200 if these else 0.02 - 0.4
        found = next(group_differences(*groups))
        hits += found.low <= true <= found.high
    assert hits / 150 >= 0.83
