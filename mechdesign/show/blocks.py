"""What a report is made of: sections of blocks, each plain data; the templates in `parts` say how they look."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

from mechdesign.graph.labels import Label
from mechdesign.show.answer import Tone
from mechdesign.show.fact_numbers import Number
from mechdesign.show.language import is_number

Cell: TypeAlias = str | Number


@dataclass(frozen=True)
class Text:
    """A paragraph; `tone` is "good", "bad", "note" or nothing."""

    kind: ClassVar[str] = "text"
    words: str
    tone: Tone = ""


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    kind: ClassVar[str] = "points"
    items: Sequence[str]


@dataclass(frozen=True)
class Particulars:
    """What something is called, and what it is, in pairs."""

    kind: ClassVar[str] = "particulars"
    items: Sequence[tuple[str, Cell]]


@dataclass(frozen=True)
class Check:
    """A question that is answered in a word, with what there is to be said of it; `tone` as in a text."""

    question: str
    word: str
    tone: Tone
    detail: str


@dataclass(frozen=True)
class Checks:
    """A short list of yes and no."""

    kind: ClassVar[str] = "checks"
    items: Sequence[Check]


@dataclass(frozen=True)
class Commands:
    """Lines to copy into a shell."""

    kind: ClassVar[str] = "commands"
    lines: Sequence[str]


@dataclass(frozen=True)
class Table:
    """A table of typed cells; the first one of each row is its heading.

    Attributes
    ----------
    profiles
        so many cells at the start of each row are names of profiles, by which rows can be filtered.
    levels
        for a heat map, from 0 to 9 for each cell but the first; otherwise nothing.
    folded
        whether it is shown only when its caption is clicked.
    note
        said below it.
    """

    kind: ClassVar[str] = "table"
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    profiles: int = 0
    levels: Sequence[Sequence[int]] = ()
    folded: bool = False
    note: str = ""

    @property
    def wordy(self) -> list[int]:
        """The columns without a number, counted from 1; the first one has headings."""
        if self.levels:
            return []
        columns = enumerate(zip(*(row[1:] for row in self.rows), strict=True), start=2)
        return [place for place, cells in columns if not any(map(is_number, cells))]


class Drawn(Protocol):
    """A figure that can be a part of a page."""

    def svg(self, name: str, words: str) -> str:
        """Return it as SVG whose ids begin with a name, with words for those who do not see it."""


@dataclass(frozen=True)
class Picture:
    """A figure with its title, what it shows in words, what draws it, and the table of its numbers, if there is one."""

    kind: ClassVar[str] = "picture"
    title: str
    description: str
    draw: Callable[[], Drawn]
    table: Table | None = None

    def svg(self, name: str) -> str:
        """Return the figure as a part of a page, drawn now."""
        return self.draw().svg(name, f"{self.title}: {self.description}")


@dataclass(frozen=True)
class Group:
    """What is said of some profiles, by whose names it can be found."""

    profiles: Sequence[Label]
    blocks: "Sequence[Block]"

    @property
    def names(self) -> str:
        """The profiles' names, one a line."""
        return "\n".join(map(str, self.profiles))


@dataclass(frozen=True)
class Pages:
    """Groups, so many of them on each page that can be unfolded; of one page nothing is folded."""

    kind: ClassVar[str] = "pages"
    groups: Sequence[Group]
    each: int = 24

    @property
    def pages(self) -> list[Sequence[Group]]:
        """The groups of each page."""
        return [self.groups[first : first + self.each] for first in range(0, len(self.groups), self.each)]


Block: TypeAlias = Text | Points | Particulars | Checks | Commands | Table | Picture | Pages


@dataclass(frozen=True)
class Section:
    """A heading, and what stands below it."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Verdict:
    """What a page comes to, in a word and a sentence."""

    word: str
    words: str
    tone: Tone


@dataclass(frozen=True)
class Page:
    """A whole report.

    Attributes
    ----------
    verdict
        stands at the top; where there is one, what comes before the appendix is one sheet, which can be signed.
    appendix
        what is for reviewers.
    filtered
        whether it has profiles enough to be searched by name.
    """

    title: str
    about: str
    sections: Sequence[Section]
    verdict: Verdict | None = None
    appendix: Sequence[Section] = ()
    filtered: bool = False
