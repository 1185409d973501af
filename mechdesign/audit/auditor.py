"""`audit_query`: whether Laplace noise computed from the data makes an answer private, record by record."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from mechdesign.audit.exact_columns import Records, parse_asked, parse_bounds, parse_records, parse_sized
from mechdesign.audit.laplace import laplace_quantile
from mechdesign.audit.neighbours import LEVEL, Neighbours, neighbours_of
from mechdesign.audit.queries import FEWEST, QUERIES, Answers, Query, answers_of, with_and_without
from mechdesign.audit.remedy import Mended, mend
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import short, shown
from mechdesign.show.answer import Answer, Column, Fact, OfShown, Rows, Table, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near, six
from mechdesign.words import counted, expected_one_of

REMEDY = (
    "Remedy: bounds [L, U] chosen without looking at the data, records clipped to them, and noise for the query's "
    "global sensitivity (bounds=, on the command line --bounds)."
)

SECRET = OfShown("The exact answers that noise was to hide are shown: not for anybody who may not see the data.")

HEADINGS = [
    ("index", "row"), ("p1",), ("answer", "answer"), ("scale", "scale"), ("p2", "p2"), ("p3", "p3"),
    ("ratio_provider", "p1/p2 provider"), ("ratio_intruder", "p1/p3 intruder"), ("delta", "delta"),
    ("delta_with",), ("delta_without",), ("inferred", "so the record is"),
]  # fmt: skip
"""What JSON calls what holds without a record, and what people see of it."""


class Outcome(Enum):
    """What an audit finds."""

    PRIVATE = "private"
    REFUTED = "not private for any epsilon"
    NOT_SHOWN = "not shown to be private"


@dataclass(frozen=True, eq=False)
class Audit(Answering):
    """What is known of answering f(X) + Lap(Delta f(X)/epsilon), the noise computed from the data X themselves.

    Attributes
    ----------
    query, epsilon, n
        its name, the epsilon in nats, the number of records.
    exact_answer, sensitivity, scale
        f_n, Delta f_n and b_n = Delta f_n/epsilon, exactly.
    response
        the noisy answer that is looked at.
    records
        what differs without each record, arrays in the order of the records.
    outcome
        decided exactly: private for all data, refuted by these, or neither.
    mended
        the private mechanism in the bounds given; None without bounds.
    """

    query: str
    epsilon: Fraction
    n: int
    exact_answer: Fraction
    sensitivity: Fraction
    scale: Fraction
    response: float
    records: Neighbours
    outcome: Outcome
    mended: Mended | None

    @property
    def private(self) -> bool:
        """Whether the mechanism is private, for these and all other data."""
        return self.outcome is Outcome.PRIVATE

    @property
    def p1(self) -> float:
        """P[answer >= response] with all records."""
        return self.records.p1

    @property
    def tight_epsilon(self) -> Fraction | float:
        """The least epsilon that holds between these data and each database that lacks a record; infinite if none."""
        if self.outcome is Outcome.REFUTED:
            return math.inf
        return self.epsilon if self.sensitivity else Fraction(0)

    @property
    def delta(self) -> float:
        """The least delta with which the epsilon asked for holds between them."""
        return float(self.records.delta.max())

    def answer(self) -> Answer:
        """Return what is told of it."""
        told = {"private": self.private, "query": self.query, **({} if self.mended else {"mended": None})}
        found = Answer(
            self.sentence(),
            about=f"The {self.query} of {counted(self.n, 'record')}, epsilon {short(self.epsilon)}.",
            status=int(not self.private),
            tone="good" if self.private else "bad",
            facts=[*for_programs(told), *self._facts()],
            tables=self._tables(),
            warnings=[SECRET],
        )
        return found if self.mended is None else found.then(self.mended.answer().within("mended"))

    def _facts(self) -> list[Fact]:
        least = "least delta with the epsilon asked for"
        return [
            Fact("asked", "epsilon asked for", six(self.epsilon)),
            Fact("epsilon", "least epsilon that holds here", six(self.tight_epsilon)),
            Fact("delta", least, six(self.delta)),
            Fact("answer", "answer, without noise", six(self.exact_answer)),
            Fact("sensitivity", "largest change by leaving out one record", six(self.sensitivity)),
            Fact("scale", "scale of the noise", six(self.scale)),
            Fact("response", "noisy answer that is looked at", six(self.response)),
            Fact(words="p1, the probability of one at least as large", number=Near(self.p1, digits=4)),
        ]

    def _tables(self) -> list[Table]:
        """Return what holds without each record: for programs in their order, for people the worst first."""
        worst = self.records.worst_first()
        note = "The provider computes with the scale of all records, the intruder with that of the records left."
        if not all(map(math.isnan, self.records.inferred.tolist())):
            note += (
                f" So the record is: what moves the answer to the {LEVEL:.2%} quantile of the intruder's law (at most: "
                f"the {1 - LEVEL:.2%} one), beyond which the noisy answer {short(self.response)} lies."
            )
        columns, by_delta = [Column(*heading) for heading in HEADINGS], Rows(self.n, lambda i: self._row(worst[i]))
        return [
            Table("records", "", columns, Rows(self.n, self._row)),
            Table("", "Without one record, the worst first", columns, by_delta, note=note),
        ]

    def _row(self, i: int) -> list[Any]:
        """Return what holds without a record, as `HEADINGS` has it."""
        found = self.records
        inferred = float(found.inferred[i])
        side = "at least" if self.response > found.answers[i] else "at most"
        numbers = found.scales, found.p2, found.p3, found.ratio_provider, found.ratio_intruder, found.delta
        hidden = (Exact(float(column[i])) for column in (found.delta_with, found.delta_without))
        return [
            int(i) + 1,
            self.p1,
            six(float(found.answers[i])),
            *(Near(float(column[i]), digits=4) for column in numbers),
            *hidden,
            Exact(inferred, "-" if math.isnan(inferred) else f"{side} {inferred:.5g}"),
        ]

    def sentence(self) -> str:
        """Return the verdict in words: private or not, why, and what to do."""
        if self.outcome is Outcome.PRIVATE:
            why = "The noise has one scale for all data, the largest change that one record can make over epsilon"
            return f"Private. {why}."
        remedy = REMEDY if self.mended is None else _remedied(self.mended)
        if self.outcome is Outcome.NOT_SHOWN:
            why = "No record that is left out changes the scale, but nothing keeps it so in other data"
            return f"Not shown to be private. {why}. {remedy}"
        least = digits_above(Fraction(self.delta), 3)
        place = next(i for i in self.records.worst_first() if not self.records.same_scale[i])
        scales = f"{float(self.scale):.6g} with row {place + 1} and {self.records.scales[place]:.6g} without it"
        return (
            f"Not private for any epsilon: the noise has the scale {scales}, and far out the wider of two Laplace laws "
            f"exceeds the other by any factor. At epsilon {float(self.epsilon):g} the least delta is {least}. "
            f"{remedy}"
        )


def audit_query(
    values: Iterable[Any] | Records,
    query: str | Callable[[Any], Any],
    epsilon: Number,
    *,
    u: Number | None = None,
    response: Number | None = None,
    bounds: tuple[Number, Number] | None = None,
) -> Audit:
    """Return what Laplace noise scaled to the largest change that leaving one of these records out makes gives away.

    Parameters
    ----------
    values
        the records, numbers or text.
    query
        "sum", "mean", "count", "variance" (which divides by n - 1), "max", "min", "median", or a function that takes an
        array of doubles and returns a number.
    epsilon
        in nats, > 0.
    u, response
        the noisy answer to look at: the u-quantile of the answer's law (default 0.75), or the number itself.
    bounds
        (L, U), chosen without looking at the data, for the mended mechanism.

    Raises
    ------
    InputError
        naming the rows that are no numbers, or the argument that cannot be used.

    References
    ----------
    [SM] Sarathy and Muralidhar 2009, Bilbao: Tables 1 and 2. The paper takes this mechanism for Dwork's, whose
    sensitivity is the global one.

    Examples
    --------
    >>> audit = audit_query([9, 10, 11, 100], "mean", epsilon=2)
    >>> audit.private, audit.tight_epsilon, round(audit.delta, 4), f"{audit.records.ratio_intruder[3]:.2g}"
    (False, inf, 0.9734, '2.1e+52')
    """
    epsilon = parse_asked(epsilon)
    named = _named(query)
    records = parse_records(values, fewest=FEWEST if named is None else named.fewest)
    limits = None if bounds is None else parse_bounds(bounds)
    if limits is not None and named is None:
        raise InputError("bounds: no data show a function's global sensitivity; use a named query")
    whole, without = _answers(query, named, records)
    answer, sensitivity = (Fraction(int(part[0]), whole.denominator) for part in (whole.values, whole.sensitivities))
    scale = sensitivity / epsilon
    offset = _offset(u, response, answer, scale)
    found = neighbours_of(whole, without, epsilon, answer + offset, None if named is None else named.missing)
    return Audit(
        query=named.name if named is not None else getattr(query, "__name__", "function"),
        epsilon=epsilon,
        n=len(records),
        exact_answer=answer,
        sensitivity=sensitivity,
        scale=scale,
        response=float(answer + offset),
        records=found,
        outcome=_outcome(named, found),
        mended=None if limits is None or named is None else mend(named, records, epsilon, limits),
    )


def _named(query: object) -> Query | None:
    """Return the named query; None for a function."""
    if isinstance(query, str) and query in QUERIES:
        return QUERIES[query]
    if isinstance(query, str) or not callable(query):
        raise InputError(f"query: {expected_one_of(QUERIES, query, beside=' or a function')}")
    return None


def _answers(query: Any, named: Query | None, records: Records) -> tuple[Answers, Answers]:
    if named is None:
        return answers_of(query, records)
    whole, without = with_and_without(records)
    return named.answers(whole), named.answers(without)


def _offset(u: Number | None, response: Number | None, answer: Fraction, scale: Fraction) -> Fraction:
    """Return how far the response is from the answer."""
    if u is not None and response is not None:
        raise InputError("u, response: expected one of them, found both")
    if response is not None:
        return parse_sized("response", response) - answer
    share = parse_sized("u", "0.75" if u is None else u)
    tail = min(share, 1 - share)  # exactly: near 1 doubles are too far apart
    if not float(tail) > 0:
        raise InputError(f"u: expected a number in (0, 1), found {shown(u)}")
    below = Fraction(float(laplace_quantile(float(tail)))) * scale
    return below if tail == share else -below


def _outcome(named: Query | None, found: Neighbours) -> Outcome:
    if not found.same_scale.all():
        return Outcome.REFUTED
    return Outcome.PRIVATE if named is not None and named.fixed else Outcome.NOT_SHOWN


def _remedied(mended: Mended) -> str:
    low, high = map(short, mended.bounds)
    clipped = f"records clipped to [{low}, {high}], if these bounds were chosen without looking at the data"
    return f"Remedy: {clipped}, and noise of scale {short(mended.scale)}, for the query's global sensitivity."
