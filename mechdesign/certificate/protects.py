"""Whom a certificate protects from whom, of how many pairs of profiles."""

from fractions import Fraction
from typing import Any

from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.privacy.asked import Protected, protected
from mechdesign.privacy.requirement import Requirement


def protects(c: Any) -> Protected:
    """Return which pairs of profiles the fields of a certificate have an edge for, and what follows for the others.

    Of a formula, whose epsilon or delta varies, not at which epsilon and delta.
    """
    ends = list(map(tuple, c.edges))
    if c.format == FORMULA:
        found = protected(len(c.profiles), [Requirement(i, j, Fraction(0), Fraction(0)) for i, j in ends])
        return Protected(found.pairs, found.asked, found.through)
    limits = zip(ends, c.epsilons, c.deltas, strict=True)
    return protected(len(c.profiles), [Requirement(i, j, epsilon, delta) for (i, j), epsilon, delta in limits])
