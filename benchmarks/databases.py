"""[HLM] Theorem 10's optimum against the program over all mechanisms on D^n: python benchmarks/databases.py.

Databases are all alike, and two of them differ in 0 to n rows, so the program has a variable for each of these numbers.
`--largest 1024` leaves out more than so many databases.
"""

from fractions import Fraction

from shared import Table, asked, timed

from mechdesign import ExpectedLoss, database_graph, design
from mechdesign.closed_form.product_sanitisation import least_error

SIZES = ((2, 8), (4, 4), (2, 10), (4, 5), (2, 12), (4, 6))
"""Values of a row, and rows."""


def proved(m: int, n: int, epsilon: str) -> tuple[float, float, float]:
    """Return seconds to design, and how far value and bound are from the theorem's optimum, relatively."""
    with timed() as taken:
        result = design(database_graph(range(m), n), epsilon=epsilon, objective=ExpectedLoss("rows"))
    optimum = least_error(m, n, epsilon=epsilon, delta=0)
    return taken.clock, *(float((one - optimum) / optimum) for one in (result.value, result.bound))  # type: ignore[return-value]


def main() -> None:
    """Print one row for each size."""
    given = asked(__doc__, epsilon="1", largest=4096)
    shown = Table("m", "n", "databases", "seconds", "value - optimum", "bound - optimum")
    for m, n in SIZES:
        if m**n <= given.largest:
            seconds, above, below = proved(m, n, str(Fraction(given.epsilon)))
            shown.row(m, n, f"{m**n:,}", f"{seconds:.1f}", f"{above:.1e}", f"{below:.1e}")


if __name__ == "__main__":
    main()
