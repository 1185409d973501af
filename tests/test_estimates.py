"""`estimate`: what it says of a profile, of a mix, and of what cannot be told."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.release.shares import SHORT

COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
CHAIN = md.design("categorical-chain", epsilon="0.5").mechanism
BLIND = [["4/5", "1/5"], ["3/10", "7/10"], ["3/10", "7/10"]]
CLEAR: dict[str, Any] = {"a": [["1/2", "1/2"], ["1/2", "1/2"]], "b": [[1, 0], [0, 1]]}


def mechanism_of(matrices: dict[str, Any]) -> md.Mechanism:
    """Return a mechanism in which each profile has its own matrix."""
    first = next(iter(matrices.values()))
    names = [str(x) for x in range(len(first))]
    flat = md.mechanism_from_matrix([row for rows in matrices.values() for row in rows])
    graph = md.profile_graph(
        {profile: [f"1/{len(first)}"] * len(first) for profile in matrices}, edges=[], categories=names
    )
    index = np.arange(len(matrices) * len(first)).reshape(len(matrices), len(first))
    return md.Mechanism(graph, tuple(str(y) for y in range(len(first[0]))), flat.weights, index)


def test_numbers_by_hand() -> None:
    """0.6 of the answers are no, so 0.7 of the people; the variance is (1.5^2 .6 + .5^2 .4 - .7^2) / 1000."""
    found = md.estimate(COIN, [0] * 600 + [1] * 400)
    one = found.profiles["all"][0]
    assert (one.estimate, one.unbiased) == pytest.approx((0.7, 0.7))
    assert one.se == pytest.approx((0.96 / 1000) ** 0.5, rel=1e-3)
    assert (one.low, one.high) == pytest.approx((0.7 - 1.96 * 0.031, 0.7 + 1.96 * 0.031), abs=2e-3)
    assert dict(found.rows) == {"all": 1000}
    assert found.remarks == ()
    assert "population" in found.method


@pytest.mark.parametrize("these", [False, True])
def test_another_level_is_another_number_of_standard_errors(these: bool) -> None:
    """1.6449 at 90 %, 1.9600 at 95 %, by tables of the normal distribution."""
    data = [0] * 6_000 + [1] * 4_000
    for level, quantile in (("0.9", 1.6448536), ("0.95", 1.9599640), ("0.999", 3.2905267)):
        found = md.estimate(COIN, data, these_rows=these, level=level)
        one = found.profiles["all"][0]
        assert one.se is not None
        assert (one.high - one.low) / (2 * one.se) == pytest.approx(quantile, rel=5e-3)
        assert f"{100 * float(level):g} % intervals" in found.answer().sentence
        assert f"intervals of {100 * float(level):g} %" in found.method


@pytest.mark.parametrize("level", [0, 1, "-0.5", "95", "x", float("nan"), None])
def test_levels_that_are_none(level: Any) -> None:
    with pytest.raises(md.InputError, match=r"level: expected a number between 0 and 1, such as 0\.95 or 95%, found"):
        md.estimate(COIN, [0, 1], level=level)


def test_simultaneous_intervals_share_what_they_may_miss() -> None:
    """Three categories in two groups: each of six misses in 5 / 6 % alone; of two categories one tells the other."""
    rows, groups = [0, 1, 2] * 400, ["a"] * 600 + ["b"] * 600
    at_once = md.estimate(md.k_ary(range(3), epsilon=2), rows, profile=groups, simultaneous=True)
    each = md.estimate(md.k_ary(range(3), epsilon=2), rows, profile=groups, level=1 - Fraction(5, 600))
    assert at_once.profiles == each.profiles
    assert "for every share at once" in at_once.answer().sentence
    coins = md.estimate(COIN, [0, 1] * 600, profile=groups, simultaneous=True)
    assert coins.profiles == md.estimate(COIN, [0, 1] * 600, profile=groups, level="0.975").profiles


def test_simultaneous_differences_count_beside_the_shares_each_pair_once() -> None:
    """Two groups and one pair of two categories: each interval misses in 5 / 3 % alone, both ways and given twice."""
    asked: dict[str, Any] = {"profile": ["a"] * 600 + ["b"] * 600}
    pairs = [("a", "b"), ("b", "a"), ("a", "b")]
    at_once = md.estimate(COIN, [0, 1] * 600, differences=pairs, simultaneous=True, **asked)
    each = md.estimate(COIN, [0, 1] * 600, differences=pairs, level=1 - Fraction(5, 300), **asked)
    assert at_once.differences == each.differences
    assert at_once.profiles == each.profiles
    assert "for every share and difference at once" in at_once.answer().sentence


@given(st.lists(st.integers(0, 400), min_size=4, max_size=4).filter(any), st.booleans())
def test_the_interval_holds_the_estimate(counts: list[int], these: bool) -> None:
    data = [y for y, count in enumerate(counts) for _ in range(count)]
    found = md.estimate(md.k_ary(range(4), epsilon=1), data, these_rows=these)
    assert found.gap <= SHORT
    assert sum(one.estimate or 0.0 for one in found.profiles["all"].values()) == pytest.approx(1)
    for one in found.profiles["all"].values():
        assert one.estimate is not None
        assert 0 <= one.low <= one.estimate <= one.high <= 1


def test_categories_with_one_row() -> None:
    """The first is determined; the other two only together, and that is said."""
    found = md.estimate(BLIND, [0] * 5_000 + [1] * 5_000)
    first, *others = found.profiles["all"].values()
    assert first.estimate == pytest.approx(0.4)
    assert not first.bounded
    for one in others:
        assert (one.estimate, one.unbiased, one.se) == (None, None, None)
        assert one.bounded
        assert (one.low, one.high) == pytest.approx((0.0, 0.6), abs=0.05)
        assert one.high > 0.6
    assert found.remarks == ("all: what is released does not determine the shares of 1, 2; only bounds are known.",)


@pytest.mark.parametrize("these", [False, True])
def test_too_few_rows_for_an_unbiased_estimate(these: bool) -> None:
    """Ten rows through a coin that hardly tells: 1.96 standard errors would be beyond [0, 1], the bounds are within."""
    found = md.estimate([["0.51", "0.49"], ["0.49", "0.51"]], [0, 1] * 5, these_rows=these)
    one = found.profiles["all"][0]
    assert one.bounded
    assert one.estimate is not None
    assert (one.low, one.high) == (0.0, 1.0)
    assert "the rows are too few" in found.remarks[0]


def test_a_mix_is_bounded_and_said() -> None:
    """Whatever the shares and the mix were, the bounds hold them."""
    rng = np.random.default_rng(5)
    names, parts = CHAIN.profiles, [0.5, 0.3, 0.2]
    released = sum(
        part * np.array([float(q) for q in CHAIN.released(name)]) for part, name in zip(parts, names, strict=True)
    )
    data = [CHAIN.outputs[y] for y in rng.choice(4, size=20_000, p=released / np.sum(released))]
    found = md.estimate(CHAIN, data)
    true = sum(
        part * np.array([float(p) for p in CHAIN.graph.nodes[name]["distribution"]])
        for part, name in zip(parts, names, strict=True)
    )
    for one, share in zip(found.profiles["all"].values(), np.asarray(true), strict=True):
        assert one.low <= share <= one.high
        assert one.high - one.low < 0.2
        assert one.estimate is None
    assert found.remarks[0].startswith("Profiles have different rows and were mixed, nobody knows how")


def test_a_mix_that_tells_nothing_is_refused() -> None:
    with pytest.raises(md.InputError, match="consistent with any shares; name the column of profiles with profile="):
        md.estimate(mechanism_of(CLEAR), ["0", "1"] * 50)


def test_outputs_that_are_never_released() -> None:
    with pytest.raises(md.InputError, match="all: 2 rows with 2, which this mechanism never releases there"):
        md.estimate(md.mechanism_from_matrix([["1/2", "1/2", "0"], ["0", "1", "0"]], outputs=[0, 1, 2]), [0, 2, 2])


@pytest.mark.parametrize("these_rows", [False, True])
def test_counts_that_fit_nothing_though_all_is_determined(these_rows: bool) -> None:
    """What was never released: a true share is released as the other category in a quarter of all rows."""
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    (remark,) = md.estimate(coin, [0] * 500, these_rows=these_rows).remarks
    assert remark == "all: no shares fit the counts well; is this the mechanism that released them?"
    assert not md.estimate(coin, [0] * 375 + [1] * 125, these_rows=these_rows).remarks
    assert not md.estimate(coin, [0] * 380 + [1] * 120, these_rows=these_rows).remarks


@pytest.mark.slow
def test_too_many_unknowns_of_a_mix() -> None:
    wide = {str(p): np.eye(60).tolist() for p in range(40)}
    for number, rows in enumerate(wide.values()):
        for x, row in enumerate(rows):
            row[(x + 1 + number) % 60] += 1.0
            rows[x] = [entry / 2 for entry in row]
    with pytest.raises(md.InputError, match="different rows of profiles that are mixed; name the column of profiles"):
        md.estimate(mechanism_of(wide), ["0"])


def test_a_keyword_that_there_is_not_is_refused_by_the_function_itself() -> None:
    with pytest.raises(TypeError, match=r"^estimate\(\) got an unexpected keyword argument 'difference'"):
        md.estimate([["3/4", "1/4"], ["1/4", "3/4"]], [0, 1], difference=[("a", "b")])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^sanitise\(\) got an unexpected keyword argument 'keeps'"):
        md.sanitise(md.k_ary([0, 1], epsilon=1), [0, 1], keeps=["a"])  # type: ignore[call-arg]
