"""Tables of pandas, and what is said where it is not installed."""

import sys

import pytest

import mechdesign as md


def test_a_mechanism_as_a_table() -> None:
    mechanism = md.design("categorical-chain", epsilon=0.5).mechanism
    table = mechanism.to_frame()
    assert table.index.names == ["profile", "category"]
    assert table.shape == (12, 4)
    for profile in mechanism.profiles:
        for category in mechanism.categories:
            exact = [float(mass) for mass in mechanism.row(profile, category)]
            assert table.loc[(profile, category)].tolist() == pytest.approx(exact, rel=1e-15)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(md.InputError, match=r"pandas is not installed: pip install 'mechdesign\[pandas\]'"):
        md.sweep("categorical-chain", []).to_frame()
