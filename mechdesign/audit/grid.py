"""The best finite mechanism for a numeric answer: `design` on a grid of the query's values, beside Laplace noise.

n is public and the records are in bounds, so the answer lies in a known interval and neighbours' answers are at most
the global sensitivity apart. The answer is rounded to an even grid over the interval, which moves it by half a step at
most; neighbours then are at most ceil(sensitivity / step) steps apart, and only such pairs of values need be alike.

The bound is about mechanisms that see the rounded answer, no others. A step that does not divide the sensitivity takes
neighbours for farther apart than they are; then Laplace noise, which sees the answer itself, can be below the bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.audit.exact_columns import LARGEST, parse_asked, parse_bounds
from mechdesign.audit.queries import QUERIES
from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, whole
from mechdesign.exact.text import format_number, short
from mechdesign.graph.values import value_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import ExpectedLoss
from mechdesign.show.answer import Answer, for_people, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Down, Up, six
from mechdesign.words import expected_one_of

MOST_POINTS = 101
"""61 points take seconds, and so may 91; 101 whose step does not divide the sensitivity take minutes."""


@dataclass(frozen=True, eq=False)
class OnGrid(Answering):
    """The best mechanism on a grid; errors are expected absolute ones, with the mean over the values of the grid.

    Attributes
    ----------
    values
        the grid.
    reach
        as many steps apart can neighbours' answers be.
    design
        the mechanism, with its proof.
    error, bound
        its error, and what no private mechanism that sees the rounded answer goes below; exact.
    laplace
        the error of Laplace noise at the same epsilon, which is its scale; exact.
    clamped
        the error of Laplace noise when its answers are moved into the interval.
    rounded
        the error with the mean over all answers in the interval, rounding to the grid included; exact.
    clamped_anywhere
        that of clamped Laplace noise, which needs no rounding.
    """

    values: tuple[Fraction, ...]
    reach: int
    design: Design
    error: Fraction
    bound: Fraction
    laplace: Fraction
    clamped: float
    rounded: Fraction
    clamped_anywhere: float

    @property
    def step(self) -> Fraction:
        """How far apart the values are."""
        return self.values[1] - self.values[0]

    @property
    def sensitivity(self) -> Fraction:
        """How far apart neighbours' answers can be before they are rounded."""
        return self.laplace * Fraction(self.design.epsilon)

    @property
    def fitting(self) -> list[int]:
        """The numbers of points whose step divides the sensitivity: rounding takes neighbours no farther apart."""
        unit = (self.sensitivity / (self.values[-1] - self.values[0])).denominator
        return list(range(unit + 1, MOST_POINTS + 1, unit))

    def answer(self) -> Answer:
        """Return what is told of it."""
        told = {
            "points": len(self.values),
            "step": self.step,
            "reach": self.reach,
            "fitting": self.fitting,
            "error": self.error,
            "bound": self.bound,
            "laplace": self.laplace,
            "laplace_clamped": self.clamped,
            "error_rounded": self.rounded,
            "laplace_clamped_anywhere": self.clamped_anywhere,
        }
        rows = [
            ["best mechanism that sees the answer rounded", Up(self.error, 6), Up(self.rounded, 6)],
            ["no private one that sees it rounded is below", Down(self.bound, 6), None],
            ["Laplace noise", *map(six, (self.laplace, self.laplace))],
            ["Laplace noise, clamped to the grid's ends", *map(six, (self.clamped, self.clamped_anywhere))],
        ]
        title = f"Expected absolute error, on a grid of {len(self.values)} answers, {short(self.step)} apart"
        ends = f"[{short(self.values[0])}, {short(self.values[-1])}]"
        note = f"All answers: spread evenly over {ends}; the best mechanism's error then includes that of rounding."
        headings = ["", "mean over the grid", "mean over all answers"]
        table = for_people(title, headings, rows, f"{note} {self._about_rounding()}")
        return Answer(facts=for_programs(told), tables=[table])

    def _about_rounding(self) -> str:
        """Return what rounding costs in privacy, whether Laplace noise is better for it, and which grid to try."""
        apart, rounded = short(self.sensitivity), short(self.step * self.reach)
        words = [f"Neighbours' answers are up to {apart} apart, rounded to this grid up to {rounded}."]
        where = [" over the grid"] * (self.clamped < self.error) + [" over all answers"] * (
            self.clamped_anywhere < self.rounded
        )
        if where:
            words.append(f"Clamped Laplace noise, which sees the answer itself, is better here,{' and'.join(where)}.")
        points, fitting = len(self.values), self.fitting
        finer = [other for other in fitting if other > points]
        if points not in fitting and fitting:
            nearest = min(reversed(fitting), key=lambda other: abs(other - points))
            words.append(f"Take --grid {nearest}: its step divides {apart}.")
        elif points not in fitting:
            words.append(f"No step of at most {MOST_POINTS} answers divides {apart}.")
        elif where and finer:
            words.append(f"--grid {finer[0]} may do better.")
        return " ".join(words)


def best_on_grid(
    query: str,
    *,
    n: int,
    bounds: tuple[Number, Number],
    epsilon: Number,
    points: int,
    progress: Callable[[int, int], object] | None = None,
) -> OnGrid:
    """Return the private mechanism of least expected absolute error for a query's answers, rounded to a grid.

    Parameters
    ----------
    query
        a named one, other than the count.
    n
        the number of records, public.
    bounds
        (L, U) of the records.
    epsilon
        in nats, > 0.
    points
        of the grid, 2 to 101; best one of `OnGrid.fitting`.
    progress
        as for `design`.

    Raises
    ------
    InputError
        if an argument cannot be used.

    Examples
    --------
    >>> best = best_on_grid("mean", n=4, bounds=(0, 8), epsilon=1, points=5)
    >>> f"{float(best.error):.4f} against {float(best.laplace)} and, clamped, {best.clamped:.4f}"
    '1.1670 against 2.0 and, clamped, 1.3715'
    """
    _check_query(query, n)
    least, most = parse_bounds(bounds)
    low, high = QUERIES[query].span(n, least, most)
    whole("points", points, at_least=2, at_most=MOST_POINTS)
    asked = parse_asked(epsilon)
    step = (high - low) / (points - 1)
    values = tuple(low + step * i for i in range(points))
    sensitivity = QUERIES[query].global_sensitivity(n, most - least)
    reach = math.ceil(sensitivity / step)
    place = {format_number(value): i for i, value in enumerate(values)}
    graph = value_graph(
        place, metric=lambda x, y: 1 if abs(place[x] - place[y]) <= reach else math.inf, name=f"{query} on a grid"
    )
    result = design(graph, epsilon=asked, objective=ExpectedLoss("absolute"), progress=progress)
    scale = float(sensitivity / asked)
    shares = [float((value - low) / (high - low)) for value in values]
    width = float((high - low) * asked / sensitivity)
    return OnGrid(
        values=values,
        reach=reach,
        design=result,
        error=result.value * step,
        bound=result.bound * step,
        laplace=sensitivity / asked,
        clamped=scale * math.fsum(_clamped(share * width, width) for share in shares) / points,
        rounded=_rounded(result.mechanism) * step,
        clamped_anywhere=scale * _clamped_anywhere(width),
    )


def _check_query(query: str, n: int) -> None:
    """Raise an InputError unless a query of so many records has an answer that needs noise."""
    if query not in QUERIES or query == "count":
        named = [name for name in QUERIES if name != "count"]
        raise InputError(f"query: {expected_one_of(named, query, beside=' (a public count needs no noise)')}")
    fewest = QUERIES[query].fewest
    whole("n", n, f"an integer, at least {fewest} and at most 1e100", at_least=fewest, at_most=LARGEST)


def _clamped(below: float, width: float) -> float:
    """Return E|clamp(noise)| in scales of the noise, for a value so far above the lower end of the interval."""
    return -(math.expm1(-below) + math.expm1(below - width)) / 2  # on either side at most the distance to the end


def _clamped_anywhere(width: float) -> float:
    """Return the mean of `_clamped` over the interval, 1 - (1 - e^-width)/width; as a series where that cancels."""
    if width > 1:
        return 1 + math.expm1(-width) / width
    return math.fsum(-((-width) ** k) / math.factorial(k + 1) for k in range(1, 19))


def _rounded(mechanism: Mechanism) -> Fraction:
    """Return the mean of E|released - answer| in steps, for answers spread evenly over the interval, rounded.

    An answer is t steps from its grid value, |t| <= 1/2 (on one side only at the ends), so |k - t| is k on average but
    for k = 0, where it is 1/4; at the ends, half as likely, it is k - 1/4, and 1/4.
    """
    total, last = Fraction(0), len(mechanism.outputs) - 1
    for i, released in enumerate(mechanism.all_released()):
        for o, mass in enumerate(released.fractions()):
            k = Fraction(abs(o - i))
            total += mass * (k or Fraction(1, 4)) if 0 < i < last else mass * (abs(k - Fraction(1, 4)) / 2)
    return total / last
