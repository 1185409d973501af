"""Matrices in files: labels are recognised where they can be nothing else, and refused where they may be numbers."""

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import read_graph, value_graph
from mechdesign.errors import InputError
from mechdesign.graph.frames import Matrix
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.matrix import read_matrix, read_npy

NUMBERS = [["0.75", "0.25"], ["0.25", "0.75"]]


def read(folder: Path, text: str) -> Matrix:
    path = folder / "m.csv"
    path.write_text(text, encoding="utf-8")
    return read_matrix(path)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    assert caught.value.source == str(folder / "m.csv")
    return caught.value.faults


def test_delimiters_and_commas(tmp_path: Path) -> None:
    for text in ("0.75,0.25\n0.25,0.75", "0,75;0,25\n0,25;0,75", "0.75\t0.25\n0.25\t0.75", "0.75 0.25\n0.25 0.75"):
        assert read(tmp_path, text).rows == NUMBERS


@pytest.mark.parametrize(
    ("text", "inputs", "outputs"),
    [
        (",n,y\nno,0.75,0.25\nyes,0.25,0.75", ("no", "yes"), ("n", "y")),
        (",0,1\n0,0.75,0.25\n1,0.25,0.75", ("0", "1"), ("0", "1")),  # pandas: integers, but the corner is empty
        (",0.1,0.9\n0.1,0.75,0.25\n0.9,0.25,0.75", ("0.1", "0.9"), ("0.1", "0.9")),  # and so are these
        ('"";"n";"y"\n"no";0,75;0,25\n"yes";0,25;0,75', ("no", "yes"), ("n", "y")),  # R: write.csv2
        ('"n" "y"\n"no" 0.75 0.25\n"yes" 0.25 0.75', ("no", "yes"), ("n", "y")),  # R: write.table
        ("truth,n,y\nno,0.75,0.25\nyes,0.25,0.75", ("no", "yes"), ("n", "y")),
        ("n,y\n0.75,0.25\n0.25,0.75", None, ("n", "y")),
        ("no,0.75,0.25\nyes,0.25,0.75", ("no", "yes"), None),
        ("18-25,0.75,0.25\n>25,0.25,0.75", ("18-25", ">25"), None),
    ],
)
def test_labels(tmp_path: Path, text: str, inputs: Any, outputs: Any) -> None:
    found = read(tmp_path, text)
    assert (found.rows, found.inputs, found.outputs) == (NUMBERS, inputs, outputs)
    says = [f"the first {where} as labels of the {what}" for where, what in (("column", "inputs"), ("line", "outputs"))]
    wanted = [words for words, labels in zip(says, (inputs, outputs), strict=True) if labels]
    assert [words for words in found.words if words.startswith("the first")] == wanted


@pytest.mark.parametrize("index", [["a", "b"], [0, 1], [7, 8]])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_pandas_writes(tmp_path: Path, index: list[Any], separator: str) -> None:
    frame = pd.DataFrame([[0.75, 0.25], [0.25, 0.75]], index=index, columns=index)
    decimal = "," if separator == ";" else "."
    frame.to_csv(tmp_path / "m.csv", sep=separator, decimal=decimal)
    found = read_matrix(tmp_path / "m.csv")
    assert found.inputs == found.outputs == tuple(map(str, index))
    assert found.rows == NUMBERS


def test_what_numpy_writes(tmp_path: Path) -> None:
    for options in ({}, {"delimiter": ","}, {"delimiter": ";", "fmt": "%.2f"}):
        np.savetxt(tmp_path / "m.csv", [[0.75, 0.25], [0.25, 0.75]], **options)
        found = read_matrix(tmp_path / "m.csv").rows
        assert [[Fraction(p) for p in row] for row in found] == [[0.75, 0.25], [0.25, 0.75]]


def test_integers_of_a_plain_matrix_are_numbers(tmp_path: Path) -> None:
    for text in ("1,0\n0,1", "a,b\n1,0\n0,1", "a,1,0\nb,0,1"):
        assert read(tmp_path, text).rows == [["1", "0"], ["0", "1"]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("id,a,b\n1,0.5,0.5\n2,0.5,0.5", "the first line holds labels; it is not clear if the first column does: "),
        ("x,0,1\na,0.5,0.5\nb,0.5,0.5", "the first column holds labels; it is not clear if the first line does: "),
        (",a,a\nb,0.5,0.5\nb,0,1", "first column: the label 'b' is given 2 times"),
        ("0.5;1.234,5\n0;1", "line 1, column 2: found '1.234,5'; write numbers without separators of thousands"),
        (",a,b\nx,0.5,0.5\ny,1", "row 2: expected 3 columns as in row 0, found 2"),
    ],
)
def test_refused(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(tmp_path, text)[0].startswith(fault)


@pytest.mark.parametrize("text", ["nan,nan\n0.5,0.5", "inf,0.5\nnan,0.5", "50%,0.5\n40%,0.5", "nan,1", "x,1"])
def test_what_may_be_meant_as_a_number_is_no_label(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert (found.inputs, found.outputs) == (None, None)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("job,use,age\na,low,1\nb,high,2\n", "a column holds no numbers; is this a table of records? "),
        ("50%,50%\n0%,100%\n", "there are percentages: divide them by 100, and leave the sign out"),
        ("0.5,0.5,\n0,1,\n", "there are empty cells; a line that ends in a delimiter has an empty last cell"),
        (",a,b,\nx,0.5,0.5,\ny,0,1,\n,,,\n", "a whole column is empty, as spreadsheets leave it: leave it out"),
        (",a,b\nx,0.5,0.5\n,,\ny,0,1\n", "a whole line is empty, as spreadsheets leave it: leave it out"),
        ("Data sheet,,\n,a,b\nx,0.5,0.5\ny,0,1\n", "the first line is unlike the others: if it is a title, leave out"),
        ("Data sheet\n,a,b\nx,0.5,0.5\ny,0,1\n", "the first line is unlike the others: if it is a title, leave out"),
        ("a,b,sum\n0.5,0.5,1\n0.333,0.666,1\n", "the last column is the total of the others: leave it out"),
        (",0.5\n0.5,0.5\n", "row 0 ('0.5'): expected a total of 1 (within 1e-9), found 0.5"),  # labels, by the corner
        ("id,1\n0.5,0.5\n", "if the first line and the first column hold labels, leave the corner between them empty"),
    ],
)
def test_the_likely_cause_comes_first(tmp_path: Path, text: str, cause: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    assert faults_of(read_foreign, tmp_path / "m.csv")[0].startswith(cause)


def test_thousands_of_faults_are_a_short_message(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("\n".join([",".join(["0.1", "x"] * 20), ",".join(["x", "0.1"] * 20)] * 20))
    with pytest.raises(InputError) as caught:
        read_foreign(tmp_path / "m.csv")
    assert len(caught.value.faults) == 800
    assert str(caught.value).endswith("\n  and 788 more")
    assert str(caught.value).count("\n") == 13


GRAPH = value_graph(["no", "maybe", "yes"])


class TestOrder:
    """With a graph, labelled rows and columns are put in the order of its categories."""

    @pytest.mark.parametrize(
        "text",
        [
            ",no,maybe,yes\nyes,0.1,0.2,0.7\nno,0.7,0.2,0.1\nmaybe,0.2,0.7,0.1\n",
            ",yes,no,maybe\nno,0.1,0.7,0.2\nyes,0.7,0.1,0.2\nmaybe,0.1,0.2,0.7\n",
            "yes,0.7,0.1,0.2\nno,0.1,0.7,0.2\nmaybe,0.1,0.2,0.7\n",  # the columns follow the rows
            "yes,no,maybe\n0.7,0.1,0.2\n0.1,0.7,0.2\n0.1,0.2,0.7\n",  # the rows follow the columns
            ",0,1,2\n0,0.7,0.2,0.1\n1,0.2,0.7,0.1\n2,0.1,0.2,0.7\n",  # labels that count
            ",V1,V2,V3\n1,0.7,0.2,0.1\n2,0.2,0.7,0.1\n3,0.1,0.2,0.7\n".replace("V", ""),
        ],
    )
    def test_rows_and_columns(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "m.csv").write_text(text)
        mechanism = read_foreign(tmp_path / "m.csv", GRAPH)
        assert mechanism.inputs == mechanism.outputs == ("no", "maybe", "yes")
        largest = [max(mechanism.row("no", x)) for x in mechanism.inputs]
        diagonal = [mechanism.row("no", x)[i] for i, x in enumerate(mechanism.inputs)]
        assert diagonal == largest == [Fraction(7, 10)] * 3
        assert mechanism.row("no", "no")[1] == Fraction(2, 10)

    def test_other_outputs_keep_their_names(self, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text(",low,high\nyes,0.1,0.9\nno,0.9,0.1\nmaybe,0.5,0.5\n")
        mechanism = read_foreign(tmp_path / "m.csv", GRAPH)
        assert mechanism.outputs == ("low", "high")
        assert mechanism.row("no", "yes")[1] == Fraction(9, 10)

    def test_other_labels_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text("a,0.7,0.1,0.2\nb,0.1,0.7,0.2\nc,0.1,0.2,0.7\n")
        with pytest.raises(InputError, match=r"expected the categories .* as labels of the rows, found 'a', 'b', 'c'"):
            read_foreign(tmp_path / "m.csv", GRAPH)

    def test_integers_are_the_categories_that_look_so(self, tmp_path: Path) -> None:
        chain = read_graph("categorical-chain")
        rows = "\n".join(f"{i}," + ",".join("1" if i == j else "0" for j in (1, 2, 3, 4)) for i in (3, 1, 4, 2))
        (tmp_path / "m.csv").write_text(f",1,2,3,4\n{rows}\n")
        mechanism = read_foreign(tmp_path / "m.csv", chain)
        assert all(mechanism.row("1", x)[i] == 1 for i, x in enumerate(chain.graph["categories"]))


def test_without_a_graph_labels_of_one_side_serve_both(tmp_path: Path) -> None:
    for text in ("no,yes\n0.75,0.25\n0.25,0.75", "no,0.75,0.25\nyes,0.25,0.75"):
        (tmp_path / "m.csv").write_text(text)
        mechanism = read_foreign(tmp_path / "m.csv")
        assert mechanism.inputs == mechanism.outputs == ("no", "yes")
        assert "labels of the" in mechanism.notes["read"]


def header(shape: tuple[int, ...], descr: Any = "<f8") -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (header((10**9, 10**9)) + bytes(64), "is the file cut short"),
        (header((2, 2)) + bytes(31), "is the file cut short"),
        (header((0, 10**30)), "in .npy format"),
        (header((0, 10)), "expected a matrix of numbers, found shape .0, 10., type float64"),
        (header((-1, 4)) + bytes(64), "in .npy format"),
        (header((2, 2), "|O") + b"cos\nsystem\n(S'false'\ntR.", "in .npy format"),
        (header((2, 2), [("a", "<f8")]) + bytes(64), "expected a matrix of numbers"),
        (b"\x93NUMPY\x03\x00" + header((2, 2))[8:] + bytes(32), "in .npy format"),
        (b"\x93NUMPY\x01\x00\xff\xff{", "in .npy format"),
        (b"\x93NUMPY\x01\x00\x10\x27" + b"-" * 10000, "in .npy format"),
        (b"\x93NUMPY\x01\x00\x10\x27" + b"(" * 10000, "in .npy format"),
    ],
    ids=range(11),
)
def test_headers_that_promise_too_much(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.npy"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        read_npy(path)
    assert str(caught.value).startswith(f"{path}: ")


WHOLE = header((2, 2)) + np.eye(2).tobytes()


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), st.integers(0, len(WHOLE)))
def test_a_changed_file_is_read_or_refused(tmp_path_factory: Any, place: int, byte: int, end: int) -> None:
    path = tmp_path_factory.getbasetemp() / "changed.npy"
    path.write_bytes((WHOLE[:place] + bytes([byte]) + WHOLE[place + 1 :])[:end])
    try:
        matrix = read_npy(path)
    except InputError:
        return
    assert matrix.ndim == 2


def test_a_header_of_python_2(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    path.write_bytes(WHOLE.replace(b"(2, 2), }", b"(2L,2L),}"))
    assert read_npy(path).tolist() == [[1, 0], [0, 1]]
