"""Tables of pandas: their labels count, in whatever order they are; labels that do not fit are refused."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mechdesign as md
from mechdesign.graph.checks import checked

F = Fraction
LABELS = ["none", "some", "much"]
TABLE = pd.DataFrame(
    [["0.5", "0.3", "0.2"], ["0.3", "0.4", "0.3"]], index=pd.Index(["young", "old"], name="age"), columns=LABELS
)
GRAPH = md.profile_graph(TABLE, edges="all")
MATRIX = pd.DataFrame([[0.5, 0.25, 0.25], [0.25, 0.625, 0.125], [0, 0.25, 0.75]], index=LABELS, columns=LABELS)
OTHER_ORDER = ["much", "none", "some"]


def shares(graph: Any) -> list[Any]:
    return [attributes["distribution"] for attributes in graph.nodes.values()]


def test_a_table_has_a_row_for_each_profile_and_a_column_for_each_category() -> None:
    assert GRAPH.graph["categories"] == tuple(LABELS)
    assert list(GRAPH) == ["young", "old"]
    assert GRAPH.nodes["old"]["distribution"] == (F(3, 10), F(4, 10), F(3, 10))


@pytest.mark.parametrize(
    "given",
    [
        TABLE[OTHER_ORDER],
        TABLE.to_dict("index"),
        {profile: row[OTHER_ORDER] for profile, row in TABLE.iterrows()},
        TABLE.set_axis(range(3), axis=1),
        {profile: row.reset_index(drop=True) for profile, row in TABLE.iterrows()},
    ],
    ids=["other order", "mappings", "series", "numbered", "numbered series"],
)
def test_what_is_labelled_goes_by_its_labels(given: Any) -> None:
    assert shares(md.profile_graph(given, edges="all", categories=LABELS)) == shares(GRAPH)


def test_bounds_and_weights_may_be_tables_too() -> None:
    numbers = TABLE.astype(float)
    graph = md.profile_graph(
        TABLE,
        edges="all",
        lower=(numbers - 0.125)[OTHER_ORDER],
        upper=numbers + 0.125,
        weights=pd.Series({"old": 3, "young": 1}),
    )
    assert graph.nodes["old"]["weight"] == 3
    assert graph.nodes["young"]["lower"] == tuple(F(float(share)) - F(1, 8) for share in ("0.5", "0.3", "0.2"))
    radii = md.profile_graph(TABLE, edges="all", radius=pd.Series({"old": "0.1", "young": "0.2"}))
    assert [attributes["radius"] for attributes in radii.nodes.values()] == [F(2, 10), F(1, 10)]


def test_a_series_of_a_graph_that_was_made_by_hand_goes_by_its_labels() -> None:
    graph = GRAPH.copy()
    graph.nodes["old"]["distribution"] = TABLE.loc["old", OTHER_ORDER]
    assert shares(checked(graph)) == shares(GRAPH)
    graph.nodes["old"]["distribution"] = TABLE.loc["old"].set_axis(["a", "b", "c"])
    with pytest.raises(md.InputError, match=r"nodes\[1\] \('old'\)\.distribution: expected the categories .*'a'"):
        checked(graph)


def test_an_array_that_is_normalised_may_have_bounds() -> None:
    graph = GRAPH.copy()
    graph.nodes["old"].update(distribution=np.array([0.1, 0.2, 0.7000000001]), lower=np.zeros(3))
    assert checked(graph).graph["normalised"] == ["old"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: md.profile_graph(TABLE.to_dict("index"), edges="all"), "categories: expected the labels of what is"),
        (lambda: md.profile_graph(TABLE.to_numpy(), edges="all", categories=LABELS), "distributions: expected a map"),
        (lambda: md.profile_graph(TABLE, edges="all", categories=["x", "y", "z"]), "as columns, found the columns"),
        (
            lambda: md.profile_graph(TABLE.reset_index(drop=True), edges=[("young", "old")]),
            r"'old' is not a profile\n  edges: the profiles are \(0, 1\)",
        ),
        (
            lambda: md.profile_graph(TABLE.T, edges="all", categories=LABELS),
            r"its rows are the categories: give it transposed, \.T$",
        ),
        (lambda: md.profile_graph({"a": {"x": 1}}, edges="all", categories=LABELS), "distributions, 'a': expected the"),
        (lambda: md.profile_graph(pd.concat([TABLE, TABLE]), edges="all"), "distributions, rows: 'young' is given 2"),
        (lambda: md.mechanism_from_matrix(pd.concat([MATRIX, MATRIX])), "rows: 'none' is given 2 times"),
        (lambda: md.mechanism_from_matrix(MATRIX, inputs=["x", "y", "z"]), "as labels of the rows, found 'none'"),
        (lambda: md.mechanism_from_matrix(MATRIX, outputs=OTHER_ORDER), "outputs: expected these labels of the colu"),
        (lambda: md.certify(MATRIX.set_axis(["x", "y", "z"]), GRAPH), "as labels of the rows, found 'x', 'y', 'z'"),
        (
            lambda: md.design(GRAPH, epsilon=1, objective=md.ExpectedLoss(MATRIX.set_axis(["x", "y", "z"]))),
            "loss: expected the categories .* as labels of the rows, found 'x', 'y', 'z'",
        ),
        (
            lambda: md.design(GRAPH, epsilon=1, objective=md.WorstLoss(MATRIX.set_axis(["x", "y", "z"], axis=1))),
            "loss: expected the categories .* as labels of the columns",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(md.InputError, match=words):
        make()


def test_the_labels_of_a_matrix_are_its_inputs_and_outputs() -> None:
    mechanism = md.mechanism_from_matrix(MATRIX)
    assert mechanism.categories == mechanism.outputs == tuple(LABELS)
    assert mechanism.to_frame().equals(MATRIX.rename_axis("category"))
    assert md.mechanism_from_matrix(MATRIX.reset_index(drop=True)).categories == tuple(LABELS)
    assert md.mechanism_from_matrix(MATRIX.to_numpy()).categories == (0, 1, 2)
    named = MATRIX.set_axis(["x", "y", "z"], axis=1)
    assert md.mechanism_from_matrix(named).outputs == ("x", "y", "z")
    assert md.mechanism_from_matrix(named, outputs=["x", "y", "z"]).categories == tuple(LABELS)


@pytest.mark.parametrize("shuffled", [MATRIX.loc[OTHER_ORDER], MATRIX.loc[OTHER_ORDER, OTHER_ORDER]])
def test_a_verdict_is_on_the_rows_that_the_labels_say(shuffled: pd.DataFrame) -> None:
    told = md.certify(MATRIX.to_numpy(), GRAPH, epsilon="0.1")
    assert md.certify(MATRIX, GRAPH, epsilon="0.1") == told
    assert md.certify(shuffled, GRAPH, epsilon="0.1") == told
    assert md.certify(shuffled.to_numpy(), GRAPH, epsilon="0.1").epsilon != told.epsilon


def test_a_mended_table_keeps_its_labels() -> None:
    mended = md.mend(MATRIX, epsilon="0.5").mechanism
    assert mended.categories == mended.outputs == tuple(LABELS)


@pytest.mark.parametrize("kind", [md.ExpectedLoss, md.WorstLoss, md.WeightedOffDiagonal])
def test_a_loss_goes_by_its_labels(kind: Callable[[Any], md.ExpectedLoss]) -> None:
    losses = pd.DataFrame([[0, 1, 4], [1, 0, 1], [8, 1, 0]], index=LABELS, columns=LABELS)
    told = md.design(GRAPH, epsilon="0.1", objective=kind(losses.to_numpy()))
    turned = losses.loc[OTHER_ORDER, OTHER_ORDER]
    numbered = turned.reset_index(drop=True)  # rows that nobody named are in the order of the columns
    for same in (losses, losses.loc[OTHER_ORDER], losses[OTHER_ORDER], turned, numbered):
        found = md.design(GRAPH, epsilon="0.1", objective=kind(same))
        assert found.value == told.value
        assert found.mechanism.to_frame().equals(told.mechanism.to_frame())


def test_a_loss_with_outputs_of_its_own_has_labels_of_the_rows_alone() -> None:
    losses = pd.DataFrame([[0, 2], [1, 1], [2, 0]], index=LABELS, columns=["low", "high"])
    told = md.design(GRAPH, epsilon="0.1", objective=md.ExpectedLoss(losses.to_numpy()))
    assert md.design(GRAPH, epsilon="0.1", objective=md.ExpectedLoss(losses.loc[OTHER_ORDER])).value == told.value


@pytest.mark.parametrize("labelled", [list, pd.RangeIndex], ids=["labels", "as pandas gives them"])
def test_numbers_that_are_the_categories_are_labels(labelled: Callable[[Any], Any]) -> None:
    """In another order they would be taken for places, and each profile turned round."""
    own = pd.DataFrame([["0.9", "0.1"], ["0.7", "0.3"]], index=["a", "b"], columns=labelled(range(2)))
    turned = [(F(1, 10), F(9, 10)), (F(3, 10), F(7, 10))]
    rows = {profile: pd.Series(row, index=labelled(range(2))) for profile, row in own.T.to_dict("list").items()}
    for given in (own, rows, own.T.to_dict()):
        assert shares(md.profile_graph(given, edges="all", categories=[1, 0])) == turned


@pytest.mark.parametrize("labelled", [list, pd.RangeIndex], ids=["labels", "as pandas gives them"])
def test_so_they_are_of_losses_and_matrices(labelled: Callable[[Any], Any]) -> None:
    graph = md.profile_graph({"a": ["0.8", "0.2"], "b": ["0.4", "0.6"]}, edges="all", categories=[0, 1])
    other = md.profile_graph({"a": ["0.2", "0.8"], "b": ["0.6", "0.4"]}, edges="all", categories=[1, 0])
    rows, own = [[0, 1], [5, 0]], labelled(range(2))
    told, same = (
        md.design(one, epsilon="0.1", objective=md.ExpectedLoss(pd.DataFrame(rows, index=own, columns=own)))
        for one in (graph, other)
    )
    assert told.value == md.design(graph, epsilon="0.1", objective=md.ExpectedLoss(rows)).value
    assert same.value == pytest.approx(told.value, rel=1e-9)
    matrix = pd.DataFrame([["3/4", "1/4"], ["1/3", "2/3"]], index=own, columns=own)
    assert md.mechanism_from_matrix(matrix, inputs=[1, 0]).row(1, 1) == (F(2, 3), F(1, 3))
    assert md.certify(matrix, other, epsilon=9).epsilon == md.certify(matrix, graph, epsilon=9).epsilon


def test_numbers_in_another_order_that_are_not_the_categories_are_refused() -> None:
    with pytest.raises(md.InputError, match=r"expected the categories \('no', 'yes'\) as labels, found \(1, 0\)"):
        md.profile_graph({"a": pd.Series(["0.9", "0.1"], index=[1, 0])}, edges=[], categories=["no", "yes"])


def test_columns_that_only_count_go_as_the_rows_do() -> None:
    losses = pd.DataFrame([[0, 1, 3], [1, 0, 2], [5, 2, 0]], index=LABELS, columns=LABELS)
    told = md.ExpectedLoss(losses.to_numpy())
    turned = losses.loc[OTHER_ORDER, OTHER_ORDER].set_axis(range(3), axis=1)
    for objective in (told, md.ExpectedLoss(turned)):
        assert objective.table(tuple(LABELS)) == told.table(tuple(LABELS))


def test_categories_may_look_alike() -> None:
    graph = md.profile_graph({"a": {"1": "0.9", 1: "0.1"}}, edges=[], categories=[1, "1"])
    assert shares(graph) == [(F(1, 10), F(9, 10))]
