"""What is said of a verdict on a matrix whose numbers are rounded: whether rounding alone may account for it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.certifier.rounded import rounded
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import Epsilon
from mechdesign.files.delimited import Layout
from mechdesign.files.kinds import MATRIX, TEXT, kind_of
from mechdesign.graph.labels import Label
from mechdesign.mechanism.matrix import read_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.words import counted, listed

NAMED = 8
"""So many rows are named."""
ASK = "Ask for more decimals, or for the formula."


@dataclass(frozen=True)
class Doubt:
    """How far rounding may move Pr - e^epsilon Pr - delta; or the rows that are no rounded ones.

    Of two inputs for which it is above 0 whichever the matrix is, or else of the worst edge.
    """

    digits: int
    beyond: Sequence[Label] = ()
    gap: tuple[Fraction, Fraction] | None = None
    normalised: bool = True

    def words(self, refuted: bool) -> str | None:
        """Return it in words; None if there is nothing to be said."""
        to = counted(self.digits, "decimal")
        if self.beyond:
            names = listed([*map(str, self.beyond[:NAMED]), *(["more"] if len(self.beyond) > NAMED else [])])
            return f"The numbers have {to}. Rounding to so many does not explain why not all totals are 1, see {names}."
        assert self.gap is not None
        low, high = self.gap
        if refuted and low > 0:
            if not self.normalised:  # nobody said that it is rounded
                return None
            return (
                f"The numbers have {to}. Every matrix that rounds to them is refuted, by at least {digits_below(low)}."
            )
        if refuted:
            return (
                f"The numbers have {to}, and rounding alone may be why it fails: of the matrices that round to them "
                f"some do not fail on this set. {ASK}"
            )
        if high > 0:
            by = digits_above(high)
            return (
                f"The numbers have {to}. A matrix that rounds to them may fail all the same, here by up to {by}. {ASK}"
            )
        return None

    def summary(self) -> dict[str, Any]:
        """Return the same for JSON."""
        low, high = (None, None) if self.gap is None else (float_below(self.gap[0]), float_above(self.gap[1]))
        return {"digits": self.digits, "gap_lower": low, "gap_upper": high, "beyond_rounding": list(self.beyond)}


def doubt_of(
    path: str | os.PathLike[str],
    layout: Layout,
    mechanism: Mechanism,
    *,
    edge: tuple[Label, Label],
    among: Sequence[Label],
    epsilon: Epsilon,
    delta: Fraction,
    refuted: bool,
    every_pair: bool,
    normalised: bool,
) -> Doubt | None:
    """Return what rounding may have done to a verdict; None if the numbers of the matrix in the file are not rounded.

    Parameters
    ----------
    mechanism
        that of the matrix, its profiles the inputs.
    edge, among
        the worst ones of the verdict.
    every_pair
        whether it is about every two inputs: then two are looked for that surely fail, or that may fail, whatever the
        worst edge does.
    normalised
        whether the reader asked for that, and so takes the numbers for rounded ones.
    """
    if kind_of(path) not in (MATRIX, TEXT):
        return None
    found = rounded(read_matrix(path, layout).rows)
    whole = found is not None and not found.digits and not normalised
    if found is None or whole or epsilon > LARGEST_ABOVE:
        return None
    inputs, asked = list(mechanism.profiles), Fraction(epsilon)
    if beyond := found.beyond():
        return Doubt(found.digits, [inputs[row] for row in beyond])
    i, j = map(inputs.index, edge)
    if not refuted:
        i, j = found.likeliest(asked) if every_pair else (i, j)
        gap = found.gap(i, j, found.perhaps_likelier(i, j, asked), asked, delta)
        return Doubt(found.digits, gap=gap, normalised=normalised)
    first, second = found.surest(asked) if every_pair else (i, j)
    gap = found.gap(first, second, found.surely_likelier(first, second, asked), asked, delta)
    if gap[0] <= 0:
        gap = found.gap(i, j, {list(mechanism.outputs).index(output) for output in among}, asked, delta)
    return Doubt(found.digits, gap=gap, normalised=normalised)
