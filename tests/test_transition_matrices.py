"""Mechanisms as matrices of doubles: the nearest ones, read back as they were written."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign import InputError
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.release.transition_matrices import in_doubles, matrices_as_csv, transition_matrices

rows = st.lists(st.integers(0, 10**30), min_size=3, max_size=3).filter(any)


@given(st.lists(rows, min_size=1, max_size=3))
def test_each_double_is_the_nearest_and_the_mechanism_of_doubles_is_what_they_say(weights: list[list[int]]) -> None:
    exact = md.mechanism_from_matrix([[str(Fraction(weight, sum(row))) for weight in row] for row in weights])
    table = transition_matrices(exact)
    read = md.mechanism_from_matrix(table)
    for x in range(len(weights)):
        assert table[x].tolist() == [float(p) for p in exact.row(0, x)]
        assert in_doubles(exact).row(0, x) == read.row(0, x)


LABELS = [["no", "yes"], ["1", "2"], [1, 2], ["a,b", 'say "c"'], ["0", "1"], [(0, 1), (1, 0)], ["0.1", "0.9"]]


@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_csv_is_read_back_as_it_was_with_its_labels(tmp_path: Path, labels: list[object]) -> None:
    rows = [["1/3", "1/7", "11/21"], ["1/3", "2/3", "0"]]
    exact = md.mechanism_from_matrix(rows, inputs=labels, outputs=["x", *labels])
    (path := tmp_path / "matrix.csv").write_text(matrices_as_csv(exact))
    read = read_foreign(path)
    assert read.inputs == tuple(map(str, labels))
    assert read.outputs == ("x", *map(str, labels))
    # what is read are decimals, which are the very doubles
    assert [read.row(x, x) for x in read.inputs] == [in_doubles(exact).row(x, x) for x in labels]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([1, "1"], "two would be the same"),
        (["a", " a "], "two would be the same"),
        (["a", " "], "or one blank"),
        (["a", ""], "--to npy has no labels"),
    ],
)
def test_labels_that_csv_would_not_give_back_are_refused(labels: list[object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        matrices_as_csv(md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=labels))


def test_each_profile_has_lines_of_its_own() -> None:
    designed = md.design("categorical-chain", epsilon=0.5).mechanism
    lines = [line.split(",") for line in matrices_as_csv(designed).splitlines()]
    assert lines[0] == ["profile", "category", "1", "2", "3", "4"]
    found = {(profile, category): [float(cell) for cell in cells] for profile, category, *cells in lines[1:]}
    assert len(found) == len(lines) - 1 == 12
    assert found["P2", "3"] == designed.matrix("P2")[2].tolist()
