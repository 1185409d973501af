"""What the results of the papers say to be printed, and what claimed, and what their figures show."""

import io
import re
import sys

import pytest

from mechdesign.papers import Result

DIGITS = re.compile(r"\d+(\.\d+)?")


def stated(result: Result) -> tuple[int, int]:
    """Return how many rows are printed in the paper, all in digits, and how many are claimed there; none is both."""
    printed = [row for row in result.rows if row.published is not None]
    claimed = [row for row in result.rows if row.claimed is not None]
    assert all(isinstance(row.published, str) and DIGITS.fullmatch(row.published) for row in printed)
    assert not any(row in claimed for row in printed)
    return len(printed), len(claimed)


def assert_drawn(result: Result, titles: list[str]) -> None:
    """Require a figure of panels with these titles, with words at its axes and a legend, that can be saved."""
    assert result.figure is not None
    module = sys.modules[result.figure.__module__]
    with pytest.MonkeyPatch.context() as patch:
        for curve in {"CURVE", "CHANCES"} & vars(module).keys():  # a few points of each will do
            patch.setattr(module, curve, getattr(module, curve)[::8])
        figure = result.figure()
    assert [axes.get_title() for axes in figure.axes] == titles
    assert all(axes.get_xlabel() and axes.has_data() for axes in figure.axes)
    assert figure.axes[0].get_ylabel()
    assert any(axes.get_legend() is not None for axes in figure.axes)
    figure.savefig(file := io.BytesIO(), format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
