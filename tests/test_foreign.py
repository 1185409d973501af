"""Matrices that others wrote, as CSV, .npy or JSON: read exactly, or rejected with the file and the place in it."""

import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import done, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import profile_graphs

import mechdesign as md
from mechdesign import InputError, k_ary, read_graph, value_graph, write_mechanism
from mechdesign.exact.text import format_number
from mechdesign.mechanism.foreign import is_by_profile, read_by_profile, read_foreign
from mechdesign.release.transition_matrices import in_doubles, matrices_as_csv, transition_matrices

HALF = Fraction(1, 2)


def written(folder: Path, name: str, content: Any) -> Path:
    """Write text, bytes or an array to a file."""
    path = folder / name
    if isinstance(content, np.ndarray):
        np.save(path, content, allow_pickle=True)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.csv", "0.5,0.5\n0,1\n"),
        ("m.csv", "1/2 , .5\n\n 0,1e0"),  # spaces, ratios, an empty line, no end of line
        ("m.csv", b"\xef\xbb\xbf0.5,0.5\r\n0,1\r\n"),  # a spreadsheet's byte order mark
        ("m.json", "[[0.5, 0.5], [0, 1]]"),
        ("m.json", '[["1/2", "1/2"], [0, 1]]'),
        ("m.txt", "0.5 0.5\n0 1\n"),
        ("m.txt", "[[0.5, 0.5], [0, 1]]"),
        ("m.npy", np.array([[0.5, 0.5], [0.0, 1.0]])),
        ("m.npy", np.array([[0.5, 0.5], [0.0, 1.0]], dtype=np.float32)),
        ("m.NPY", np.array([[0.5, 0.5], [0.0, 1.0]], order="F")),
    ],
)
def test_the_same_matrix(tmp_path: Path, name: str, content: Any) -> None:
    path = tmp_path / name
    if isinstance(content, np.ndarray):
        with path.open("wb") as file:
            np.save(file, content)
    else:
        written(tmp_path, name, content)
    mechanism = read_foreign(path)
    assert [mechanism.row(0, x) for x in (0, 1)] == [(HALF, HALF), (0, 1)]
    assert mechanism.inputs == mechanism.outputs == (0, 1)
    assert mechanism.notes == ({"read": "delimiter space"} if str(content).startswith("0.5 0.5") else {})


def test_integers_in_npy_are_probabilities(tmp_path: Path) -> None:
    assert read_foreign(written(tmp_path, "m.npy", np.eye(3, dtype=np.int8))).row(0, 2)[2] == 1


def test_a_decimal_in_a_file_is_the_decimal_and_a_double_is_the_dyadic(tmp_path: Path) -> None:
    rows = [[0.1, 0.9], [0.9, 0.1]]
    for name, content in (("m.csv", "0.1,0.9\n0.9,0.1"), ("m.json", json.dumps(rows))):
        assert read_foreign(written(tmp_path, name, content)).row(0, 0)[0] == Fraction(1, 10)
    doubles = read_foreign(written(tmp_path, "m.npy", np.array(rows)))
    total = Fraction(0.1) + Fraction(0.9)
    assert doubles.row(0, 0)[0] == Fraction(0.1) / total != Fraction(1, 10)


@pytest.mark.parametrize("ending", ["csv", "npy", "json"])
def test_a_row_that_misses_1_by_rounding_is_normalised_and_named(tmp_path: Path, ending: str) -> None:
    rows = [[0.5, 0.5], [0.5, 0.5 + 2.0**-31]]  # 4.7e-10 too much
    content: dict[str, Any] = {
        "csv": "\n".join(",".join(map(repr, row)) for row in rows),
        "npy": np.array(rows),
        "json": json.dumps(rows),
    }
    mechanism = read_foreign(written(tmp_path, f"m.{ending}", content[ending]))
    assert mechanism.notes == {"normalised": [1]}
    second = Fraction(0.5 + 2.0**-31) if ending == "npy" else Fraction(repr(0.5 + 2.0**-31))
    assert mechanism.row(0, 1) == (HALF / (HALF + second), second / (HALF + second))


def test_labels_come_from_the_graph(tmp_path: Path) -> None:
    path = written(tmp_path, "m.csv", "0.75,0.25\n0.25,0.75")
    mechanism = read_foreign(path, value_graph(["no", "yes"]))
    assert mechanism.inputs == mechanism.outputs == ("no", "yes")
    with pytest.raises(InputError, match=r"m\.csv: expected 4 rows, one for each category \('1', .*, found 2$"):
        read_foreign(path, read_graph("categorical-chain"))


def test_single_precision_normalised_as_the_message_says(tmp_path: Path) -> None:
    matrix = np.array([[0.1, 0.9], [0.3, 0.7]], dtype=np.float32)
    with pytest.raises(InputError):
        read_foreign(written(tmp_path, "m.npy", matrix))
    mechanism = read_foreign(tmp_path / "m.npy", normalise=True)
    exact = [Fraction(float(p)) for p in matrix[0]]
    assert mechanism.row(0, 0) == tuple(p / sum(exact) for p in exact)
    assert mechanism.notes == {"normalised": [0], "largest_miss": format_number(abs(sum(exact, Fraction(-1))))}


def test_a_matrix_with_more_outputs_than_inputs_numbers_them(tmp_path: Path) -> None:
    mechanism = read_foreign(written(tmp_path, "m.csv", "0.5,0.25,0.25\n0.25,0.25,0.5"), value_graph(["a", "b"]))
    assert mechanism.inputs == ("a", "b")
    assert mechanism.outputs == (0, 1, 2)


def test_our_own_json_is_read_too(tmp_path: Path) -> None:
    mechanism = k_ary(["a", "b"], ratio=Fraction(3))
    write_mechanism(mechanism, tmp_path / "m.json")
    assert read_foreign(tmp_path / "m.json").row("a", "a") == mechanism.row("a", "a")


def archive() -> bytes:
    """Return an archive of arrays, which numpy loads as readily as an array."""
    file = io.BytesIO()
    np.savez(file, rows=np.eye(2))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "faults"),
    [
        ("m.csv", "0.5,0.5\n1\n0,1\n1,0,0", ["row 1: expected 2 columns as in row 0, found 1", "row 3: *found 3"]),
        ("m.json", "[[0.5, 0.5], [1]]", ["row 1: expected 2 columns as in row 0, found 1"]),
        ("m.csv", "0.5,maybe\n0,1", ["row 0, column 1: expected a number such as 0.3 or \"3/10\", found 'maybe'"]),
        ("m.csv", "no,0.5\n0.5,0.5", ["row 0, column 0: *found 'no'", "leave the corner between them empty"]),
        (
            "m.csv",
            "is,says\nyes,yes\nyes,no\nno,no",
            ["are these draws of a mechanism*from-table"],
        ),
        ("m.csv", "no,yes", ["row 0, column 0: *found 'no'", "row 0, column 1: *found 'yes'"]),
        ("m.csv", "0.5,0.5,\n0,1,", ["row 0, column 2: *found ''", "row 1, column 2: *found ''"]),
        ("m.json", "[[NaN, 1], [0, Infinity]]", ["row 0, column 0: *found 'NaN'", "row 1, column 1: *'Infinity'"]),
        ("m.npy", np.array([[np.nan, 1], [0, np.inf]]), ["row 0, column 0: *found nan", "row 1, column 1: *inf"]),
        ("m.csv", "0.5,0.5\n-0.5,1.5", ["row 1, column 0: expected a probability >= 0, found -0.5"]),
        ("m.npy", np.array([[1.0, 0.0], [-1e-300, 1.0]]), ["row 1, column 0: expected a probability >= 0"]),
        ("m.csv", "0.5,0.4\n0,1", ["row 0: expected a total of 1 (within 1e-9), found 0.9"]),
        ("m.json", "[[0, 1], [0.5, 0.5000001]]", ["row 1: expected a total of 1 (within 1e-9), found 1.0000001"]),
        (
            "m.npy",
            np.array([[0.1, 0.9], [0, 1]], dtype=np.float16),
            ["row 0: *total", "1 of 2 totals miss 1 by up to ", "normalise=True divides"],
        ),
        ("m.npy", np.array([[0.1, 0.9], [0, 1]], dtype=np.float32), ["as rounding does: normalise=True"]),
        ("m.json", "[[true, false], [0, 1]]", ["row 0, column 0: *found True"]),
        ("m.csv", "", ["expected a matrix of rows of probabilities"]),
        ("m.json", "[]", ["expected a matrix of rows of probabilities"]),
        ("m.json", "[[], []]", ["expected a matrix of rows of probabilities, found shape (2, 0)"]),
        ("m.json", "[[[1], [0]], [[0], [1]]]", ["found shape (2, 2, 1)"]),
        ("m.json", "[0.5, 0.5]", ["or a list of rows of numbers, found ["]),
        ("m.json", "{}", ["or a list of rows of numbers, found {}"]),
        ("m.json", '{"format": "another"}', ['expected a mechanism, with "format"']),
        ("m.json", "0.5,0.5", ["not JSON"]),
        ("m.dat", "0.5,0.5", ["not JSON"]),  # what has another ending is taken for JSON
        ("m.npy", np.zeros((0, 2)), ["found shape (0, 2)"]),
        ("m.npy", np.array([0.5, 0.5]), ["expected a matrix of numbers, found shape (2,), type float64"]),
        ("m.npy", np.zeros((2, 2, 2)), ["a matrix for each profile, but not the profiles' distributions"]),
        ("m.npy", np.zeros((2, 2, 2, 2)), ["expected a matrix of numbers, found shape (2, 2, 2, 2)"]),
        ("m.npy", np.array([["1", "0"]]), ["expected a matrix of numbers, found shape (1, 2), type <U1"]),
        ("m.npy", np.array([[True, False]]), ["type bool"]),
        ("m.npy", np.array([[1 + 0j, 0]]), ["type complex128"]),
        ("m.npy", np.array([[1, None]], dtype=object), ["of objects"]),  # never unpickled
        ("m.npy", b"", ["expected a numpy array of numbers"]),
        ("m.npy", b"\x93NUMPY\x01\x00", ["expected a numpy array of numbers"]),  # cut short
        ("m.npy", archive(), ["found an archive of arrays; save the matrix alone, with numpy.save, as .npy"]),
        ("m.csv", b"\xff\xfe\x00", ["line 1, byte 3 of the file (0x00): expected text in utf-16"]),
    ],
)
def test_rejected_with_file_row_and_column(tmp_path: Path, name: str, content: Any, faults: list[str]) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(InputError) as caught:
        read_foreign(path)
    assert str(caught.value).startswith(f"{path}: ")
    for fault in faults:
        first, _, rest = fault.partition("*")
        assert any(found.startswith(first) or first in found for found in caught.value.faults if rest in found), fault


@pytest.mark.parametrize("name", ["m.csv", "m.npy", "m.json", "m"])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_foreign(tmp_path / name)


def test_a_row_is_named_by_its_label_too(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",ja,nein\nja,0.5,0.5\nnein,0.2,0.7\n")
    with pytest.raises(InputError, match=r"row 1 \('nein'\): expected a total of 1"):
        read_foreign(tmp_path / "m.csv")
    (tmp_path / "m.csv").write_text(",ja,nein\nja,0.5,0.5\nnein,0.3,x\n")
    with pytest.raises(InputError, match=r"row 1 \('nein'\), column 1: expected a number"):
        read_foreign(tmp_path / "m.csv")


CHAIN = md.read_graph("categorical-chain")


def exported(folder: Path, ending: str, mechanism: md.Mechanism) -> Path:
    path = folder / f"m.{ending}"
    if ending == "csv":
        path.write_text(matrices_as_csv(mechanism))
    else:
        np.save(path, transition_matrices(mechanism))
    return path


@pytest.mark.parametrize("ending", ["csv", "npy"])
def test_what_export_writes_is_read_back_with_the_graph(tmp_path: Path, ending: str) -> None:
    """The command that wrote it could not read it: 15 faults in its own CSV."""
    mechanism = md.design(CHAIN, epsilon=1).mechanism
    path = exported(tmp_path, ending, mechanism)
    again, doubles = read_foreign(path, CHAIN), in_doubles(mechanism)
    for profile in CHAIN:
        assert [again.row(profile, x) for x in again.categories] == [doubles.row(profile, x) for x in again.categories]
    assert again.outputs == mechanism.outputs
    assert "Certified" in done("certify", str(path), "--graph", "categorical-chain", "--epsilon", "1.0001")
    assert "but not the profiles' distributions; give the graph that has them (--graph)" in refused(
        "certify", str(path)
    )


@given(profile_graphs(), st.data())
@settings(max_examples=15, deadline=None)
def test_lines_may_stand_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, graph: object, data: st.DataObject
) -> None:
    mechanism = md.design(graph, epsilon=1, any_optimum=True).mechanism
    if mechanism.one_matrix:
        return
    path = tmp_path_factory.mktemp("lines") / "m.csv"
    heading, *lines = matrices_as_csv(mechanism).splitlines()
    path.write_text("\n".join([heading, *data.draw(st.permutations(lines))]))
    again, doubles = read_by_profile(path, mechanism.graph), in_doubles(mechanism)
    for profile in mechanism.profiles:
        for x in mechanism.categories:
            assert again.row(profile, x) == doubles.row(profile, x)


def test_other_files_are_none(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",a,b\na,1,0\nb,0,1\n")
    np.save(tmp_path / "m.npy", np.eye(2))
    (tmp_path / "empty.csv").write_text("")
    assert not any(is_by_profile(tmp_path / name) for name in ("m.csv", "m.npy", "empty.csv", "none.npy"))


def test_a_spreadsheet_may_have_saved_it(tmp_path: Path) -> None:
    """With semicolons, decimal commas and few digits."""
    (tmp_path / "m.csv").write_text("profile;category;u;v;w\na;x;0,33;0,33;0,33\na;y;0,5;0,5;0\n")
    graph = md.profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["x", "y"])
    mechanism = read_foreign(tmp_path / "m.csv", graph, normalise=True)
    assert mechanism.outputs == ("u", "v", "w")
    assert mechanism.notes == {"normalised": [("a", "x")], "largest_miss": "0.01"}


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    """As in a matrix."""
    (tmp_path / "m.csv").write_text("profile,category,x,y\na,x,1,0\n\na,y,0,1\n\n\n")
    graph = md.profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["x", "y"])
    assert read_foreign(tmp_path / "m.csv", graph).row("a", "y") == (Fraction(0), Fraction(1))


HEADING = "profile,category,x,y\n"

FULL = HEADING + "a,x,1,0\na,y,0,1\n"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (HEADING + "a,x,1,0\n", ["expected a line for profile 'a' and category 'y', found none"]),
        (FULL + "b,x,1,0\n", ["line 4: 'b' is not a profile of the graph"]),
        (FULL + "a,z,1,0\n", ["line 4: 'z' is not a category of the graph"]),
        (FULL + "a,x,1,0\n", ["line 4: a second line for profile 'a' and category 'x'"]),
        (FULL + "a,x,1\n", ["line 4: expected 4 cells, as in the header, found 3"]),
        (HEADING + "a,x,1,one\na,y,0,1\n", ['row 0, column 1: expected a number such as 0.3 or "3/10", found \'one\'']),
        (HEADING + "a,x,1,1\na,y,0,1\n", ["row 0: expected a total of 1 (within 1e-9), found 2"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(tmp_path: Path, text: str, faults: list[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text)
    graph = md.profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["x", "y"])
    with pytest.raises(md.InputError) as error:
        read_foreign(path, graph)
    assert error.value.source == str(path)
    assert [fault for fault in faults if not any(one.startswith(fault) for one in error.value.faults)] == []


def test_a_stack_of_another_shape_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.zeros((2, 4, 4)))
    with pytest.raises(md.InputError, match="expected 3 matrices of 4 rows, one for each profile and category"):
        read_foreign(tmp_path / "m.npy", CHAIN)


def test_labels_of_one_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(FULL)
    graph = md.profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=[1, "1"])
    with pytest.raises(md.InputError, match=r"two labels are written .* give the mechanism's own file"):
        read_foreign(tmp_path / "m.csv", graph)
