"""The privacy curve marks what is tight and what was asked; the heat map shows each tight epsilon in its place."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from mechdesign import mechanism_from_matrix, privacy_curve, tight_epsilons
from mechdesign.reports.privacy_plots import plot_curve, plot_tight_epsilons

COIN = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
CURVE = privacy_curve(COIN, None, [0, "1/2", 1, "3/2"])


def marks(figure: Figure) -> list[str]:
    legend = figure.axes[0].get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def shown(image: AxesImage) -> npt.NDArray[np.float64]:
    return np.ma.masked_array(image.get_array()).filled(np.nan)


def test_the_curve_marks_claim_and_tight_epsilon() -> None:
    figure = plot_curve(CURVE, tight=1.0986, delta=0.1, asked=(0.5, 0.1))
    assert marks(figure) == ["tight epsilon 1.0986 at delta 0.1", "asked: epsilon 0.5, delta 0.1"]
    _, line, point = figure.axes[0].get_lines()
    assert list(np.asarray(line.get_xdata())) == [1.0986, 1.0986]
    assert (np.asarray(point.get_xdata())[0], np.asarray(point.get_ydata())[0]) == (0.5, 0.1)


def test_the_heat_map() -> None:
    mechanism = mechanism_from_matrix([["3/4", "1/4"], ["1/2", "1/2"], ["1", "0"]])
    figure = plot_tight_epsilons(tight_epsilons(mechanism))
    axes, bar = figure.axes
    finite, infinite = (shown(image) for image in axes.get_images())
    assert np.isnan(np.diag(finite)).all()
    assert finite[1, 0] == pytest.approx(math.log(2))
    assert finite[2, 1] == pytest.approx(math.log(2))
    assert np.argwhere(infinite == 1).tolist() == [[0, 2], [1, 2]]
    assert {text.get_text() for text in axes.texts} == {"inf", "0.693", "0.405", "0.288"}
    assert "red: infinite" in axes.get_title()
    assert bar.get_ylabel() == "tight epsilon"
