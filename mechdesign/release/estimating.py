"""`estimate`: from released data back to the shares of the true categories, with intervals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.given import Given, known_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.channels import Channel, channel_of
from mechdesign.release.counts import Part, tally
from mechdesign.release.estimates import Estimate, Estimates
from mechdesign.release.intervals import LEVEL, alpha_of, level_of
from mechdesign.release.label_columns import LISTED, Rule
from mechdesign.release.shares import Shares
from mechdesign.release.survey import Survey
from mechdesign.words import counted, first_of


def group_differences(one: Shares, other: Shares) -> Iterator[Estimate]:
    """Yield for each category what is known of one group's share less another's.

    Bounds reach from the ends of one group's share to those of the other's, each of which may miss half as often.
    """
    pairs = zip(one.estimates, other.estimates, _covariances(one, other).tolist(), strict=True)
    wide = [replace(group, alpha=group.alpha / 2) for group in (one, other)]
    for x, (first, second, covariance) in enumerate(pairs):
        known = _known(first, second, covariance)
        if first.bounded or second.bounded:
            (low, high), (least, most) = (group.ends(x) for group in wide)
            ends = low - most, high - least
        else:
            ends = _apart(first, second, covariance)
        likely = known[0]
        if likely is not None:
            ends = min(ends[0], likely), max(ends[1], likely)
        yield Estimate(*known, *ends, first.bounded or second.bounded)


def _covariances(one: Shares, other: Shares) -> Floats:
    """Return the covariances of the groups' unbiased estimates; the mechanism's noise has none."""
    if one.these_rows:
        return np.zeros(one.channel.categories)
    return one.sample.covariance(other.sample, one.channel.coefficients, other.channel.coefficients)


def _known(one: Estimate, two: Estimate, covariance: float) -> tuple[float | None, float | None, float | None]:
    """Return the likeliest and the unbiased difference with its standard error; None where a share has none."""
    if one.estimate is None or two.estimate is None:
        return None, None, None
    first, second = (np.array([each.estimate, each.unbiased]) for each in (one, two))
    likely, unbiased = (first - second).tolist()
    return likely, unbiased, max(0.0, _square(one) + _square(two) - 2 * covariance) ** 0.5


def _square(one: Estimate) -> float:
    return (one.se or 0.0) ** 2


def _apart(one: Estimate, two: Estimate, covariance: float) -> tuple[float, float]:
    """Return the ends of the interval of a difference, from those of the two shares and their covariance.

    References
    ----------
    Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
    1998, method 10. Zou and Donner, "Construction of confidence limits about effect measures", Statistics in Medicine
    27, 2008: with covariances.
    """
    errors = (_square(one) * _square(two)) ** 0.5
    correlation = min(1.0, max(-1.0, covariance / errors)) if errors else 0.0
    first, second = (min(max(each.unbiased or 0.0, each.low), each.high) for each in (one, two))

    def reach(up: float, down: float) -> float:
        return float(max(0.0, up**2 + down**2 - 2 * correlation * up * down) ** 0.5)

    difference = first - second
    low = difference - reach(first - one.low, two.high - second)
    return max(-1.0, low), min(1.0, difference + reach(one.high - first, second - two.low))


@with_flags
def estimate(
    mechanism: Given,
    released: Any,
    *,
    value: str | None = None,
    profile: Any = None,
    these_rows: bool = False,
    weight: Any = None,
    strata: Any = None,
    cluster: Any = None,
    subgroup: tuple[Any, Label] | None = None,
    differences: Sequence[tuple[Label, Label]] = (),
    level: Number = LEVEL,
    simultaneous: bool = False,
    layout: Layout = RECOGNISED,
    missing: str | None = None,
    missing_profile: str | None = None,
    missing_words: Iterable[str] | None = None,
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
        The value may be several columns between commas, as in `sanitise`. Where all profiles have the same matrix
        `profile` may be any group of people. Without it there is one estimate, of all rows; where profiles have
        different rows, it is mostly bounds, as nobody knows how they were mixed.
    these_rows
        whether the intervals are for the shares among the rows at hand, so that only the mechanism's noise counts; by
        default for the population that the rows are independent draws from.
    weight, strata, cluster
        the columns that say how the rows were drawn; with labels, as many cells each: what each row counts for, a
        number >= 0; its stratum; and the cluster that was drawn in it, of which no name is in two strata. Standard
        errors are linearised, of clusters (or rows) as drawn with replacement within strata.
    subgroup
        a column, or cells, and a label: the shares are of the rows that have it.
    differences
        pairs of groups, as they are in `profile`: how much larger the first one's shares are.
    level
        the probability with which an interval holds its share; 95 % by default.
    simultaneous
        whether it is the probability with which all of them do at once, those of shares and of differences together; by
        Bonferroni's inequality.
    layout
        how CSV files are written, where that cannot be recognised.
    missing, missing_profile, missing_words
        by which rule cells are read, as in `graph_from_table`. What is not given is as the graph was made that the
        mechanism is for.

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
    known, sure = known_mechanism(mechanism), level_of(level)
    survey = Survey(weight, strata, cluster).checked(these_rows)
    rule: Rule = {"missing": missing, "missing_profile": missing_profile, "missing_words": missing_words}
    read = tally(known, released, value, profile, layout, survey=survey, subgroup=subgroup, **rule)
    mixed, categories = profile is None, known.categories
    pairs = _pairs(differences, read.counts, mixed)
    channels = _channels(known, read.counts, mixed)
    for name, outputs in read.counts.items():
        _check_possible(known, name, outputs, channels[name])
    each = 1 if len(categories) == 2 else len(categories)  # of two shares one tells the other
    told = len(read.counts) + len({frozenset(pair) for pair in pairs})  # of a pair both ways are one interval
    alpha = alpha_of(sure) / (told * each if simultaneous else 1)
    groups = {name: Shares(channels[name], one, alpha, these_rows) for name, one in read.samples.items()}
    results = {name: dict(zip(categories, one.estimates, strict=True)) for name, one in groups.items()}
    remarks = [f"Left out for a missing value: {counted(read.left_out, 'row')}."] if read.left_out else []
    for name, one in groups.items():
        remarks += _remarks(name, results[name], one, mixed and not known.one_matrix)
    return Estimates(
        results,
        {name: int(outputs.sum()) for name, outputs in read.counts.items()},
        these_rows,
        tuple(remarks),
        max(one.best.gap for one in groups.values()),
        sure,
        simultaneous,
        {(a, b): dict(zip(categories, group_differences(groups[a], groups[b]), strict=True)) for a, b in pairs},
        survey.words(these_rows),
        Part.of(subgroup).words,
    )


def _pairs(differences: Any, groups: Mapping[Label, Any], mixed: bool) -> list[tuple[Label, Label]]:
    """Return the two groups of each difference, as they are called in the data."""
    if not differences:
        return []
    if mixed:
        raise InputError("differences: compares groups of people; say with profile= which column tells them apart")
    names, found = Labels(groups, "profiles"), []
    for pair in differences:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError("differences: expected pairs of groups, such as [('north', 'south')]")
        places = [names.place(str(one)) for one in pair]
        for one, place in zip(pair, places, strict=True):
            if place is None:
                raise InputError(
                    f"differences: no group is called {shown(one)}; there are {first_of(names.texts, LISTED)}"
                )
        if places[0] == places[1]:
            raise InputError(f"differences: expected two groups, found {shown(pair[0])} twice")
        found.append((names.names[places[0] or 0], names.names[places[1] or 0]))
    return found


def _channels(mechanism: Mechanism, groups: Iterable[Label], mixed: bool) -> dict[Label, Channel]:
    """Return each group's channel; those of the same rows have the same one."""
    made: dict[bytes, Channel] = {}
    found = {}
    for name in groups:
        key = b"" if mixed else mechanism.index[mechanism.serving(name)].tobytes()
        if key not in made:
            made[key] = channel_of(mechanism, None if mixed else name)
        found[name] = made[key]
    return found


def _check_possible(mechanism: Mechanism, name: Label, counts: Integers, channel: Channel) -> None:
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
            "name the column of profiles with profile="
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
