"""[HLM] Theorems 4 and 5: when the Hamming mechanism is private, and its error, exactly."""

from fractions import Fraction
from itertools import product
from math import log

from mechdesign.closed_form import least_error
from mechdesign.graph.databases import database_graph
from mechdesign.papers.hlm import PAPER, expected_changes, least_delta
from mechdesign.papers.hlm_hamming import (
    base_of_alpha,
    hamming_delta,
    hamming_error,
    hamming_mechanism,
    least_base,
    normalising_constant,
    parent_alpha,
)
from mechdesign.papers.result import Claim, Result

WORDS = """\
Both theorems are exact: for every m in {2, 3, 4}, n in {1, 2, 3}, e^eps in {1, 3/2, 3, 8} and delta in {0, 1/100, \
1/5, 1/2}, the mechanism on the boundary of (14) has exactly that delta by the definition, and exactly the error \
(17). The paper's remark that McSherry and Talwar's guarantee is twice too large is right, because C_d is the same \
for all d: the mechanism is private at gamma, their guarantee is 2 gamma."""

CASES = list(product((2, 3, 4), (1, 2, 3), ("1", "3/2", "3", "8"), ("0", "1/100", "1/5", "1/2")))

REFERENCE = {
    ("2", "1", "1", "0"): ("0.268941421370", "0.731058578630", None, None, "0.268941421370"),
    ("3", "2", "1", "0"): ("0.211941557617", "0.576116884766", None, "0.331910664912", "0.847766230468"),
    ("5", "6", "1", "1/100"): (
        "0.147359105390",
        "0.410563578440",
        "1.024658295812",
        "0.004789415550",
        "3.536618529361",
    ),
    ("5", "6", "1/2", "1/10"): ("0.159328095133", "0.362687619467", "0.822576343792", None, "3.823874283201"),
    ("4", "10", "2", "1/1000"): ("0.096158880122", "0.711523359633", "2.001406423785", None, "2.884766403666"),
    ("3", "2", "0", "1/20"): ("0.316666666667", "0.366666666667", "0.146603474192", None, "1.266666666667"),
}
"""(m, n, epsilon, delta) -> alpha, 1 - (m-1) alpha, gamma, C, error."""
NAMES = ("alpha", "diagonal", "gamma", "C", "error")


def reproduce() -> Result:
    """Return in how many cases the theorems hold exactly, and a table of their formulas.

    References
    ----------
    [HLM] Theorems 4 and 5, Proposition 1.
    """
    private, accurate, constant = exact_cases()
    rows = [
        Claim(f"Theorem 4: cases of {len(CASES)} with exactly the delta asked for", private, reference=f"{len(CASES)}"),
        Claim(f"Theorem 5: cases of {len(CASES)} with exactly the error (17)", accurate, reference=f"{len(CASES)}"),
        Claim(f"Proposition 1: cases of {len(CASES)} with the constant (13)", constant, reference=f"{len(CASES)}"),
        Claim(
            "Discussion: McSherry and Talwar's epsilon over the least one", _factor_over_mcsherry_talwar(), claimed=2
        ),
    ]
    for (m, n, epsilon, delta), references in REFERENCE.items():
        computed = _formulas(int(m), int(n), Fraction(epsilon), Fraction(delta))
        for name, value, reference in zip(NAMES, computed, references, strict=True):
            if reference is not None:
                rows.append(
                    Claim(f"{name}: m = {m}, n = {n}, epsilon {epsilon}, delta {delta}", value, reference=reference)
                )
    return Result("hlm-theorems-4-5", "The Hamming mechanism: privacy and error", PAPER, tuple(rows), WORDS)


def exact_cases() -> tuple[int, int, int]:
    """Return for how many cases the delta, the error and the constant are exactly those of the theorems.

    Examples
    --------
    >>> exact_cases()
    (144, 144, 144)
    """
    private = accurate = constant = 0
    for m, n, ratio, delta in CASES:
        E, asked = Fraction(ratio), Fraction(delta)
        z = least_base(m, ratio=E, delta=asked)
        mechanism = hamming_mechanism(range(m), n, z)
        private += least_delta(mechanism, database_graph(range(m), n), E) == asked == hamming_delta(m, z, E)
        accurate += set(expected_changes(mechanism)) == {least_error(m, n, ratio=E, delta=asked)}
        constant += mechanism.row((0,) * n, (0,) * n)[0] == normalising_constant(m, n, z)
    return private, accurate, constant


def _formulas(m: int, n: int, epsilon: Fraction, delta: Fraction) -> tuple[Fraction | float, ...]:
    alpha, z = (least(m, epsilon=epsilon, delta=delta) for least in (parent_alpha, least_base))
    gamma = -log(base_of_alpha(m, alpha))
    return alpha, 1 - (m - 1) * alpha, gamma, normalising_constant(m, n, z), hamming_error(m, n, z)


def _factor_over_mcsherry_talwar() -> float:
    """Return 2 gamma, as the utility changes by gamma at most, over the logarithm of the largest ratio."""
    z = Fraction(1, 3)
    rows = [released.fractions() for released in hamming_mechanism(range(3), 1, z).all_released()]
    return 2 * log(1 / z) / log(max(p / q for row in rows for other in rows for p, q in zip(row, other, strict=True)))
