"""Another thread makes the items: in order, errors in their place, and it ends when nobody wants more."""

import threading
from collections.abc import Generator

import pytest

from mechdesign.files.csv_source import AHEAD, read_ahead


def numbers(upto: int, made: list[int], closed: list[str]) -> Generator[int, None, None]:
    try:
        for number in range(upto):
            made.append(threading.get_ident())
            yield number
    finally:
        closed.append("closed")


@pytest.mark.parametrize("count", [0, 1, AHEAD, 50])
def test_the_same_items_from_another_thread(count: int) -> None:
    made: list[int] = []
    closed: list[str] = []
    assert list(read_ahead(numbers(count, made, closed))) == list(range(count))
    assert len(made) == count
    assert threading.get_ident() not in made
    assert closed == ["closed"]


def test_no_more_are_made_than_wait() -> None:
    made: list[int] = []
    items = read_ahead(numbers(50, made, []))
    for taken in range(1, 9):
        next(items)
        assert taken <= len(made) <= taken + AHEAD
    items.close()
    assert len(made) <= 8 + AHEAD


def test_an_error_comes_after_the_items_before_it() -> None:
    def faulty() -> Generator[int, None, None]:
        yield 1
        yield 2
        raise ValueError("row 3")

    items = read_ahead(faulty())
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(ValueError, match="row 3"):
        next(items)
    assert list(items) == []


def test_closing_closes_the_items_and_ends_the_thread() -> None:
    made: list[int] = []
    closed: list[str] = []
    before = threading.active_count()
    items = read_ahead(numbers(50, made, closed))
    next(items)
    items.close()
    assert closed == ["closed"]
    assert threading.active_count() == before
