"""A published result, computed again: what was computed beside what is printed or claimed and what is right.

What a paper prints or claims, and what is right, stands in its table, such as `gc.json`, and in words in `gc.md`; a
module computes the rows. A value is expected as text, and then compared at the digits the text shows, or as a number,
and then compared to 1e-9.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from mechdesign.show.answer import Answer, for_people, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near, Number

Value: TypeAlias = Fraction | float | bool
"""What is computed: a number, or whether a claim holds."""

HERE = Path(__file__).parent
NUMBER_TOLERANCE = 1e-9
TEXT_SLACK = Fraction(1, 10**12)
"""A float that stands exactly between two roundings may fall to either side."""


@dataclass(frozen=True)
class Claim:
    """One number or claim of a paper.

    Attributes
    ----------
    what
        what it is.
    computed
        the value found here.
    published
        the digits the paper prints; None where it prints none.
    reference
        the right value, found here, where the paper says none or a wrong one; None where what it says is right.
    note
        more in words.
    claimed
        what the paper says without digits: whether a claim in words holds, or the value, found here, of a formula
        in it; None where it says nothing.
    """

    what: str
    computed: Value
    published: str | None = None
    reference: str | Value | None = None
    note: str = ""
    claimed: str | Value | None = field(default=None, kw_only=True)

    @property
    def stated(self) -> str | Value | None:
        """What the paper says: the digits it prints, or else what it claims."""
        return self.claimed if self.published is None else self.published

    @property
    def expected(self) -> str | Value | None:
        """The right value; None where nothing is known."""
        return self.stated if self.reference is None else self.reference

    @property
    def agrees(self) -> bool | None:
        """Whether the computed value is the right one; None where nothing is known."""
        return None if self.expected is None else agree(self.computed, self.expected)

    @property
    def as_stated(self) -> bool | None:
        """Whether the computed value is what the paper says; None where it says nothing."""
        return None if self.stated is None else agree(self.computed, self.stated)

    @property
    def verdict(self) -> str:
        """How the computed value compares with the right one, and the paper with both, in words.

        Examples
        --------
        >>> Claim("k-ary response is worse", False, claimed=True, reference=False).verdict
        'right, unlike the paper'
        """
        if not self.agrees:
            return "" if self.agrees is None else "DIFFERS from what is right"
        return {True: "as in the paper", False: "right, unlike the paper", None: "right"}[self.as_stated]


@dataclass(frozen=True)
class Result(Answering):
    """A table, figure or example of a paper.

    Attributes
    ----------
    name
        as in `RESULTS`.
    title
        what it shows.
    paper
        where it is printed.
    rows
        computed beside printed or claimed.
    words
        what the paper claims, and where it is wrong.
    """

    name: str
    title: str
    paper: str
    rows: tuple[Claim, ...]
    words: str

    def answer(self) -> Answer:
        """Return what is told of it."""
        values = [(row.computed, row.published, row.claimed, row.reference) for row in self.rows]
        rows = [
            [row.what, *map(_cell, found), row.verdict, row.note] for row, found in zip(self.rows, values, strict=True)
        ]
        headings = ["", "computed", "printed", "claimed", "right value", "", ""]
        title = f"{self.name}: {self.title} ({self.paper})"
        told = {"name": self.name, "title": self.title, "paper": self.paper, "words": self.words}
        listed = [asdict(row) | {"agrees": row.agrees} for row in self.rows]
        return Answer(
            facts=for_programs(told | {"rows": [{key: _number(cell) for key, cell in row.items()} for row in listed]}),
            tables=[replace(for_people(title, headings, rows, self.words), whole=True)],
        )


def _cell(value: str | Value | None) -> Number:
    if value is None or isinstance(value, bool):
        return Exact(value)
    return Exact(Fraction(value), value) if isinstance(value, str) else Near(value, digits=9)


def _number(value: object) -> object:
    return float(value) if isinstance(value, Fraction) else value


def reproduced(name: str, rows: Callable[[], Iterable[Claim]]) -> Result:
    """Return a result: what is computed, joined with its paper's table and words."""
    paper, sections = written(name.partition("-")[0])
    title, words = sections[name]
    return Result(name, title, paper, tuple(_joined(name, rows())), words)


@cache
def written(paper: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return a paper's heading, and title and words of each of its results; what stands between is for readers alone.

    Examples
    --------
    >>> written("gc")[1]["gc-composition"][0]
    'Two releases'
    """
    heading, *sections = re.split(r"^##? ", (HERE / f"{paper}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = {}
    for section in sections:
        line, _, words = section.partition("\n")
        name, _, title = line.partition(": ")
        found[name] = title, " ".join(words.split())
    return heading.partition("\n")[0], found


@cache
def table(paper: str) -> dict[str, list[dict[str, Any]]]:
    """Return what is printed, claimed and right, by result: rows with the keys of a `Claim`, as they are computed."""
    tables: dict[str, list[dict[str, Any]]] = json.loads((HERE / f"{paper}.json").read_text(encoding="utf-8"))
    return tables


def _joined(name: str, rows: Iterable[Claim]) -> Iterator[Claim]:
    """Yield the rows; what is expected of one that does not say it is in the next line of the table."""
    lines = iter(table(name.partition("-")[0])[name])
    for row in rows:
        if row.expected is None:
            line = next(lines)
            if line["what"] != row.what:
                raise LookupError(f"{name}: the table goes on with {line['what']!r}, not with {row.what!r}")
            row = replace(row, **line)
        yield row
    if left := next(lines, None):
        raise LookupError(f"{name}: {left['what']!r} is in the table, and not computed")


def agree(computed: Value, expected: str | Value) -> bool:
    """Return whether a computed value is as expected: text at its digits, numbers to 1e-9, claims exactly.

    Examples
    --------
    >>> agree(2 / 3, "0.667"), agree(2 / 3, "0.6667"), agree(2 / 3, "0.66")
    (True, True, False)
    """
    if isinstance(computed, bool) or isinstance(expected, bool):
        return computed is expected
    if isinstance(expected, str):
        return abs(Fraction(computed) - Fraction(expected)) <= _half_unit(expected) + TEXT_SLACK
    return math.isclose(computed, expected, rel_tol=NUMBER_TOLERANCE, abs_tol=NUMBER_TOLERANCE)


def _half_unit(digits: str) -> Fraction:
    """Return half a unit in the last place that a decimal shows."""
    _, _, decimals = digits.partition(".")
    return Fraction(1, 2 * 10 ** len(decimals))
