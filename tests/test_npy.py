"""Arrays whose header is not to be believed."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.errors import InputError
from mechdesign.files.npy import read_npy


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
