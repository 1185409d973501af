"""Errors of estimates from the same data, beside pure-ldp and multi-freq-ldpy: python benchmarks/estimates.py.

k-ary randomised response, which all three have. An error is the root of the mean square over categories and runs.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from shared import Table, asked, timed

import mechdesign as md

Floats = npt.NDArray[np.float64]
Estimator = Callable[[npt.NDArray[np.int64], int, float], Floats]

SHARES = {"zeros": [0.5, 0.3, 0.15, 0.05], "long tail": None}


def own(which: str) -> Estimator:
    """Return mechdesign's estimates: "unbiased", or "estimate", the likeliest."""

    def estimates(reports: npt.NDArray[np.int64], k: int, epsilon: float) -> Floats:
        found = md.estimate(md.k_ary(range(k), epsilon=epsilon), reports).profiles["all"]
        return np.array([getattr(one, which) for one in found.values()])

    return estimates


def multi_freq(name: str) -> Estimator:
    """Return multi-freq-ldpy's estimates, by matrix inversion cut at 0 (MI), or by the iterative Bayesian update."""
    module: Any = import_module("multi_freq_ldpy.pure_frequency_oracles.GRR")
    aggregator = getattr(module, f"GRR_Aggregator_{name}")
    return lambda reports, k, epsilon: np.asarray(aggregator(reports, k, epsilon))


def pure_ldp() -> Estimator:
    """Return pure-ldp's estimates, the inverted matrix."""
    module: Any = import_module("pure_ldp.frequency_oracles.direct_encoding.de_server")

    def estimates(reports: npt.NDArray[np.int64], k: int, epsilon: float) -> Floats:
        server = module.DEServer(epsilon, k, index_mapper=lambda x: x)
        for report in reports:
            server.aggregate(report)
        return np.array([server.estimate(x, suppress_warnings=True) for x in range(k)]) / len(reports)

    return estimates


ESTIMATORS: dict[str, Callable[[], Estimator]] = {
    "mechdesign, unbiased": lambda: own("unbiased"),
    "mechdesign, likeliest": lambda: own("estimate"),
    "pure-ldp": pure_ldp,
    "multi-freq-ldpy, MI": lambda: multi_freq("MI"),
    "multi-freq-ldpy, IBU": lambda: multi_freq("IBU"),
}


def found() -> dict[str, Estimator]:
    """Return the estimators whose packages are installed."""
    result = {}
    for name, make in ESTIMATORS.items():
        try:
            result[name] = make()
        except ImportError as error:
            print(f"{name}: not installed ({error})\n")
    return result


def shares_of(words: str, k: int) -> Floats:
    """Return the true shares of that name."""
    first = SHARES[words]
    if first is None:
        weights = 1 / np.arange(1, k + 1)
        return np.asarray(weights / weights.sum())
    return np.array([*first, *[0.0] * (k - len(first))])


def main() -> None:
    """Print one row for each case, with the error and the seconds of one estimate of each estimator."""
    arguments = asked(__doc__, runs=20, rows=20_000)
    estimators = found()
    shown = Table("k, epsilon, shares", *estimators)
    rng = np.random.default_rng(1)
    for k, epsilon in ((10, 1.0), (10, 3.0), (50, 1.0), (50, 3.0)):
        matrix = md.k_ary(range(k), epsilon=epsilon).matrix(0)
        for words in SHARES:
            shares = shares_of(words, k)
            data = [rng.choice(k, arguments.rows, p=shares @ matrix) for _ in range(arguments.runs)]
            cells = []
            for estimator in estimators.values():
                with timed() as taken:
                    errors = [estimator(reports, k, epsilon) - shares for reports in data]
                error, seconds = np.sqrt(np.mean(np.square(errors))), taken.clock / arguments.runs
                cells.append(f"{error:.5f} ({seconds:.2g} s)")
            shown.row(f"{k}, {epsilon:g}, {words}", *cells)


if __name__ == "__main__":
    main()
