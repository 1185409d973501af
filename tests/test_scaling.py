"""How methods scale, drawn."""

import pytest

from mechdesign.bench.outcome import Ending, Measurement, Run
from mechdesign.reports.scaling import plot_scaling


@pytest.mark.slow
def test_memory_is_in_plain_numbers() -> None:
    """Also where a power of ten has all of it, and a tick would say 1.05 x 10^2."""
    rows = [
        Measurement(Run("ring", k, 10, "scipy"), Ending.DONE, unknowns=100 * k, seconds=0.1 * k, memory=100.0 + k)
        for k in (2, 10, 30)
    ]
    figure = plot_scaling(rows)
    figure.draw_without_rendering()
    _, right = figure.axes
    low, high = right.get_ylim()
    ticks = [*right.yaxis.get_major_ticks(), *right.yaxis.get_minor_ticks()]
    shown = [tick.label1.get_text() for tick in ticks if low <= tick.get_loc() <= high]
    assert {"105", "120"} <= set(filter(None, shown))
    assert all(text.isdecimal() for text in shown if text)
