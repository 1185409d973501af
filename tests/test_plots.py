"""Pictures whose scales mean something."""

import re

import pytest
from matplotlib.patches import Rectangle

from mechdesign import InputError, design, read_graph
from mechdesign.report.design_plot import plot_design
from mechdesign.report.plots import plot_matrices, plot_released, plot_utility

RESULT = design(read_graph("categorical-chain"), epsilon="1/2")


def test_what_is_released_has_one_scale() -> None:
    """Bars of equal height are equally probable, whatever the panel; and the tallest fits."""
    drawn = [axes for axes in plot_released(RESULT.mechanism).axes if axes.has_data()]
    assert len(drawn) == 3
    assert len({axes.get_ylim() for axes in drawn}) == 1
    tallest = [max(bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)) for axes in drawn]
    assert max(tallest) <= drawn[0].get_ylim()[1] < 1.2 * max(tallest)
    assert len(set(tallest)) > 1


@pytest.mark.parametrize("plot", [plot_matrices, plot_released])
def test_a_design_is_no_mechanism(plot: object) -> None:
    with pytest.raises(InputError, match=r"expected a Mechanism, found Design; give its `\.mechanism`"):
        plot(RESULT)  # type: ignore[operator]


def test_a_design_is_drawn_with_all_there_is() -> None:
    """Bars of every profile in the upper half, a matrix of every profile in the lower one."""
    above, below = plot_design(RESULT).subfigs
    assert [axes.get_title() for axes in above.axes] == ["P1", "P2", "P3"]
    assert [axes.get_title() for axes in below.axes if axes.images] == ["P1", "P2", "P3"]
    released = [bar.get_height() for bar in above.axes[1].patches if isinstance(bar, Rectangle)][4:]
    assert released == [float(mass) for mass in RESULT.mechanism.released("P2")]
    drawn = below.axes[2].images[0].get_array()
    assert drawn is not None
    assert drawn.tolist() == RESULT.mechanism.matrix("P3").tolist()


def test_a_large_design_says_how_much_of_it_is_drawn() -> None:
    above, below = plot_design(design(read_graph("departure-by-destination"), epsilon=1)).subfigs
    assert above.get_suptitle() == "the first 30 of 57 profiles"
    assert re.fullmatch(r"the first 12 of \d+ matrices", below.get_suptitle())


@pytest.mark.parametrize(
    ("values", "marked"), [([0.3, 0.1, 0, 0], 1.0), ([0.3, 0.1, 0.05, 0.01], None), ([0] * 4, None)]
)
def test_a_curve_marks_where_noise_is_no_longer_needed(values: list[float], marked: float | None) -> None:
    points = [(epsilon, value, 0.5) for epsilon, value in zip((0.1, 0.5, 1.0, 2.0), values, strict=True)]
    (axes,) = plot_utility(points, "largest entry", "k-ary").axes
    lines = [line for line in axes.lines if str(line.get_label()).startswith("no noise needed from")]
    assert [line.get_xdata()[0] for line in lines] == ([] if marked is None else [marked])  # type: ignore[index]
