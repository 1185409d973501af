"""Exported matrices of doubles, one for each profile, read back for the profiles of a graph."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command import done, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import profile_graphs

import mechdesign as md
from mechdesign.mechanism.by_profile import is_by_profile, read_by_profile
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.release.transition_matrices import in_doubles, matrices_as_csv, transition_matrices

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
