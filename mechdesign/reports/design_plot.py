"""A whole design in one picture: what each profile releases, before and after, and below it the matrices."""

import networkx as nx

from mechdesign.designer.result import Design
from mechdesign.exact.bounds import decimal_above, decimal_below
from mechdesign.objective import Goal
from mechdesign.reports.drawable import check_bars
from mechdesign.reports.figure import INK, Figure
from mechdesign.reports.plots import MOST_RELEASED, draw_matrices, draw_released, matrices_size, released_size


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
