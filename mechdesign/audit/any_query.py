"""Queries given as Python functions: answers and local sensitivities by asking for every database in turn."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.audit.arguments import LARGEST
from mechdesign.audit.exact_columns import Records, over_one_denominator
from mechdesign.audit.queries import Answers
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, parse_entry

MOST_RECORDS = 1000
"""n records take n^2/2 evaluations."""

LARGEST_ANSWER = LARGEST**2
"""Answers are at most as large, so that scales of noise are doubles."""

FEWEST = 3
"""Two are left out at once."""


def answers_of(query: Callable[[Any], Any], records: Records) -> tuple[Answers, Answers]:
    """Return the answers with all records, and without each of them; floats are the rationals that they are.

    Parameters
    ----------
    query
        takes an array of doubles, returns one number.
    records
        3 to 1,000 of them.

    Raises
    ------
    InputError
        if it returns no number, or one larger than squares of records, or there are too many records.

    Examples
    --------
    >>> from mechdesign.audit.exact_columns import parse_records
    >>> whole, without = answers_of(np.ptp, parse_records([1, 2, 5, 9]))
    >>> whole.sensitivities / whole.denominator, without.sensitivities / without.denominator
    (array([4.0], dtype=object), array([4.0, 4.0, 7.0, 3.0], dtype=object))
    """
    n, x = len(records), records.floats()
    if n > MOST_RECORDS:
        message = f"a function is asked n^2/2 times: expected at most {MOST_RECORDS} records, found {n}"
        raise InputError(f"{message}; named queries take millions")
    whole = _ask(query, x.copy())  # the function may sort it
    without = [_ask(query, np.delete(x, i), i) for i in range(n)]
    moved = [Fraction(0)] * n
    for i in range(n):
        for j in range(i):
            answer = _ask(query, np.delete(x, [i, j]), j, i)
            moved[i], moved[j] = (max(moved[a], abs(without[a] - answer)) for a in (i, j))
    farthest = max(abs(whole - answer) for answer in without)
    return _answers([whole], [farthest]), _answers(without, moved)


def _ask(query: Callable[[Any], Any], x: Any, *left_out: int) -> Fraction:
    answer = query(x)
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    missing = f" without row {' and '.join(str(i + 1) for i in left_out)}" if left_out else ""
    expected = f"a number of size at most 1e200{missing}"
    return number("query", answer, expected, at_least=-LARGEST_ANSWER, at_most=LARGEST_ANSWER, parse=parse_entry)


def _answers(values: list[Fraction], sensitivities: list[Fraction]) -> Answers:
    numbers = over_one_denominator([number.as_integer_ratio() for number in (*values, *sensitivities)])
    first, second = np.split(numbers.numerators, 2)
    return Answers(first, second, numbers.denominator)
