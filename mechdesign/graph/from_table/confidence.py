"""Bounds that hold the true profiles, all at once, with a confidence that is asked for; and what they guarantee."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import Epsilon, Number, number, parse_share
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.graph.from_table.count_ranges import exact_ranges, noised_ranges
from mechdesign.graph.from_table.histogram import Release, Tally, check_size_of
from mechdesign.graph.from_table.row_weights import Sample
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import own_epsilons
from mechdesign.words import counted, word_of


class Of(StrEnum):
    """Whose profiles are to be within the bounds."""

    POPULATION = "population"  # the law that the records are drawn from
    TABLE = "table"  # the shares among the records themselves


AROUND = {
    Of.POPULATION: (
        "Clopper-Pearson, two-sided, of all profiles and categories at once (Bonferroni), rounded outward; a profile is"
        " the law of the value given the profile, its records are independent draws, and their number is taken as given"
    ),
    Of.TABLE: (
        "the shares that go with these counts, rounded outward; a profile is the share of each value in its records"
    ),
}
"""How the bounds come from counts."""

NOISED = (
    "each count is within the noise's exact law around the noised one, all at once (Bonferroni, {} of the probability"
    " of a miss); from the outermost of these counts: "
)

OCCURRING = (
    "the categories are those that occur in the records: the true profiles may have others, of which nothing is said;"
    " give the categories"
)

PUBLIC_ONLY = ". The sample must be public or somebody else's: otherwise the estimate is a release itself"

Masses = dict[Label, list[Fraction]]
"""For each profile a number for each category."""


@dataclass(frozen=True)
class Confidence:
    """How sure the bounds of the profiles are: `level` is the probability that they hold all true ones."""

    level: Fraction
    of: Of
    release: Release
    sample: Sample = field(default_factory=Sample)

    def bounds(
        self,
        tally: Tally,
        categories: Sequence[Label],
        distributions: dict[Label, Sequence[Fraction]],
        sizes: Mapping[Label, int],
        worth: Mapping[Label, Fraction],
    ) -> tuple[Masses, Masses]:
        """Return (lower, upper) of each profile; they hold what smoothing makes of its distribution too.

        `sizes` are the exact numbers of records, which are looked at only if they are public; `worth` makes effective
        records of counts.

        Raises
        ------
        InputError
            if there would be more than `MOST_PROBABILITIES`.
        """
        check_size_of(len(tally), len(categories))
        lower: Masses = {}
        upper: Masses = {}
        for profile, counter in tally.items():
            ends = self._ends(counter, categories, len(tally), sizes[profile], worth[profile])
            own = distributions[profile]
            lower[profile] = [min(low, mass) for (low, _), mass in zip(ends, own, strict=True)]
            upper[profile] = [max(high, mass) for (_, high), mass in zip(ends, own, strict=True)]
        return lower, upper

    def _ends(
        self, counter: Counter[Label], categories: Sequence[Label], profiles: int, size: int, worth: Fraction
    ) -> list[tuple[Fraction, Fraction]]:
        """Return the interval of each category of a profile, one of so many."""
        counts = [counter[category] for category in categories]
        if self.release.noise is None:
            ranges = exact_ranges(counts)
        else:
            miss = self._missed_by_noise / (profiles * len(categories))
            known = size if self.release.public_sizes else None
            ranges = noised_ranges(counts, self.release.noise / 2 / self.sample.units, miss, known)
        ranges = [one.times(worth) for one in ranges]
        if self.of == Of.TABLE:
            return [one.in_table for one in ranges]
        cells = len(categories) if len(categories) > 2 else 1  # of two, one's interval mirrors the other's
        miss = (1 - self.level - self._missed_by_noise) / (profiles * cells)
        return [one.in_population(miss) for one in ranges]

    @property
    def _missed_by_noise(self) -> Fraction:
        """The probability of a miss that is left to the noise: all of it, or half where there is a sample too."""
        if self.release.noise is None:
            return Fraction(0)
        return (1 - self.level) / (1 if self.of == Of.TABLE else 2)

    @property
    def _is_exact(self) -> bool:
        """Whether the level is more than an approximation: that is for samples."""
        return self.of == Of.TABLE or self.sample.is_plain

    def described(self, *, declared: bool) -> dict[str, Any]:
        """Return what the graph says of it, in its attribute `made`; `declared` says whether categories were given."""
        by_weight = "" if self.sample.limit is None else ", by weight"
        intervals = AROUND[self.of] + (by_weight if self._is_exact else self.sample.words())
        if self.release.noise is not None:
            intervals = NOISED.format("all" if self.of == Of.TABLE else "half") + intervals
        said = {"level": format_number(self.level), "of": str(self.of), "intervals": intervals}
        said["guarantee"] = self.guarantee()
        return {"confidence": said if declared else said | {"caution": OCCURRING}}

    def guarantee(self) -> str:
        """Return what holds of a mechanism that is designed or certified with these bounds."""
        noisy = self.release.noise is not None
        chances = [*(["noise"] if noisy else []), *(["sample"] if self.of == Of.POPULATION else [])]
        level = "at least" if self._is_exact else "about"
        whose = "the true profiles" if self.of == Of.POPULATION else "the table's own profiles"
        whose += "" if self.sample.limit is None else f" with weights cut to {format_number(self.sample.limit)}"
        return (
            f"with probability {level} {format_number(100 * self.level)} % over the {' and the '.join(chances)},"
            f" (epsilon, delta)-private for {whose}; certainly for every profile within the graph's bounds"
        ) + ("" if noisy else PUBLIC_ONLY)


def read_confidence(
    value: Number | None, of: str | None, release: Release, sample: Sample, faults: Faults
) -> Confidence | None:
    """Return the confidence asked for, if any; what stands against it is added to the faults."""
    if value is None:
        if of is not None:
            faults.append("of: says whose profiles are within bounds; give a confidence too, such as 0.95")
        if sample.effect is not None:
            faults.append("design_effect: widens bounds; give a confidence too, such as 0.95")
        if release.public_sizes:
            faults.append("public_sizes: narrows the bounds around noised counts; give noise and confidence too")
        return None
    level = faults.number(
        "confidence",
        value,
        outside="a number between 0 and 1",
        above=0,
        below=1,
        beside="; 95 % is 0.95",
        parse=parse_share,
    )
    whose = Of.POPULATION if of is None else word_of(Of, "of", of)
    if release.noise is None and whose == Of.TABLE:
        faults.append("of: of the table's own profiles exact counts leave nothing open; give noise, or no confidence")
    if whose == Of.TABLE and sample.effect is not None:
        faults.append("design_effect: of the table's own profiles its records are no sample; leave it out")
    if release.noise is None and release.public_sizes:
        faults.append("public_sizes: exact counts tell the sizes anyway; give noise, or leave it out")
    if release.steps is not None:
        both = "bounds and counts would tell what rounding hides"
        faults.append(f"confidence: {both}; give either confidence= or round_to=")
    return Confidence(level, whose, release, sample)


def check_enough(sizes: Mapping[Label, int], categories: Sequence[Label], sure: Confidence | None) -> None:
    """Raise an InputError if bounds around noised counts have more cells than there are records."""
    records, cells = sum(sizes.values()), len(sizes) * len(categories)
    if sure is not None and sure.release.noise is not None and cells > records:
        raise InputError(
            f"confidence: {counted(len(sizes), 'profile')} with {counted(len(categories), 'category')} each:"
            f" {counted(cells, 'count')}, of only"
            f" {counted(records, 'record')}, which noise hides; merge profiles or categories, or take `graph values`,"
            " which needs no profiles"
        )


ZERO = Fraction(0)


def guarantee_in(graph: nx.Graph, epsilon: Epsilon | None = None, delta: Fraction = ZERO) -> str | None:
    """Return what a graph says that its bounds guarantee, if they are from a sample; the text of `from-table`.

    With the `epsilon` and `delta` of a released value, also what these come to with the noise of the counts, if any.

    Examples
    --------
    >>> guarantee_in(nx.Graph(made={"confidence": {"guarantee": "with probability at least 95 % ..."}}))
    'with probability at least 95 % ...'
    """
    made = graph.graph.get("made")
    said = _text(made, "confidence", "guarantee")
    by_counts = noise_in(made)
    if said is None or by_counts is None or epsilon is None:
        return said
    return f"{said}. {together(by_counts, None if own_epsilons(graph) else epsilon, delta)}"


def level_in(graph: nx.Graph) -> Fraction | None:
    """Return with which probability a graph says that its bounds hold; None if it does not."""
    return _positive(graph.graph.get("made"), "confidence", "level")


def noise_in(made: Any) -> Fraction | None:
    """Return which epsilon the noised counts of a table tell of one person, as a graph says of how it was made.

    None if they are not noised, or if that is no number.

    Examples
    --------
    >>> noise_in({"noise": {"of_one_person": "0.5"}}), noise_in({"public": True})
    (Fraction(1, 2), None)
    """
    return _positive(made, "noise", "of_one_person")


def grown(delta: Fraction, by_counts: Fraction) -> Fraction:
    """Return a bound of the delta of a released value together with noised counts: e^(their epsilon / 2) times its own.

    Examples
    --------
    >>> grown(ZERO, Fraction(1)), float(grown(Fraction(1, 100), Fraction(2))), grown(Fraction(1, 2), Fraction(10**9))
    (Fraction(0, 1), 0.027182818284590453, Fraction(1, 1))
    """
    if not delta or by_counts > 2 * LARGEST_ABOVE:
        return Fraction(1) if delta else ZERO
    return min(Fraction(1), delta * exp_above(by_counts / 2))


def _text(made: Any, place: str, key: str) -> str | None:
    one = made.get(place) if isinstance(made, dict) else None
    said = one.get(key) if isinstance(one, dict) else None
    return said if isinstance(said, str) else None


def _positive(made: Any, place: str, key: str) -> Fraction | None:
    told = _text(made, place, key)
    try:
        return None if told is None else number(place, told, above=0)
    except InputError:
        return None


def together(by_counts: Fraction, epsilon: Epsilon | None, delta: Fraction) -> str:
    """Return in words what noised counts and a released value tell; None: which epsilon that is depends on the edge.

    Examples
    --------
    >>> together(Fraction(1, 2), Fraction(1), ZERO).partition(":")[2]
    ' together epsilon 1.5'
    """
    grown = f", with delta times e^{format_number(by_counts / 2)}" if delta else ""
    first = (
        "Of which of two neighbouring profiles is a person's, the noised counts, and so the mechanism itself, tell"
        f" epsilon {format_number(by_counts)} at most, the released value"
    )
    if epsilon is None:
        return f"{first} the edge's epsilon: together their sum{grown}"
    return f"{first} epsilon {shown_epsilon(epsilon)}: together epsilon {shown_epsilon(by_counts + epsilon)}{grown}"
