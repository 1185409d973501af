"""From counts to distributions, and what of them may be seen: all (public or not), noised or rounded ones."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.exact.faults import Faults
from mechdesign.exact.integers import apportioned
from mechdesign.exact.text import format_number
from mechdesign.geometric import two_sided_geometric
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.labels import Label
from mechdesign.size import check_size

EXACT = "the distributions are exact frequencies of records that nobody declared public"
ROUNDED = "the distributions are rounded frequencies, which guarantees nothing, of records that nobody declared public"

GUARANTEE = (
    "differential privacy of records: if one is added, removed or replaced by another, the probability of any outcome"
    " changes by a factor of e^epsilon at most; which profiles, categories and edges there are counts as public"
)
"""What noised distributions promise; a row that stands for n records is n of them."""


SIZES_PUBLIC = (
    "differential privacy of values: if one record's is replaced by another, the probability of any outcome changes by"
    " a factor of e^epsilon at most, and by e^(2 epsilon) if two people change places; how many records a profile has"
    " counts as public, and so does which profiles, categories and edges there are"
)
"""What they promise where the sizes are public: a profile that changes with its value needs another that makes room."""


@dataclass(frozen=True)
class Release:
    """What of the counts may be seen.

    Attributes
    ----------
    public
        whether the table is public anyway.
    noise
        the epsilon of the noised counts; None for exact ones.
    steps
        probabilities are multiples of 1 / steps; None: as they are.
    public_sizes
        whether the profiles' numbers of records are public, though their values are not.
    """

    public: bool = False
    noise: Fraction | None = None
    steps: int | None = None
    public_sizes: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the numbers of records may be written beside the distributions."""
        return self.noise is None and self.steps is None

    def faults(self, *, declared: bool) -> list[str]:
        """Return what stands against it; `declared` says whether categories and profiles were given."""
        faults = Faults()
        if self.noise is not None:
            faults.number("noise", self.noise, "an epsilon > 0", above=0)
        if self.noise is not None and not declared:
            remedy = "give both categories= and profiles=, not from these records"
            faults.append(f"noise: which categories and profiles occur would tell about the records; {remedy}")
        if self.noise is not None and self.public:
            faults.append("noise: a table that is public needs none; give either public= or noise=")
        if self.steps is not None:
            faults.whole("round_to", self.steps)
        return faults

    def described(self, units: int) -> dict[str, Any]:
        """Return what the graph says of it, in its attribute `made`; a record changes a count by `units` at most."""
        made: dict[str, Any] = {"public": True} if self.public else {}
        if self.noise is not None:
            each = "count" if units == 1 else f"sum of weights in units of 1/{units} of their limit"
            law = f"two-sided geometric on each {each}, probability of z proportional to e^(-epsilon |z| / {2 * units})"
            made["noise"] = {
                "epsilon": format_number(self.noise),
                "added_or_removed": format_number(self.noise / 2),
                "sizes": "public" if self.public_sizes else "noised",
                "of_one_person": format_number(self.noise * (2 if self.public_sizes else 1)),
                "law": law,
                "guarantee": SIZES_PUBLIC if self.public_sizes else GUARANTEE,
            }
        if self.steps is not None:
            made["round"] = self.steps
        if self.noise is None and not self.public:
            made["warning"] = EXACT if self.steps is None else ROUNDED
        return made


Tally = Mapping[Label, Counter[Label]]
"""For each profile how many records have which category."""

MOST_PROBABILITIES = 1_000_000
"""Profiles of several categories times categories. Tuned on 1,000 x 1,000: 10 to 15 s and 330 MB to make and write."""


def noised(tally: Tally, categories: Sequence[Label], epsilon: Fraction) -> dict[Label, Counter[Label]]:
    """Return counts that are epsilon-differentially private: each of them with noise, and 0 where that is negative.

    Each count has two-sided geometric noise, P(z) proportional to e^(-epsilon |z| / 2). A record that is replaced
    changes two counts by 1 at most, so the probability of any outcome by e^epsilon at most; one that is added or
    removed changes one count, so by e^(epsilon / 2). Cutting at 0 needs no more than the noised count.

    Raises
    ------
    InputError
        if there would be more than `MOST_PROBABILITIES`.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms", arXiv:0811.2841.
    """
    check_size_of(len(tally), len(categories))
    return {
        profile: Counter(
            {
                category: max(0, counter[category] + two_sided_geometric(epsilon / 2, secrets.randbelow))
                for category in categories
            }
        )
        for profile, counter in tally.items()
    }


def check_size_of(profiles: int, categories: int) -> None:
    """Raise an InputError if there would be more than `MOST_PROBABILITIES`."""
    sentence = f"{profiles:,} profiles with {categories:,} categories each are {{}} probabilities"
    remedy = "bring the values into fewer categories, or take fewer profiles"
    check_size(profiles * categories, MOST_PROBABILITIES, sentence, remedy)


def distributions(
    tally: Tally, categories: Sequence[Label], added: Fraction, steps: int | None
) -> dict[Label, Sequence[Fraction]]:
    """Return each profile's relative frequencies with `added` to each count; to multiples of 1 / `steps` if given.

    A profile without any count has the uniform distribution.

    Raises
    ------
    InputError
        if there would be more than `MOST_PROBABILITIES`.
    """
    check_size_of(sum(added > 0 or len(+counter) != 1 for counter in tally.values()), len(categories))
    position = {category: place for place, category in enumerate(categories)}
    return {profile: _distribution(counter, position, added, steps) for profile, counter in tally.items()}


def _distribution(
    counter: Counter[Label], position: Mapping[Label, int], added: Fraction, steps: int | None
) -> Sequence[Fraction]:
    present = +counter  # what occurs
    if len(present) == 1 and not added:
        return PointMass(position[next(iter(present))], len(position))
    if not present and not added:
        added = Fraction(1)
    total = counter.total() + added * len(position)
    masses = [added / total] * len(position)
    for category, times in present.items():
        masses[position[category]] = (times + added) / total
    return masses if steps is None else rounded(masses, steps)


def rounded(masses: Sequence[Fraction], steps: int) -> list[Fraction]:
    """Return multiples of 1 / `steps` near `masses`, less than 1 / `steps` away, that sum to 1 as they do.

    Examples
    --------
    >>> rounded([Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)], 10)
    [Fraction(2, 5), Fraction(3, 10), Fraction(3, 10)]
    """
    return [Fraction(units, steps) for units in apportioned(np.array([masses], dtype=object), steps)[0]]
