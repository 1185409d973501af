"""What a design is compared with, in words: a ratio is told where the digits that are shown tell it."""

from fractions import Fraction

import pytest

from mechdesign.designer.design_answer import compared


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
