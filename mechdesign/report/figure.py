"""The figure that every picture is: matplotlib's own, which notebooks show without being told to by `%matplotlib`."""

from io import BytesIO

from matplotlib import figure
from matplotlib.text import Text


class Figure(figure.Figure):
    """A figure of matplotlib, as all its functions take it."""

    def _repr_png_(self) -> bytes:
        content = BytesIO()
        without_formulas(self)
        self.savefig(content, format="png", bbox_inches="tight", dpi=100)
        return content.getvalue()


def without_formulas(drawn: figure.Figure) -> None:
    """Let no text of a figure be a formula: dollars are of somebody's label; those of axes come when it is drawn."""
    for text in drawn.findobj(Text):
        if "$" in text.get_text():
            text.set_parse_math(False)
