"""Linked queries: an answer derived from another comes with the other's noise, not with its own."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.audit.auditor import Audit, audit_query
from mechdesign.audit.exact_columns import Records, parse_records, parse_sized
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import short, shown
from mechdesign.show.answer import Answer, for_people, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import six


@dataclass(frozen=True)
class Linked(Answering):
    """A query wanted, and its answer derived as factor x (noisy answer of another query).

    Attributes
    ----------
    wanted, answered
        the two audits.
    factor
        by which the answer is multiplied.
    effective_scale
        of the noise in the derived answer, factor x the scale of the answered query.
    effective_epsilon
        sensitivity of the wanted query / effective scale: the epsilon for which noise on the wanted query itself would
        have had that scale; infinite without noise.
    """

    wanted: Audit
    answered: Audit
    factor: Fraction
    effective_scale: Fraction
    effective_epsilon: Fraction | float

    def answer(self) -> Answer:
        """Return what is told of it."""
        asked, numbers = self.wanted, (self.wanted.scale, self.wanted.epsilon)
        derived = self.effective_scale, self.effective_epsilon
        keys = "scale", "epsilon", "effective_scale", "effective_epsilon", "factor"
        told = dict(zip(keys, (*numbers, *derived, self.factor), strict=True))
        name = f"{short(self.factor)} x the {self.answered.query}"
        rows = [[f"asked as the {asked.query}", *map(six, numbers)], [name, *map(six, derived)]]
        table = for_people(f"The {asked.query}", ["", "scale of its noise", "epsilon"], rows)
        return Answer(facts=for_programs(told), tables=[table])


def linked_query(
    values: Iterable[Any] | Records, *, wanted: str, answered: str, epsilon: Number, factor: Number | None = None
) -> Linked:
    """Return with how much noise one query's answer can be derived from another's, noise computed from the data.

    Parameters
    ----------
    values
        the records.
    wanted, answered
        names of queries, as for `audit_query`.
    epsilon
        in nats, > 0, of either query.
    factor
        wanted = factor x answered; known, with n public, for the sum and the mean.

    Raises
    ------
    InputError
        if something cannot be used, or the factor is not known, or is known to be another.

    References
    ----------
    [SM] Sarathy and Muralidhar 2009, Bilbao: Table 4. Local sensitivities of different queries do not fit together;
    the global ones under the exchange of a record do: (U-L) for the sum, (U-L)/n for the mean.

    Examples
    --------
    >>> linked = linked_query(range(1, 11), wanted="sum", answered="mean", epsilon=2)
    >>> linked.wanted.scale, linked.effective_scale, linked.effective_epsilon
    (Fraction(5, 1), Fraction(5, 2), Fraction(4, 1))
    """
    records = parse_records(values)
    first, second = (audit_query(records, query, epsilon) for query in (wanted, answered))
    times = _factor(wanted, answered, first.n, factor)
    scale = abs(times) * second.scale
    return Linked(first, second, times, scale, first.sensitivity / scale if scale else math.inf)


def _factor(wanted: str, answered: str, n: int, factor: Number | None) -> Fraction:
    known = {("sum", "mean"): Fraction(n), ("mean", "sum"): Fraction(1, n), (wanted, wanted): Fraction(1)}
    there = known.get((wanted, answered))
    number = there if factor is None else parse_sized("factor", factor)
    if number is None:
        raise InputError(f"factor: expected the number that turns the {answered} into the {wanted}, found none")
    if not number:
        raise InputError(f"factor: expected a number other than 0, found {shown(factor)}")
    if there is not None and number != there:
        raise InputError(f"factor: the {wanted} is {short(there)} x the {answered}, found {shown(factor)}")
    return number
