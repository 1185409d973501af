"""What is proved about a mechanism, as data and in words."""

from dataclasses import dataclass
from fractions import Fraction

from mechdesign.exact.bounds import double_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import short, shown_range
from mechdesign.graph.labels import Label
from mechdesign.notebook import InNotebooks
from mechdesign.privacy.asked import Protected
from mechdesign.words import counted


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
    """

    edge: tuple[Label, Label]
    set: tuple[Label, ...]
    gap: tuple[Fraction, Fraction]
    profiles: tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None = None


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

    def range(self) -> str:
        """Return the epsilons in words."""
        return shown_range((self.least, self.largest))


@dataclass(frozen=True, repr=False)
class Verdict(InNotebooks):
    """What is proved about a mechanism.

    Attributes
    ----------
    private
        whether every requirement is met; exact. None if neither is proved, which may be only where `exact` is false.
    epsilon
        (lower, upper) around the least epsilon to ask for so that the mechanism is private at the delta asked;
        infinite if none is, or if an edge with an epsilon of its own is not met. (0, 0) where every edge has its own
        and meets it: see `own`.
    delta
        (lower, upper) around the largest hockey-stick divergence over the edges, at the epsilon asked.
    worst
        the worst place; None if nothing is required.
    by_rounding
        whether it is refuted, but misses by rounding only.
    edges
        how many edges the graph has.
    protected
        who is protected from whom: how many pairs of profiles these edges are, of how many, and what follows for the
        others at the epsilon asked for, or else at the tight one.
    asked
        whether a finite epsilon was asked for; if not, nothing is required of an edge without its own.
    own
        about the edges that have an epsilon of their own; None if there are none.
    robust
        whether profiles are known only within bounds: the verdict is then for every distribution within.
    exact
        whether epsilon and delta are tight but for rounding. If not, the worst cases of the outputs, within the bounds
        of the profiles, prove the upper bounds, and a set of outputs the lower ones.
    """

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

    def __repr__(self) -> str:
        if self.private is None:
            word = "undecided"
        else:
            word = "private" if self.private else "refuted by rounding only" if self.by_rounding else "refuted"
        found = f"epsilon <= {self.epsilon[1]:.9g}, delta <= {self.delta[1]:.9g}"
        return f"Verdict({word}, {found}, {self.protected.counts()})"

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

    def sentence(self) -> str:
        """Return the verdict in words."""
        if self.worst is None:
            return "Certified: no edge requires anything."
        if self.open:
            some = self.protected.asked < self.protected.pairs
            return self._satisfied() + (f" {self._pairs()}" if some else "")
        if self.private is None:
            return f"Neither proved nor refuted: {self._undecided()}"
        if self.private:
            return f"Certified: {self._certified()}"
        return f"Refuted{self._rounding()}" if self.by_rounding else f"Refuted: {self._refuted()}"

    def _satisfied(self) -> str:
        low, high = self.epsilon
        rest = "edge that has none of its own" if self.edges_asked == 1 else "edges that have none of their own"
        where = ("" if self.own is None else f", on the {self.edges_asked} {rest}") + self._within()
        if high == float("inf") and low < high:
            return (
                f"No finite epsilon is proved at the delta asked{where}, and none below {low!r} holds." + self._others()
            )
        if high == float("inf"):
            return f"It satisfies no finite epsilon at the delta asked{where}." + self._others()
        least = f", and none below {low!r}" if low > 0 else ""
        return f"It satisfies epsilon = {high!r} (rounded up){least}, at the delta asked{where}." + self._others()

    def _certified(self) -> str:
        private = f"private on {counted(self.edges, 'edge')}{self._within()}: {self.protected.words()}"
        if self.own is None:
            return f"{private}. {self._tight()}."
        if not self.edges_asked:
            each = "the only edge" if self.edges == 1 else f"each of {self.edges} edges"
            meets = f"{each} meets its own epsilon ({self.own.range()}), and would meet {self._times()}"
            return f"{meets}{self._within()}. An epsilon asked for applies to no edge. {self._pairs()}"
        where = f"The epsilon asked for applies to {self.edges_asked} of them"
        tight = f", where {self.epsilon[1]!r} is tight (rounded up)" if self.exact else f". {self._tight()}"
        return f"{private}. {where}{tight}.{self._others()}"

    def _pairs(self) -> str:
        return f"The {'edge is' if self.edges == 1 else 'edges are'} {self.protected.words()}."

    def _within(self) -> str:
        return ", for every distribution within the bounds" if self.robust else ""

    def _tight(self) -> str:
        low, high = self.epsilon
        if self.exact:
            return f"The tight epsilon is {high!r} (rounded up)"
        return f"Proved is epsilon = {high!r} (rounded up)" + (f", and none below {low!r} holds" if low > 0 else "")

    def _undecided(self) -> str:
        """Say what is proved."""
        sets = "the worst cases of the outputs add up to more than delta, and no set of outputs is found to exceed it"
        least = f" No epsilon below {self.epsilon[0]!r} holds." if self.epsilon[0] > 0 else ""
        return f"{sets}. Proved is{self._within()[1:]}: {self._instead(repr(self.delta[1]))}.{least}"

    def _others(self) -> str:
        """Say that the edges with their own epsilon meet it."""
        if self.own is None:
            return ""
        single = self.own.edges == 1
        meet = "other edge meets its own epsilon" if single else f"other {self.own.edges} edges meet their own epsilons"
        return f" The {meet} ({self.own.range()}), and would meet {self._times()}."

    def _times(self) -> str:
        assert self.own is not None
        return f"{self.own.scale[1]!r} times that (rounded up)"

    def _rounding(self) -> str:
        return f", but by rounding only: {self._instead(double_above(self.delta[1], 3))}."

    def _instead(self, delta: str) -> str:
        """Say what is met instead: a larger epsilon, larger ones of the edges' own, or a larger delta."""
        instead = []
        if self.epsilon[1] < float("inf"):
            instead.append(f"it satisfies epsilon = {self.epsilon[1]!r}")
        elif self.own is not None and not self.edges_asked:
            instead.append(f"each edge meets {self._times()}")
        required = "the epsilon asked" if self.own is None else "the epsilons required"
        instead.append(f"{required} with delta = {delta} in place of the one asked")
        return ", or ".join(instead)

    def _refuted(self) -> str:
        assert self.worst is not None
        i, j = self.worst.edge
        where = "on the set below" if self.worst.profiles is None else "on the set and at the distributions below"
        sentence = f"{where}, {i} exceeds what {j} allows by {short(self.worst.gap[0])}."
        if self.own is None or self.edges_asked:
            return sentence
        holds = "at no multiple of it" if self.own.scale[1] == float("inf") else f"at {self._times()}"
        return f"{sentence} Each edge has its own epsilon ({self.own.range()}); all hold {holds}."
