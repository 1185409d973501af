"""The program in the released distributions on an NVIDIA GPU: method "pdlp".

PDLP is a first-order method: it needs no factorisation, only products with the matrix, which GPUs are made for. It is
run by cuPDLPx [Lu2025], an optional package. Its answers are less accurate than an interior point's; refinement, exact
repair and the exact bound are the same, so what comes out is exactly private and says how far from optimal it may be.

References
----------
[Lu2025] H. Lu, Z. Peng, J. Yang. cuPDLPx: A Further Enhanced GPU-Based First-Order Solver for Linear Programming,
arXiv:2507.14051.
"""

import ctypes
import importlib.util
import sys

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError, SolverError
from mechdesign.problem import Problem, Solution
from mechdesign.program.program import Program
from mechdesign.solver.structured import solve_structured

GPU_ACCURACY = 1e-10
"""What PDLP is asked for, relative, in residuals and gap."""

GPU_ROW_VIOLATION = 1e-10
"""Constraints left out and violated by less than this are left to the repair: PDLP violates all by about as much."""


def lacking() -> str:
    """Return in words what this machine lacks for method "pdlp"; nothing if it lacks nothing."""
    if not _gpus():
        return "no NVIDIA GPU found (no CUDA driver, or no device)"
    if importlib.util.find_spec("cupdlpx") is None:
        return "the package cupdlpx is not installed: pip install 'mechdesign[gpu]' (compiles with nvcc and git)"
    return ""


def _gpus() -> int:
    """Return how many CUDA devices there are; cuPDLPx would end the whole process where there is none."""
    try:
        driver = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    failed = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    return 0 if failed else count.value


def solve_pdlp(problem: Problem) -> Solution:
    """Return an optimum over the released distributions, with its multipliers, both to PDLP's accuracy.

    Raises
    ------
    InputError
        if this machine has no GPU or the package is missing.
    SolverError
        if PDLP stops without an optimum, or cuts keep coming.
    """
    if reason := lacking():
        raise InputError(f'method "pdlp": {reason}; method "auto" needs neither')
    return solve_structured(problem, minimise_on_gpu, tolerance=GPU_ROW_VIOLATION)


def minimise_on_gpu(program: Program) -> tuple[Floats, Floats]:
    """Return a minimiser of a linear program and the multipliers >= 0 of its upper row bounds, found by cuPDLPx.

    Raises
    ------
    SolverError
        if it stops without an optimum.
    """
    import cupdlpx

    model = cupdlpx.Model(program.cost, program.matrix, program.lower, program.upper, program.floor)
    model.setParams(OptimalityTol=GPU_ACCURACY, FeasibilityTol=GPU_ACCURACY, OptimalityNorm="linf", OutputFlag=False)
    model.optimize()
    if model.Status != cupdlpx.PDLP.OPTIMAL:
        raise SolverError(f"cuPDLPx stopped without an optimum: {model.StatusName}")
    return np.array(model.X), np.maximum(0.0, -np.array(model.Pi))
