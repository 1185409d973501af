"""Method "pdlp": with HiGHS' own PDLP, on the CPU, in cuPDLPx' place; and on a GPU where there is one."""

import sys
from fractions import Fraction
from types import ModuleType, SimpleNamespace
from typing import Any

import highspy
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from exactly import assert_private

from mechdesign import (
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    SolverError,
    WorstLoss,
    check_certificate,
    design,
    read_graph,
    value_graph,
)
from mechdesign.objective import Objective
from mechdesign.solver import pdlp

CHAIN = read_graph("categorical-chain")
OPTIMAL = 0
TOLERANCES = {1e-6: 1e-3, 1e-8: 1e-4, 1e-10: 1e-7}
"""PDLP's tolerance: how far value and bound may then be apart, relatively (seen at most: 6e-4, 4e-6, 2e-8)."""


def in_its_place(tolerance: float = 1e-10, status: int = OPTIMAL) -> ModuleType:
    """Return a module that is used as cupdlpx 0.3 is, and calls HiGHS' PDLP."""

    class Model:
        def __init__(self, c: Any, A: sp.csr_matrix, below: Any, above: Any, floor: Any) -> None:
            assert A.shape == (len(below), len(c)) == (len(above), len(floor))
            matrix, self.lp = A.tocsc(), highspy.HighsLp()
            self.lp.num_row_, self.lp.num_col_ = A.shape
            self.lp.col_cost_, self.lp.col_lower_, self.lp.row_lower_, self.lp.row_upper_ = c, floor, below, above
            self.lp.col_upper_ = np.full(len(c), highspy.kHighsInf)
            self.lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
            self.lp.a_matrix_.start_, self.lp.a_matrix_.index_ = matrix.indptr, matrix.indices
            self.lp.a_matrix_.value_ = matrix.data

        def setParams(self, **options: object) -> None:
            names = {"OptimalityTol", "FeasibilityTol", "OptimalityNorm", "OutputFlag"}
            assert options.keys() <= names

        def optimize(self) -> None:
            highs = highspy.Highs()
            highs.setOptionValue("output_flag", False)
            highs.setOptionValue("solver", "pdlp")
            highs.setOptionValue("pdlp_optimality_tolerance", tolerance)
            highs.setOptionValue("primal_feasibility_tolerance", tolerance)
            highs.setOptionValue("dual_feasibility_tolerance", tolerance)
            highs.passModel(self.lp)
            highs.run()
            self.Status, self.StatusName = status, "TIME_LIMIT"
            self.X, self.Pi = highs.getSolution().col_value, highs.getSolution().row_dual

    module = ModuleType("cupdlpx")
    vars(module).update(Model=Model, PDLP=SimpleNamespace(OPTIMAL=OPTIMAL))
    return module


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that puts a module in cupdlpx' place."""

    def put(module: ModuleType) -> None:
        monkeypatch.setitem(sys.modules, "cupdlpx", module)
        monkeypatch.setattr(pdlp, "lacking", lambda: "")

    return put


@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss("absolute"), WorstLoss()], ids=lambda o: o.name)
@pytest.mark.parametrize("name", ["categorical-chain", "commutes", "departure-by-carrier", "resource-usage"])
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_rough_answer_is_made_private_and_its_gap_is_told(
    in_place: Any, name: str, objective: Objective, tolerance: float
) -> None:
    in_place(in_its_place(tolerance))
    graph = read_graph(name)
    result = design(graph, epsilon="0.5", objective=objective, method="pdlp")
    assert_private(result.mechanism, graph, Fraction(1, 2))
    assert check_certificate(result.certificate) == (result.value, result.bound)
    exact = design(graph, epsilon="0.5", objective=objective)
    assert result.bound <= exact.value
    assert exact.bound <= result.value
    assert result.value - result.bound <= result.value * Fraction(TOLERANCES[tolerance])


@pytest.mark.parametrize("delta", ["0", "0.01"])
@pytest.mark.parametrize("epsilon", ["0", "0.01", "3", "inf"])
def test_other_requirements(in_place: Any, epsilon: str, delta: str) -> None:
    in_place(in_its_place())
    for graph in (CHAIN, value_graph(range(4))):
        result = design(graph, epsilon=epsilon, delta=delta, method="pdlp", any_optimum=True)
        reference = design(graph, epsilon=epsilon, delta=delta)
        assert float(result.value) == pytest.approx(float(reference.value), rel=1e-7, abs=1e-9)
        assert float(result.bound) == pytest.approx(float(reference.bound), rel=1e-7, abs=1e-9)


def test_no_answer_is_a_clear_error(in_place: Any) -> None:
    in_place(in_its_place(status=3))
    with pytest.raises(SolverError, match="cuPDLPx stopped without an optimum: TIME_LIMIT"):
        design(CHAIN, epsilon="0.5", method="pdlp")


@pytest.mark.parametrize(("gpus", "words"), [(0, "no NVIDIA GPU found"), (1, r"pip install 'mechdesign\[gpu\]'")])
def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, gpus: int, words: str) -> None:
    monkeypatch.setattr(pdlp, "_gpus", lambda: gpus)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=f'method "pdlp": .*{words}.*; method "auto" needs neither'):
        design(CHAIN, epsilon="0.5", method="pdlp")


def test_where_no_noise_is_needed_no_gpu_is_either() -> None:
    assert design(CHAIN, epsilon=10, method="pdlp").value == 0


def test_one_shared_matrix_is_refused() -> None:
    with pytest.raises(InputError, match="pdlp has no form for one shared matrix"):
        design(CHAIN, epsilon="0.5", method="pdlp", shared=True)


@pytest.mark.skipif(bool(pdlp.lacking()), reason=pdlp.lacking())
@pytest.mark.parametrize("name", ["categorical-chain", "departure-by-carrier", "metric-grid-5x5"])
def test_on_a_gpu(name: str) -> None:
    graph: nx.Graph = read_graph(name)
    result = design(graph, epsilon="0.5", method="pdlp")
    assert_private(result.mechanism, graph, Fraction(1, 2))
    assert result.value - result.bound <= result.value * Fraction(1e-6)
