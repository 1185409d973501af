"""Formulas as pictures."""

from fractions import Fraction

import mechdesign as md
from mechdesign.reports.formula_plot import plot_formula, points_of


def test_a_formula_of_delta_is_drawn_to_its_end() -> None:
    """Nothing is designed at delta 1, but the last piece ends there."""
    found = md.formula("categorical-chain", ratio="3/2")
    last = points_of(found, 4)[-1]
    assert last[-1] == (1.0, 0.0)
    (axes,) = plot_formula(found).axes
    assert axes.get_xlim() == (0.0, 1.0)


def test_each_point_is_the_formulas_own() -> None:
    found = md.formula("categorical-chain", epsilon=(0, 2))
    points = [point for piece in points_of(found, 7) for point in piece]
    assert all(y == found(Fraction(x)) for x, y in points[1:-1])
    assert points[-1][0] == 2.0
