"""How many rows it takes for estimates of a given margin, from the mechanism alone."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, number, parse_share
from mechdesign.exact.text import format_number
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import Given, known_mechanism
from mechdesign.release.channels import channel_of
from mechdesign.release.intervals import LEVEL, alpha_of, largest_spread, level_of, quantile_of
from mechdesign.show.answer import Answer, Column, Fact, Table, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact


@dataclass(frozen=True)
class Plan(Answering):
    """How many rows a margin takes.

    Attributes
    ----------
    margin
        half the width of an interval of `level` around the unbiased estimate of any category, whatever the true shares.
    profiles
        for each profile how many rows it takes; None where no number of rows is enough, as what is released does not
        determine all shares. One entry `all` if all profiles have the same matrix.
    undetermined
        for each profile the categories whose shares are not determined: not at all, or so little that 10^10 rows would
        leave a standard error of 1.
    level
        the probability with which an interval holds the share.
    by_value
        whether each profile is a single value and has a matrix of its own, so that rows must say their profiles.
    """

    margin: Fraction
    profiles: Mapping[Label, int | None]
    undetermined: Mapping[Label, tuple[Label, ...]]
    level: Fraction = LEVEL
    by_value: bool = False

    @property
    def rows(self) -> int | None:
        """How many rows are enough for every profile; None if no number is."""
        numbers = [rows for rows in self.profiles.values() if rows is not None]
        return max(numbers) if len(numbers) == len(self.profiles) else None

    def answer(self) -> Answer:
        """Return what is told of it."""
        least = f"at most {format_number(self.margin)} to either side"
        unknown = [
            f"{profile}: what is released does not determine the shares of {', '.join(map(str, categories))}; "
            "data give bounds only."
            for profile, categories in self.undetermined.items()
        ]
        named = {str(profile): [str(x) for x in categories] for profile, categories in self.undetermined.items()}
        columns = [Column(words, words) for words in ("profile", "rows")]
        needed = [
            [i, Exact(None, "no number is enough") if rows is None else rows] for i, rows in self.profiles.items()
        ]
        whose = "of each profile by itself: every row must say whose it is" if self.by_value else ""
        return Answer(
            f"For {format_number(100 * self.level)} % intervals of {least}, whatever the true shares.",
            facts=[
                Fact("rows", number=Exact(self.rows)),
                Fact("margin", number=Exact(self.margin), exact=True),
                *for_programs({"level": float(self.level)}),
                *for_programs({"undetermined": named}),
            ],
            tables=[Table("profiles", "Rows needed", columns, needed, by=1, note=whose)],
            warnings=unknown,
        )


def margin_of(margin: Number) -> Fraction:
    """Return how far an interval may reach to either side."""
    return number("margin", margin, "a number between 0 and 1, such as 0.01 or 1%", above=0, below=1, parse=parse_share)


@with_flags
def plan_rows(mechanism: Given, margin: Number, *, these_rows: bool = False, level: Number = LEVEL) -> Plan:
    """Return how many rows each profile needs for intervals of a level that reach at most `margin` to either side.

    At that many rows 1.96 standard deviations (for 95 %) of the unbiased estimate are at most the margin, for every
    category and whatever the true shares. An interval from data has standard errors instead, so that it may be wider.
    Rows are of equal weight: weighted data need the design effect times as many, 1 + the squared coefficient of
    variation of the weights (Kish).

    Parameters
    ----------
    mechanism
        that the data are to be released with, or its matrix.
    margin
        how far an interval may reach to either side, between 0 and 1, such as 0.02 or "2%".
    these_rows
        whether the shares among the rows at hand are wanted, not those of a population; then only noise counts.
    level
        the probability with which an interval holds the share.

    Raises
    ------
    InputError
        unless the margin is between 0 and 1, and so is the level.

    Examples
    --------
    >>> plan_rows([["3/4", "1/4"], ["1/4", "3/4"]], "0.01").rows       # (1.96 / 0.01)^2 * (1.5^2 - 5/4)
    38415
    """
    known_level = level_of(level)
    quantile = quantile_of(alpha_of(known_level))
    wanted = margin_of(margin)
    known = known_mechanism(mechanism)
    groups: dict[Label, Label] = {"all": known.profiles[0]} if known.one_matrix else {p: p for p in known.profiles}
    rows: dict[Label, int | None] = {}
    undetermined: dict[Label, tuple[Label, ...]] = {}
    for name, profile in groups.items():
        channel = channel_of(known, profile)
        missing = [x for x, determined in zip(known.categories, channel.determined, strict=True) if not determined]
        spread = float(largest_spread(channel, these_rows=these_rows).max())
        rows[name] = None if missing else max(1, math.ceil(Fraction(quantile**2 * spread) / wanted**2))
        if missing:
            undetermined[name] = tuple(missing)
    single = all(len(support(own["distribution"])) == 1 for own in known.graph.nodes.values())
    return Plan(wanted, rows, undetermined, known_level, by_value=single and not known.one_matrix)
