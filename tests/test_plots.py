"""Pictures whose scales mean something."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch

import mechdesign as md
from mechdesign import InputError, design, read_graph, value_graph
from mechdesign.reports.figure import AFTER, Figure
from mechdesign.reports.plots import plot_design, plot_matrices, plot_released
from mechdesign.reports.privacy_plots import plot_utility

RESULT = design(read_graph("categorical-chain"), epsilon="1/2")


def bars(axes: Axes) -> dict[str, list[list[float]]]:
    """Return how high the bars of each line of profiles are, by when."""
    found: dict[str, list[list[float]]] = {}
    for patch in axes.patches:
        if isinstance(patch, StepPatch):
            name = "after" if to_hex(patch.get_facecolor()) == AFTER else "before"
            values, _, base = patch.get_data()
            found.setdefault(name, []).append([float(value) - float(base) for value in values])
    return found


def test_what_is_released_has_one_scale() -> None:
    """Bars of equal height are equally probable, whatever the profile; the tallest fits, and lines do not meet."""
    (axes,) = plot_released(RESULT.mechanism).axes
    tallest = max(float(mass) for name in RESULT.graph for mass in RESULT.mechanism.released(name))
    assert max(bars(axes)["after"][0]) == pytest.approx(tallest)
    many = design(value_graph(range(7)), epsilon=1).mechanism
    (axes,) = plot_released(many).axes
    found = bars(axes)
    assert [len(lines) for lines in found.values()] == [3, 3]
    bases = sorted(float(patch.get_data()[2]) for patch in axes.patches if isinstance(patch, StepPatch))
    assert min(b - a for a, b in itertools.pairwise(bases) if b > a) > max(map(max, found["before"]))
    assert axes.get_ylim()[1] > max(map(max, found["before"]))
    assert [text.get_text() for text in axes.texts] == [str(name) for name in range(7)]


def test_a_sweep_is_drawn_as_it_is_with_what_it_is_compared_with() -> None:
    curve = md.sweep("categorical-chain", [1, 0.5, "inf"], objective=md.ExpectedLoss())
    for designs in (curve, list(curve)):
        axes = plot_utility(designs).axes[0]
        drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}  # type: ignore[union-attr]
        one, half, _ = curve
        assert drawn == {
            "k-ary randomised response": [[0.5, float(half.baseline)], [1.0, float(one.baseline)]],
            "these designs": [[0.5, float(half.value)], [1.0, float(one.value)]],
        }
        assert axes.get_ylabel() == "expected loss"
    own = md.read_graph("categorical-chain")
    for edge in own.edges:
        own.edges[edge]["epsilon"] = 1
    assert plot_utility(md.sweep(own, [1, 2], scale_own=True)).axes[0].get_xlabel().startswith("multiple of each edge")


@pytest.mark.parametrize("points", [[], [(0.5, 0.1, 0.3)], md.sweep("categorical-chain", [])])
def test_numbers_need_names(points: list[Any]) -> None:
    with pytest.raises(InputError, match="expected a sweep or other designs, or numbers and what they are called"):
        plot_utility(points)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: md.plot_graph(RESULT.graph),
        lambda: md.plot_matrices(RESULT.mechanism),
        lambda: md.plot_released(RESULT.mechanism),
        lambda: md.plot_utility([RESULT]),
        lambda: md.plot_curve(md.privacy_curve(RESULT.mechanism, RESULT.graph, [0, 1])),
        lambda: md.plot_tight_epsilons(md.tight_epsilons(RESULT)),
        lambda: md.plot_formula(md.formula("categorical-chain")),
        lambda: md.plot_estimates(md.estimate([["3/4", "1/4"], ["1/4", "3/4"]], [0] * 70 + [1] * 30)),
    ],
)
def test_a_notebook_shows_a_picture_whatever_matplotlib_was_told(draw: Callable[[], Figure]) -> None:
    assert isinstance(draw(), Figure)


def test_a_dollar_is_no_formula_in_a_notebook_either() -> None:
    graph = md.profile_graph({"$_": [1, 0], "^$": [0, 1]}, edges="all", categories=["$\\bad", "b$"])
    assert md.plot_graph(graph)._repr_png_().startswith(b"\x89PNG")


def test_a_design_is_drawn_with_all_there_is() -> None:
    """Bars of every profile in the upper half, a matrix of every profile in the lower one."""
    above, below = plot_design(RESULT).subfigs
    assert [text.get_text() for text in above.axes[0].texts] == ["P1", "P2", "P3"]
    assert [axes.get_title() for axes in below.axes if axes.images] == ["P1", "P2", "P3"]
    (released,) = bars(above.axes[0])["after"]
    exact = [float(mass) for name in RESULT.graph for mass in RESULT.mechanism.released(name)]
    assert released[::2] == pytest.approx(exact)
    drawn = below.axes[2].images[0].get_array()
    assert drawn is not None
    assert drawn.tolist() == RESULT.mechanism.matrix("P3").tolist()


def test_a_colour_means_the_same_in_two_pictures() -> None:
    for epsilon in ("0.01", "3"):
        figure = plot_matrices(design("hobbies", epsilon=epsilon).mechanism)
        assert {image.get_clim() for axes in figure.axes for image in axes.images} == {(0.0, 1.0)}


def test_the_largest_entry_of_large_matrices_has_the_strongest_colour() -> None:
    """Many outputs have little probability each; and a colour means the same in every matrix."""
    figure = plot_matrices(md.k_ary(range(13), epsilon="0.01"))
    images = [image for axes in figure.axes for image in axes.images]
    largest = max(float(image.get_array().max()) for image in images)  # type: ignore[union-attr]
    assert {image.get_clim() for image in images} == {(0.0, largest)}
    assert largest < 0.1


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
