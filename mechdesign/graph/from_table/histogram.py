"""From counts to distributions: exact relative frequencies, with noise that makes them private, or rounded."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from mechdesign.geometric import two_sided_geometric
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.labels import Label
from mechdesign.size import check_size

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

    Those cut most are rounded up, of equals the first.

    Examples
    --------
    >>> rounded([Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)], 10)
    [Fraction(2, 5), Fraction(3, 10), Fraction(3, 10)]
    """
    whole = [mass * steps // 1 for mass in masses]
    by_cut = sorted(range(len(masses)), key=lambda place: whole[place] - masses[place] * steps)
    for place in by_cut[: steps - sum(whole)]:
        whole[place] += 1
    return [Fraction(units, steps) for units in whole]
