"""The picture of estimates: a dot and a line for each share, bounds without a dot, and no more panels than fit."""

import numpy as np
import pytest

import mechdesign as md
from mechdesign.reports.estimates_plot import plot_estimates


def test_each_share_has_its_dot_and_its_line() -> None:
    found = md.estimate(np.eye(3), [0, 1, 1, 2] * 50, profile=["a", "b"] * 100)
    figure = plot_estimates(found)
    assert [axes.get_title() for axes in figure.axes] == ["a (100 rows)", "b (100 rows)"]
    (dots,) = figure.axes[0].get_lines()
    assert list(np.asarray(dots.get_ydata())) == [one.estimate for one in found.profiles["a"].values()]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["95 % interval", "maximum likelihood"]
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["0", "1", "2"]


@pytest.mark.slow
def test_many_profiles_and_categories() -> None:
    found = md.estimate(np.eye(40), list(range(40)) * 40, profile=[g for g in range(40) for _ in range(40)])
    figure = plot_estimates(found)
    assert figure.get_suptitle() == "the first 30 of 40 profiles"
    assert len(figure.axes) == 30
    assert figure.axes[0].get_xlim()[1] == 39.6


def test_too_many_bars() -> None:
    with pytest.raises(md.InputError, match="a drawing has at most 50,000 bars"):
        plot_estimates(_wide(60_000))


def _wide(categories: int) -> md.Estimates:
    one = md.Estimate(0.0, 0.0, 0.0, 0.0, 0.0)
    return md.Estimates({"all": dict.fromkeys(range(categories), one)}, {"all": 1}, False, (), 0.0)
