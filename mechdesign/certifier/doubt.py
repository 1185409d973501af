"""What is to be said of a verdict on a matrix whose numbers are rounded: whether rounding alone may account for it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.certifier.rounded import Rounded, rounded
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import Epsilon
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import MATRIX, TEXT, kind_of
from mechdesign.graph.labels import Label
from mechdesign.mechanism.matrix import read_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.show.fact_numbers import Exact
from mechdesign.show.language import ENGLISH, Language


@dataclass(frozen=True)
class Doubt:
    """How far rounding may move Pr - e^epsilon Pr - delta; or the rows that are no rounded ones.

    Of two inputs for which it is above 0 whichever the matrix is, or else of the worst edge.
    """

    digits: int
    beyond: Sequence[Label] = ()
    gap: tuple[Fraction, Fraction] | None = None
    normalised: bool = True
    refuted: bool = False

    def words(self, say: Language = ENGLISH) -> str | None:
        """Return it in words; None if there is nothing to be said."""
        if self.beyond:
            return say.count("doubt.beyond", self.digits, names=say.few(self.beyond))
        assert self.gap is not None
        low, high = self.gap
        if self.refuted and low > 0:  # if nobody said that it is rounded, nothing
            surely = say.count("doubt.surely", self.digits, gap=Exact(low, digits_below(low)))
            return surely if self.normalised else None
        if self.refuted:
            return f"{say.count('doubt.refuted', self.digits)} {say('doubt.ask')}"
        if high > 0:
            gap = Exact(high, digits_above(high))
            return f"{say.count('doubt.certified', self.digits, gap=gap)} {say('doubt.ask')}"
        return None

    def summary(self) -> dict[str, Any]:
        """Return the same for JSON."""
        low, high = (None, None) if self.gap is None else (float_below(self.gap[0]), float_above(self.gap[1]))
        return {"digits": self.digits, "gap_lower": low, "gap_upper": high, "beyond_rounding": list(self.beyond)}


def doubt_of(
    path: str | os.PathLike[str],
    mechanism: Mechanism,
    *,
    epsilon: Epsilon,
    delta: Fraction,
    layout: Layout = RECOGNISED,
    normalised: bool = False,
    edge: Sequence[Label] = (),
    among: Sequence[Label] = (),
    every_pair: bool = True,
) -> Doubt | None:
    """Return whether rounding may be why a matrix is certified for every two inputs, or is refuted.

    None if the numbers of the matrix in the file are not rounded.

    Parameters
    ----------
    mechanism
        that of the matrix, its profiles the inputs.
    normalised
        whether the reader asked for that, and so takes the numbers for rounded ones.
    edge, among
        the worst edge of what is refuted, and its set of outputs.
    every_pair
        whether that is about every two inputs: two are then looked for first that surely fail.
    """
    found, doubt = _rounded(path, layout, mechanism, epsilon, normalised)
    if found is None:
        return doubt
    asked = Fraction(epsilon)
    if not edge:
        i, j = found.likeliest(asked)
        gap = found.gap(i, j, found.perhaps_likelier(i, j, asked), asked, delta)
        return Doubt(found.digits, gap=gap, normalised=normalised)
    i, j = map(list(mechanism.profiles).index, edge)
    first, second = found.surest(asked) if every_pair else (i, j)
    gap = found.gap(first, second, found.surely_likelier(first, second, asked), asked, delta)
    if gap[0] <= 0:
        gap = found.gap(i, j, {list(mechanism.outputs).index(output) for output in among}, asked, delta)
    return Doubt(found.digits, gap=gap, normalised=normalised, refuted=True)


def _rounded(
    path: str | os.PathLike[str], layout: Layout, mechanism: Mechanism, epsilon: Epsilon, normalised: bool
) -> tuple[Rounded | None, Doubt | None]:
    """Return the numbers of the matrix in a file, if they are rounded; or, if that explains no totals, a doubt."""
    if kind_of(path) not in (MATRIX, TEXT) or epsilon > LARGEST_ABOVE:
        return None, None
    found = rounded(read_matrix(path, layout).rows)
    if found is None or not (found.digits or normalised):
        return None, None
    beyond = found.beyond()
    return (None, Doubt(found.digits, [mechanism.profiles[row] for row in beyond])) if beyond else (found, None)
