"""The mended mechanism: theory.md 4.4, and global sensitivities against all small databases."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from test_audit_query import DEFINED

from mechdesign.audit import QUERIES, Mended, audit_query
from mechdesign.papers.sm import CLAIMS

LEVELS = [Fraction(level) for level in (-1, 0, 1, 2)]


def mended(values: Any, query: str, epsilon: Any, bounds: Any) -> Mended:
    found = audit_query(values, query, epsilon, bounds=bounds).mended
    assert found is not None
    return found


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("n", [4, 5])
def test_global_sensitivity_is_the_largest_change(query: str, n: int) -> None:
    largest = Fraction(0)
    answers = {database: Fraction(DEFINED[query](database)) for database in product(LEVELS, repeat=n)}
    for database, answer in answers.items():
        largest = max(largest, *(abs(answer - answers[(level, *database[1:])]) for level in LEVELS))
    found = mended(range(n), query, 1, (LEVELS[0], LEVELS[-1]))
    assert found.public.sensitivity == largest
    low, high = QUERIES[query].span(n, LEVELS[0], LEVELS[-1])
    assert (low, high) == (min(answers.values()), max(answers.values()))


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("epsilon", ["1/3", "2", "1e-9", "0.1"])
def test_epsilon_is_what_was_asked(query: str, epsilon: str) -> None:
    found = mended(CLAIMS, query, epsilon, ("-0.7", "31.3"))
    assert found.public.epsilon == (0 if query == "count" else Fraction(epsilon))
    assert found.delta == 0
    released = found.private_count
    assert sum(release.epsilon for release in released) == (Fraction(epsilon) if released else 0)
    assert len(released) == {"mean": 2, "sum": 1, "count": 1}.get(query, 0)


def test_private_count_covers_adding_any_record() -> None:
    low, high = Fraction(3), Fraction(10)
    total, count = mended([4, 5, 6], "mean", 2, (low, high)).private_count
    middle = (low + high) / 2
    assert total.answer == 15 - 3 * middle
    for record in (low, middle, high):
        assert abs(record - middle) / total.scale + 1 / count.scale <= 2
    assert high - middle == total.sensitivity
    assert middle + total.answer / count.answer == 5  # the mean follows from the two
