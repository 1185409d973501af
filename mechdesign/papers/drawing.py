"""How the figures look. matplotlib loads only when something is drawn, and nothing global is touched."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#1f5fa8", "#d9822b", "#3b8f5a", "#8e4a9e")
BASELINE = "#222222"


def panels(titles: Sequence[str], *, across: str, up: str, width: float = 4.2) -> tuple["Figure", list["Axes"]]:
    """Return a figure with one panel per title, side by side on the same vertical scale.

    Parameters
    ----------
    titles
        one per panel.
    across, up
        what the axes show.
    width
        of a panel, in inches.

    Examples
    --------
    >>> figure, axes = panels(["left", "right"], across="epsilon", up="cost")
    >>> [one.get_title() for one in axes]
    ['left', 'right']
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * len(titles) + 0.4, 3.3), layout="constrained", dpi=150)
    axes = list(figure.subplots(1, len(titles), sharey=True, squeeze=False)[0])
    for one, title in zip(axes, titles, strict=True):
        one.set_title(title, fontsize=10)
        one.set_xlabel(across)
        one.spines[["top", "right"]].set_visible(False)
        one.grid(color="#e6e9ec", linewidth=0.6)
        one.set_axisbelow(True)
    axes[0].set_ylabel(up)
    return figure, axes
