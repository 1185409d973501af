"""Components and sweeps through any `concurrent.futures.Executor`: the answers are those found here, to a bit."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

from mechdesign import Design, ExpectedLoss, InputError, SolverError, design, profile_graph, read_graph, sweep
from mechdesign.parallel import batches, run_each

COMMUTES = read_graph("commutes")  # two components that need noise


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def dask() -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


@pytest.fixture(params=["processes", pytest.param("dask", marks=pytest.mark.slow)])
def executor(request: pytest.FixtureRequest) -> Executor:
    found: Executor = request.getfixturevalue(request.param)
    return found


class Here(Executor):
    """Runs what is submitted at once, and counts it."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        self.submitted += 1
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except Exception as error:
            future.set_exception(error)
        return future


def pairs(count: int) -> nx.Graph:
    """Return that many components of two profiles each, no two alike."""
    yes = {f"{end}{i}": Fraction(i + 1 + 2 * (end == "b"), count + 4) for i in range(count) for end in "ab"}
    distributions = {name: [1 - p, p] for name, p in yes.items()}
    return profile_graph(distributions, edges=[(f"a{i}", f"b{i}") for i in range(count)], categories=["no", "yes"])


def assert_same(first: Design, second: Design) -> None:
    assert (first.value, first.bound, first.baseline) == (second.value, second.bound, second.baseline)
    assert first.mechanism.outputs == second.mechanism.outputs
    assert (first.mechanism.weights == second.mechanism.weights).all()
    assert (first.mechanism.index == second.mechanism.index).all()
    assert first.certificate["privacy"] == second.certificate["privacy"]
    assert first.certificate["entries"] == second.certificate["entries"]
    assert first.stats["without_noise"] == second.stats["without_noise"]


class TestComponents:
    @pytest.mark.slow
    @pytest.mark.parametrize("graph", [COMMUTES, read_graph("departure-by-destination")], ids=["two", "many"])
    def test_the_same_to_the_last_bit(self, executor: Executor, graph: nx.Graph) -> None:
        assert_same(design(graph, epsilon="0.3", executor=executor), design(graph, epsilon="0.3"))

    @pytest.mark.slow
    def test_objectives_and_shared_matrices_travel(self, processes: Executor) -> None:
        options: dict[str, Any] = {"objective": ExpectedLoss("absolute"), "shared": True}
        there = design(COMMUTES, epsilon="0.5", delta="0.01", executor=processes, **options)
        assert_same(there, design(COMMUTES, epsilon="0.5", delta="0.01", **options))

    @pytest.mark.slow
    def test_progress_is_told_as_they_end(self, executor: Executor) -> None:
        told: list[tuple[int, int]] = []
        design(pairs(30), epsilon="0.1", executor=executor, progress=lambda *counts: told.append(counts))
        assert told == sorted(told)
        assert len(told) > 1
        assert told[-1] == (30, 30)
        assert {everything for _, everything in told} == {30}

    def test_what_needs_no_noise_does_not_travel(self) -> None:
        here = Here()
        assert design(COMMUTES, epsilon=100, executor=here).stats["without_noise"] == 2
        assert here.submitted == 0
        assert design(COMMUTES, epsilon="0.1", executor=here).stats["without_noise"] == 0
        assert here.submitted == 1

    def test_small_ones_travel_together(self) -> None:
        here = Here()
        result = design(pairs(30), epsilon="0.01", executor=here)
        assert result.stats["without_noise"] == 0
        assert here.submitted == 2  # 30 components of 4 probabilities, 25 of them together

    def test_errors_come_back(self, executor: Executor) -> None:
        with pytest.raises(InputError, match="expected two categories") as caught:
            design(COMMUTES, epsilon=1, method="one-bit-cluster", executor=executor)
        assert len(caught.value.faults) == 1


class TestSweep:
    @pytest.mark.slow
    def test_the_same_to_the_last_bit(self, executor: Executor) -> None:
        kept: list[Design] = []
        there = sweep(COMMUTES, "0.1:0.4:4", executor=executor, done=kept.append)
        for first, second in zip(there, sweep(COMMUTES, "0.1:0.4:4"), strict=True):
            assert first.epsilon == second.epsilon
            assert_same(first, second)
        assert {id(result) for result in kept} == {id(result) for result in there}

    def test_a_solver_that_fails_names_the_epsilon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(_: nx.Graph, *, epsilon: Fraction, **__: object) -> None:
            if epsilon == Fraction(1, 3):
                raise SolverError("no answer")

        monkeypatch.setattr("mechdesign.designer.sweeper.design", fails)
        for executor in (None, Here()):
            with pytest.raises(SolverError, match=r"^epsilon 1/3: no answer$"):
                sweep(COMMUTES, ["0.5", "1/3", "1"], executor=executor)


class TestRunEach:
    @pytest.mark.parametrize("place", ["there", "here"])
    @pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
    def test_a_failure_cancels_what_has_not_begun(self, failure: type[BaseException], place: str) -> None:
        """Of a thousand tasks for one thread the first fails, or what is done with its result; one more may begin."""
        begun: list[int] = []
        failed = threading.Event()

        def work(number: int) -> None:
            begun.append(number)
            if number:
                failed.wait(60)
            elif place == "there":
                raise failure

        def take(_: int, __: None) -> None:
            raise failure

        with ThreadPoolExecutor(1) as pool:
            with pytest.raises(failure):
                run_each(work, range(1000), pool, take)
            failed.set()
        assert begun[0] == 0
        assert len(begun) <= 2  # the thread may overtake the cancelling

    def test_a_worker_that_dies_is_a_clear_error(self) -> None:
        with (
            ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
            pytest.raises(SolverError, match="a worker process died"),
        ):
            run_each(os._exit, [3], pool, print)

    def test_batches_hold_everything_once(self) -> None:
        sizes = {number: number % 7 + 1 for number in range(100)}
        found = batches(sizes, 10)
        assert sorted(key for batch in found for key in batch) == list(range(100))
        assert all(sum(sizes[key] for key in batch) >= 10 for batch in found[:-1])
        assert all(sum(sizes[key] for key in batch[:-1]) < 10 for batch in found)
        assert batches({}, 10) == []
