"""Parents that treat all values alike: their privacy, and the base that they stand for."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form import (
    ProductSanitisation,
    alpha_of_base,
    base_of_alpha,
    hamming_error,
    hamming_mechanism,
    parent_alpha,
    product_error,
    symmetric_parent,
)

RATIOS = st.fractions(min_value=1, max_value=20, max_denominator=50)
DELTAS = st.fractions(min_value=0, max_value=Fraction(9, 10), max_denominator=50)


class TestSymmetricParent:
    """Theorems 7, 8 and 9."""

    @pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 2), (5, 1)])
    def test_equals_the_hamming_mechanism(self, m: int, n: int) -> None:
        z = Fraction(3, 8)
        rows = ProductSanitisation(symmetric_parent(range(m), alpha_of_base(m, z)), n)
        assert (rows.mechanism().weights == hamming_mechanism(range(m), n, z).weights).all()
        assert rows.error() == hamming_error(m, n, z) == product_error(m, n, alpha_of_base(m, z))

    @given(st.integers(2, 9), st.fractions(min_value=Fraction(1, 100), max_value=1, max_denominator=100))
    def test_alpha_and_base_are_inverse(self, m: int, z: Fraction) -> None:
        assert base_of_alpha(m, alpha_of_base(m, z)) == z
        assert alpha_of_base(m, z) <= Fraction(1, m)

    @given(st.integers(2, 6), st.fractions(min_value=0, max_value=1, max_denominator=60), RATIOS, DELTAS)
    def test_private_if_and_only_if(self, m: int, share: Fraction, ratio: Fraction, delta: Fraction) -> None:
        alpha = share / m
        rows = ProductSanitisation(symmetric_parent(range(m), alpha), 7)
        assert rows.is_private(ratio=ratio, delta=delta) == (alpha >= parent_alpha(m, ratio=ratio, delta=delta))

    @given(st.integers(2, 50), RATIOS, DELTAS)
    def test_is_always_possible(self, m: int, ratio: Fraction, delta: Fraction) -> None:
        """The remark after Theorem 8: (21) leaves room below 1/m."""
        assert parent_alpha(m, ratio=ratio, delta=delta) <= Fraction(1, m)

    @pytest.mark.parametrize("alpha", [Fraction(-1, 10), Fraction(34, 100)])
    def test_refuses_alpha(self, alpha: Fraction) -> None:
        with pytest.raises(md.InputError, match=r"\[0, 1/3\]"):
            symmetric_parent("abc", alpha)
