"""The Hamming mechanism and its parent: [HLM] (12)-(21)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form.exponential import exponential_mechanism
from mechdesign.closed_form.k_ary import symmetric
from mechdesign.closed_form.product_sanitisation import ProductSanitisation, least_error
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.databases import database_graph
from mechdesign.papers.hlm import (
    alpha_of_base,
    base_of_alpha,
    distance,
    expected_changes,
    hamming_delta,
    hamming_error,
    hamming_mechanism,
    least_base,
    least_delta,
    normalising_constant,
    parent_alpha,
)

SIZES = st.sampled_from([(2, 1), (2, 3), (3, 2), (4, 2)])
BASES = st.fractions(min_value=Fraction(1, 50), max_value=1, max_denominator=50)
RATIOS = st.fractions(min_value=1, max_value=20, max_denominator=50)
DELTAS = st.fractions(min_value=0, max_value=Fraction(9, 10), max_denominator=50)


@pytest.mark.parametrize(("m", "n"), [(2, 1), (2, 4), (3, 2), (4, 2)])
def test_is_the_exponential_mechanism_of_the_hamming_utility(m: int, n: int) -> None:
    z = Fraction(2, 7)
    databases = list(database_graph(range(m), n))
    exponential = exponential_mechanism(databases, databases, lambda d, a: z ** distance(d, a))
    hamming = hamming_mechanism(range(m), n, z)
    assert (hamming.weights == exponential.weights).all()
    assert hamming.outputs == hamming.inputs == tuple(databases)


@given(SIZES, BASES)
@settings(max_examples=20)
def test_constant_and_error_by_definition(size: tuple[int, int], z: Fraction) -> None:
    """(13) and (16), for every database."""
    m, n = size
    mechanism = hamming_mechanism(range(m), n, z)
    assert {mechanism.row(d, d)[x] for x, d in enumerate(mechanism.inputs)} == {normalising_constant(m, n, z)}
    assert set(expected_changes(mechanism)) == {hamming_error(m, n, z)}


@given(SIZES, BASES, RATIOS)
@settings(max_examples=20)
def test_delta_by_definition(size: tuple[int, int], z: Fraction, ratio: Fraction) -> None:
    """(15) against the hockey-stick over all neighbours."""
    m, n = size
    found = least_delta(hamming_mechanism(range(m), n, z), database_graph(range(m), n), ratio)
    assert found == hamming_delta(m, z, ratio)


@given(st.integers(2, 9), BASES, RATIOS, DELTAS)
def test_private_if_and_only_if(m: int, z: Fraction, ratio: Fraction, delta: Fraction) -> None:
    """Theorem 4."""
    assert (hamming_delta(m, z, ratio) <= delta) == (z >= least_base(m, ratio=ratio, delta=delta))


@given(st.integers(2, 9), st.integers(1, 100), RATIOS, DELTAS)
def test_error_on_the_boundary(m: int, n: int, ratio: Fraction, delta: Fraction) -> None:
    """Theorem 5 is tight, and the error grows with z."""
    z = least_base(m, ratio=ratio, delta=delta)
    assert 0 < z <= 1
    assert hamming_error(m, n, z) == least_error(m, n, ratio=ratio, delta=delta)
    assert hamming_error(m, n, (1 + z) / 2) >= least_error(m, n, ratio=ratio, delta=delta)


def test_gamma_is_epsilon_for_delta_0() -> None:
    assert 1 / least_base(5, epsilon=2) == exp_below(Fraction(2))


def test_reveals_nothing_at_epsilon_0() -> None:
    assert set(hamming_mechanism("abc", 2, least_base(3, ratio=1)).row(("a", "a"), ("a", "a"))) == {Fraction(1, 9)}


def test_refuses_to_write_out_too_much() -> None:
    with pytest.raises(md.InputError, match="at most 2000 can be written out"):
        hamming_mechanism("ab", 11, Fraction(1, 2))


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 2), (5, 1)])
def test_the_product_of_its_parent_is_the_hamming_mechanism(m: int, n: int) -> None:
    """Theorems 7 and 9."""
    z = Fraction(3, 8)
    rows = ProductSanitisation(symmetric(range(m), alpha_of_base(m, z)), n)
    assert (rows.mechanism().weights == hamming_mechanism(range(m), n, z).weights).all()
    assert rows.error() == hamming_error(m, n, z)


@given(st.integers(2, 9), st.fractions(min_value=Fraction(1, 100), max_value=1, max_denominator=100))
def test_alpha_and_base_are_inverse(m: int, z: Fraction) -> None:
    assert base_of_alpha(m, alpha_of_base(m, z)) == z
    assert alpha_of_base(m, z) <= Fraction(1, m)


@given(st.integers(2, 6), st.fractions(min_value=0, max_value=1, max_denominator=60), RATIOS, DELTAS)
def test_the_parent_is_private_if_and_only_if(m: int, share: Fraction, ratio: Fraction, delta: Fraction) -> None:
    """Theorem 8, and the remark after it: (21) leaves room below 1/m."""
    alpha, least = share / m, parent_alpha(m, ratio=ratio, delta=delta)
    rows = ProductSanitisation(symmetric(range(m), alpha), 7)
    assert rows.is_private(ratio=ratio, delta=delta) == (alpha >= least)
    assert least <= Fraction(1, m)
    assert base_of_alpha(m, least) == least_base(m, ratio=ratio, delta=delta)
