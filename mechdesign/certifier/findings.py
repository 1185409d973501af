"""Parts of what is proved about a mechanism: where most is missing, and what edges have of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.labels import Label


@dataclass(frozen=True)
class Worst:
    """The edge and direction where most is missing, or least is to spare.

    Attributes
    ----------
    edge
        (i, j): q^i(S) is compared with e^epsilon q^j(S) + delta.
    set
        the outputs in S: {y : q^i(y) > e^epsilon q^j(y)} when refuted, otherwise one that needs the tight epsilon.
    gap
        rationals (lower, upper) around q^i(S) - e^epsilon q^j(S) - delta; positive when refuted. At the tight epsilon
        where nothing is asked of this edge: 0, or, if that is infinite, what q^i(S) exceeds delta by.
    profiles
        for profiles known only within bounds, the distributions of i and j within them for which this is the gap: no
        others make it larger on this set. None where the distributions are known.
    categories
        what these are distributions over.
    """

    edge: tuple[Label, Label]
    set: tuple[Label, ...]
    gap: tuple[Fraction, Fraction]
    profiles: tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None = None
    categories: Sequence[Label] = field(default=(), compare=False)

    @property
    def sure_gap(self) -> Fraction:
        """The end of `gap` at which it stays what is said of it: above 0 when refuted, otherwise at most that."""
        return self.gap[0] if self.gap[0] > 0 else self.gap[1]


@dataclass(frozen=True)
class Own:
    """The edges that have an epsilon of their own, which an epsilon asked for does not change.

    Attributes
    ----------
    edges
        how many there are.
    least, largest
        their epsilons.
    scale
        (lower, upper) around the tight scale: the least c >= 0 such that each of these edges holds at c times its own
        epsilon, at the deltas as given; infinite if none does. An infinite epsilon requires nothing at any c, an
        epsilon of 0 the same at every c.
    """

    edges: int
    least: Epsilon
    largest: Epsilon
    scale: tuple[float, float]
