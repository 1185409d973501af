"""`Estimates`: what is known of shares, and of how they differ, and what is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mechdesign.exact.text import format_number
from mechdesign.graph.labels import Label
from mechdesign.notebook import frame
from mechdesign.release.intervals import LEVEL
from mechdesign.show.answer import Answer, Column, Rows, Table, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near
from mechdesign.words import counted

NUMBERS = {"estimate": "estimate", "unbiased": "unbiased", "se": "standard error", "low": "low", "high": "high"}
"""What an estimate has, and what that is called."""

KIND = "low and high are"

METHOD = (
    "unbiased by the left inverse of least variance, estimate by maximum likelihood, intervals of {level} % for {whom};"
    " what a category's released data cannot tell is bounded by linear programs"
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Estimate:
    """What is known of a category's share, or of the difference between two groups' shares.

    Attributes
    ----------
    estimate
        maximum likelihood; None where what is released does not determine the share.
    unbiased, se
        the unbiased estimate, which may be below 0 or above 1, and its standard error; None likewise.
    low, high
        the interval, which holds `estimate`.
    bounded
        whether the interval is from a linear program, as the unbiased estimate would tell nothing.
    """

    estimate: float | None
    unbiased: float | None
    se: float | None
    low: float
    high: float
    bounded: bool = False


@dataclass(frozen=True, repr=False)
class Estimates(Answering):
    """What is known of all shares.

    Attributes
    ----------
    profiles
        for each profile that occurs in the data, or for `all`, the estimate of each category.
    rows
        how many rows each has.
    these_rows
        whether the intervals are for the rows at hand; otherwise for the population they were drawn from.
    remarks
        in words, what could not be told.
    gap
        by how much the log-likelihood of an estimate may be below its maximum.
    level, simultaneous
        the probability with which an interval holds its share; or, simultaneously, all hold theirs.
    survey, subgroup
        in words, how standard errors follow from how rows were drawn, and of which rows the shares are.
    differences
        for each two groups that were to be compared: of each category the share in the first less that in the second.
    """

    profiles: Mapping[Label, Mapping[Label, Estimate]]
    rows: Mapping[Label, int]
    these_rows: bool
    remarks: tuple[str, ...]
    gap: float
    level: Fraction = LEVEL
    simultaneous: bool = False
    differences: Mapping[tuple[Label, Label], Mapping[Label, Estimate]] = field(default_factory=dict)
    survey: str = ""
    subgroup: str = ""

    def __repr__(self) -> str:
        rows = counted(sum(self.rows.values()), "row")
        categories = counted(len(next(iter(self.profiles.values()), ())), "category")
        return f"Estimates({counted(len(self.profiles), 'profile')}, {categories}, {rows})"

    def to_frame(self) -> "pd.DataFrame":
        """Return a table of pandas: a line for each profile and category, a column for each attribute of `Estimate`.

        Raises
        ------
        InputError
            if pandas is not installed.

        Examples
        --------
        >>> import mechdesign as md
        >>> found = md.estimate([["3/4", "1/4"], ["1/4", "3/4"]], [0] * 70 + [1] * 30)
        >>> found
        Estimates(1 profile, 2 categories, 100 rows)
        >>> print(found.to_frame()[["unbiased", "low", "high"]].round(3))
                          unbiased    low   high
        profile category
        all     0              0.9  0.708  1.000
                1              0.1  0.000  0.292
        """
        lines = [(i, x, one) for i, shares in self.profiles.items() for x, one in shares.items()]
        columns = {field.name: [getattr(one, field.name) for _, _, one in lines] for field in fields(Estimate)}
        return frame(columns, [[i for i, _, _ in lines], [x for _, x, _ in lines]], ["profile", "category"])

    def answer(self) -> Answer:
        """Return what is told of them."""
        rows = sum(self.rows.values())
        said = {
            "rows": rows,
            "these_rows": self.these_rows,
            "level": float(self.level),
            "simultaneous": self.simultaneous,
            "survey": self.survey,
            "subgroup": self.subgroup.removeprefix(" with "),
            "method": self.method,
            "remarks": list(self.remarks),
        }
        counts = Table("rows_by_profile", "", [Column("profile"), Column("rows")], list(self.rows.items()), by=1)
        shares = self._table("profiles", "Shares", ["profile"], {(one,): held for one, held in self.profiles.items()})
        differences = self._table("differences", "Differences", ["profile", "less"], self.differences)
        whose = f"{self._percent} % intervals for {self._whom}, {self._of_what()}"
        return Answer(
            f"{counted(rows, 'row')}{self.subgroup}. Low and high: {whose}.",
            facts=[*for_programs(said), *sentences(self.survey and f"{self.survey[0].upper()}{self.survey[1:]}.")],
            tables=[shares, *([differences] if self.differences else []), counts],
            warnings=self.remarks,
        )

    def _of_what(self) -> str:
        """Return in words what the intervals hold."""
        each = "share and difference" if self.differences else "share"
        return f"for every {each} at once" if self.simultaneous else f"for each {each}"

    def _table(self, key: str, title: str, groups: list[str], found: Mapping[Any, Mapping[Label, Estimate]]) -> Table:
        """Return a line for each estimate, by its groups and its category."""
        lines = [(*labels, x, one) for labels, shares in found.items() for x, one in shares.items()]
        headings = [Column(words, words) for words in (*groups, "category")]
        columns = [*headings, *(Column(key, words) for key, words in NUMBERS.items()), Column("bounded", KIND)]
        interval = "interval" if any(one.bounded for *_, one in lines) else "-"  # as the sentence above says of all

        def line(k: int) -> list[Any]:
            *labels, one = lines[k]
            kind = Exact(one.bounded, "bounds" if one.bounded else interval)
            return [*labels, *(Near(getattr(one, key), 4) for key in NUMBERS), kind]

        return Table(key, title, columns, Rows(len(lines), line), by=len(headings))

    @property
    def _whom(self) -> str:
        return "the rows at hand" if self.these_rows else "the population that the rows were drawn from"

    @property
    def _percent(self) -> str:
        return format_number(100 * self.level)

    @property
    def method(self) -> str:
        """How the estimates were made, in words."""
        whom = "the rows at hand" if self.these_rows else "the population"
        return METHOD.format(whom=whom, level=self._percent)
