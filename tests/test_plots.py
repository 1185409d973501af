"""Pictures whose scales mean something."""

import pytest
from matplotlib.patches import Rectangle

from mechdesign import InputError, design, read_graph
from mechdesign.report.plots import plot_matrices, plot_released

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
