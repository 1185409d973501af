"""Large tables brought down to the rows that differ: the same graph, to the last digit, and the same faults."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, parquet

import mechdesign as md
from mechdesign.files.scan import read_table, scan
from mechdesign.graph.document import document_of
from mechdesign.graph.from_table.distinct import DENSE, NAMED, distinct

CELLS = ["low", "high", " low", "", "NA", "often"]
COUNTS = ["1", "2", "0", "", "x", "1,5", "-1"]


def outcome(frame: Any, **options: Any) -> Any:
    """Return the graph's document, or the faults."""
    try:
        return document_of(md.graph_from_table(frame, profile="job", value="use", **options))
    except md.InputError as error:
        return error.faults


def in_batches(table: dict[str, list[Any]], length: int) -> list[pa.RecordBatch]:
    return list(pa.table(table).to_batches(max_chunksize=length))


rows = st.tuples(
    st.sampled_from(["clerk", "cook", "guard", "guard", " cook", ""]),
    st.sampled_from(CELLS),
    st.sampled_from(COUNTS),
    st.sampled_from(["a", "b", "a", None]),
)


@given(
    st.lists(rows, min_size=1, max_size=60),
    st.integers(1, 20),
    st.sampled_from(["error", "drop", "category"]),
    st.sampled_from([None, "weight"]),
    st.sampled_from(["all", "group"]),
    st.sampled_from([None, ["low", "high"]]),
)
def test_the_same_graph_or_the_same_faults(
    cells: list[tuple[str, str, str, Any]], length: int, missing: str, count: str | None, edges: str, known: Any
) -> None:
    table = dict(zip(("job", "use", "weight", "group"), map(list, zip(*cells, strict=True)), strict=True))
    options: dict[str, Any] = {"missing": missing, "count": count, "edges": edges, "categories": known, "smoothing": 1}
    expected = outcome(table, **options)
    assert outcome(distinct(in_batches(table, length), list(table)), **options) == expected


def test_the_first_rows_are_remembered_over_all_batches() -> None:
    table = {"job": ["cook"] * 9 + ["clerk"] + ["cook"]}
    found = distinct(in_batches(table, 2), ["job"])
    assert found.columns == {"job": ["cook", "clerk"]}
    assert found.times == [10, 1]
    assert found.first == [[1, 2, 3, 4, 5][:NAMED], [10]]


def test_cells_of_different_types_are_different() -> None:
    columns = [pa.array([1, 2]), pa.array([1.0, float("nan")]), pa.array([True, None]), pa.array([[1], [1]])]
    batches = [pa.record_batch([column], names=["x"]) for column in columns]
    found = distinct(batches, ["x"])
    assert [type(cell) for cell in found.columns["x"]] == [int, int, float, float, bool, type(None), list]
    assert found.times[-1] == 2


def test_more_combinations_than_are_counted_in_an_array() -> None:
    number = int(DENSE**0.5) + 10
    ids = np.arange(number)
    table = {"job": [*ids, 0, 0], "use": [*ids[::-1], number - 1, 7]}
    found = distinct(in_batches(table, number + 2), ["job", "use"])
    assert len(found.times) == number + 1
    assert found.times[0] == 2
    assert found.first[0] == [1, number + 1]
    assert found.columns["use"][:2] == [number - 1, number - 2]
    assert found.columns["use"][-1] == 7


def test_an_ordered_categorical_keeps_its_order(tmp_path: Path) -> None:
    use = pd.Categorical(["low", "high", "low"], categories=["low", "some", "high"], ordered=True)
    table = pa.table({"job": ["cook", "cook", "clerk"], "use": pa.array(use)})
    for name, write in (("table.parquet", parquet.write_table), ("table.feather", feather.write_feather)):
        write(table, str(tmp_path / name))
        with scan(tmp_path / name, ["job", "use"]) as stream:
            assert outcome(distinct(stream, ["job", "use"])) == outcome(read_table(tmp_path / name))
    graph = md.graph_from_table(distinct(table.to_batches(max_chunksize=1), ["job", "use"]), profile="job", value="use")
    assert (graph.graph["categories"], graph.graph["ordered"]) == (("low", "some", "high"), True)
    other = pa.table({"job": ["cook"], "use": pa.DictionaryArray.from_arrays([0], ["high"], ordered=True)})
    both = [*table.to_batches(), *other.to_batches()]
    graph = md.graph_from_table(distinct(both, ["job", "use"]), profile="job", value="use")
    assert graph.graph["categories"] == ("high", "low")


@pytest.mark.slow
def test_many_different_rows_take_their_numbers_with_them() -> None:
    """Tables in memory take the same way; the first rows of each combination are found by one sort."""
    table = {"job": ["a", "b"] * 3_000, "use": [f"{place // 4}" for place in range(6_000)]}
    whole, parts = (distinct(in_batches(table, length), list(table)) for length in (6_000, 7))
    assert whole == parts
    assert (len(whole.times), whole.first[1], whole.times[0]) == (3_000, [2, 4], 2)
    assert outcome(table) == outcome(whole) == outcome(pa.table(table)) == outcome(pd.DataFrame(table))
