from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.divergence import cost
from running import Pickling
from strategies import drawn_objectives
from test_mechanism import mechanisms

from mechdesign import (
    ExpectedLoss,
    LargestCost,
    MaxOffDiagonal,
    Mechanism,
    WeightedOffDiagonal,
    WorstLoss,
    design,
    mechanism_from_matrix,
    profile_graph,
    sweep,
    value_graph,
)
from mechdesign.arrays import Floats
from mechdesign.designer.component import components
from mechdesign.errors import InputError
from mechdesign.objective import Goal, Objective
from mechdesign.objective.base import Posed
from mechdesign.objective.multipliers import Multipliers
from mechdesign.papers.hlm import distance
from mechdesign.privacy.requirement import requirements
from mechdesign.program.released_program import released_point, released_program

MATRIX = [["0.5", "0.3", "0.2"], ["0.1", "0.8", "0.1"], ["0", "0", "1"]]


def on_profiles(weights: dict[str, int] | None = None) -> Mechanism:
    graph = profile_graph({"a": ["0.2", "0.3", "0.5"], "b": [1, 0, 0]}, edges=[], categories=[1, 2, 3], weights=weights)
    points = mechanism_from_matrix(MATRIX)
    return Mechanism(graph, (1, 2, 3), points.weights, points.index[:2])


@pytest.mark.parametrize(
    ("objective", "costs", "value"),
    [
        (MaxOffDiagonal(), ["0.3", "0.3"], "0.3"),
        (LargestCost(), ["0.07", "0.5"], "0.5"),  # a releases 0.13, 0.3, 0.57; b the first row
        (WeightedOffDiagonal("absolute"), ["0.4", "0.4"], "0.4"),
        (WeightedOffDiagonal([[9, 2, 1], [1, 9, 1], [0, 0, 9]]), ["0.6", "0.6"], "0.6"),
        (ExpectedLoss(), ["0.16", "0.5"], "0.33"),
        (WorstLoss(), ["0.16", "0.5"], "0.5"),
        (ExpectedLoss("absolute"), ["0.2", "0.7"], "0.45"),
        (WorstLoss("absolute"), ["0.2", "0.7"], "0.7"),
        (ExpectedLoss([[0, 1, 4], [1, 0, 1], [4, 1, 0]]), ["0.28", "1.1"], "0.69"),
        (ExpectedLoss([["1/2", "1/2", "1/2"]] * 3), ["0.5", "0.5"], "0.5"),
    ],
    ids=str,
)
def test_by_hand(objective: Goal, costs: list[str], value: str) -> None:
    assert objective.costs(on_profiles()) == [Fraction(text) for text in costs]
    assert objective.value(on_profiles()) == Fraction(value)


def test_weights_are_normalised_and_count_in_expected_losses_only() -> None:
    heavy = on_profiles({"a": 3, "b": 1})
    assert ExpectedLoss().value(heavy) == (3 * Fraction("0.16") + Fraction("0.5")) / 4
    assert WorstLoss().value(heavy) == Fraction("0.5")
    assert ExpectedLoss().value(on_profiles({"a": 300, "b": 100})) == ExpectedLoss().value(heavy)


@given(mechanisms(), st.data())
def test_costs_are_those_of_the_rows(mechanism: Mechanism, data: st.DataObject) -> None:
    d, m = len(mechanism.categories), len(mechanism.outputs)
    objective = (
        data.draw(drawn_objectives(d, square=True))
        if d == m
        else ExpectedLoss([[x * y for y in range(m)] for x in range(d)])
    )
    table = (
        None if isinstance(objective, MaxOffDiagonal) else [list(row) for row in objective.table(mechanism.categories)]
    )
    assert objective.costs(mechanism) == [cost(mechanism, profile, table) for profile in mechanism.profiles]


def test_one_category_has_nothing_off_the_diagonal() -> None:
    assert MaxOffDiagonal().value(mechanism_from_matrix([[1]])) == 0


@pytest.mark.parametrize(
    "loss", ["l2", "", None, [], [[]], [1, 2], [[1, "x"]], [[float("nan")]], [[1], [1, 2]]], ids=str
)
@pytest.mark.parametrize("kind", [ExpectedLoss, WorstLoss])
def test_losses_that_are_none(kind: type[ExpectedLoss] | type[WorstLoss], loss: Any) -> None:
    with pytest.raises(InputError, match="loss"):
        kind(loss)


def test_a_loss_has_one_row_per_category() -> None:
    with pytest.raises(InputError, match="one row per category, 3, found 2"):
        ExpectedLoss([[0, 1], [1, 0]]).table("abc")
    with pytest.raises(InputError, match="one row per category, 3, found 2"):
        WorstLoss([[0, 1], [1, 0]]).output_labels(["a", "b", "c"])


def test_a_loss_table_is_kept_exactly() -> None:
    assert ExpectedLoss([["1/3", 0.5]]).table("a") == ((Fraction(1, 3), Fraction(1, 2)),)
    assert ExpectedLoss([["1/3"]]) == ExpectedLoss([[Fraction(1, 3)]])


DATABASES = [("a", "b"), ("b", "b"), ("c", "a"), ("b", "a")]


def test_rows_are_counted_and_hamming_is_0_or_1() -> None:
    """[HLM] (16) counts the rows that change; 0 or 1 for the whole database is another loss."""
    rows, whole = ExpectedLoss("rows").table(DATABASES), ExpectedLoss("hamming").table(DATABASES)
    assert [[int(loss) for loss in row] for row in rows] == [[distance(d, a) for a in DATABASES] for d in DATABASES]
    assert [[int(loss) for loss in row] for row in whole] == [[int(d != a) for a in DATABASES] for d in DATABASES]


def test_rows_of_labels_within_labels() -> None:
    """A row may be a tuple itself, 1 is not "1", and the order of the databases is free."""
    databases = [(("x", 1), 1), (("x", 2), 1), (("x", 1), "1")]
    assert [list(map(int, row)) for row in WorstLoss("rows").table(databases)] == [[0, 1, 1], [1, 0, 2], [1, 2, 0]]


@pytest.mark.parametrize(
    ("categories", "found"),
    [(["no", "yes"], "'no'"), ([("a", "b"), "ab"], "'ab'"), ([("a", "b"), ("a",)], r"\('a',\)"), ([1, 2], "1")],
)
def test_rows_go_with_databases_only(categories: list[Any], found: str) -> None:
    message = f'loss "rows": expected every category to be a database, .*, found {found}; "hamming"'
    with pytest.raises(InputError, match=message):
        ExpectedLoss("rows").output_labels(categories)
    with pytest.raises(InputError, match=message):
        design(value_graph(categories), epsilon=1, objective=ExpectedLoss("rows"))


def test_outputs_of_a_loss_that_is_not_square_are_numbered() -> None:
    assert ExpectedLoss([[0, 1, 2], [2, 1, 0]]).output_labels(["a", "b"]) == (0, 1, 2)
    assert ExpectedLoss().output_labels(["a", "b"]) == ("a", "b")
    assert MaxOffDiagonal().output_labels(["a", "b"]) == ("a", "b")


@pytest.mark.parametrize(
    ("objective", "d", "free"),
    [
        (MaxOffDiagonal(), 3, [0, 1, 2]),
        (ExpectedLoss("absolute"), 3, [0, 1, 2]),
        (ExpectedLoss([[5, 5, 5], [5, 5, 5], [5, 5, 5]]), 3, [0, 1, 2]),  # where nothing is gained, tell the truth
        (ExpectedLoss([[2, 1, 1], [0, 0, 0], [1, 1, 0]]), 3, [1, 1, 2]),
        (ExpectedLoss([[3, 1], [2, 2], [0, 1]]), 3, [1, 1, 0]),
    ],
    ids=str,
)
def test_outputs_without_privacy(objective: Objective, d: int, free: list[int]) -> None:
    assert objective.free_outputs(range(d)) == free


@pytest.mark.parametrize(("loss", "entries"), [("hamming", 1), ("absolute", 4)])
def test_the_loss_of_a_single_value_has_a_short_row(loss: str, entries: int) -> None:
    """The Hamming loss is 1 less the probability of the value itself; no entry is zero."""
    graph = value_graph(range(5))
    required = requirements(graph, Fraction(1, 2), Fraction(0))
    problem = components(graph, required, WorstLoss(loss), shared=False)[0].problem
    program = released_program(problem, ())
    rows = program.matrix[program.blocks["objective"]]
    assert (np.diff(rows.indptr) == entries + 1).all()  # and the column of the objective
    released = np.random.default_rng(1).dirichlet(np.ones(5), 5)
    assert problem.loss is not None
    costs = (released * problem.loss).sum(axis=1)
    excess = program.excess(released_point(problem, program, released))
    assert excess[program.blocks["objective"]] == pytest.approx(costs)


def test_a_loss_of_long_unequal_denominators_is_refused() -> None:
    row = [f"1/{10**1499 + step}" for step in range(1, 3)]
    with pytest.raises(InputError, match="the entries of the loss need a common denominator of more than 2000 digits"):
        ExpectedLoss([row, [0, 1]])


@dataclass(frozen=True)
class Halfway(WorstLoss):
    """Half the worst profile's loss, half the mean: an objective that no other file knows of."""

    name: ClassVar[str] = "halfway"
    words: ClassVar[str] = "half the worst and half the mean loss"

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        return (max(costs) + ExpectedLoss().total(costs, weights)) / 2

    def counted(self, costs: Any, weights: Floats) -> Any:
        return (np.eye(len(weights)) + weights) / 2 @ costs

    def exact_multipliers(self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]) -> Any:
        _, shares, unit = super().exact_multipliers(problem, found, prior)
        assert shares is not None
        return None, [(share + weight) / 2 for share, weight in zip(shares, prior, strict=True)], unit


@pytest.mark.parametrize("loss", ["hamming", "absolute", [[0, 1, 3], [1, 0, 1], [4, 1, 0], [2, 2, 1]]], ids=str)
def test_a_new_objective_is_one_class(loss: Any) -> None:
    """Programs of three kinds, rounding and proof ask the objective; only the stranger's checker has to learn it."""
    graph = profile_graph(
        {"a": ["0.2", "0.3", "0.4", "0.1"], "b": ["0.3", "0.3", "0.3", "0.1"], "c": ["0.4", "0.4", "0.1", "0.1"]},
        edges=[("a", "b"), ("b", "c")],
        categories=[1, 2, 3, 4],
        weights={"a": 5, "b": 1, "c": 1},
    )
    ends = [design(graph, epsilon="0.1", objective=kind(loss)).bound for kind in (ExpectedLoss, WorstLoss)]
    values = []
    for method in ("structured", "highs", "reference"):
        result = design(graph, epsilon="0.1", objective=Halfway(loss), method=method)
        assert Halfway(loss).value(result.mechanism) == result.value
        assert 0 <= result.value - result.bound <= Fraction(1, 10**8)
        values.append(float(result.value))
    assert values == pytest.approx([values[0]] * 3, abs=1e-8)
    assert sum(ends) / 2 <= result.value  # each half alone may do better
    assert result.certificate["objective"] == "halfway"


class TestFunctionsAsLosses:
    """A loss may be a function of the labels of the true and the reported category."""

    GRAPH = profile_graph(
        {"a": ["0.2", "0.3", "0.5"], "b": ["0.5", "0.3", "0.2"]}, edges=[("a", "b")], categories=[1, 2, 4]
    )

    @pytest.mark.parametrize("kind", [ExpectedLoss, WorstLoss, WeightedOffDiagonal])
    def test_it_is_what_its_table_is(self, kind: Any) -> None:
        by_function = design(self.GRAPH, epsilon="1/2", objective=kind(lambda x, y: (x - y) ** 2))
        by_table = design(self.GRAPH, epsilon="1/2", objective=kind([[0, 1, 9], [1, 0, 4], [9, 4, 0]]))
        assert by_function.value == by_table.value
        assert by_function.bound == by_table.bound
        assert by_function.objective.loss == by_table.objective.loss

    @pytest.mark.parametrize(
        ("loss", "entry"),
        [
            (lambda x, y: "1/3", Fraction(1, 3)),
            (lambda x, y: 0.1, Fraction(0.1)),
            (lambda x, y: np.float32(0.1), Fraction(float(np.float32(0.1)))),
            (lambda x, y: np.int64(2), Fraction(2)),
            (lambda x, y: x == y, Fraction(1)),
            (lambda x, y: np.bool_(x != y), Fraction(0)),
        ],
    )
    def test_what_it_says_is_exact(self, loss: Any, entry: Fraction) -> None:
        assert ExpectedLoss(loss).table(["a", "b"])[0][0] == entry

    def test_what_it_says_wrong_is_named_by_the_pair(self) -> None:
        loss = ExpectedLoss({("a", "a"): 0, ("a", "b"): float("nan"), ("b", "b"): "none"}.__getitem__)
        with pytest.raises(InputError) as caught:
            ExpectedLoss(lambda x, y: loss.loss((x, y))).table(["a", "b"])
        assert caught.value.faults == [
            "loss of reporting 'b' for 'a': expected a number such as 0.3 or \"3/10\", found nan",
            "loss of reporting 'a' for 'b': the function raised KeyError: ('b', 'a')",
            "loss of reporting 'b' for 'b': expected a number such as 0.3 or \"3/10\", found 'none'",
        ]

    def test_a_function_that_fails_everywhere(self) -> None:
        with pytest.raises(InputError) as caught:
            ExpectedLoss(lambda x, y: abs(x - y)).table(["low", "middle", "high"])
        assert len(caught.value.faults) == 9

    def test_it_is_asked_before_the_work_goes_to_other_processes(self) -> None:
        objective = ExpectedLoss(lambda x, y: x != y)
        curve = sweep(self.GRAPH, "0.2,0.5", objective=objective, executor=Pickling())
        there = ExpectedLoss([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
        assert [one.value for one in curve] == [one.value for one in sweep(self.GRAPH, "0.2,0.5", objective=there)]
