"""Objectives of one's own, in cvxpy."""

import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from threading import Lock
from typing import Any

import cvxpy as cp
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private
from running import Pickling
from strained import strained
from strategies import epsilons, profile_graphs

import mechdesign as md
from mechdesign import Convex, ExpectedLoss, InputError, MaxOffDiagonal, SolverError, WorstLoss, design
from mechdesign.designer import model_design
from mechdesign.objective.by_model import Matrices, distribution_of

CHAIN = md.read_graph("categorical-chain")


def off(A: Any) -> Any:
    """Return a matrix with 0 in place of its diagonal."""
    return cp.multiply(1 - np.eye(A.shape[0]), A)


def lost(A: Any, graph: nx.Graph, profile: Any) -> Any:
    """Return the share of a profile's records that are reported as another category."""
    return cp.sum(cp.multiply(distribution_of(graph, profile)[:, None], off(A)))


def mean_loss(matrices: Matrices, graph: nx.Graph) -> Any:
    return sum(lost(A, graph, profile) for profile, A in matrices.items()) / len(matrices)


def worst_loss(matrices: Matrices, graph: nx.Graph) -> Any:
    return cp.max(cp.hstack([lost(A, graph, profile) for profile, A in matrices.items()]))


def largest_entry(matrices: Matrices, _graph: nx.Graph) -> Any:
    return cp.max(cp.hstack([cp.max(off(A)) for A in matrices.values()]))


def squares(matrices: Matrices, _graph: nx.Graph) -> Any:
    return sum(cp.sum_squares(off(A)) for A in matrices.values())


MEAN, WORST, LARGEST = (mean_loss, ExpectedLoss()), (worst_loss, WorstLoss()), (largest_entry, MaxOffDiagonal())


@pytest.mark.parametrize(
    ("build", "objective", "arguments"),
    [
        (*MEAN, {}),
        (*LARGEST, {}),
        (*MEAN, {"shared": True}),
        (*WORST, {"shared": True}),
        (*WORST, {"delta": "0.02"}),
        (*LARGEST, {"delta": "0.02"}),
        (*LARGEST, {"epsilon": 0}),
        (*MEAN, {"epsilon": 0}),
        (*WORST, {"method": "reference"}),
    ],
)
def test_the_same_as_the_objectives_that_are_there(build: Any, objective: Any, arguments: dict[str, Any]) -> None:
    asked = {"epsilon": "1/2"} | arguments
    own = design(CHAIN, objective=Convex(build), **asked)
    assert own.bound_by == "duality"
    assert 0 <= own.value - own.bound <= Fraction(1, 10**9)
    assert float(own.value) == pytest.approx(float(design(CHAIN, objective=objective, **asked).value), abs=1e-9)
    assert own.stats["components"] == 1
    assert own.stats["any_optimum"] == 0
    assert design(CHAIN, objective=Convex(build), any_optimum=True, **asked).stats["any_optimum"] == 1


class TestSquares:
    """The sum of squares off the diagonal, of which no exact bound is known."""

    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_of_one_matrix_for_all_values(self, k: int) -> None:
        """It does not change when values change places, so that k-ary randomised response is least: k (k-1) a^2."""
        result = design(md.value_graph(range(k)), epsilon=1, objective=Convex(shared_squares), shared=True)
        assert result.bound_by == "solver"
        assert float(result.value) == pytest.approx(k * (k - 1) / (math.e + k - 1) ** 2, abs=1e-8)
        assert float(result.bound) == pytest.approx(float(result.value), abs=1e-8)
        assert result.bound <= result.value
        assert repr(result).startswith("Design(convex = ")
        assert "solver's bound" in repr(result)
        assert float(result.baseline) == pytest.approx(float(result.value), abs=1e-8)


def shared_squares(matrices: Matrices, _graph: nx.Graph) -> Any:
    """The squares of each matrix once, whoever uses it."""
    return sum(cp.sum_squares(off(A)) for A in {id(A): A for A in matrices.values()}.values())


class TestConstraints:
    def test_fairness_joins_profiles_that_no_edge_does(self) -> None:
        """c has no neighbour and would need no noise; if all must lose the same it takes part."""
        graph = md.profile_graph(
            {"a": ["0.2", "0.8"], "b": ["0.6", "0.4"], "c": ["0.5", "0.5"]},
            edges=[("a", "b")],
            categories=["no", "yes"],
        )

        def fair(matrices: Matrices, graph: nx.Graph) -> Any:
            costs = {profile: lost(A, graph, profile) for profile, A in matrices.items()}
            return mean_loss(matrices, graph), [cp.abs(costs["a"] - cost) <= 0.001 for cost in costs.values()]

        free = design(graph, epsilon="1/2", objective=Convex(mean_loss))
        result = design(graph, epsilon="1/2", objective=Convex(fair))
        costs = ExpectedLoss().costs(result.mechanism)
        assert result.bound_by == "duality"
        assert 0 <= result.value - result.bound <= Fraction(1, 10**9)
        assert result.value > free.value
        assert max(costs) - min(costs) <= Fraction(2, 1000) + Fraction(2, 10**9)
        assert ExpectedLoss().costs(free.mechanism)[2] <= Fraction(1, 10**9)

    def test_one_that_is_not_linear_leaves_the_bound_to_the_solver(self) -> None:
        def build(matrices: Matrices, graph: nx.Graph) -> Any:
            return mean_loss(matrices, graph), [cp.sum_squares(A - np.eye(4)) <= 0.25 for A in matrices.values()]

        result = design(CHAIN, epsilon="1/2", objective=Convex(build))
        assert result.bound_by == "solver"
        for profile in CHAIN:
            assert ((result.mechanism.matrix(profile) - np.eye(4)) ** 2).sum() <= 0.25 + 1e-9

    def test_those_that_no_private_mechanism_meets(self) -> None:
        def kept(matrices: Matrices, _graph: nx.Graph) -> Any:
            return 0, [cp.diag(A) >= 0.99 for A in matrices.values()]

        def squared(matrices: Matrices, graph: nx.Graph) -> Any:
            return squares(matrices, graph), [cp.diag(A) >= 0.99 for A in matrices.values()]

        for build in (kept, squared):
            with pytest.raises(SolverError, match="no private mechanism"):
                design(CHAIN, epsilon="1/10", objective=Convex(build))
        with pytest.raises(SolverError, match=r"^epsilon 0\.1: no private mechanism"):
            md.sweep(CHAIN, "0.1,5", objective=Convex(kept))

    def test_those_that_leave_no_room_beside_privacy(self) -> None:
        """What is released is fixed by equations in doubles, which nothing private meets exactly."""
        graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[("a", "b")], categories=["no", "yes"])
        E = math.e

        def tight(matrices: Matrices, _graph: nx.Graph) -> Any:
            return 0, [matrices["a"][0, 0] == E / (1 + E), matrices["b"][1, 1] == E / (1 + E) + 1e-15]

        with pytest.raises(SolverError, match=r"leave no room beside privacy|no private mechanism"):
            design(graph, epsilon=1, objective=Convex(tight))

    def test_those_that_the_solver_does_not_meet_well_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def build(matrices: Matrices, graph: nx.Graph) -> Any:
            return squares(matrices, graph), [lost(matrices["P1"], graph, "P1") == 0.123]

        assert design(CHAIN, epsilon="1/2", objective=Convex(build)).value > 0
        monkeypatch.setattr(model_design, "NEAR", 1e-30)
        with pytest.raises(SolverError, match=r"the constraints could be met only up to .*, not 1e-30"):
            design(CHAIN, epsilon="1/2", objective=Convex(build))

    def test_a_solver_without_an_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mechdesign.solver.modelled.TOLERANCES", ())
        with pytest.raises(SolverError, match=r"the solver stops without an answer"):
            design(CHAIN, epsilon="1/2", objective=Convex(squares))


class TestRefused:
    def test_what_has_no_finite_value(self) -> None:
        """At the optimum it has, but not for a mechanism that never reports 1 as 2."""
        objective = Convex(lambda matrices, graph: -cp.log(matrices["P1"][0, 1]))
        assert abs(design(CHAIN, epsilon=1, objective=objective).value) <= Fraction(1, 10**7)
        untouched = design(CHAIN, epsilon="inf").mechanism
        with pytest.raises(InputError, match=r"objective: expected a finite value, found inf"):
            objective.value(untouched)

    @pytest.mark.parametrize(
        ("build", "message"),
        [
            (lambda A, g: 1 / 0, r"objective: its function raised ZeroDivisionError: division by zero"),
            (lambda A, g: A["nobody"], r"objective: its function raised KeyError: 'nobody'"),
            (
                lambda A, g: None,
                r"objective: expected a cvxpy expression, or \(expression, \[constraints\]\), found None",
            ),
            (lambda A, g: True, r"objective: expected a cvxpy expression, .*, found True"),
            (lambda A, g: (cp.sum(A["P1"]), 3), r"found 3 in place of the constraints"),
            (lambda A, g: (0, [True]), r"constraints\[0\]: expected a cvxpy constraint, found True"),
            (lambda A, g: A["P1"], r"objective: expected one number, found shape \(4, 4\); take its sum or"),
            (lambda A, g: cp.log(A["P1"][0, 0]), r"objective: expected a convex function .* is concave"),
            (lambda A, g: A["P1"][0, 0] * A["P2"][0, 0], r"objective: expected a convex .* is quasiconcave"),
            (lambda A, g: (0, [cp.sum_squares(A["P1"]) >= 1]), r"constraints\[0\]: expected a convex constraint"),
            (lambda A, g: cp.sum(A["P1"]) + cp.Variable(name="t"), r"the only variables, found t too; write it with"),
            (lambda A, g: cp.Parameter(name="w") * cp.sum(A["P1"]), r"objective: the parameter w has no value"),
        ],
    )
    def test_what_a_function_returns(self, build: Callable[..., Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            design(CHAIN, epsilon=1, objective=Convex(build))

    def test_what_is_no_function(self) -> None:
        with pytest.raises(InputError, match=r"Convex: expected a function of the matrices and the graph .*, found 3"):
            Convex(3)  # type: ignore[arg-type]

    @pytest.mark.parametrize("arguments", [{"method": "highs"}, {"command": "s {mps} {solution}"}])
    def test_methods_that_do_not_go_through_cvxpy(self, arguments: dict[str, Any]) -> None:
        with pytest.raises(InputError, match=r'the objective convex goes through cvxpy: method "auto" or "reference"'):
            design(CHAIN, epsilon=1, objective=Convex(squares), **arguments)

    def test_a_graph_that_is_too_large(self) -> None:
        with pytest.raises(InputError, match="100 matrices of 100 categories make 1,000,000 entries"):
            design(md.value_graph(range(100)), epsilon=1, objective=Convex(squares))


@pytest.mark.parametrize("objective", [mean_loss, squares])
def test_constraints_that_contradict_each_other(objective: Any) -> None:
    def build(matrices: Matrices, graph: nx.Graph) -> Any:
        return objective(matrices, graph), [cut for A in matrices.values() for cut in (A[0, 0] >= 0.9, A[0, 0] <= 0.5)]

    with pytest.raises(SolverError, match=r"meets the constraints.* contradict each other"):
        design(CHAIN, epsilon=1, objective=Convex(build))


def test_what_a_certificate_says_of_it() -> None:
    result = design(CHAIN, epsilon="1/2", objective=Convex(squares))
    proved = md.check_certificate(result.certificate, graph=CHAIN, epsilon="1/2", mechanism=result.mechanism)
    assert proved == (Fraction(0), Fraction(0))
    with pytest.raises(md.Rejected, match=r"no certificate states the objective convex: .* it proves privacy alone"):
        md.check_certificate(result.certificate, graph=CHAIN, objective=Convex(squares))
    with pytest.raises(md.Rejected, match=r"the certificate proves privacy alone, .* you asked for worst-loss"):
        md.check_certificate(result.certificate, graph=CHAIN, objective=WorstLoss())


@pytest.mark.parametrize(
    ("own", "objective"), [(Convex(mean_loss), ExpectedLoss()), (Convex(largest_entry), MaxOffDiagonal())]
)
def test_what_edges_cost_is_the_same(own: Convex, objective: Any) -> None:
    there, here = (design(CHAIN, epsilon="1/2", objective=one).prices() for one in (own, objective))
    assert [float(price.epsilon) for price in there] == pytest.approx(
        [float(price.epsilon) for price in here], abs=1e-6
    )


def test_nothing_is_said_of_what_edges_cost_where_nothing_is_proved() -> None:
    with pytest.raises(InputError, match=r"prices: no weights prove a bound of the objective of one's own"):
        design(CHAIN, epsilon="1/2", objective=Convex(squares)).prices()


def test_sweeps() -> None:
    here = md.sweep(CHAIN, "0.2,0.5", objective=Convex(mean_loss))
    there = md.sweep(CHAIN, "0.2,0.5", objective=Convex(mean_loss), executor=Pickling())
    assert [one.value for one in here] == [one.value for one in there]
    assert here[0].value > here[1].value


def test_a_function_without_a_name_stays_in_its_process() -> None:
    """Whatever pickle says of it: the words of the first are not the same in Python 3.13, the second is a TypeError."""
    lock = Lock()
    unsendable: list[Callable[..., Any]] = [lambda *given: squares(*given), partial(with_lock, lock)]
    for objective in map(Convex, unsendable):
        with pytest.raises(InputError, match=r"cannot be sent to other processes; define it by def in a module"):
            md.sweep(CHAIN, "0.2,0.5", objective=objective, executor=Pickling())
    assert len(md.sweep(CHAIN, "0.2,0.5", objective=objective)) == 2


def with_lock(_: Any, matrices: Matrices, graph: nx.Graph) -> Any:
    return squares(matrices, graph)


def test_a_graph_that_cannot_be_sent_is_not_taken_for_it() -> None:
    graph = md.read_graph("categorical-chain")
    graph.graph["name"] = type("Named", (str,), {})("chain")  # a class that no module has
    with pytest.raises((AttributeError, pickle.PicklingError), match="Named"):
        md.sweep(graph, "0.2,0.5", objective=Convex(squares), executor=Pickling())


def test_an_error_of_other_work_is_not_taken_for_it() -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise AttributeError(f"no such thing: {fn}, {args}, {kwargs}")

    with pytest.raises(AttributeError, match=r"no such thing"):
        md.sweep(CHAIN, "0.2,0.5", executor=Broken())


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    design(CHAIN, epsilon=1, objective=Convex(squares), progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(1, 1)]


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("various 5", md.WeightedOffDiagonal()),  # epsilon 0 with entries forced to be 0
        ("extreme 12", md.WeightedOffDiagonal()),  # epsilon 0 with masses of 1e-15
        ("extreme 25", md.WeightedOffDiagonal()),  # epsilon 1e-12
        ("various 5", md.MutualInformation("0.9")),  # found with more regularisation only
        ("various 4", Convex(squares)),
    ],
)
def test_designs_that_once_failed(name: str, objective: Any) -> None:
    case = strained(name)
    result = design(case.graph, **(case.arguments | {"objective": objective}))
    assert -Fraction(1, 10**8) <= result.value - result.bound <= Fraction(1, 10**6)


def test_an_output_that_would_tell_profiles_apart_is_forced_to_be_0() -> None:
    """Beside two zeros the category b alone may give it, nearly twice as likely in 1: then nothing was to spare."""
    masses = {1: ["10/19", "7/19", "2/19"], 2: ["0.35", "0.2", "0.45"]}
    graph, zeros = md.profile_graph(masses, edges="all", categories=["a", "b", "c"]), ((0, 0), (0, 1), (2, 1))

    def build(matrices: Matrices, graph: nx.Graph) -> Any:
        return mean_loss(matrices, graph), [A[x, y] == 0 for A in matrices.values() for x, y in zeros]

    result = design(graph, epsilon="0.07", objective=Convex(build), shared=True)
    assert result.value - result.bound <= Fraction(1, 10**9)
    assert result.mechanism.row(1, "b")[1] == 0


BUILDS = {"squares": squares, "mean": mean_loss, "largest": largest_entry}


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    graph=profile_graphs(own=True),
    epsilon=epsilons(),
    delta=st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 50), Fraction(1, 3)]),
    name=st.sampled_from(sorted(BUILDS)),
    shared=st.booleans(),
    data=st.data(),
)
def test_what_is_returned_is_private_and_has_its_zeros(
    graph: nx.Graph, epsilon: Any, delta: Fraction, name: str, shared: bool, data: st.DataObject
) -> None:
    """In exact arithmetic of the tests' own. The last column can always be left open: all may be reported as it."""
    d = len(graph.graph["categories"])
    cells = st.sampled_from([(x, y) for x in range(d) for y in range(d - 1)]) if d > 1 else st.nothing()
    zeros = data.draw(st.lists(cells, unique=True, max_size=3) if d > 1 else st.just([]), label="zeros")

    def build(matrices: Matrices, graph: nx.Graph) -> Any:
        return BUILDS[name](matrices, graph), [A[x, y] == 0 for A in matrices.values() for x, y in zeros]

    result = design(graph, epsilon=epsilon, delta=delta, objective=Convex(build), shared=shared)
    assert_private(result.mechanism, graph, epsilon, delta)
    for profile in graph:
        assert all(result.mechanism.row(profile, x)[y] == 0 for x, y in zeros)
    assert -Fraction(1, 10**9) <= result.value - result.bound <= Fraction(1, 10**6)
    assert result.bound_by == ("solver" if name == "squares" else "duality")
    assert result.bound_by == "solver" or result.bound <= result.value


PAIR = md.profile_graph(
    {"a": ["3/7", "2/21", "10/21"], "b": ["5/37", "14/37", "18/37"]}, edges=[("a", "b")], categories=[0, 1, 2]
)
TRIANGLE = md.profile_graph(
    {"a": ["1/15", "1/15", "13/15"], "b": ["1/30", "7/30", "11/15"], "c": ["4/15", "4/15", "7/15"]},
    edges="all",
    categories=[0, 1, 2],
)
FIRST = md.profile_graph({"a": ["0.1", "0.7", "0.2"], "b": ["0.6", "0.3", "0.1"]}, edges="all", categories=[0, 1, 2])


@pytest.mark.parametrize("delta", ["0", "1e-12", "1e-6", "1e-5", "1e-3", "0.3"])
@pytest.mark.parametrize(("graph", "epsilon"), [(PAIR, "0.5"), (TRIANGLE, 1), (FIRST, "0.1")])
def test_with_deltas_too_a_centre_leaves_room(graph: nx.Graph, epsilon: Any, delta: str) -> None:
    """One that uses all of a delta mends nothing of what a solver is off by, however large its weight."""
    made = design(graph, epsilon=epsilon, delta=delta, objective=md.WeightedOffDiagonal("absolute"))
    assert made.value <= made.bound * (1 + Fraction(1, 10**7)) + Fraction(1, 10**12)


SHARE = {"a": ["17/30", "13/30"], "b": ["4/15", "11/15"], "c": ["19/37", "18/37"], "d": ["4/23", "19/23"]}
JOINED = [("b", "a"), ("c", "b"), ("d", "a"), ("d", "b"), ("e", "a"), ("e", "b"), ("e", "d")]


@pytest.mark.parametrize(
    ("profiles", "edges", "epsilon", "delta"),
    [
        (SHARE | {"e": ["1/17", "16/17"]}, JOINED, 0, "1e-3"),
        ({"a": ["1/24", "17/48", "3/16", "5/12"], "b": ["19/43", "19/43", "4/43", "1/43"]}, "all", "0.1", "1e-6"),
    ],
    ids=["a share of each delta", "room on each output"],
)
def test_a_centre_has_both_to_spare(profiles: Any, edges: Any, epsilon: Any, delta: str) -> None:
    """With an epsilon of 0 only of deltas; with a small delta what counts are the outputs."""
    graph = md.profile_graph(profiles, edges=edges, categories=range(len(profiles["a"])))
    made = design(graph, epsilon=epsilon, delta=delta, objective=md.WeightedOffDiagonal("absolute"))
    assert made.value <= made.bound * (1 + Fraction(1, 10**5))


def test_the_least_mutual_information_falls_with_delta() -> None:
    objective = md.MutualInformation("0.174")
    values = [
        float(design(FIRST, epsilon="0.5", delta=delta, objective=objective).value)
        for delta in ("0", "1e-3", "1.1e-3", "2e-3")
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] - values[-1] < 0.003


def test_two_pairs_of_profiles_that_release_the_same_by_one_matrix() -> None:
    """All rows are then one: with masses r, s, t the weighted entries are at most max(2 r, s, 2 t), at least a half."""
    profiles = {"a": ["1/2", 0, "1/2"], "b": ["3/5", 0, "2/5"], "c": [0, 1, 0], "d": [1, 0, 0]}
    same = [("a", "c", {"epsilon": 0}), ("b", "d", {"epsilon": 0}), ("a", "b")]
    graph = md.profile_graph(profiles, edges=same, categories=[0, 1, 2])
    made = design(graph, epsilon="0.5", objective=md.WeightedOffDiagonal("absolute"), shared=True)
    assert abs(made.value - Fraction(1, 2)) < Fraction(1, 10**8)
