"""What is proved about a mechanism: as data, in words, and as an answer."""

from dataclasses import dataclass

from mechdesign.certifier.doubt import Doubt
from mechdesign.certifier.findings import Own, Worst
from mechdesign.exact.bounds import digits_below, double_above
from mechdesign.exact.text import format_number, shown_range
from mechdesign.graph.distribution import describe
from mechdesign.privacy.asked import Protected
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near, Within
from mechdesign.words import counted, first_of

UNKNOWN = Within(None, None)


@dataclass(frozen=True, repr=False)
class Verdict(Answering):
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
    at_each
        where profiles are known only within bounds, what each distribution within needs for epsilon at the least,
        rounded down; None elsewhere.
    refuted_at_each
        whether it is refuted at each of these distributions.
    exact
        whether epsilon and delta are tight but for rounding. If not, the worst cases of the outputs, within the bounds
        of the profiles, prove the upper bounds, and a set of outputs the lower ones.
    warning
        what does not hold though it may seem so, in words; None if nothing.
    guarantee
        what is certified of the true profiles, in words, where bounds are from a sample, or how likely these are within
        bounds at each of which it is refuted; None elsewhere.
    doubt
        what rounding may have to do with it; None unless the mechanism is a matrix of rounded numbers in a file.
    read
        how that was read, and what was normalised, in words.
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
    at_each: float | None = None
    refuted_at_each: bool = False
    exact: bool = True
    warning: str | None = None
    guarantee: str | None = None
    doubt: Doubt | None = None
    read: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if self.private is None:
            word = "undecided"
        else:
            word = "private" if self.private else "refuted by rounding only" if self.by_rounding else "refuted"
        found = f"epsilon <= {self.epsilon[1]:.9g}, delta <= {self.delta[1]:.9g}"
        return f"Verdict({word}, {found}, {self.protected.counts()})"

    def sentence(self) -> str:
        """Return the verdict in words."""
        return _sentence(self)

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

    def answer(self, *, asked: bool | None = None) -> Answer:
        """Return what is told of it; `asked` says whether anything was asked, if it was an infinite epsilon."""
        nothing = self.open and not (self.asked if asked is None else asked)
        rest = {
            "exact": self.exact,
            "robust": self.robust,
            "refuted_at_each": self.refuted_at_each if self.robust else None,
            "by_rounding": self.by_rounding,
            "edges": self.edges,
            "edges_asked": self.edges_asked,
            "warning": self.warning,
            "guarantee": self.guarantee,
            "rounding": None if self.doubt is None else self.doubt.summary(),
            **self.protected.summary(),
        }
        private = Fact("private", number=Exact(None if nothing else self.private))
        told = [private, *self._tight(nothing=nothing), *self._worst(), *for_programs(rest)]
        return Answer(
            self.sentence(),
            status=3 if self.private is None else int(not self.private),
            tone="note" if self.private is None else "good" if self.private else "bad",
            facts=told + sentences(self.guarantee and f"So it is, {self.guarantee}."),
            warnings=[one for one in (*self.read, self.warning, self.doubt and self.doubt.words()) if one],
        )

    def _tight(self, *, nothing: bool) -> list[Fact]:
        """Return the tight epsilon, delta and multiple of the edges' own epsilons."""
        epsilon = "tight epsilon, at the delta asked" if self.edges_asked or self.own is None else ""
        each = epsilon and "tight epsilon, at each distribution within" if self.robust else ""
        scale = "" if self.scale is None else "tight multiple of the edges' own epsilons"
        which = "the epsilon asked" if self.own is None else "the epsilons required"
        return [
            Fact("epsilon", epsilon, Within(*self.epsilon)),
            Fact("epsilon_at_each", each, UNKNOWN if self.at_each is None else Within(self.at_each, self.epsilon[1])),
            Fact("scale", scale, UNKNOWN if self.scale is None else Within(*self.scale)),
            Fact("delta", "" if self.open else f"tight delta, at {which}", UNKNOWN if nothing else Within(*self.delta)),
        ]

    def _worst(self) -> list[Fact]:
        """Return the worst place; its gap is bounded on the side on which it stays what is said of it."""
        worst = self.worst
        if worst is None:
            return for_programs({"worst": None})
        own = None if worst.profiles is None else [[format_number(mass) for mass in one] for one in worst.profiles]
        told = {"worst.edge": list(worst.edge), "worst.set": list(worst.set), "worst.profiles": own}
        gap = Fact("worst.gap", number=Near(worst.sure_gap), exact=True)
        return [*for_programs(told), gap, *sentences(*_of_worst(self, worst))]


def _sentence(found: Verdict) -> str:
    if found.worst is None:
        return "Certified: no edge requires anything."
    if found.open:
        some = found.protected.asked < found.protected.pairs
        return _satisfied(found) + (f" {_pairs(found)}" if some else "")
    if found.private is None:
        return f"Neither proved nor refuted: {_undecided(found)}"
    if found.private:
        return f"Certified: {_certified(found)}"
    return f"Refuted{_rounding(found)}" if found.by_rounding else f"Refuted: {_refuted(found)}"


def _satisfied(found: Verdict) -> str:
    low, high = found.epsilon
    rest = "edge that has none of its own" if found.edges_asked == 1 else "edges that have none of their own"
    where = ("" if found.own is None else f", on the {found.edges_asked} {rest}") + _within(found)
    if high == float("inf") and low < high:
        return f"No finite epsilon is proved at the delta asked{where}, and none below {low!r} holds." + _others(found)
    if high == float("inf"):
        return f"It satisfies no finite epsilon at the delta asked{where}." + _others(found)
    least = f", and none below {low!r}" if low > 0 else ""
    return f"It satisfies epsilon = {high!r} (rounded up){least}, at the delta asked{where}." + _others(found)


def _certified(found: Verdict) -> str:
    private = f"private on {counted(found.edges, 'edge')}{_within(found)}: {found.protected.words()}"
    if found.own is None:
        return f"{private}. {_tight(found)}."
    if not found.edges_asked:
        each = "the only edge" if found.edges == 1 else f"each of {found.edges} edges"
        meets = f"{each} meets its own epsilon ({_range(found)}), and would meet {_times(found)}"
        return f"{meets}{_within(found)}. An epsilon asked for applies to no edge. {_pairs(found)}"
    where = f"The epsilon asked for applies to {found.edges_asked} of them"
    tight = f", where {found.epsilon[1]!r} is tight (rounded up)" if found.exact else f". {_tight(found)}"
    return f"{private}. {where}{tight}.{_others(found)}"


def _pairs(found: Verdict) -> str:
    return f"The {'edge is' if found.edges == 1 else 'edges are'} {found.protected.words()}."


def _within(found: Verdict) -> str:
    return ", for every distribution within the bounds" if found.robust else ""


def _tight(found: Verdict) -> str:
    low, high = found.epsilon
    if found.exact:
        return f"The tight epsilon is {high!r} (rounded up)"
    return f"Proved is epsilon = {high!r} (rounded up)" + (f", and none below {low!r} holds" if low > 0 else "")


def _undecided(found: Verdict) -> str:
    """Say what is proved."""
    sets = "the worst cases of the outputs add up to more than delta, and no set of outputs is found to exceed it"
    least = f" No epsilon below {found.epsilon[0]!r} holds." if found.epsilon[0] > 0 else ""
    return f"{sets}. Proved is{_within(found)[1:]}: {_instead(found, repr(found.delta[1]))}.{least}"


def _others(found: Verdict) -> str:
    """Say that the edges with their own epsilon meet it."""
    if found.own is None:
        return ""
    single = found.own.edges == 1
    meet = "other edge meets its own epsilon" if single else f"other {found.own.edges} edges meet their own epsilons"
    return f" The {meet} ({_range(found)}), and would meet {_times(found)}."


def _times(found: Verdict) -> str:
    assert found.own is not None
    return f"{found.own.scale[1]!r} times that (rounded up)"


def _rounding(found: Verdict) -> str:
    return f", but by rounding only: {_instead(found, double_above(found.delta[1], 3))}."


def _instead(found: Verdict, delta: str) -> str:
    """Say what is met instead: a larger epsilon, larger ones of the edges' own, or a larger delta."""
    instead = []
    if found.epsilon[1] < float("inf"):
        instead.append(f"it satisfies epsilon = {found.epsilon[1]!r}")
    elif found.own is not None and not found.edges_asked:
        instead.append(f"each edge meets {_times(found)}")
    required = "the epsilon asked" if found.own is None else "the epsilons required"
    instead.append(f"{required} with delta = {delta} in place of the one asked")
    return ", or ".join(instead)


def _refuted(found: Verdict) -> str:
    assert found.worst is not None
    i, j = found.worst.edge
    where = "on the set below" if found.worst.profiles is None else "on the set and at the distributions below"
    sentence = f"{where}, {i} exceeds what {j} allows by {_gap(found.worst)}.{_elsewhere(found)}"
    if found.own is None or found.edges_asked:
        return sentence
    holds = "at no multiple of it" if found.own.scale[1] == float("inf") else f"at {_times(found)}"
    return f"{sentence} Each edge has its own epsilon ({_range(found)}); all hold {holds}."


def _elsewhere(found: Verdict) -> str:
    """Say what is proved of all distributions within the bounds."""
    if not found.robust:
        return ""
    if found.refuted_at_each:
        return " It fails at every distribution within the bounds."
    return " At other distributions within the bounds it may hold."


def _range(found: Verdict) -> str:
    """Return the edges' own epsilons."""
    assert found.own is not None
    return shown_range((found.own.least, found.own.largest))


def _gap(worst: Worst) -> str:
    """Return the gap nearer to 0, so that it stays what is said of it."""
    gap = worst.sure_gap
    return ("-" if gap < 0 else "") + digits_below(abs(gap))


def _of_worst(found: Verdict, worst: Worst) -> list[str]:
    """Return the worst place in words."""
    (i, j), gap = worst.edge, worst.sure_gap
    said = [f"Worst edge: {i} against {j}, on the set of outputs {{{first_of(worst.set)}}}"]
    if not found.open:
        said = [f"{said[0]}:", f"  Pr({i} in it) - e^epsilon Pr({j} in it) - delta = {_gap(worst)}."]
    elif gap > 0:
        said = [f"{said[0]}:", f"  Pr({j} in it) = 0, and Pr({i} in it) - delta = {_gap(worst)}."]
    else:
        said = [f"{said[0]}."] if worst.set else []
    for end, own in zip(worst.edge, worst.profiles or (), strict=False):
        said.append(f"  With {end} distributed, within its bounds, as {describe(own, worst.categories)}.")
    return said
