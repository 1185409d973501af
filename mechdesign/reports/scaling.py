"""How methods scale: seconds and memory over the number of transition probabilities, on log-log scales."""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import LogFormatter

from mechdesign.bench.outcome import Measurement
from mechdesign.reports.figure import INK, Figure, legend_below, without_frame


def plot_scaling(rows: Sequence[Measurement]) -> Figure:
    """Return a figure of one line per family: seconds on the left, peak memory on the right, a curve per method."""
    families = list(dict.fromkeys(row.run.family for row in rows))
    methods = list(dict.fromkeys(row.run.method for row in rows if row.done))
    figure = Figure(figsize=(9, 3.0 * len(families) + 0.6), layout="constrained")
    grid = figure.subplots(len(families), 2, squeeze=False)
    for family, (left, right) in zip(families, grid, strict=True):
        own = [row for row in rows if row.run.family == family]
        _curves(left, own, methods, lambda row: row.seconds)
        _curves(right, own, methods, lambda row: row.memory)
        left.set(ylabel="seconds")
        right.set(ylabel="peak memory, MiB")
        right.yaxis.set_major_formatter(LogFormatter())  # 100, where powers of ten have too few ticks
        right.yaxis.set_minor_formatter(LogFormatter())
        left.set_title(family, fontsize=10, color=INK, loc="left")
    for axes in grid[-1]:
        axes.set_xlabel("transition probabilities")
    legend_below(figure, 5)
    return figure


def _curves(
    axes: Axes, rows: Sequence[Measurement], methods: Sequence[str], measure: Callable[[Measurement], float | None]
) -> None:
    """Draw each method's points, in a colour that is its own in every picture of the figure."""
    axes.set(xscale="log", yscale="log")
    axes.tick_params(which="both", labelsize=7)
    without_frame(axes)
    for number, method in enumerate(methods):
        of_method = [(row.unknowns, measure(row)) for row in rows if row.done and row.run.method == method]
        points = sorted((x, y) for x, y in of_method if x and y)
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, color=f"C{number}", label=method)
