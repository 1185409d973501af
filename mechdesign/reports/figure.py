"""The figure that every picture is, and what becomes of one: a file, a part of a page, a picture in a notebook."""

import math
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from xml.etree import ElementTree

import matplotlib as mpl
from matplotlib import figure
from matplotlib.axes import Axes
from matplotlib.font_manager import fontManager
from matplotlib.text import Text

from mechdesign.errors import InputError
from mechdesign.exact.text import cut, shown
from mechdesign.files.writing import write_together

Key = TypeVar("Key")
AnyFigure: TypeAlias = figure.Figure | figure.SubFigure

FORMATS = (".png", ".svg", ".pdf")
BEFORE, AFTER, INK, CLAIM = "#b8c4d0", "#1f5fa8", "#333333", "#b34700"
ON_PAGES = {
    BEFORE: "var(--before)",
    AFTER: "var(--after)",
    CLAIM: "var(--claim)",
    INK: "var(--ink)",
    "#000000": "var(--ink)",
    "#ffffff": "var(--paper)",
}
"""What a page calls these colours, which has others on dark paper; those of categories are the same on both."""
COLOUR = re.compile(r"#[0-9a-f]{6}")
FAMILY = re.compile(r" ?font-family: [^;]*;?")
DECIMAL = re.compile(r"-?\d+\.\d+(e-?\d+)?")
LONGEST = 24
"""Characters of a name; a longer one is cut short."""
UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot have."""


def named(label: object) -> str:
    """Return a name as a figure has it.

    Examples
    --------
    >>> named("commutes"), named("x" * 50)
    ('commutes', 'xxxxxxxxxxxxxxxxxxxxxxx…')
    """
    return cut(UNWRITABLE.sub("\ufffd", str(label)), LONGEST)


OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "Hiragino Sans", "Arial Unicode MS"),
    *("WenQuanYi Zen Hei", "Malgun Gothic", "Noto Emoji", "Segoe UI Emoji", "Symbola"),
)
"""Fonts that have letters which matplotlib's own has not, where they are installed."""


class Figure(figure.Figure):
    """A figure of matplotlib, as all its functions take it; notebooks show it without being told to."""

    def _repr_png_(self) -> bytes:
        return _content(self, "png", dpi=100)

    def svg(self, name: str, words: str) -> str:
        """Return the figure as a part of a page: its colours are the page's, its ids begin with a name.

        Examples
        --------
        >>> drawn = Figure(figsize=(3, 2))
        >>> _ = drawn.text(0.5, 0.5, "A < B", color=INK)
        >>> text = drawn.svg("f1-", "Letters")
        >>> "A &lt; B</text>" in text, 'aria-label="Letters"' in text, "var(--ink)" in text
        (True, True, True)
        """
        root = ElementTree.fromstring(_content(self, "svg", transparent=True))
        (page,) = _on_page(root, name)
        least = 2 / 3 * float(root.attrib["width"].removesuffix("pt"))
        style = f"min-width: {least:.0f}pt; stroke-linejoin: round; stroke-linecap: butt"
        page.attrib |= {"role": "img", "aria-label": UNWRITABLE.sub("\ufffd", words), "style": style}
        return ElementTree.tostring(page, encoding="unicode")


def chart(width: float = 5.4, height: float = 3.4) -> tuple[Figure, Axes]:
    """Return a figure of so many inches with one pair of axes, at the left and below."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    without_frame(axes)
    return figure, axes


def without_frame(axes: Axes) -> None:
    """Leave out the lines above and at the right."""
    axes.spines[["top", "right"]].set_visible(False)


def panels(drawn: AnyFigure, count: int, columns: int, **how: Any) -> list[Axes]:
    """Return so many pairs of axes in lines of so many; the last line may not be full."""
    grid = list(drawn.subplots(math.ceil(count / columns), columns, squeeze=False, **how).flat)
    for axes in grid[count:]:
        axes.set_axis_off()
    return grid[:count]


def legend_below(drawn: AnyFigure, columns: int) -> None:
    """Draw one legend of all axes, each label once."""
    keys = {label: key for axes in drawn.axes for key, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    look: dict[str, Any] = {"loc": "outside lower center", "fontsize": 8, "frameon": False}
    drawn.legend(list(keys.values()), list(keys), ncols=columns, **look)


def in_lines(keys: Sequence[Key], columns: int) -> list[Key]:
    """Return keys so that a legend of so many columns, which fills these one by one, has them in order line by line.

    Examples
    --------
    >>> in_lines([1, 2, 3, 4, 5, 6, 7], 3)
    [1, 4, 7, 2, 5, 3, 6]
    """
    return [key for column in range(columns) for key in keys[column::columns]]


def _on_page(part: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return what a page has of an element of an SVG file: of a group that says nothing, what is in it."""
    tag = part.tag.rpartition("}")[2]
    inside = [one for child in part for one in _on_page(child, name)]
    if tag in ("metadata", "style"):
        return []
    if tag == "g" and not part.attrib.keys() - {"id"}:
        return inside
    found = ElementTree.Element(tag, dict(_attribute(*one, name) for one in part.attrib.items()))
    found.text = part.text if tag == "text" else None
    found.extend(inside)
    return [found]


def _attribute(key: str, value: str, name: str) -> tuple[str, str]:
    """Return an attribute on a page: with its colours and letters, with few digits, and ids that begin with a name."""
    key = key.rpartition("}")[2]
    if key == "id":
        value = name + value
    elif key == "clip-path" or (key == "href" and value.startswith("#")):
        value = value.replace("#", f"#{name}")
    elif key == "style":
        value = COLOUR.sub(lambda found: ON_PAGES.get(found[0], found[0]), FAMILY.sub("", value))
    elif key in ("d", "x", "y") or value.startswith("rotate"):
        value = DECIMAL.sub(lambda found: f"{round(float(found[0]), 2):g}", " ".join(value.split()))
    return key, value


def save_figure(figure: figure.Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as PNG, SVG or PDF, by the file's ending; the file appears whole or not at all.

    The same figure is the same file every time; letters in an SVG are text.

    Parameters
    ----------
    figure
        what a function of ours drew, or matplotlib.
    path
        that ends in .png, .svg or .pdf.

    Raises
    ------
    InputError
        if the ending is none of these, or the file cannot be written.

    Examples
    --------
    >>> import mechdesign as md
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_figure(md.plot_graph(md.read_graph("categorical-chain")), f"{folder}/graph.svg")
    """
    content = _content(figure, check_ending(path).removeprefix("."), dpi=150)
    write_together((path, lambda beside: beside.write_bytes(content)))


def check_ending(path: str | os.PathLike[str]) -> str:
    """Return a picture's ending, in small letters.

    Raises
    ------
    InputError
        if it is none that can be drawn.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(f"expected a file ending in {', '.join(FORMATS)}, found {shown(ending)}", source=str(path))
    return ending


@contextmanager
def _of_any_font(drawn: figure.Figure, kind: str) -> Iterator[None]:
    """Within this, letters that a text's own font has not are of others; that none has them is no warning.

    In an SVG file they are text, for which whoever shows it has fonts.
    """
    there = set() if kind == "svg" else {font.name for font in fontManager.ttflist}
    others = [name for name in OTHER_FONTS if name in there]
    own = {text: text.get_fontfamily() for text in drawn.findobj(Text)} if others else {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font|Matplotlib currently does not support")
        for text, family in own.items():
            text.set_fontfamily([*family, *others])
        try:
            yield
        finally:
            for text, family in own.items():
                text.set_fontfamily(family)


def _content(drawn: figure.Figure, kind: str, **options: Any) -> bytes:
    """Return a figure as a file of this kind; dollars in it are of somebody's label, and make no formula."""
    for text in drawn.findobj(Text):
        if "$" in text.get_text():
            text.set_parse_math(False)
    content: Any = StringIO() if kind == "svg" else BytesIO()
    undated = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    engine = drawn.get_layout_engine()
    letters_are_text = mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "mechdesign"})  # and ids not random
    with letters_are_text, _of_any_font(drawn, kind):
        if engine is not None:  # savefig would draw everything a second time to find its place
            engine.execute(drawn)
            drawn.set_layout_engine(None)
        cut = None if engine is not None else "tight"
        drawn.savefig(content, format=kind, metadata=undated, bbox_inches=cut, **options)
        drawn.set_layout_engine(engine)
    written: str | bytes = content.getvalue()
    return written if isinstance(written, bytes) else UNWRITABLE.sub("\ufffd", written).encode()
