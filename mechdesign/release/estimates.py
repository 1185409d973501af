"""`estimate`: from released data back to the shares of the true categories, with 95 % intervals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.given import Given, known_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.notebook import frame
from mechdesign.release.channels import Channel, channel_of, mixed_channel
from mechdesign.release.counts import Counts, tally
from mechdesign.release.intervals import QUANTILE, intervals, largest_spread
from mechdesign.release.label_columns import Rule
from mechdesign.release.likelihood import likeliest
from mechdesign.release.undetermined import Box, bounds, chernoff, clopper_pearson
from mechdesign.show.answer import Answer, Column, Rows, Table, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near
from mechdesign.words import counted

NUMBERS = {"estimate": "estimate", "unbiased": "unbiased", "se": "standard error", "low": "low", "high": "high"}
"""What an estimate has, and what that is called."""

METHOD = (
    "unbiased by the left inverse of least variance, estimate by maximum likelihood, intervals of 95 % for {whom}; "
    "what a category's released data cannot tell is bounded by linear programs"
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Estimate:
    """What is known of a category's share.

    Attributes
    ----------
    estimate
        maximum likelihood; None where what is released does not determine the share.
    unbiased, se
        the unbiased estimate, which may be below 0 or above 1, and its standard error; None likewise.
    low, high
        the interval of 95 %, which holds `estimate`.
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
    """

    profiles: Mapping[Label, Mapping[Label, Estimate]]
    rows: Mapping[Label, int]
    these_rows: bool
    remarks: tuple[str, ...]
    gap: float

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
        whom = "the rows at hand" if self.these_rows else "the population that the rows were drawn from"
        said = f"{counted(sum(self.rows.values()), 'row')}. Low and high: 95 % intervals for {whom}, for each share."
        lines = [(i, x, one) for i, shares in self.profiles.items() for x, one in shares.items()]
        columns = [*(Column(key, words) for key, words in NUMBERS.items()), Column("bounded", "low and high are")]
        names = cache(self._names)

        def numbers(one: Estimate) -> list[Any]:
            kind = Exact(one.bounded, "bounds" if one.bounded else "interval")
            return [*(Near(getattr(one, key), 4) for key in NUMBERS), kind]

        headings = [Column("profile", "profile"), Column("category", "category"), *columns]
        shares = Rows(len(lines), lambda k: [*lines[k][:2], *numbers(lines[k][2])])
        named = Rows(len(lines), lambda k: [*names()[k], *numbers(lines[k][2])])
        told = {"these_rows": self.these_rows, "method": self.method, "remarks": list(self.remarks)}
        return Answer(
            said,
            facts=for_programs({"rows": sum(self.rows.values())} | told),
            tables=[
                Table("", "Shares", headings, shares),
                Table("profiles", "", headings, named, by=2),
                Table("rows_by_profile", "", [Column("profile"), Column("rows")], list(self.rows.items()), by=1),
            ],
            warnings=self.remarks,
        )

    def _names(self) -> list[tuple[str, str]]:
        """Return profile and category of each line as text; an InputError where one would take another's place."""
        profiles = zip(Labels(self.profiles, "profiles").texts, self.profiles.values(), strict=True)
        return [(profile, category) for profile, shares in profiles for category in Labels(shares, "categories").texts]

    @property
    def method(self) -> str:
        """How the estimates were made, in words."""
        return METHOD.format(whom="the rows at hand" if self.these_rows else "the population")


def estimate(
    mechanism: Given,
    released: Any,
    *,
    value: str | None = None,
    profile: Any = None,
    these_rows: bool = False,
    layout: Layout = RECOGNISED,
    **reading: Unpack[Rule],
) -> Estimates:
    """Return the shares of the true categories among those who released data, by profile, with intervals of 95 %.

    Parameters
    ----------
    mechanism
        that the data were released with.
    released
        the path of a file or folder (CSV, Parquet, Arrow); a table: whatever has `__arrow_c_stream__`, or maps columns
        to cells; or the labels themselves.
    value, profile
        the columns with the released labels and the profiles; with labels, `profile` is as many labels of profiles.
        The value may be several columns between commas, as in `sanitise`. Where all profiles have the same matrix
        `profile` may be any group of people. Without it there is one estimate, of all rows; where profiles have
        different rows, it is mostly bounds, as nobody knows how they were mixed.
    these_rows
        whether the intervals are for the shares among the rows at hand, so that only the mechanism's noise counts; by
        default for the population that the rows are independent draws from.
    layout
        how CSV files are written, where that cannot be recognised.
    reading
        by which rule cells are read: `missing`, `missing_profile` and `missing_words`, as in `graph_from_table`. What
        is not given is as the graph was made that the mechanism is for.

    Raises
    ------
    InputError
        if the data cannot be read, or hold labels that the mechanism does not know or never releases; or if they cannot
        tell anything.

    References
    ----------
    ElSalamouny and Palamidessi, arXiv:1909.02961: maximum likelihood by the iterative Bayesian update.

    Examples
    --------
    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> found = estimate(coin, [0] * 600 + [1] * 400).profiles["all"][0]
    >>> f"{found.estimate:.3f} {found.unbiased:.3f} {found.se:.3f} {found.low:.3f} {found.high:.3f}"
    '0.700 0.700 0.031 0.639 0.761'
    """
    known = known_mechanism(mechanism)
    counts, left_out = tally(known, released, value, profile, layout, **reading)
    mixed = profile is None
    results: dict[Label, dict[Label, Estimate]] = {}
    remarks = [f"Left out for a missing value: {counted(left_out, 'row')}."] if left_out else []
    gaps, made = [], _remembered(known, mixed)
    for name, outputs in counts.items():
        channel = made(name)
        _check_possible(known, name, outputs, channel)
        shares = _Shares(channel, outputs.astype(np.float64), these_rows)
        found, gap = shares.all()
        results[name] = dict(zip(known.categories, found, strict=True))
        remarks += _remarks(name, results[name], shares, mixed and not known.one_matrix)
        gaps.append(gap)
    rows = {name: int(outputs.sum()) for name, outputs in counts.items()}
    return Estimates(results, rows, these_rows, tuple(remarks), max(gaps))


def _remembered(mechanism: Mechanism, mixed: bool) -> Callable[[Label], Channel]:
    """Return what gives a profile's channel; profiles of the same rows have the same one."""
    made: dict[bytes, Channel] = {}

    def get(name: Label) -> Channel:
        key = b"" if mixed else mechanism.index[mechanism.serving(name)].tobytes()
        if key not in made:
            made[key] = mixed_channel(mechanism) if mixed else channel_of(mechanism, name)
        return made[key]

    return get


def _check_possible(mechanism: Mechanism, name: Label, counts: Counts, channel: Channel) -> None:
    """Raise an InputError if outputs occur that the mechanism never releases."""
    wrong = [
        f"{name}: {counted(int(rows), 'row')} with {shown(output)}, which this mechanism never releases there"
        for output, rows, possible in zip(mechanism.outputs, counts, channel.possible, strict=True)
        if rows and not possible
    ]
    if wrong:
        raise InputError(wrong)


class _Shares:
    """The estimates of one profile's shares, from how often each output was released."""

    def __init__(self, channel: Channel, counts: Floats, these_rows: bool) -> None:
        self.channel, self.counts = channel, counts
        self.box: Box = (chernoff if these_rows else clopper_pearson)(counts)
        self.found = intervals(channel, counts, these_rows=these_rows)
        largest = largest_spread(channel, these_rows=these_rows)
        useless = largest * QUANTILE**2 >= counts.sum()  # at some shares the interval would be all of [0, 1]
        self.bounded = ~channel.determined | useless
        self.fits = True

    def all(self) -> tuple[list[Estimate], float]:
        """Return the estimate of each category, and the gap of the likelihood."""
        centre, error, low, high = self.found.unbiased, self.found.se, self.found.low, self.found.high
        best = likeliest(self.channel, self.counts, centre if len(centre) == len(self.channel.matrix) else None)
        self.fits = self._is_in_box(best.unknowns @ self.channel.matrix) or bounds(self.channel, self.box, 0).fits
        likely = np.bincount(self.channel.category, weights=best.unknowns, minlength=self.channel.categories)
        found = []
        for x, determined in enumerate(self.channel.determined):
            ends = self._bounds(x) if self.bounded[x] else (float(low[x]), float(high[x]))
            if determined:
                held = min(ends[0], float(likely[x])), max(ends[1], float(likely[x]))
                own = float(likely[x]), float(centre[x]), float(error[x])
                found.append(Estimate(*own, *held, bool(self.bounded[x])))
            else:
                found.append(Estimate(None, None, None, *ends, True))
        return found, best.gap

    def _is_in_box(self, released: Floats) -> bool:
        low, high = self.box
        return bool((low <= released).all() and (released <= high).all())

    def _bounds(self, category: int) -> tuple[float, float]:
        found = bounds(self.channel, self.box, category)
        return found.low, found.high


def _remarks(name: Label, found: Mapping[Label, Estimate], shares: _Shares, mixed: bool) -> list[str]:
    """Return in words what could not be told.

    Raises
    ------
    InputError
        if that is everything, as profiles with different rows were mixed.
    """
    unknown = [category for category, one in found.items() if one.estimate is None]
    nothing = all(one.low <= 0 and one.high >= 1 for one in found.values())
    if mixed and nothing:
        raise InputError(
            "profiles have different rows and were mixed, nobody knows how: the data are consistent with any shares; "
            "name the column of profiles with --profile (profile=)"
        )
    remarks = []
    if mixed:
        remarks.append("Profiles have different rows and were mixed, nobody knows how; --profile tells them apart.")
    if unknown:
        listed = ", ".join(map(str, unknown))
        remarks.append(f"{name}: what is released does not determine the shares of {listed}; only bounds are known.")
    rough = [category for category, one in found.items() if one.bounded and one.estimate is not None]
    if rough:
        listed = ", ".join(map(str, rough))
        remarks.append(f"{name}: the rows are too few for the unbiased estimates of {listed}; low and high are bounds.")
    if not shares.fits:
        remarks.append(f"{name}: no shares fit the counts well; is this the mechanism that released them?")
    return remarks
