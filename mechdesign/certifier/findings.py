"""What is proved about a mechanism, as data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.labels import Label
from mechdesign.privacy.asked import Protected


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


@dataclass(frozen=True)
class Findings:
    """What is proved, as `mechdesign.certifier.verdict` says in words."""

    private: bool | None
    epsilon: tuple[float, float]
    delta: tuple[float, float]
    worst: Worst | None
    by_rounding: bool
    edges: int
    protected: Protected
    asked: bool = True
    own: Own | None = None
    robust: bool = False
    exact: bool = True

    @property
    def scale(self) -> tuple[float, float] | None:
        """The tight scale of the edges' own epsilons, see `Own`; None if no edge has its own."""
        return None if self.own is None else self.own.scale

    @property
    def edges_asked(self) -> int:
        """To how many edges an epsilon that is asked for applies: those that have none of their own."""
        return self.edges - (0 if self.own is None else self.own.edges)

    @property
    def open(self) -> bool:
        """Whether nothing was asked of some edges, and nothing is refuted: the answer is then `epsilon`."""
        return self.private is True and not self.asked and self.edges_asked > 0
