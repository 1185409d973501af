"""[HLM] Theorem 10's optimum against the program over all mechanisms on D^n: python benchmarks/databases.py.

Databases are all alike, and two of them differ in 0 to n rows, so the program has a variable for each of these numbers.
"""

import argparse
import time
from fractions import Fraction

from mechdesign import ExpectedLoss, database_graph, design
from mechdesign.closed_form import least_error

SIZES = ((2, 8), (4, 4), (2, 10), (4, 5), (2, 12), (4, 6))
"""Values of a row, and rows."""


def proved(m: int, n: int, epsilon: str) -> tuple[float, float, float]:
    """Return seconds to design, and how far value and bound are from the theorem's optimum, relatively."""
    start = time.perf_counter()
    result = design(database_graph(range(m), n), epsilon=epsilon, objective=ExpectedLoss("rows"))
    seconds = time.perf_counter() - start
    optimum = least_error(m, n, epsilon=epsilon, delta=0)
    return seconds, *(float((one - optimum) / optimum) for one in (result.value, result.bound))  # type: ignore[return-value]


def main() -> None:
    """Print one row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", default="1")
    parser.add_argument("--largest", type=int, default=4096, help="databases")
    arguments = parser.parse_args()
    print(f"{'m':>2} {'n':>3} {'databases':>9} {'seconds':>8} {'value - optimum':>16} {'bound - optimum':>16}")
    for m, n in SIZES:
        if m**n <= arguments.largest:
            seconds, above, below = proved(m, n, str(Fraction(arguments.epsilon)))
            print(f"{m:2} {n:3} {m**n:9,} {seconds:8.1f} {above:16.1e} {below:16.1e}", flush=True)


if __name__ == "__main__":
    main()
