"""Figures as files and as parts of a page: names are text, and the same figure is the same every time."""

import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mechdesign.reports.figure import AFTER, Figure, chart, named, save_figure
from mechdesign.reports.plots import plot_heat

NAMES = ["#1f5fa8", "url(#p1)", "<g id='x'>&amp;", "a\x1b[0m\x00b", "\ud83d", "$x^", "font-family: x;"]


def titled(name: str) -> Figure:
    figure, axes = chart()
    axes.plot([0, 1], [0, 1], color=AFTER)
    axes.set_title(named(name))
    return figure


def test_names_are_text(tmp_path: Path) -> None:
    """Neither colours nor references in a name are those of the figure; what XML cannot have is replaced."""
    figure = titled("a title")
    for name in NAMES:
        figure.axes[0].text(0, 0, named(name))
    save_figure(figure, tmp_path / "a.svg")
    page = ElementTree.fromstring(figure.svg("f1-", "".join(NAMES)))
    words = [text.text for text in page.iter("text")]
    assert {re.sub("[\ud83d\x1b\x00]", "\ufffd", name) for name in NAMES} <= set(words)
    drawn = [text.text for text in ElementTree.parse(tmp_path / "a.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert drawn == words


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_the_same_figure_is_the_same_file(ending: str, tmp_path: Path) -> None:
    for name in "ab":
        save_figure(titled("a title"), tmp_path / f"{name}{ending}")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_a_part_of_a_page_has_no_style_of_its_own() -> None:
    """A rule for all elements would change the page; letters are the page's, and the line has its colour."""
    text = titled("a title").svg("f1-", "words")
    for word in ("<style", "<metadata", "xmlns", "font-family", AFTER):
        assert word not in text
    assert "stroke: var(--after)" in text
    assert text == titled("a title").svg("f1-", "words")


def test_a_heat_map_is_a_small_picture_in_the_page() -> None:
    """Not a shape for each entry; rows that are not known are as the paper is."""
    rows = [None if x == 3 else [Fraction(1, 80)] * 80 for x in range(80)]
    text = plot_heat(rows, 80, Fraction(1, 80)).svg("f1-", "words")
    assert text.count("<image") == text.count('href="data:image/png;base64,') == 1
    assert len(text) < 12_000


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_letters_that_no_font_has_are_no_warning(ending: str, tmp_path: Path) -> None:
    save_figure(titled("🙂 漢字\t"), tmp_path / f"a{ending}")
    assert (tmp_path / f"a{ending}").stat().st_size
    assert (ending != ".svg") or "🙂 漢字" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_letters_are_of_a_font_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """As DejaVu Sans has no arc, and its sister of one width has; fonts that are not there do no harm."""
    drawn = {}
    for fonts in ((), ("No such font", "DejaVu Sans Mono")):
        monkeypatch.setattr("mechdesign.reports.figure.OTHER_FONTS", fonts)
        drawn[fonts] = [titled(name)._repr_png_() for name in ("\u2312", "a title")]
    (box, title), (arc, same) = drawn.values()
    assert box != arc
    assert title == same
