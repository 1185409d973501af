"""`sanitise` and `sanitise_batches`: what goes in and comes out, the law, and what is wrong with data."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import mechdesign as md
from mechdesign.files.source import BATCH
from mechdesign.release.dask import sanitise_dask
from mechdesign.release.sanitiser import Sanitiser
from mechdesign.release.spark import sanitise_spark

SWAP = md.mechanism_from_matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]], inputs=["no", "yes", "0.5"])
"""Sure, so that what comes out is known: no and yes change places."""

NUMBERS = md.mechanism_from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]], inputs=[1, 2, 3])


def two_profiles() -> md.Mechanism:
    """Return the mechanism that swaps for Ulm and does nothing for Jena."""
    graph = md.profile_graph({"Ulm": ["1/2", "1/2"], "Jena": ["1/2", "1/2"]}, edges=[], categories=["no", "yes"])
    rows = np.array([[1, 0], [0, 1]], dtype=object)
    return md.Mechanism(graph, ("no", "yes"), rows, np.array([[1, 0], [0, 1]]))


TABLE: dict[str, Any] = {
    "town": ["Ulm", "Jena", "Ulm", "Jena"],
    "answer": ["yes", "yes", "no", "no"],
    "year": [2001, 2001, 2004, 2004],
}
RELEASED = ["no", "yes", "yes", "no"]


def released(data: Any, **options: Any) -> Any:
    return md.sanitise(two_profiles(), data, value="answer", profile="town", **options)


class TestTables:
    def test_pandas(self) -> None:
        frame = pd.DataFrame(TABLE | {"what": [object()] * 4}, index=[4, 5, 6, 7])
        out = released(frame, keep=["year"])
        assert list(out.columns) == ["year", "answer"]
        assert out["year"].tolist() == TABLE["year"]
        assert out["answer"].tolist() == RELEASED
        assert list(out["answer"].cat.categories) == ["no", "yes"]
        assert out.index.tolist() == [0, 1, 2, 3], "an index that was kept would be released"

    def test_polars(self) -> None:
        polars = pytest.importorskip("polars")
        with pytest.warns(UserWarning, match="town is kept, beside each value: it is what the mechanism hides"):
            out = released(polars.DataFrame(TABLE), keep=["town"], keep_anyway=True)
        assert out.schema == {"town": polars.Enum(["Ulm", "Jena"]), "answer": polars.Enum(["no", "yes"])}
        assert out["answer"].to_list() == RELEASED
        assert out["town"].to_list() == TABLE["town"]

    def test_arrow(self) -> None:
        table = pa.table(TABLE)
        for data in (table, table.to_batches()[0]):
            out = released(data)
            assert type(out) is type(data)
            assert out.to_pydict() == {"answer": RELEASED}
        reader = released(table.to_reader(max_chunksize=3))
        assert isinstance(reader, pa.RecordBatchReader)
        assert reader.read_all().to_pydict() == {"answer": RELEASED}

    def test_whatever_has_a_stream_of_arrow(self) -> None:
        class Relation:
            def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
                return pa.table(TABLE).__arrow_c_stream__(requested_schema)

        assert released(Relation()).to_pydict() == {"answer": RELEASED}

    @pytest.mark.filterwarnings("ignore:town is kept, beside each value")
    def test_without_rows(self) -> None:
        out = released(pa.table(TABLE).slice(0, 0), keep=["town", "year"], keep_anyway=True)
        assert out.num_rows == 0
        assert out.schema.names == ["town", "year", "answer"]
        assert out.schema.field("answer").type == pa.dictionary(pa.int32(), pa.string())
        assert out["answer"].chunk(0).dictionary.to_pylist() == ["no", "yes"]
        kept: dict[str, Any] = {"keep": ["town", "year"], "keep_anyway": True}
        frame = released(pd.DataFrame(TABLE).iloc[:0], **kept)
        assert frame.dtypes.to_dict() == released(pd.DataFrame(TABLE), **kept).dtypes.to_dict()

    def test_what_is_no_table(self) -> None:
        with pytest.raises(md.InputError, match="data: expected a DataFrame, an Arrow table or so"):
            released([1, 2])

    def test_a_table_without_saying_which_column(self) -> None:
        for data in (pd.DataFrame(TABLE), pa.table(TABLE)):
            with pytest.raises(md.InputError, match=r"value: say which column of the (DataFrame|Table) to sanitise"):
                md.sanitise(SWAP, data)


class TestColumns:
    WORDS = ("no", "yes", "0.5", "yes")
    OUT = ("yes", "no", "0.5", "no")

    def test_lists_and_arrays(self) -> None:
        assert md.sanitise(SWAP, list(self.WORDS)) == list(self.OUT)
        assert md.sanitise(SWAP, self.WORDS) == list(self.OUT)
        for kind in (np.str_, object):
            out = md.sanitise(SWAP, np.array(self.WORDS, kind))
            assert out.tolist() == list(self.OUT)
            assert out.dtype.kind == np.dtype(kind).kind

    @pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float64, object])
    def test_numbers(self, kind: Any) -> None:
        out = md.sanitise(NUMBERS, np.array([3, 1, 2, 1], kind))
        assert out.tolist() == [1, 2, 3, 2]
        assert out.dtype == (object if kind is object else np.int64)

    def test_pandas(self) -> None:
        series = pd.Series(self.WORDS, index=[4, 5, 6, 7], name="answer")
        for data in (series, series.astype("category"), series.astype("string")):
            out = md.sanitise(SWAP, data)
            assert out.tolist() == list(self.OUT)
            assert out.index.tolist() == [4, 5, 6, 7]
            assert out.name == "answer"
            assert list(out.cat.categories) == ["no", "yes", "0.5"]
        assert md.sanitise(NUMBERS, pd.Series([1, 3])).tolist() == [2, 1]

    def test_polars(self) -> None:
        polars = pytest.importorskip("polars")
        out = md.sanitise(SWAP, polars.Series("answer", self.WORDS))
        assert (out.name, out.dtype) == ("answer", polars.Enum(["no", "yes", "0.5"]))
        assert out.to_list() == list(self.OUT)
        assert md.sanitise(NUMBERS, polars.Series([1, 3])).to_list() == [2, 1]

    def test_arrow(self) -> None:
        assert md.sanitise(SWAP, pa.array(self.WORDS)).to_pylist() == list(self.OUT)
        chunked = md.sanitise(SWAP, pa.chunked_array([["no"], ["yes", "0.5", "yes"]]))
        assert isinstance(chunked, pa.ChunkedArray)
        assert chunked.to_pylist() == list(self.OUT)

    def test_points_of_a_grid(self) -> None:
        points = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=[(0, 0), (0, 1)])
        assert md.sanitise(points, [(0, 0), (0, 1)]) == [(0, 1), (0, 0)]
        array = np.empty(2, object)
        array[:] = [(0, 0), (0, 1)]
        assert md.sanitise(points, array).tolist() == [(0, 1), (0, 0)]

    def test_profiles(self) -> None:
        out = md.sanitise(two_profiles(), np.array(TABLE["answer"]), profile=TABLE["town"])
        assert out.tolist() == RELEASED
        with pytest.raises(md.InputError, match="profile: expected one for each of the 4 values, found 2"):
            md.sanitise(two_profiles(), TABLE["answer"], profile=["Ulm", "Jena"])

    @pytest.mark.parametrize("data", [7, "no", np.zeros((2, 2)), {"a": [1]}])
    def test_what_is_no_column(self, data: Any) -> None:
        with pytest.raises(md.InputError, match="data: expected a numpy array, a Series"):
            md.sanitise(SWAP, data)

    def test_columns_are_not_kept_without_a_table(self) -> None:
        with pytest.raises(md.InputError, match="keep: goes with a DataFrame"):
            md.sanitise(SWAP, ["no"], keep=["year"])


class TestUnknown:
    CELLS = ("no", "No", "0,5", None, "yes", " NA ", "yes") * 3

    def test_they_are_counted_and_the_first_named(self) -> None:
        with pytest.raises(md.InputError) as error:
            md.sanitise(SWAP, pd.DataFrame({"a": self.CELLS}), value="a")
        assert error.value.faults == [
            "column 'a': 6 cells are none of the categories: text in row 2, text in row 3, text in row 9, text in row"
            " 10, text in row 16 and 1 more; expected no, yes, 0.5; that in row 3 has a decimal comma: write a point;"
            ' unknown="drop" leaves such rows out',
            "column 'a': 6 missing values in rows 4, 6, 11, 13, 18 and 1 more; missing=\"drop\" leaves such rows out",
        ]

    def test_rows_are_counted_over_all_batches(self) -> None:
        cells = np.full(3 * BATCH, 1)
        cells[[BATCH, 3 * BATCH - 1]] = 9
        where = f"a number in row {BATCH + 1:,}, a number in row {3 * BATCH:,}"
        fault = f"2 cells are none of the categories: {where}; expected 1, 2, 3"
        with pytest.raises(md.InputError, match=fault):
            md.sanitise(NUMBERS, cells)

    def test_they_are_left_out(self) -> None:
        kept = [cell for cell in self.CELLS if cell in ("no", "yes")]
        swapped = ["yes" if cell == "no" else "no" for cell in kept]
        assert md.sanitise(SWAP, self.CELLS, unknown="drop") == swapped
        series = md.sanitise(SWAP, pd.Series(self.CELLS), unknown="drop")
        assert series.index.tolist() == [row for row, cell in enumerate(self.CELLS) if cell in ("no", "yes")]
        frame = pd.DataFrame({"a": self.CELLS, "row": range(len(self.CELLS))})
        with pytest.warns(UserWarning, match="row, which is kept: 9 of 9 values occur once in what is released"):
            out = md.sanitise(SWAP, frame, value="a", keep=["row"], unknown="drop")
        assert out["row"].tolist() == series.index.tolist()
        assert out["a"].tolist() == swapped

    def test_an_unknown_profile(self) -> None:
        with pytest.raises(md.InputError) as error:
            released(pa.table(TABLE | {"town": ["Ulm", "Bonn", None, "Jena"]}))
        unknown, missing = error.value.faults
        assert unknown.startswith("column 'town': 1 cell is none of the profiles: text in row 2; expected Ulm, Jena; ")
        assert missing.endswith('missing value in row 3; missing_profile="drop" leaves such rows out')
        data = pa.table(TABLE | {"town": ["Ulm", "Bonn", None, "Jena"], "answer": ["yes", "x", "no", "no"]})
        found = released(data.append_column("land", [["D"] * 4]), unknown="drop", keep=["land"])
        assert found.to_pydict() == {"land": ["D", "D"], "answer": ["no"] * 2}


class TestBatches:
    @staticmethod
    def batch(**columns: Any) -> pa.RecordBatch:
        return pa.record_batch(columns)

    def test_dictionaries_of_kept_columns_are_undone(self) -> None:
        batches = [self.batch(a=["no"], b=pa.array([word]).dictionary_encode()) for word in ("x", "y")]
        parts = list(md.sanitise_batches(SWAP, batches, value="a", keep=["b"]))
        assert [part.to_pydict() for part in parts] == [{"b": ["x"], "a": ["yes"]}, {"b": ["y"], "a": ["yes"]}]
        assert {part.schema for part in parts} == {
            pa.schema([("b", pa.string()), ("a", parts[0].schema.field("a").type)])
        }

    @pytest.mark.parametrize(
        "kept",
        [
            pa.array(pd.Series([1, 2, 987654321], dtype="Int64").mask([False, False, True])),
            pa.StructArray.from_arrays([pa.array(pd.Series([1, 987654321], dtype="Int64").mask([False, True]))], ["x"]),
            pa.Array.from_buffers(
                pa.string(),
                3,
                [
                    pa.py_buffer(b"\x03"),
                    pa.py_buffer(np.array([0, 1, 2, 11], np.int32).tobytes()),
                    pa.py_buffer(b"ab987654321"),
                ],
            ),
        ],
        ids=["number", "within a record", "text"],
    )
    def test_what_was_struck_out_of_kept_columns_is_not_released_below_the_nulls(self, kept: pa.Array) -> None:
        hidden = (np.int64(987654321).tobytes(), b"987654321")
        assert any(word in buffer.to_pybytes() for buffer in kept.buffers() if buffer for word in hidden)
        batch = pa.record_batch({"answer": ["no"] * len(kept), "kept": kept})
        (part,) = md.sanitise_batches(SWAP, [batch], value="answer", keep=["kept"])
        out = part.column("kept")
        assert out.to_pylist() == kept.to_pylist()
        assert not any(word in buffer.to_pybytes() for buffer in out.buffers() if buffer for word in hidden)

    @pytest.mark.parametrize(
        "kept",
        [
            pa.array(["a", "b", None], pa.string_view()),
            pa.array([["a"], None, ["b"]], pa.large_list(pa.string_view())),
            pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(["a", None, "b"])),
        ],
        ids=["views", "views within lists", "runs"],
    )
    def test_what_arrow_cannot_pick_from(self, kept: pa.Array) -> None:
        batch = pa.record_batch({"answer": pa.array(["no", "perhaps", "yes"], pa.string_view()), "kept": kept})
        (part,) = md.sanitise_batches(SWAP, [batch], value="answer", keep=["kept"], unknown="drop")
        cells = kept.to_pylist()
        assert part.to_pydict() == {"kept": [cells[0], cells[2]], "answer": ["yes", "no"]}
        (part,) = md.sanitise_batches(SWAP, [batch.slice(2)], value="answer", keep=["kept"])
        assert part.to_pydict() == {"kept": [cells[2]], "answer": ["no"]}

    def test_the_profile_comes_out_only_if_it_is_kept_anyway(self) -> None:
        batch = pa.record_batch(TABLE)
        options: dict[str, Any] = {"value": "answer", "profile": "town"}
        with pytest.raises(md.InputError, match="keep: 'town' is what the mechanism hides; released beside each value"):
            md.sanitise_batches(two_profiles(), [batch], **options, keep=["town"])
        for keep, names in (((), ["answer"]), (["town"], ["town", "answer"])):
            (part,) = md.sanitise_batches(two_profiles(), [batch], **options, keep=keep, keep_anyway=True)
            assert part.schema.names == names
        assert part.column("town").dictionary.to_pylist() == ["Ulm", "Jena"]

    def test_nothing_comes_after_the_first_fault_and_all_are_counted(self) -> None:
        cells = [["no"], ["maybe"], ["yes"], ["maybe", "yes"]]
        parts = md.sanitise_batches(SWAP, (self.batch(a=one) for one in cells), value="a")
        assert next(parts).to_pydict() == {"a": ["yes"]}
        with pytest.raises(md.InputError, match="2 cells are none of the categories: text in row 2, text in row 4"):
            next(parts)

    def test_a_schema_that_changes(self) -> None:
        batches = [self.batch(a=["no"], b=[1]), self.batch(a=["no"], b=["1"])]
        parts = md.sanitise_batches(SWAP, batches, value="a", keep=["b"])
        next(parts)
        with pytest.raises(md.InputError, match="column 'b': after 1 rows expected int64 as before, found string"):
            next(parts)

    def test_a_column_that_goes(self) -> None:
        parts = md.sanitise_batches(SWAP, [self.batch(a=["no"]), self.batch(b=["no"])], value="a")
        next(parts)
        with pytest.raises(md.InputError, match="after 1 rows: column 'a': there is none of that name"):
            next(parts)

    def test_two_batches_have_coins_of_their_own_also_after_pickling(self) -> None:
        coin = md.mechanism_from_matrix([["1/2", "1/2"], ["1/2", "1/2"]], inputs=["no", "yes"])
        sanitiser = Sanitiser(coin, value="a")
        batch = self.batch(a=["no"] * 200)
        copies = [pickle.loads(pickle.dumps(sanitiser)) for _ in range(2)]
        outs = [part.column("a").to_pylist() for one in (sanitiser, *copies) for part in one.batches([batch, batch])]
        assert len({tuple(out) for out in outs}) == 6


class TestTheHiddenColumn:
    """The mechanism knows it from the table that its graph was made of, also where no profile is asked for."""

    @pytest.fixture
    def mechanism(self, tmp_path: Path) -> md.Mechanism:
        graph = md.graph_from_table(TABLE, profile="town", value="answer", smoothing=1, public=True)
        md.write_mechanism(md.design(graph, epsilon=1, shared=True).mechanism, tmp_path / "m.json")
        return md.read_mechanism(tmp_path / "m.json")

    @pytest.mark.filterwarnings("ignore:town is kept, beside each value")
    def test_it_is_not_kept(self, mechanism: md.Mechanism) -> None:
        calls: list[Callable[..., Any]] = [
            lambda **keep: md.sanitise(mechanism, pa.table(TABLE), value="answer", **keep),
            lambda **keep: next(md.sanitise_batches(mechanism, [pa.record_batch(TABLE)], value="answer", **keep)),
        ]
        for call in calls:
            assert call(keep=["year"]).schema.names == ["year", "answer"]
            with pytest.raises(md.InputError, match=r"'town' is what .* keep_anyway=True"):
                call(keep=["year", "town"])
            assert call(keep=["town"], keep_anyway=True).schema.names == ["town", "answer"]

    @pytest.mark.usefixtures("mechanism")
    def test_a_file_that_names_no_column(self, tmp_path: Path) -> None:
        document = json.loads((tmp_path / "m.json").read_text()) | {"hidden_column": 3}
        (tmp_path / "m.json").write_text(json.dumps(document))
        with pytest.raises(md.InputError, match=r"m\.json: hidden_column: expected the name of a column, found 3"):
            md.read_mechanism(tmp_path / "m.json")


class TestTheJournal:
    def test_a_second_time_is_warned_of(self, tmp_path: Path) -> None:
        (tmp_path / "survey.csv").write_text("answer\nno\n")
        options: dict[str, Any] = {"value": "answer", "journal": tmp_path / "survey.csv"}
        table = pa.table({"answer": ["no"]})
        assert md.sanitise(SWAP, table, **options)["answer"].to_pylist() == ["yes"]
        again = "column 'answer' of .*survey.csv has been sanitised before, once: with this mechanism on .*, to data in"
        again += ".* add up: 2 releases"
        with pytest.warns(UserWarning, match=again):
            md.sanitise(SWAP, table.to_reader(), **options)
        with pytest.warns(UserWarning, match="before, 2 times; last with this"):
            md.sanitise(SWAP, table, **options, seed_not_for_release=1)
        with pytest.warns(UserWarning, match="before, 2 times; last with another.* add up: 3 releases"):
            md.sanitise(md.k_ary(["no", "yes"], epsilon=1), table, **options)
        profiles = md.profile_graph({"a": ["0.5", "0.5"], "b": [1, 0]}, edges=[("a", "b")], categories=["no", "yes"])
        of_profiles = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
        of_profiles = md.Mechanism(profiles, of_profiles.outputs, of_profiles.rows, np.array([[0, 1]] * 2))
        with pytest.warns(UserWarning, match="may tell more than their epsilons added up"):
            md.sanitise(of_profiles, table, **options)

    @pytest.mark.parametrize(
        ("data", "value", "fault"),
        [(["no"], None, "journal: goes with a DataFrame"), (pa.table({"a": ["no"]}), "a", "no-such.csv: no such file")],
    )
    def test_what_cannot_be_noted(self, data: Any, value: str | None, fault: str, tmp_path: Path) -> None:
        with pytest.raises(md.InputError, match=fault):
            md.sanitise(SWAP, data, value=value, journal=tmp_path / "no-such.csv")


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "fault"),
        [
            ({"value": "answer"}, "profile: the mechanism has 2 matrices for its 2 profiles"),
            ({"value": "answer", "profile": "answer"}, "profile: 'answer' is the column that is sanitised"),
            (
                {"value": "answer", "profile": "town", "keep": ["answer"]},
                "keep: 'answer' is the column that is sanitised",
            ),
            ({"value": "answer", "profile": "town", "keep": "year"}, "keep: expected a list of columns, found 'year'"),
            ({"value": "answer", "profile": "town", "keep": None}, "keep: expected a list of columns, found None"),
            (
                {"value": "answer", "profile": "town", "keep": [["year"]]},
                r"expected the name of a column, found \['year'",
            ),
            ({"value": 0, "profile": "town"}, "value: expected the name of a column, found 0"),
            ({"value": "answer", "profile": ["Ulm"] * 4}, r"profile: expected the name of a column, found \['Ulm'"),
            ({"value": "answer", "profile": "town", "unknown": "drp"}, "unknown: expected one of error, drop"),
        ],
    )
    def test_what_does_not_go_together(self, options: dict[str, Any], fault: str) -> None:
        with pytest.raises(md.InputError, match=fault):
            md.sanitise(two_profiles(), pa.table(TABLE), **options)

    @pytest.mark.parametrize(
        "function", [md.sanitise, md.sanitise_batches, md.sanitise_file, sanitise_dask, sanitise_spark]
    )
    def test_a_misspelt_option_is_named_with_the_function(self, function: Any) -> None:
        given = ("m.json", "d.csv", "out.csv") if function is md.sanitise_file else (two_profiles(), pa.table(TABLE))
        words = rf"^{function.__name__}\(\) got an unexpected keyword argument 'keeep'"
        with pytest.raises(TypeError, match=words):
            function(*given, value="answer", keeep=["year"])

    def test_outputs_that_are_written_alike(self) -> None:
        mechanism = md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=["a", "b"], outputs=[1, "1"])
        with pytest.raises(md.InputError, match="outputs: two labels are written '1'"):
            md.sanitise(mechanism, ["a"])


@pytest.mark.slow
def test_the_law_of_what_is_released() -> None:
    """Three profiles with matrices of their own: each row of each profile has its law, seeded."""
    design = md.design("categorical-chain", epsilon=1)
    mechanism = design.mechanism
    draws = 30_000
    for profile in mechanism.profiles:
        for category in mechanism.categories:
            table = pa.table({"p": [str(profile)] * draws, "v": [str(category)] * draws})
            out = md.sanitise(mechanism, table, value="v", profile="p", seed_not_for_release=1)["v"].to_pylist()
            law = [float(mass) for mass in mechanism.row(profile, category)]
            counts = [out.count(str(y)) for y in mechanism.outputs]
            for mass, count in zip(law, counts, strict=True):
                assert abs(count - draws * mass) <= 6 * (draws * mass * (1 - mass)) ** 0.5


def test_one_value_alone_is_asked_for_in_a_list() -> None:
    with pytest.raises(md.InputError, match="found text, one value: put it into a list"):
        md.sanitise(md.k_ary(["no", "yes"], epsilon=1), "yes")
