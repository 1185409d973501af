"""The smallest epsilon for a tolerated loss, or for a margin of estimates: between two designs that prove it."""

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import networkx as nx

from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, number, whole
from mechdesign.exact.text import format_number, short
from mechdesign.graph.graph_file import as_graph
from mechdesign.objective import Goal, MaxOffDiagonal, checked_objective
from mechdesign.release.plan import margin_of, plan_rows
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.stopwatch import announce

WITHIN = Fraction(1, 10**6)
"""In nats: how far apart the two ends are, unless a design between them proves neither."""

BEYOND = 10**12
"""Stands for the rows that are needed where no number of them is enough."""

TINY = 1e-12
"""The least that a design which is not good enough is said to be off by, so that it has a sign."""

ROUGHLY = 1e-3
"""A design within this gap mostly tells on which side of the root its epsilon is: 12 s in place of 23 s for 60 places.
Where it does not, the optimum is computed."""

GRID = 10**8
"""Epsilons that are tried are whole numbers over this, so that they are short."""


@dataclass(frozen=True)
class SmallestEpsilon(Answering):
    """The smallest epsilon at which a design is good enough, between one that is enough and one that is not.

    Attributes
    ----------
    design
        one that is good enough.
    too_small
        a design that is not; None if epsilon 0 is enough.
    wanted
        what was asked for, in words.
    proved
        whether no mechanism at all is good enough at `too_small`, by its bound; otherwise the design there is not.
    at_most
        the value that is tolerated; None if rows and a margin were asked for.
    """

    design: Design
    too_small: Design | None
    wanted: str
    proved: bool
    at_most: Fraction | None = None

    @property
    def epsilon(self) -> Epsilon:
        """In nats: at it the design is good enough."""
        return self.design.epsilon

    def answer(self) -> Answer:
        """Return what is told of it, and of the design."""
        made = self.design.answer()
        return replace(made, facts=[*self.facts(), *made.facts])

    def facts(self) -> list[Fact]:
        """Return both ends."""
        low = self.too_small
        told = {
            "smallest.epsilon": self.epsilon,
            "smallest.too_small": None if low is None else low.epsilon,
            "smallest.proved": self.proved,
        }
        return [*for_programs(told), *sentences(self._sentence())]

    def _sentence(self) -> str:
        enough = f"Epsilon {_written(self.epsilon)} is enough for {self.wanted}"
        if self.too_small is None:
            return f"{enough}."
        where = f"{enough}; at {_written(self.too_small.epsilon)}"
        if not self.proved or self.at_most is None:
            return f"{where} the design is not."
        below = f"{where} no {self.too_small.rivals} is below {_above(self.too_small.class_bound, self.at_most)}"
        if self.too_small.bound_by != "duality":
            return f"{below}, by the solver's word."
        return f"{below}; a certificate is of the first, and a design at the second has the proof of this."


def _above(bound: Fraction, tolerated: Fraction) -> str:
    """Return a bound in nine digits; in as many as doubles have if these do not tell it from what is tolerated."""
    text = short(bound, 9)
    return text if Fraction(text) > tolerated else short(bound, 17)


def _written(epsilon: Epsilon) -> str:
    return format_number(Fraction(epsilon))


@dataclass(frozen=True)
class _Judged:
    """How far a design is from being good enough, whether it is, and whether it shows that nothing can be."""

    excess: float
    enough: bool
    refused: bool
    said: str


@dataclass
class _Search:
    """The designs that were tried, and the two that are nearest to each other from both sides.

    Of each epsilon those within the `gaps` are tried in turn, until one tells.
    """

    designed: Callable[[Epsilon, float | None], Design]
    judge: Callable[[Design], _Judged]
    gaps: Sequence[float | None]
    low: Design | None = None
    high: Design | None = None
    seen: dict[Epsilon, _Judged] = field(default_factory=dict)
    seconds: float = 0.0

    def __call__(self, epsilon: Epsilon) -> float:
        """Return how far the design at an epsilon, rounded to the grid, is from good enough: 0 or less if it is."""
        tried = epsilon if epsilon == math.inf else Fraction(round(epsilon * GRID), GRID)
        if tried not in self.seen:
            announce(f"epsilon {short(tried, 9)}")
            for gap in self.gaps:
                made = self.designed(tried, gap)
                self.seconds += made.stats["seconds"]
                self.seen[tried] = judged = self.judge(made)
                if judged.enough or judged.refused:
                    break
            if judged.enough and tried != math.inf and (self.high is None or tried < self.high.epsilon):
                self.high = made
            lower = not tried or judged.refused  # below 0 there is none, so that it is an end if it is not enough
            if lower and not judged.enough and (self.low is None or tried > self.low.epsilon):
                self.low = made
        judged = self.seen[tried]
        return min(judged.excess, 0.0) if judged.enough else max(judged.excess, TINY)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The largest epsilon that is too small, and the smallest that is not."""
        assert self.low is not None
        assert self.high is not None
        return Fraction(self.low.epsilon), Fraction(self.high.epsilon)

    def narrow(self) -> None:
        """Move both ends until they are near each other, or a design between them proves neither."""
        from scipy.optimize import brentq  # loads slowly

        low, high = self.ends
        root = brentq(self, float(low), float(high), xtol=float(WITHIN / 4))
        for near in (root - float(WITHIN / 3), root + float(WITHIN / 3)):
            if low < near < high:
                self(near)
        while (ends := self.ends)[1] - ends[0] > WITHIN:
            self(sum(ends, Fraction(0)) / 2)
            if self.ends == ends:
                return


@with_flags
def smallest_epsilon(
    graph: nx.Graph | str | os.PathLike[str],
    at_most: Number | None = None,
    *,
    rows: int | None = None,
    margin: Number | None = None,
    delta: Number = 0,
    objective: Goal | None = None,
    method: str = "auto",
    shared: bool = False,
    any_optimum: bool = False,
    scale_own: bool = False,
    command: str | None = None,
    nominal: bool = False,
    keep_shares: bool = False,
    executor: Executor | None = None,
) -> SmallestEpsilon:
    """Return the smallest epsilon at which the optimum is tolerated, between two designs a millionth of a nat apart.

    One is good enough, and the bound of the other proves that no mechanism is at its epsilon. Brent's search finds
    them, with some ten designs; any optimum will do for it, and designs near it where these tell as much.

    Parameters
    ----------
    graph
        as for `design`.
    at_most
        the value of the objective that is tolerated.
    rows, margin
        in place of it: so many rows, released with the design, are to be enough for intervals of 95 % that reach at
        most `margin` to either side (see `plan_rows`). It is the least for designs of this objective then; other
        mechanisms may need fewer rows.
    delta, objective, method, shared, any_optimum, scale_own, command, nominal, keep_shares, executor
        as for `design`. With `scale_own` it is the multiple that is sought.

    Raises
    ------
    InputError
        if an argument cannot be used, or no epsilon is enough.
    SolverError
        if no solver gave an answer.

    Examples
    --------
    >>> import mechdesign as md
    >>> found = md.smallest_epsilon("categorical-chain", "0.05")
    >>> f"{float(found.epsilon):.5f}: at most {float(found.design.value):.5f}"
    '0.56453: at most 0.05000'
    """
    graph = as_graph(graph)
    categories = graph.graph["categories"]
    goal = (MaxOffDiagonal() if objective is None else checked_objective(objective)).settled(categories)
    judge, wanted = _criterion(at_most, rows, margin, negative=goal.may_be_negative(categories))
    options: dict[str, Any] = {"delta": delta, "objective": goal, "method": method, "command": command}
    options |= {"shared": shared, "scale_own": scale_own, "nominal": nominal, "keep_shares": keep_shares}
    options["executor"] = executor
    gaps = (None,) if at_most is None else (ROUGHLY, None)

    def designed(epsilon: Epsilon, gap: float | None) -> Design:
        return design(graph, epsilon=epsilon, any_optimum=True, gap=gap, **options)

    search = _Search(designed, judge, gaps)
    search(0)
    if search.high is None:
        _bracket(search, wanted)
        search.narrow()
    assert search.high is not None
    made = design(graph, epsilon=search.high.epsilon, any_optimum=any_optimum, **options)
    seconds = search.seconds + made.stats["seconds"]
    if not judge(made).enough:  # the nearest design may be a billionth above the optimum
        made = search.high
    made.stats["seconds"] = seconds
    proved = at_most is not None and search.low is not None and judge(search.low).refused
    most = None if at_most is None else number("at_most", at_most)
    return SmallestEpsilon(made, search.low, wanted, proved, most)


def _bracket(search: "_Search", wanted: str) -> None:
    """Find an end that is enough: of 1, 2, 4 and so on the first; 0 is the other, as none was enough before.

    Raises
    ------
    InputError
        if none is enough.
    """
    if search(math.inf) > 0:
        said = search.seen[math.inf].said
        raise InputError(f"no epsilon is enough for {wanted}: {said} even without a requirement")
    epsilon = Fraction(1)
    while search(epsilon) > 0:
        epsilon *= 2
        if epsilon > MAX_EPSILON:
            raise InputError(f"no epsilon up to {MAX_EPSILON} is enough for {wanted}")


def _criterion(
    at_most: Number | None, rows: int | None, margin: Number | None, *, negative: bool
) -> tuple[Callable[[Design], _Judged], str]:
    """Return what says whether a design is good enough, and what that is in words; a value may be `negative`."""
    if at_most is not None:
        if rows is not None or margin is not None:
            raise InputError("at_most: is sought in place of rows and margin; leave out the one or the others")
        expected = f"a value {'' if negative else '>= 0 '}of the objective"
        most = number("at_most", at_most, expected, at_least=None if negative else 0)
        return partial(_by_value, most), f"a value of at most {format_number(most)}"
    if rows is None or margin is None:
        raise InputError("at_most: say which value is tolerated; or say rows and margin")
    whole("rows", rows)
    half = margin_of(margin)
    return partial(_by_rows, rows, half), f"95 % intervals of {format_number(half)} to either side by {rows:,} rows"


def _by_value(most: Fraction, made: Design) -> _Judged:
    said = f"the value is {short(made.value, 9)}"
    return _Judged(float(made.value - most), made.value <= most, made.class_bound > most, said)


def _by_rows(rows: int, margin: Fraction, made: Design) -> _Judged:
    needed = plan_rows(made.mechanism, margin).rows
    said = "no number of rows is enough" if needed is None else f"it takes {needed:,}"
    enough = needed is not None and needed <= rows
    return _Judged(math.log((needed or BEYOND) / rows), enough, not enough, said)
