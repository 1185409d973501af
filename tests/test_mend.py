"""`mend`: the nearest private mechanism, held against a linear program written down from the definition."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from doubles import clip_and_renormalise, k_ary_in_doubles
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import exp_64_above
from oracles.optimum import optimum
from strategies import distributions, tables

import mechdesign as md
from mechdesign.arrays import Floats
from mechdesign.mender.mend import mend
from mechdesign.mender.mended import Mended
from mechdesign.mender.private_doubles import in_private_doubles
from mechdesign.objective import Objective

F = Fraction
BITS = [["3/4", "1/4"], ["1/4", "3/4"]]


def least_distance(
    rows: Sequence[Sequence[Fraction]], edges: Sequence[tuple[int, int, Any]], loss: Any, *, worst: bool, delta: Any = 0
) -> Fraction:
    """Return the least mean or largest cost of plans from the rows to private ones."""
    steps = [(i, j, exp_64_above(F(epsilon)), F(delta)) for i, j, epsilon in edges]
    table = [[F(entry) for entry in costs] for costs in loss.tolist()]
    alone = [[i] for i in range(len(rows))]
    return optimum(rows, steps, alone, outputs=len(table[0]), loss=table, weights=None if worst else [1] * len(rows))


def every_pair(k: int, epsilon: str) -> list[tuple[int, int, str]]:
    return [(i, j, epsilon) for i, j in combinations(range(k), 2)]


def check(mended: Mended, graph: nx.Graph | None, epsilon: Any, delta: Any = 0) -> None:
    """Hold what is said of a mended mechanism against the certifier, the checker and its own rows."""
    assert md.certify(mended.mechanism, graph, epsilon=epsilon, delta=delta).private
    assert 0 <= mended.bound <= mended.value
    assert md.check_certificate(mended.certificate) == (mended.value, mended.bound)
    assert mended.mechanism.outputs == mended.given.outputs


def noisy(k: int, error: float, seed: int = 0) -> Floats:
    """Return k-ary randomised response at epsilon 1 with relative errors."""
    rng = np.random.default_rng(seed)
    table = k_ary_in_doubles(k, 1.0) * (1 + error * rng.standard_normal((k, k)))
    return np.array(table / table.sum(axis=1, keepdims=True))


def variation(before: Sequence[Fraction], after: Sequence[Fraction]) -> Fraction:
    return sum((abs(p - q) for p, q in zip(before, after, strict=True)), F(0)) / 2


class TestAgainstTheDefinition:
    @pytest.mark.slow
    @settings(max_examples=15)
    @given(st.data())
    def test_all_pairs(self, data: st.DataObject) -> None:
        m, k = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 5))
        rows: Any = [data.draw(distributions(m)) for _ in range(k)]
        epsilon, delta = data.draw(st.sampled_from(["0.1", "0.5", "1", "2"])), data.draw(st.sampled_from(["0", "0.05"]))
        worst = data.draw(st.booleans())
        losses = data.draw(st.one_of(st.none(), tables(m, m)))
        loss: Any = "hamming" if losses is None else np.array(losses) * (1 - np.eye(m, dtype=int))
        objective: Objective = md.WorstLoss(loss) if worst else md.ExpectedLoss(loss)
        mended = mend(rows, epsilon=epsilon, delta=delta, objective=objective)
        check(mended, None, epsilon, delta)
        table = 1 - np.eye(m) if losses is None else np.array(loss, dtype=float)
        least = least_distance(rows, every_pair(k, epsilon), table, worst=worst, delta=delta)
        assert mended.bound <= least <= mended.value <= mended.bound + F(1, 10**8)
        if losses is None:
            after = [mended.mechanism.row(i, i) for i in range(k)]
            assert list(mended.changes.values()) == [variation(*pair) for pair in zip(rows, after, strict=True)]

    @settings(max_examples=15)
    @given(st.data())
    def test_with_a_graph(self, data: st.DataObject) -> None:
        """Its edges, distances, epsilons and weights count; inputs of no edge stay as they are."""
        k, m = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 4))
        rows = [data.draw(distributions(m)) for _ in range(k)]
        graph = md.value_graph(range(k))
        graph.remove_edges_from(data.draw(st.sets(st.sampled_from(list(graph.edges)))))
        for edge in graph.edges:
            graph.edges[edge].update(data.draw(st.sampled_from([{}, {"distance": F(2)}, {"epsilon": F(1, 4)}])))
        table = [list(map(str, row)) for row in rows]
        matrix = md.mechanism_from_matrix(table, outputs=[f"y{y}" for y in range(m)])
        worst = data.draw(st.booleans())
        mended = mend(matrix, graph, epsilon=0.5, objective=md.WorstLoss() if worst else md.ExpectedLoss())
        check(mended, graph, 0.5)
        edges = [(a, b, d.get("epsilon", F(1, 2) * d.get("distance", 1))) for a, b, d in graph.edges(data=True)]
        least = least_distance(rows, edges, 1 - np.eye(m), worst=worst)
        assert mended.bound <= least <= mended.value <= mended.bound + F(1, 10**8)
        assert not any(mended.changes[i] for i in nx.isolates(graph))

    def test_weights(self) -> None:
        """An input that never occurs may change at no cost: the other stays."""
        graph = md.value_graph(["a", "b"])
        graph.nodes["a"]["weight"] = 0
        matrix = md.mechanism_from_matrix([["0.9", "0.1"], ["0.1", "0.9"]], inputs=["a", "b"], outputs=["a", "b"])
        mended = mend(matrix, graph, epsilon=1)
        assert mended.value < F(1, 10**9)
        assert mended.changes["a"] > F(1, 10)
        check(mended, graph, 1)


def promised(mended: Mended) -> Fraction:
    """Return by how much the value may be above the bound: a billionth of it, or 1e-13 of the largest loss, twice."""
    table = mended.objective.table(mended.given.outputs)
    return 2 * max(mended.value / 10**9, max(entry for row in table for entry in row) / 10**13)


class TestSmallMisses:
    @pytest.mark.parametrize("error", [1e-15, 1e-12, 1e-9])
    @pytest.mark.parametrize("objective", [md.ExpectedLoss(), md.WorstLoss(), md.ExpectedLoss("absolute")])
    def test_the_value_is_as_small_as_the_miss_and_the_bound_is_near(self, error: float, objective: Objective) -> None:
        """Solvers are off by 1e-14 or so, and prove nothing below that."""
        mended = mend(noisy(8, error), epsilon=1, objective=objective)
        assert not mended.before.private
        check(mended, None, 1)
        assert mended.value < 10 * error + promised(mended)
        assert mended.value - mended.bound <= promised(mended)

    def test_a_loss_that_is_no_distance(self) -> None:
        """Squares: mass goes to a far output by many small steps, each of which costs less."""
        squares = np.subtract.outer(np.arange(8), np.arange(8)) ** 2
        mended = mend(noisy(8, 1e-12), epsilon=1, objective=md.ExpectedLoss(squares))
        check(mended, None, 1)
        assert mended.value - mended.bound <= promised(mended)

    def test_a_delta(self) -> None:
        matrix = np.random.default_rng(3).dirichlet(np.ones(6), 6)
        needed = md.certify(matrix, epsilon="0.5").delta[0]
        mended = mend(matrix, epsilon="0.5", delta=F(needed) - F(1, 10**13))
        check(mended, None, "0.5", mended.delta)
        assert 0 < mended.value < F(1, 10**13)
        assert mended.value - mended.bound <= promised(mended)

    def test_zeros_against_nearly_nothing(self) -> None:
        """The customary recipe leaves 0 in one row and 1e-15 in another: an infinite epsilon, and nearly no change."""
        answer = clip_and_renormalise(12, 2.0, 1 - np.eye(12))
        mended = mend(answer, epsilon=2)
        assert mended.before.epsilon[1] == math.inf
        assert mended.after.epsilon[1] <= 2.0
        check(mended, None, 2)
        assert mended.value < F(1, 10**14)

    def test_equal_rows_are_asked_for(self) -> None:
        mended = mend([["0.3", "0.7"], ["0.300000000001", "0.699999999999"]], epsilon=0)
        check(mended, None, 0)
        assert mended.mechanism.row(0, 0) == mended.mechanism.row(1, 1)

    def test_only_what_must_change_does(self) -> None:
        table = [["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]]
        table[0] = [F(3, 4) + F(1, 10**7), F(1, 4) - F(1, 10**7)]  # type: ignore[list-item]
        mended = mend(table, epsilon=F(1098612288668110, 10**15))
        assert mended.mechanism.row(2, 2) == (F(1, 2), F(1, 2))
        assert mended.mechanism.row(1, 1) == (F(1, 4), F(3, 4))
        assert mended.changes[2] == mended.changes[1] == 0 < mended.changes[0] < F(1, 10**6)

    def test_a_large_matrix_needs_no_solver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where room for all costs less than the nearest design may be off, nothing else is looked for."""
        monkeypatch.setattr("mechdesign.mender.mend.solve_component", None)
        mended = mend(noisy(50, 1e-15), epsilon=1)
        assert mended.value < F(1, 10**15)
        with pytest.raises(TypeError):
            mend(noisy(8, 1e-11), epsilon=1)


class TestPrivateAlready:
    @pytest.mark.parametrize("objective", [md.ExpectedLoss(), md.WorstLoss("absolute")])
    def test_it_stays_as_it_is(self, objective: Objective) -> None:
        mechanism = md.mechanism_from_matrix(BITS, inputs=["no", "yes"])
        mended = mend(mechanism, epsilon="1.1", objective=objective)
        assert mended.unchanged
        assert mended.value == mended.bound == 0
        assert (mended.mechanism.weights == mechanism.weights).all()
        check(mended, None, "1.1")

    def test_as_closely_as_only_certify_can_tell(self) -> None:
        """ln 3 to 60 digits, rounded up: the rationals below e^epsilon that designs use are not fine enough."""
        epsilon = "1.098612288668109691395245236922525704647490557822749451734695"
        mended = mend(BITS, epsilon=epsilon)
        assert mended.unchanged
        check(mended, None, epsilon)
        refuted = mend(BITS, epsilon=epsilon[:-1] + "0")
        assert not refuted.unchanged
        assert refuted.value < F(1, 10**17)

    def test_an_infinite_epsilon_asks_nothing(self) -> None:
        mended = mend([[1, 0], [0, 1]], epsilon=math.inf)
        assert mended.unchanged
        assert mended.warning == "Nothing is protected: no edge requires anything, as every epsilon is infinite."


class TestDoubles:
    @pytest.mark.parametrize("delta", [0, "0.05"])
    @pytest.mark.parametrize("seed", range(3))
    def test_they_are_private_as_they_are(self, seed: int, delta: Any) -> None:
        matrix = np.random.default_rng(seed).dirichlet(np.ones(7), 7)
        mended = mend(matrix, epsilon="0.7", delta=delta, doubles=True)
        check(mended, None, "0.7", delta)
        rows: Any = mended.mechanism.rows
        assert rows.given_doubles.dtype == np.float64
        assert md.certify(rows.given_doubles, epsilon="0.7", delta=delta).private
        assert mended.value - mended.bound < F(1, 10**8)

    @pytest.mark.parametrize("seed", [3, 11])
    def test_they_are_private_undivided(self, seed: int) -> None:
        """Though the totals of rows are 1 only nearly: the numbers themselves meet every limit, to the last digit."""
        found: Any = mend(noisy(3, 1e-15, seed), epsilon=1, doubles=True).mechanism.rows
        rows = [list(map(F, row)) for row in found.given_doubles.tolist()]
        assert any(sum(row) != 1 for row in rows)
        below = sum((F(1, math.factorial(k)) for k in range(40)), F(0))  # less than e
        assert all(max(column) <= below * min(column) for column in zip(*rows, strict=True))

    def test_they_are_private_undivided_with_a_delta(self) -> None:
        """By half the last digit: divided by their totals these rows were private already."""
        table = np.array([[0.5, 0.5], [0.25 + 2.0**-54, 0.75 + 2.0**-53]])
        mended = mend(table, epsilon=0, delta="1/4", doubles=True)
        found: Any = mended.mechanism.rows
        first, second = (list(map(F, row)) for row in found.given_doubles.tolist())
        assert mended.before.private
        assert F(table[1, 1]) - F(table[0, 1]) > F(1, 4)
        for one, other in ((first, second), (second, first)):
            assert sum(max(F(0), p - q) for p, q in zip(one, other, strict=True)) <= F(1, 4)

    def test_exact_rows_whose_nearest_doubles_are_not_private(self) -> None:
        """They are private already, but no file of doubles holds them: the nearest that does differs by rounding."""
        exact, epsilon = [["2/7", "5/7"], ["3/7", "4/7"]], "0.4054651081081643820"
        assert not md.certify(np.array([[2 / 7, 5 / 7], [3 / 7, 4 / 7]]), epsilon=epsilon).private
        mended = mend(exact, epsilon=epsilon, doubles=True)
        assert mended.before.private
        assert 0 < mended.value < F(1, 10**15)
        check(mended, None, epsilon)

    def test_rows_that_need_no_change_stay_the_doubles_that_they_were(self) -> None:
        """Also where their sum is not 1 exactly."""
        table = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.4, 0.3]])
        graph = md.value_graph(range(3))
        graph.remove_edges_from([(0, 2), (1, 2)])
        mended = mend(table, graph, epsilon=1, doubles=True)
        rows: Any = mended.mechanism.rows
        assert rows.given_doubles[2].tolist() == table[2].tolist()
        assert mended.changes[2] == 0

    def test_what_no_double_holds(self) -> None:
        """Where doubles hold probabilities to a digit or two, no little mixing helps."""
        coin = md.mechanism_from_matrix(BITS)
        asked: list[md.Mechanism] = []

        def refused(one: md.Mechanism) -> bool:
            asked.append(one)
            return False

        with pytest.raises(md.SolverError, match="no doubles near the mended rows are exactly private"):
            in_private_doubles(coin, coin, refused)
        assert max(abs(one.row(0, 0)[0] - F(3, 4)) for one in asked) < F(1, 10**5)


class TestMixtures:
    """Profiles that are no single values, served by a matrix each: every row is followed by a post-processing."""

    def mechanism(self, epsilon: str = "1") -> tuple[md.Mechanism, nx.Graph]:
        """Return a mechanism that is private at this epsilon; at 2, no profile needs noise."""
        graph = md.read_graph("categorical-chain")
        return md.design(graph, epsilon=epsilon).mechanism, graph

    @pytest.mark.parametrize("epsilon", ["1", "2"])
    def test_what_they_release_is_nearest(self, epsilon: str) -> None:
        mechanism, graph = self.mechanism(epsilon)
        mended = mend(mechanism, graph, epsilon="0.5")
        check(mended, graph, "0.5")
        before = [mechanism.released(profile) for profile in graph]
        least = least_distance(before, [(0, 1, "0.5"), (1, 2, "0.5")], 1 - np.eye(4), worst=False)
        assert mended.bound <= least <= mended.value <= mended.bound + F(1, 10**8)

    def test_and_so_are_their_rows(self) -> None:
        """The mean distance of a profile's rows is just that of what it releases; none can be less."""
        mechanism, graph = self.mechanism()
        mended = mend(mechanism, graph, epsilon="0.5")
        for profile, attributes in graph.nodes.items():
            pairs = zip(graph.graph["categories"], attributes["distribution"], strict=True)
            rows = [(mass, mechanism.row(profile, x), mended.mechanism.row(profile, x)) for x, mass in pairs]
            assert sum(mass * variation(one, other) for mass, one, other in rows) == mended.changes[profile]

    def test_one_matrix_for_all_of_them(self) -> None:
        _, graph = self.mechanism()
        matrix = md.mechanism_from_matrix(np.eye(4), inputs=graph.graph["categories"])
        with pytest.raises(md.InputError, match="found one matrix for all that does not know 'P1'"):
            mend(matrix, graph, epsilon="0.5")

    def test_doubles(self) -> None:
        mechanism, graph = self.mechanism()
        with pytest.raises(md.InputError, match="expected one matrix for all profiles, found one for each"):
            mend(mechanism, graph, epsilon="0.5", doubles=True)

    def test_bounds(self) -> None:
        graph = md.value_graph(["a", "b"])
        graph.nodes["b"]["radius"] = F(1, 10)
        with pytest.raises(md.InputError, match="found 'b' known only within bounds"):
            mend(md.mechanism_from_matrix(BITS, inputs=["a", "b"]), graph, epsilon=1)


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"objective": md.MaxOffDiagonal()}, "objective: expected ExpectedLoss.* found max-off-diagonal"),
            ({"objective": "hamming"}, "objective: expected MaxOffDiagonal"),
            ({"method": "one-bit-cluster"}, "method: expected one of auto, structured, .*, found 'one-bit-cluster'"),
            ({"objective": md.ExpectedLoss(np.eye(3))}, "loss: expected one row per category, 2, found 3; here"),
            ({"objective": md.ExpectedLoss([[0, 1, 2]] * 2)}, "loss: expected 2 x 2, .*, found 2 x 3"),
            ({"objective": md.WorstLoss([[0, 1], [1, 2]])}, "loss, row 1, column 1: expected 0, as what stays costs"),
            ({"objective": md.WorstLoss([[0, -1], [1, 0]])}, "loss, row 0, column 1: expected a number >= 0, found -1"),
            ({"epsilon": -1}, "epsilon: expected a number >= 0"),
            ({"delta": 1}, r"delta: expected a number in \[0, 1\)"),
        ],
    )
    def test_one_clear_error(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(md.InputError, match=message):
            mend(BITS, **{"epsilon": 1} | options)

    def test_a_graph_of_other_inputs(self) -> None:
        with pytest.raises(md.InputError, match="expected the graph's categories"):
            mend(md.mechanism_from_matrix(BITS), md.value_graph(["a", "b"]), epsilon=1)


def test_components_are_mended_one_by_one_wherever() -> None:
    from concurrent.futures import ThreadPoolExecutor

    graph = md.value_graph(range(6))
    graph.remove_edges_from([(i, j) for i in range(3) for j in range(3, 6)])
    matrix = np.random.default_rng(5).dirichlet(np.ones(6), 6)
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        mended = mend(matrix, graph, epsilon=1, executor=executor, progress=lambda *done: seen.append(done))
    assert seen[-1] == (2, 2)
    check(mended, graph, 1)
    assert mended.value == mend(matrix, graph, epsilon=1).value


def test_other_methods_find_as_near_a_mechanism() -> None:
    matrix = np.random.default_rng(6).dirichlet(np.ones(4), 4)
    values = [mend(matrix, epsilon=1, method=method).value for method in ("auto", "structured", "highs", "reference")]
    assert max(values) - min(values) < F(1, 10**8)


def test_a_certificate_that_would_be_too_large_is_refused() -> None:
    matrix = np.full((150, 250), 1 / 250)
    mended = mend(matrix, epsilon=1)
    with pytest.raises(md.InputError, match="too large: a certificate for 11,175 edges and 250 outputs"):
        _ = mended.certificate


def test_a_small_miss_where_one_move_costs_nothing() -> None:
    """What that move would save is infinitely more than it costs: no multiplier may have weight."""
    one, unit = 1648721270700131, 10**15
    weights = [[one, unit, unit, unit], [unit, one - 2, unit, unit], [unit, unit, one - 1, unit]]
    rows = [[Fraction(weight, sum(row)) for weight in row] for row in weights]
    loss = [[0, 3, 3, 5], [0, 0, 4, 3], [4, 1, 0, 4], [5, 1, 4, 0]]
    mended = md.mend(np.array(rows, dtype=object), epsilon="0.5", objective=md.WorstLoss(loss))
    assert mended.after.private
    assert 0 == mended.bound <= mended.value < Fraction(1, 10**12)


def test_what_is_mended_for_a_graph_says_how_its_table_was_read() -> None:
    frame = {"who": ["a", "a", "b", "b"], "what": ["no", "yes", "yes", "yes"]}
    made = md.graph_from_table(frame, profile="who", value="what")
    design = md.design(made, epsilon=2)
    plain = nx.Graph(made, categories=made.graph["categories"])
    del plain.graph["made"]
    mended = md.mend(design, plain, epsilon=1).mechanism
    assert mended.hidden_column == design.mechanism.hidden_column == "who"
    assert "made" not in plain.graph


def test_rows_that_no_limit_touches_stay(tmp_path: Path) -> None:
    """The last two are private beside the others, but a solver moves them by its rounding, and doubles by theirs."""
    matrix = tmp_path / "four.csv"
    matrix.write_text("0.7,0.1,0.1,0.1\n0.1,0.7,0.1,0.1\n0.25,0.25,0.25,0.25\n0.2,0.2,0.3,0.3\n")
    found = md.mend(matrix, epsilon="1.5")
    assert list(map(bool, found.changes.values())) == [True, True, False, False]
    rounded = md.mend(matrix, epsilon="1.5", doubles=True)
    assert list(map(bool, rounded.changes.values())) == [True, True, False, True]
    title = rounded.answer().tables[-1].title
    assert title.startswith("Rows that change: 2 of 4, and 1 by rounding, by at most 2")
    assert float(title.split()[-1]) < 1e-16
