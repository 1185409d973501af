"""Pictures of a mechanism: its matrices as annotated heat maps, what is released before and after; of a design, both.

Every function returns a matplotlib Figure of its own; nothing global is touched.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import SubFigure
from matplotlib.image import AxesImage

from mechdesign.arrays import Floats
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import decimal_above, decimal_below
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.objective import Goal
from mechdesign.reports.drawable import check_bars
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure, legend_below, named, panels, without_frame
from mechdesign.words import counted, first_of

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
"""Colours that people tell apart who do not see all of them: Okabe and Ito, Color Universal Design, 2008."""
MOST_MATRICES = 12
"""More matrices than this do not fit on a page that people can read; the first ones are drawn."""
MOST_RELEASED = 30
"""Likewise, of profiles with what they release."""
LARGEST_ANNOTATED = 12
"""Entries are written into heat maps of at most this many rows and columns."""
LARGEST_NAMED = 40
"""Rows and columns of a heat map that has room for their names."""


def plot_matrices(mechanism: Mechanism) -> Figure:
    """Return each profile's transition matrix as a heat map, with its entries written in where they fit.

    Its colours are then those of 0 to 1, so that two pictures can be compared. Of a larger matrix all entries may be
    small: there the largest of all has the strongest colour, as the bar says.

    Profiles that share one matrix share one picture; at most twelve pictures are drawn, and the title says so.

    Parameters
    ----------
    mechanism
        whose matrices, d x m each, are drawn.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_matrices(md.design("categorical-chain", epsilon=0.5).mechanism)
    >>> [axes.get_title() for axes in figure.axes][:3]
    ['P1', 'P2', 'P3']
    """
    return _drawn(mechanism, matrices_size, draw_matrices)


def _drawn(
    mechanism: Mechanism,
    size: Callable[[Mechanism], tuple[float, float]],
    draw: Callable[[Figure, Mechanism], None],
) -> Figure:
    check_mechanism(mechanism)
    figure = Figure(figsize=size(mechanism), layout="constrained")
    draw(figure, mechanism)
    return figure


def matrices_size(mechanism: Mechanism) -> tuple[float, float]:
    """Return the width and height, in inches, that `draw_matrices` needs."""
    columns = _columns(mechanism)
    lines = math.ceil(min(len(_sharing(mechanism)), MOST_MATRICES) / columns)
    side = min(6.0, max(2.6, 0.62 * len(mechanism.outputs)))
    return columns * side + 0.8, lines * side * 0.9 + 0.5


def draw_matrices(figure: Figure | SubFigure, mechanism: Mechanism) -> None:
    """Draw the transition matrices into a figure or a part of one."""
    groups = _sharing(mechanism)
    shares = groups[:MOST_MATRICES]
    drawn = panels(figure, len(shares), _columns(mechanism))
    matrices = [mechanism.matrix(profiles[0]) for profiles in shares]
    largest = 1.0 if _is_small(matrices[0]) else max(matrix.max() for matrix in matrices)
    for axes, profiles, matrix in zip(drawn, shares, matrices, strict=True):
        image = _matrix(axes, mechanism, profiles, matrix, largest)
    bar = figure.colorbar(image, ax=figure.axes, shrink=0.6, label="probability")
    if bar.solids is not None:  # of 256 shades
        bar.solids.set_rasterized(True)
    if len(groups) > MOST_MATRICES:
        figure.suptitle(f"the first {MOST_MATRICES} of {len(groups)} matrices", fontsize=9)


def _sharing(mechanism: Mechanism) -> list[list[Label]]:
    """Return the profiles, those of one matrix together."""
    groups: dict[bytes, list[Label]] = {}
    for profile, rows in zip(mechanism.profiles, mechanism.index, strict=True):
        groups.setdefault(b"" if mechanism.one_matrix else rows.tobytes(), []).append(profile)
    return list(groups.values())


def _columns(mechanism: Mechanism) -> int:
    """Return how many matrices stand side by side."""
    return min(len(_sharing(mechanism)), 3 if len(mechanism.outputs) <= LARGEST_ANNOTATED else 2)


def _matrix(axes: Axes, mechanism: Mechanism, profiles: Sequence[Label], matrix: Floats, largest: float) -> AxesImage:
    image = draw_heat(axes, matrix, largest)
    axes.set_title(first_of([named(profile) for profile in profiles], 4), fontsize=9, color=INK)
    small = _is_small(matrix)
    if max(matrix.shape) <= LARGEST_NAMED:
        size, turned = (7, 45) if small else (6, 90)
        axes.set_xticks(range(matrix.shape[1]), [named(y) for y in mechanism.outputs], fontsize=size, rotation=turned)
        axes.set_yticks(range(matrix.shape[0]), [named(x) for x in mechanism.categories], fontsize=size)
    if small:
        for (x, y), entry in np.ndenumerate(matrix):
            if entry > 0:
                text = "~0" if entry < 5e-4 else f"{entry:.3f}".removeprefix("0")
                ink = "white" if entry > 0.75 else INK
                axes.text(y, x, text, ha="center", va="center", fontsize=6.5, color=ink)
    return image


def _is_small(matrix: Floats) -> bool:  # its entries are written in
    return bool(max(matrix.shape) <= LARGEST_ANNOTATED)


def draw_heat(axes: Axes, matrix: Floats, largest: float) -> AxesImage:
    """Draw a matrix of probabilities: the larger, the bluer; as the paper is, where they are 0 or not known."""
    blues = LinearSegmentedColormap.from_list("blues", [f"{AFTER}00", AFTER])
    image = axes.imshow(matrix, vmin=0, vmax=largest, cmap=blues, aspect="auto")
    axes.set_xlabel("reported", fontsize=7)
    axes.set_ylabel("true", fontsize=7)
    axes.tick_params(labelsize=7)
    return image


def plot_heat(rows: Sequence[Sequence[Fraction] | None], outputs: int, largest: Fraction) -> Figure:
    """Return one matrix, of which some rows may not be known, as a heat map without numbers."""
    figure = Figure(figsize=(4.4, 4.4 * min(1.5, max(0.3, len(rows) / outputs))), layout="constrained")
    unknown = [math.nan] * outputs
    axes = figure.add_subplot()
    draw_heat(axes, np.array([unknown if row is None else row for row in rows], float), float(largest))
    axes.set(xlabel="reported as", ylabel="true value")
    return figure


def plot_released(mechanism: Mechanism) -> Figure:
    """Return, for each profile, its distribution (before) beside what it releases (after), all on one scale.

    At most thirty profiles are drawn, and the title says so.

    Parameters
    ----------
    mechanism
        of k profiles; its d categories and m outputs are compared where they are the same.

    Raises
    ------
    InputError
        if there are too many outputs to be drawn.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_released(md.design("categorical-chain", epsilon=0.5).mechanism)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['P1', 'P2', 'P3']
    """
    return _drawn(mechanism, released_size, draw_released)


def released_size(mechanism: Mechanism) -> tuple[float, float]:
    """Return the width and height, in inches, that `draw_released` needs."""
    count = min(len(mechanism.profiles), MOST_RELEASED)
    return min(count, 3) * 3.1, math.ceil(count / 3) * 1.9 + 0.5


def draw_released(figure: Figure | SubFigure, mechanism: Mechanism) -> None:
    """Draw what is released before and after into a figure or a part of one: lines of profiles in one pair of axes."""
    profiles, outputs = mechanism.profiles[:MOST_RELEASED], len(mechanism.outputs)
    check_bars(len(profiles), outputs)
    axes, columns = figure.add_subplot(), min(len(profiles), 3)
    masses = [_masses(mechanism, profile) for profile in profiles]
    top = max(max(bars) for pair in masses for bars in pair.values())
    for first in range(0, len(profiles), columns):
        base = -1.3 * top * (first // columns)
        _line(axes, masses[first : first + columns], base, outputs)
        for column, profile in enumerate(profiles[first : first + columns]):
            middle = column * (outputs + 1) + (outputs - 1) / 2
            axes.text(middle, base + 1.03 * top, named(profile), ha="center", va="bottom", fontsize=9, color=INK)
    _scales(axes, mechanism, [-1.3 * top * line for line in range(math.ceil(len(profiles) / columns))], top, columns)
    legend_below(figure, 2)
    if len(mechanism.profiles) > MOST_RELEASED:
        figure.suptitle(f"the first {MOST_RELEASED} of {counted(len(mechanism.profiles), 'profile')}", fontsize=9)


def _masses(mechanism: Mechanism, profile: Label) -> dict[str, list[float]]:
    """Return a profile's distribution, where outputs are categories, and what it releases."""
    alike = mechanism.outputs == mechanism.categories
    exactly = {"before": mechanism.graph.nodes[profile]["distribution"]} if alike else {}
    exactly["after"] = mechanism.released(profile)
    return {name: [float(mass) for mass in masses] for name, masses in exactly.items()}


def _line(axes: Axes, masses: Sequence[Mapping[str, Sequence[float]]], base: float, outputs: int) -> None:
    """Draw the bars of profiles side by side, those of a name as one outline: far smaller than a shape for each."""
    places = np.concatenate([column * (outputs + 1) + np.arange(outputs) for column in range(len(masses))])
    shift = -0.4 if len(masses[0]) == 2 else -0.2
    for name, colour in (("before", BEFORE), ("after", AFTER)):
        if name in masses[0]:
            heights = base + np.concatenate([one[name] for one in masses])
            ends = np.stack([places + shift, places + shift + 0.4], axis=1).ravel()
            between = np.insert(heights, np.arange(1, len(heights)), base)
            label = "" if base else name
            axes.stairs(between, ends, baseline=base, fill=True, color=colour, label=label)
            shift += 0.4


def _scales(axes: Axes, mechanism: Mechanism, bases: Sequence[float], top: float, columns: int) -> None:
    """Draw the same scale for each line, and the outputs' names below the last."""
    outputs = len(mechanism.outputs)
    height = float(f"{top:.0e}") if float(f"{top:.0e}") <= top else top / 2
    axes.set_yticks([base + part for base in bases for part in (0.0, height)], ["0", f"{height:.2g}"] * len(bases))
    axes.set(xlim=(-0.6, columns * (outputs + 1) - 1.4), ylim=(min(bases), 1.15 * top))
    axes.hlines(bases, -0.6, columns * (outputs + 1) - 1.4, color=INK, linewidth=0.6)
    axes.tick_params(labelsize=7)
    axes.set_xticks([])
    if outputs <= LARGEST_ANNOTATED:
        places = [column * (outputs + 1) + place for column in range(columns) for place in range(outputs)]
        axes.set_xticks(places, [named(output) for output in mechanism.outputs] * columns, rotation=45)
    without_frame(axes)


def check_design(graph: nx.Graph, objective: Goal) -> None:
    """Raise an InputError, before any work is done, if a design for a graph would have too many bars to be drawn."""
    outputs = objective.output_labels(graph.graph["categories"])
    check_bars(min(len(graph), MOST_RELEASED), len(outputs))


def plot_design(result: Design) -> Figure:
    """Return a picture of a design; its title says what it costs, and its bound.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_design(md.design(md.read_graph("categorical-chain"), epsilon=0.5))
    >>> figure.get_suptitle()
    'Largest off-diagonal entry 0.056684742, none below 0.056684741'
    """
    mechanism = result.mechanism
    sizes = released_size(mechanism), matrices_size(mechanism)
    heights = [height for _, height in sizes]
    figure = Figure(figsize=(max(width for width, _ in sizes), sum(heights) + 0.4), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=heights, squeeze=False).flat
    draw_released(above, mechanism)
    draw_matrices(below, mechanism)
    words = result.objective.words
    least, found = decimal_below(result.bound), decimal_above(result.value)
    none = "none" if result.rivals == "private mechanism" else f"no {result.rivals}"
    figure.suptitle(f"{words[0].upper()}{words[1:]} {found}, {none} below {least}", fontsize=10, color=INK)
    return figure
