"""The remedy: bounds chosen without looking at the data, and noise for the query's global sensitivity.

Records are clipped to [L, U] and the noise has the scale (global sensitivity)/epsilon, which reveals nothing. Where n
is public, neighbours exchange one record. Where n is private too, they add or remove one: then no scale that divides by
n will do (with two records left, one moves the mean by (U-L)/2), and a noisy sum and a noisy count are released, from
which the mean follows. Without bounds the global sensitivity of a sum or a mean is infinite.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.audit.divergence import hockey_stick
from mechdesign.audit.exact_columns import Records
from mechdesign.audit.queries import Query, with_and_without
from mechdesign.exact.text import short
from mechdesign.show.answer import Answer, for_people, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import six


@dataclass(frozen=True)
class Release:
    """An answer to which Laplace noise of a fixed scale is added.

    Attributes
    ----------
    what
        in words.
    answer
        without the noise.
    sensitivity
        how far neighbours' answers can be apart.
    scale
        of the noise.
    """

    what: str
    answer: Fraction
    sensitivity: Fraction
    scale: Fraction

    @property
    def epsilon(self) -> Fraction:
        """The largest log ratio of neighbours' densities; without sensitivity there is nothing to hide."""
        return self.sensitivity / self.scale if self.sensitivity else Fraction(0)


@dataclass(frozen=True)
class Mended(Answering):
    """The mended mechanism.

    Attributes
    ----------
    bounds
        (L, U).
    public
        what is released where n is public.
    bias
        what clipping to the bounds does to the answer; noise has no bias.
    private_count
        what is released where n is private, for the sum, the mean and the count; otherwise empty.
    asked
        the epsilon asked for.
    """

    bounds: tuple[Fraction, Fraction]
    public: Release
    bias: Fraction
    private_count: tuple[Release, ...]
    asked: Fraction

    @property
    def scale(self) -> Fraction:
        """Of the noise, where n is public."""
        return self.public.scale

    @property
    def delta(self) -> float:
        """The largest divergence at the epsilon asked, over all pairs of neighbours that keep to the bounds: 0."""
        used = max(self.public.epsilon, sum((release.epsilon for release in self.private_count), Fraction(0)))
        return float(hockey_stick(float(used), float(used - self.asked), 0, float(self.asked)))

    def answer(self) -> Answer:
        """Return what is told of it."""
        public, (low, high) = self.public, map(short, self.bounds)
        releases = [("public", public), *(("private", part) for part in self.private_count)]
        rows = [[f"n {who}: {part.what}", *map(six, (part.answer, part.scale, part.epsilon))] for who, part in releases]
        parts = [
            {"what": part.what} | {key: float(getattr(part, key)) for key in ("answer", "scale", "epsilon")}
            for part in self.private_count
        ]
        facts: dict[str, Any] = {
            "scale": self.scale,
            "bias": self.bias,
            "answer": public.answer,
            "sensitivity": public.sensitivity,
        }
        facts |= {"delta": self.delta, "bounds": list(map(float, self.bounds)), "n_private": parts}
        moved = f"clipping moves the {public.what} by {short(self.bias)}."
        title, note = f"Mended: records clipped to [{low}, {high}]", f"delta {self.delta:g}, whatever the data; {moved}"
        headings = ["released", "answer", "noise of scale", "epsilon"]
        return Answer(facts=for_programs(facts), tables=[for_people(title, headings, rows, note)])


def mend(query: Query, records: Records, epsilon: Fraction, bounds: tuple[Fraction, Fraction]) -> Mended:
    """Return the mechanism that answers a query privately about records in these bounds.

    Parameters
    ----------
    query
        a named one.
    epsilon
        in nats, > 0.
    bounds
        (L, U), chosen without looking at the data: no check can tell.

    References
    ----------
    theory.md 4.4; Dwork 2006 means this global sensitivity, where [SM] reads a local one (ERR-4.7).

    Examples
    --------
    >>> from mechdesign.audit.queries import QUERIES
    >>> from mechdesign.audit.exact_columns import parse_records
    >>> mended = mend(QUERIES["mean"], parse_records([1, 2, 30]), Fraction(2), (Fraction(0), Fraction(9)))
    >>> mended.scale, mended.bias, mended.delta
    (Fraction(3, 2), Fraction(-7, 1), 0.0)
    """
    clipped = records.clipped(*bounds)
    before, after = (_answer(query, some) for some in (records, clipped))
    sensitivity = query.global_sensitivity(len(records), bounds[1] - bounds[0])
    public = Release(query.name, after, sensitivity, sensitivity / epsilon)
    return Mended(bounds, public, after - before, _private_count(query.name, clipped, epsilon, bounds), epsilon)


def _answer(query: Query, records: Records) -> Fraction:
    answers = query.answers(with_and_without(records)[0])
    return Fraction(answers.values[0], answers.denominator)


def _private_count(
    name: str, clipped: Records, epsilon: Fraction, bounds: tuple[Fraction, Fraction]
) -> tuple[Release, ...]:
    """Return the releases that need no public n; those for the mean share epsilon, and its sum is about the middle."""
    low, high = bounds
    n, total = len(clipped), Fraction(clipped.numerators.sum(), clipped.denominator)
    largest, middle, half = max(abs(low), abs(high)), (low + high) / 2, (high - low) / 2
    count = Release("count", Fraction(n), Fraction(1), (2 if name == "mean" else 1) / epsilon)
    if name == "mean":
        return Release(f"sum of the records less {middle}", total - n * middle, half, 2 * half / epsilon), count
    return {"sum": (Release("sum", total, largest, largest / epsilon),), "count": (count,)}.get(name, ())
