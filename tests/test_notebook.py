"""Tables of pandas, and what is said where it is not installed."""

import sys

import pytest

import mechdesign as md
from mechdesign.exact.bounds import float_above, float_below


def test_a_mechanism_as_a_table() -> None:
    mechanism = md.design("categorical-chain", epsilon=0.5).mechanism
    table = mechanism.to_frame()
    assert table.index.names == ["profile", "category"]
    assert table.shape == (12, 4)
    for profile in mechanism.profiles:
        for category in mechanism.categories:
            exact = [float(mass) for mass in mechanism.row(profile, category)]
            assert table.loc[(profile, category)].tolist() == pytest.approx(exact, rel=1e-15)


def test_one_matrix_for_all_is_listed_once() -> None:
    result = md.design("categorical-chain", epsilon=0.5, shared=True).mechanism
    table = result.to_frame()
    assert table.index.name == "category"
    assert table.to_numpy().tolist() == result.matrix("P1").tolist()


def test_a_sweep_as_a_table() -> None:
    """Doubles on the safe side: a value is not below the exact one, a bound not above it."""
    curve = md.sweep("categorical-chain", [0.5, "inf"])
    table = curve.to_frame()
    assert table["epsilon"].tolist() == [0.5, float("inf")]
    assert table["value"].tolist() == [float_above(one.value) for one in curve]
    assert table["bound"].tolist() == [float_below(one.bound) for one in curve]
    assert table["baseline"].tolist() == [float(one.baseline) for one in curve]
    assert list(curve) == [*curve]
    assert curve == list(curve)


def test_estimates_as_a_table() -> None:
    found = md.estimate([["3/4", "1/4"], ["1/4", "3/4"]], [0] * 70 + [1] * 30)
    table = found.to_frame()
    assert table.loc[("all", 0), "unbiased"] == found.profiles["all"][0].unbiased
    assert table.columns.tolist() == ["estimate", "unbiased", "se", "low", "high", "bounded"]


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(md.InputError, match=r"pandas is not installed: pip install 'mechdesign\[pandas\]'"):
        md.sweep("categorical-chain", []).to_frame()
