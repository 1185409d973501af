"""What a design is compared with, in words: a ratio is told where the digits that are shown tell it."""

from fractions import Fraction

import pytest

import mechdesign as md
from mechdesign.designer.design_answer import compared
from mechdesign.reports.privacy_plots import plot_utility

CHAIN = md.profile_graph(
    {"young": ["0.5", "0.3", "0.2"], "old": ["0.2", "0.3", "0.5"], "mid": ["1/3"] * 3},
    edges=[("young", "old"), ("old", "mid")],
    categories=["never", "sometimes", "daily"],
)

EARNING = md.ExpectedLoss([[0, 1, 5], [1, 0, 1], [5, -1, 0]])
"""A loss that may be below 0: what is misreported may be worth something."""


@pytest.mark.parametrize(
    ("off", "words"),
    [
        (0, "the same, to nine digits"),
        ("1e-10", "the same, to nine digits"),
        ("4e-9", "the same, to eight digits"),
        ("-4e-9", "the same, to eight digits"),
        ("2e-8", "1.00000002 times less"),
        ("-2e-8", "1.00000002 times as much"),
    ],
)
def test_no_other_is_once_as_much(off: str, words: str) -> None:
    other = Fraction("0.191367749")
    assert compared(other * (1 + Fraction(off)), other) == words


@pytest.mark.parametrize(
    ("value", "other", "words"),
    [
        ("-1/4", "5/4", "1.5 more"),
        ("-1/4", "-1/8", "0.125 more"),
        ("1/4", "-1/8", "0.375 less"),
        ("1/4", "0", "costs nothing"),
        ("0", "-1/8", "0.125 less"),
        ("0", "1/8", "this mechanism costs nothing"),
        ("-1/4", "-1/4", "the same, to nine digits"),
    ],
)
def test_below_zero_a_difference_is_told_in_place_of_a_ratio(value: str, other: str, words: str) -> None:
    assert compared(Fraction(value), Fraction(other)) == words


def test_one_bound_is_told_of_a_value_below_zero() -> None:
    """A bound of the method's own class is above that of all, of bits that are flipped alike, or is not told."""
    made = md.design(CHAIN, epsilon=0.3, objective=EARNING)
    assert made.value < 0
    assert [fact.words for fact in made.answer().facts if "is below" in fact.words] == ["no private mechanism is below"]


def test_a_curve_below_zero_is_drawn_and_has_one_bound_and_no_ratio() -> None:
    curve = md.sweep(CHAIN, [0.3, 0.4], objective=EARNING).curve()
    assert plot_utility(curve.drawn(), curve.words, curve.baseline).axes[0].get_ylim()[0] < curve.drawn()[1][1] < 0
    table = curve.table()
    assert table.note == "No private mechanism is below the bound."
    assert [(row[4], row[6].words()) for row in table.rows] == [(None, "-"), (None, "-")]
