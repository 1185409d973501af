"""`estimate`: from released data back to the shares of the true categories, with intervals."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Unpack

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import Given, known_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.channels import Channel, channel_of, mixed_channel
from mechdesign.release.counts import Counts, tally
from mechdesign.release.estimates import Estimate, Estimates
from mechdesign.release.intervals import LEVEL, LEVELS, alpha_of
from mechdesign.release.label_columns import Rule
from mechdesign.release.samples import Sample
from mechdesign.release.shares import Shares
from mechdesign.words import counted


def estimate(
    mechanism: Given,
    released: Any,
    *,
    value: str | None = None,
    profile: Any = None,
    these_rows: bool = False,
    level: Number = LEVEL,
    simultaneous: bool = False,
    layout: Layout = RECOGNISED,
    **reading: Unpack[Rule],
) -> Estimates:
    """Return the shares of the true categories among those who released data, by profile, with intervals.

    Parameters
    ----------
    mechanism
        that the data were released with.
    released
        the path of a file or folder (CSV, Parquet, Arrow); a table: whatever has `__arrow_c_stream__`, or maps columns
        to cells; or the labels themselves.
    value, profile
        the columns with the released labels and the profiles; with labels, `profile` is as many labels of profiles.
        Where all profiles have the same matrix it may be any group of people. Without it there is one estimate, of all
        rows; where profiles have different rows, it is mostly bounds, as nobody knows how they were mixed.
    these_rows
        whether the intervals are for the shares among the rows at hand, so that only the mechanism's noise counts; by
        default for the population that the rows are independent draws from.
    level
        the probability with which an interval holds its share; 95 % by default.
    simultaneous
        whether it is the probability with which all of them do at once; by Bonferroni's inequality.
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
    known, sure = known_mechanism(mechanism), number("level", level, LEVELS, above=0, below=1)
    counts, left_out = tally(known, released, value, profile, layout, **reading)
    mixed = profile is None
    channel = _remembered(known, mixed)
    for name, outputs in counts.items():
        _check_possible(known, name, outputs, channel(name))
    told = [len(known.categories)] * len(counts)
    alpha = alpha_of(sure) / (_intervals(told) if simultaneous else 1)
    groups = {
        name: Shares(channel(name), Sample(outputs.astype(np.float64)), alpha, these_rows)
        for name, outputs in counts.items()
    }
    results = {name: dict(zip(known.categories, one.all(), strict=True)) for name, one in groups.items()}
    remarks = [f"Left out for a missing value: {counted(left_out, 'row')}."] if left_out else []
    for name, one in groups.items():
        remarks += _remarks(name, results[name], one, mixed and not known.one_matrix)
    rows = {name: int(outputs.sum()) for name, outputs in counts.items()}
    gap = max(one.best.gap for one in groups.values())
    return Estimates(results, rows, these_rows, tuple(remarks), gap, sure, simultaneous)


def _intervals(categories: Iterable[int]) -> int:
    """Return how many intervals there are that may miss by themselves: of two shares one tells the other."""
    return sum(1 if number == 2 else number for number in categories)


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


def _remarks(name: Label, found: Mapping[Label, Estimate], shares: Shares, mixed: bool) -> list[str]:
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
