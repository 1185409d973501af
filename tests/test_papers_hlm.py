"""[HLM]: what is said to be right is derived here a second time, and how it is said what is wrong."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from mechdesign.papers import RESULTS, hlm_product
from mechdesign.papers.published import Result, written


@cache
def result_of(name: str) -> Result:
    """Compute what a test asks for alone, for each may have a process of its own."""
    return RESULTS[name]()


F = Fraction
KINDS = 5
"""Hobbies, of which number 2 is television."""


def sanitised(database: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """Return what Example 3 releases of a database: each row stays with 6/10, and becomes each other with 1/10."""
    chances = {}
    for released in product(range(KINDS), repeat=len(database)):
        stays = sum(one == other for one, other in zip(database, released, strict=True))
        chances[released] = F(6, 10) ** stays * F(1, 10) ** (len(database) - stays)
    return chances


def least_delta(answer: Callable[[tuple[int, ...]], object], rows: int, ratio: Fraction) -> Fraction:
    """Return the least delta of an answer about a sanitised database: of all sets of answers, those that add to it."""
    worst = F(0)
    for database in product(range(KINDS), repeat=rows):
        for changed in range(KINDS):
            gaps: dict[object, Fraction] = {}
            for sign, one in ((1, database), (-ratio, (changed, *database[1:]))):
                for released, chance in sanitised(one).items():
                    gaps[answer(released)] = gaps.get(answer(released), F(0)) + sign * chance
            worst = max(worst, sum((gap for gap in gaps.values() if gap > 0), F(0)))
    return worst


def television(database: tuple[int, ...]) -> int:
    return database.count(2)


@pytest.mark.parametrize("ratio", [F(1), F(3), F(11, 2), F(6)])
def test_the_queries_of_example_1_on_what_example_3_releases(ratio: Fraction) -> None:
    """Theorem 1 database by database, from the definition: of two rows, what is released and the number of viewers."""
    database_delta, query_delta = hlm_product.deltas_of_a_query(ratio)
    assert database_delta == least_delta(lambda database: database, 2, ratio)
    assert query_delta == least_delta(television, 2, ratio) <= database_delta
    assert least_delta(lambda database: len(set(database)), 2, ratio) <= database_delta
    assert (database_delta == 0) is (ratio == 6)


def test_the_database_of_example_1_is_one_that_has_its_answers() -> None:
    """The list itself is lost in the text at hand: six people name 4 of the 5 hobbies, and 2 of them television."""
    named = {hobby: hlm_product.DATABASE.count(hobby) for hobby in hlm_product.HOBBIES}
    assert sorted(named.values()) == [0, 1, 1, 2, 2]
    assert (named["Television"], sum(named.values())) == (2, 6)
    assert "its list is lost in the text at hand" in written("hlm")[1]["hlm-examples-1-3"][1]


def test_needed_hypotheses_are_no_errors() -> None:
    words = result_of("hlm-sufficient-sets").words
    assert all(f"ERR-2.{number}, a needed hypothesis: " in words for number in (2, 3))


def test_how_example_2_was_miscounted_is_not_known() -> None:
    result = result_of("hlm-example-2")
    assert "presumably" in result.words
    assert {row.note for row in result.rows if row.reference and row.published} == {
        "ERR-2.1",
        "ERR-2.1: an odd count cannot be",
    }
