"""From what a solver found to exactly private rows: named designs that fail without a rung of the ladder.

A design fails if none is found, if its value is above its bound, or if it is not the one that is defined any more.
`benchmarks/ablate.py` takes rungs out, and finds such designs.
"""

from fractions import Fraction

import pytest
from strained import strained

import mechdesign as md
from mechdesign.rounding.exact_rows import as_good

NEED_A_RUNG = {
    "extreme 2185": "stricter: an epsilon of 1e-12 beside one of 20, and one matrix for all",
    "extreme 81": "rounding first: deltas of 1e-12, which a correction in doubles does not see",
    "counting 8 worst-loss absolute 5 0 shared": "refinement: with rounding alone it is too far from the optimum",
    "extreme 101": "all moved: what solvers leave where it is has to make room",
    "extreme 30": "contraction: an epsilon of 0",
    "chain 8 max-off-diagonal none 0.05 0": "potentials: in proportion too much moves between two categories",
    "various 1921": "Clarabel unrefined",
    "extreme 3824": "Clarabel",
    "extreme 277": "Clarabel more regular",
    "sharp 60x12 4 1.488": "Clarabel rescaled",
    "sharp 100x10 3 0.3": "optimal face: multipliers fall along the path, and small ones count",
    "sharp 100x10 2 0.3": "the same",
    "extreme 962": "simplex method: Clarabel's multipliers prove too little",
}


@pytest.mark.parametrize("name", NEED_A_RUNG)
def test_with_every_rung_it_is_found(name: str) -> None:
    made = strained(name).design()
    assert made.value - made.bound <= Fraction(1, 10**12) + Fraction(2, 10**9) * made.bound
    assert made.stats["any_optimum"] == 0


def test_what_is_as_good() -> None:
    """Twice as far from the optimum as the nearest is looked for: 2e-9 of it, or 2e-13 of the largest loss."""
    for least in (1.0, 0.25, 1e-3):
        assert as_good(least * (1 + 1.9e-9), least)
        assert not as_good(least * (1 + 2.1e-9), least)
    assert as_good(1.9e-13, 0.0)
    assert not as_good(2.1e-13, 0.0)


def test_what_is_rounded_of_classes_keeps_what_any_profile_of_them_needs() -> None:
    """Read backwards a count is the same: of an output that a profile hardly has its reflection has most."""
    made = md.design(md.counting_graph(59), epsilon=2, delta="1e-9", objective=md.WorstLoss("absolute"))
    assert made.stats["way"] == {"classes; whole program; nearest on the optimal face": 1}
