"""Reports read as a browser reads them: is every tag closed, which tables are there, what would be loaded."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import run

from mechdesign.show.blocks import Picture

VOID = {"meta", "link", "input", "br", "img", "hr"}
LOADS = {"src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href"}
INSIDE = ("#", "data:image/png;base64,")


class Page(HTMLParser):
    """A page that was read whole.

    Attributes
    ----------
    tables
        caption -> rows of cells, the headings first.
    words
        all text that is shown, and what is in titles.
    text
        the same in lines, the cells of a row with bars between them.
    scripts
        the text of each script.
    loaded
        attributes that make a browser load something, and links that leave the page.
    tags
        how many of each there are.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._words, self._text, self.scripts, self.loaded, self.handlers = (list[str]() for _ in range(5))
        self.tags: dict[str, int] = {}
        self.names: list[str] = []
        self._open: list[str] = []
        self._caption, self._rows, self._cell = "", list[list[str]](), ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self._open, f"not closed: {self._open}"
        self.words = "".join(self._words)
        lines = (" ".join(line.split()).removesuffix(" |") for line in "".join(self._text).splitlines())
        self.text = "".join(f"{line}\n" for line in lines if line)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        found = {name: value or "" for name, value in attrs}
        self.loaded += [value for name, value in found.items() if name in LOADS]
        self.loaded += [value for name, value in found.items() if name == "href" and not value.startswith(INSIDE)]
        self.handlers += [name for name in found if name.startswith("on")]
        self.names += [value for name, value in found.items() if name in ("data-p", "aria-label")]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self._caption, self._rows = "", []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._cell = ""

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"{tag} closes nothing"
        if tag in ("td", "th"):
            self._rows[-1].append(self._cell)
            self._text.append(" | ")
        elif tag == "table":
            assert self._caption not in self.tables, f"two tables are called {self._caption!r}"
            self.tables[self._caption] = self._rows

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "script":
            self.scripts.append(data)
        elif inside == "style":
            assert "url(" not in data
            assert "@import" not in data
        else:
            self._words.append(data)
            self._text.append(data)
        if inside == "caption":
            self._caption += data
        elif inside in ("td", "th"):
            self._cell += data

    def column(self, caption: str, heading: str) -> list[str]:
        """Return the cells below a heading."""
        rows = self.tables[caption]
        return [row[rows[0].index(heading)] for row in rows[1:]]


def read(path: Path) -> Page:
    """Return a report, whole and well-formed, that loads nothing."""
    page = Page(path)
    assert (page.loaded, page.handlers, len(page.scripts)) == ([], [], 1)
    assert page.tags.get("h1") == page.tags.get("title", 0) - path.read_text(encoding="utf-8").count("<title>") + 1 == 1
    return page


@contextmanager
def without_pictures() -> Iterator[None]:
    """Leave out what is drawn, which takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Picture, "svg", lambda _, name: f'<svg id="{name}"></svg>')
        yield


def report(folder: Path, *names: str, options: Sequence[str] = (), pictures: bool = False) -> Page:
    """Return the report on files of a folder; without its pictures, if not asked for."""
    path = folder / "report.html"
    with nullcontext() if pictures else without_pictures():
        status, _, err = run("report", *(str(folder / name) for name in names), *options, "-o", str(path))
    assert status == 0, err
    return read(path)
