"""Kept values that occur once are warned of, at any size of the data."""

from typing import Any

import pyarrow as pa
import pytest

from mechdesign.release import singles as module
from mechdesign.release.singles import Singles


def told(*batches: list[Any]) -> list[str]:
    singles = Singles(["w"])
    given = [pa.RecordBatch.from_pydict({"w": pa.array(one), "v": pa.array(one)}) for one in batches]
    assert list(singles.seen(given)) == given
    return singles.warnings()


def test_half_of_the_values_that_occur_once_are_too_many() -> None:
    expected = (
        "w, which is kept: 2 of 4 values occur once in what is released;"
        " whoever knows one knows whose row it is; round or group them first."
    )
    assert told([1.5, 2.5, 3.5], [3.5, 4.5, 4.5]) == [expected]
    assert told([1.5, 3.5, 2.5], [3.5, 4.5, 4.5], [2.5]) == []
    assert told([1.5]) == told([]) == told([[1], [2]]) == []


def test_so_many_values_are_counted_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    (words,) = told([1, 2], [3, 4], list(range(100)))
    assert words.startswith("w, which is kept: over 3 different values, of which many may occur once in what is")
    assert told([1, 2, 1, 2], [3, 3]) == []
