"""Sampling: the certified law exactly. A reference in plain integers, given the same bits, draws the same outputs."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from attacks.draws import DRAWS, assert_law
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.privacy.stored_rows import Rows
from mechdesign.release.bits import fresh_bits, seeded_bits
from mechdesign.release.sampling import BLOCK, Sampler, _guide_bits

Weights = Sequence[Sequence[int]]


class Injected:
    """Bits that a test has chosen: words of 16 bits, then of 64 where a threshold is near, then one by one."""

    def __init__(self, first: Sequence[int], second: Sequence[int], later: Sequence[int]) -> None:
        self.first, self.words_of_64 = iter(first), chain(second, repeat(0))
        self.later = chain(later, repeat(0))
        self.is_settling = self.later_asked = False

    def words(self, count: int, kind: type[np.unsignedinteger[Any]]) -> npt.NDArray[Any]:
        if kind is np.uint16:
            return np.array([next(self.first) for _ in range(count)], kind)
        self.later_asked = self.is_settling
        source = self.later if self.is_settling else self.words_of_64
        self.is_settling = True  # all words of the second kind are asked for at once
        return np.array([next(source) for _ in range(count)], kind)


def reference(weights: Sequence[int], guide: int, first: int, second: Iterator[int], later: Iterator[int]) -> int:
    """Draw one output by the definition alone: bits of U until the number of thresholds <= U is known."""
    *inner, total = accumulate(weights)

    def inside(u: int, bits: int) -> bool:
        return any(u * total < weight << bits < (u + 1) * total for weight in inner)

    u, bits = first >> (16 - guide), guide
    if inside(u, bits):
        u, bits = first << 48 | next(second) >> 16, 64
    while inside(u, bits):
        u, bits = u << 64 | next(later), bits + 64
    return sum(weight << bits <= u * total for weight in inner)


def drawn(weights: Weights, rows: Sequence[int], first: Sequence[int], later: tuple[Any, Any], guide: int) -> list[int]:
    sampler = Sampler(Rows(np.array(weights, dtype=object)), bits=guide)
    return list(sampler.draw(np.array(rows), Injected(first, *later)).tolist())


words_of_64 = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**16, 2**63, 2**64 - 1]))
totals = st.sampled_from([1, 2, 3, 10, 2**16, 2**40 + 1, 3 * 2**61, 2**64, 2**64 - 59, 7**80])


@st.composite
def tables(draw: Callable[..., Any]) -> list[list[int]]:
    outputs = draw(st.integers(1, 6))
    weight = st.one_of(st.just(0), st.integers(0, 9), totals)
    row = st.lists(weight, min_size=outputs, max_size=outputs).filter(any)
    return list(draw(st.lists(row, min_size=1, max_size=4)))


@given(tables(), st.sampled_from([0, 1, 5, 15, 16]), st.data())
def test_the_reference_draws_the_same_from_the_same_bits(weights: list[list[int]], guide: int, data: Any) -> None:
    rows = data.draw(st.lists(st.integers(0, len(weights) - 1), min_size=1, max_size=12))
    near = [
        (weight << 16) // sum(row) + step
        for row in weights
        for weight in accumulate(row[:-1])
        for step in (-1, 0, 1)
        if 0 <= (weight << 16) // sum(row) + step < 2**16
    ]
    cell = st.one_of(st.integers(0, 2**16 - 1), st.sampled_from(near or [0]))
    first = data.draw(st.lists(cell, min_size=len(rows), max_size=len(rows)))
    second, later = data.draw(st.lists(words_of_64, max_size=12)), data.draw(st.lists(words_of_64, max_size=12))
    sources = chain(second, repeat(0)), chain(later, repeat(0))
    expected = [reference(weights[row], guide, word, *sources) for row, word in zip(rows, first, strict=True)]
    assert drawn(weights, rows, first, (second, later), guide) == expected


@given(tables(), st.integers(0, 2**200 - 1), st.integers(-1, 1), st.data())
def test_the_output_is_the_number_of_thresholds_up_to_u(weights: list[list[int]], u: int, step: int, data: Any) -> None:
    """U of 192 bits, most often within 2^-192 of a threshold: where 16 and 64 bits of it agree with the threshold's."""
    row = data.draw(st.integers(0, len(weights) - 1))
    thresholds = [Fraction(weight, sum(weights[row])) for weight in accumulate(weights[row][:-1])]
    near = data.draw(st.sampled_from([Fraction(u, 2**200), *thresholds]))
    u = min(max(int(near * 2**192) + step, 0), 2**192 - 1)
    first, second, later = u >> 176, (u >> 128 & 2**48 - 1) << 16, [u >> 64 & 2**64 - 1, u & 2**64 - 1]
    (output,) = drawn(weights, [row], [first], ([second], later), 16)
    possible = {
        sum(threshold <= Fraction(u + more, 2**192) for threshold in thresholds) for more in (0, Fraction(1, 2))
    }
    assert output in possible


def test_no_more_bits_than_it_takes() -> None:
    """1/2 and 1/4 are the ends of cells: 16 bits tell; 1/3 lies inside one, and 64 of its bits do not tell."""
    third = [0x5555] * 3
    assert drawn([[1, 1, 2]], [0, 0, 0], [0x3FFF, 0x4000, 0x8000], ((), ()), 16) == [0, 1, 2]
    bits = Injected(third, [0x5555555555550000 - 2**16, 0x5555555555550000, 0x5555555555560000], [2**62])
    sampler = Sampler(Rows(np.array([[1, 2]], dtype=object)), bits=16)
    assert sampler.draw(np.zeros(3, int), bits).tolist() == [0, 0, 1]
    assert next(bits.later) == 0, "one word of the third kind was used"


@pytest.mark.parametrize("step", [-1, 0, 1])
@pytest.mark.parametrize("row", [0, 1, 298, 299])
def test_the_last_of_64_bits_tell_too_where_many_rows_are_searched_at_once(row: int, step: int) -> None:
    """Of 300 rows each has a threshold of 64 bits of its own; U is it, or one of its neighbours."""
    thresholds = [2**63 + 2**40 * (which + 1) + 1 for which in range(300)]
    weights = [[threshold, 2**64 - threshold] for threshold in thresholds]
    u = thresholds[row] + step
    bits = Injected([u >> 48], [(u & 2**48 - 1) << 16], [])
    sampler = Sampler(Rows(np.array(weights, dtype=object)))
    assert sampler.draw(np.array([row]), bits).tolist() == [int(step >= 0)]
    assert not bits.later_asked, "64 bits tell"


def test_a_table_is_cut_into_blocks_and_its_rows_may_come_in_any_order() -> None:
    rows = np.random.default_rng(0).integers(0, 7, 2 * BLOCK + 5)
    identity = Sampler(Rows(np.eye(7, dtype=int)))
    assert (identity.draw(rows, fresh_bits()) == rows).all()


@pytest.mark.parametrize("bits", [0, 3, 11, 16, None])
@pytest.mark.parametrize(
    "weights",
    [
        [[1, 2, 3, 4], [0, 5, 0, 3]],
        [[10**30, 1, 10**29], [1, 1, 1]],
        [[1, *([0] * 298), 2], list(range(300))],  # more outputs than a byte has
        [[1], [7]],
    ],
    ids=["small", "large", "wide", "sure"],
)
def test_the_law_of_each_row(weights: list[list[int]], bits: int | None) -> None:
    """Seeded; weights of 0 never occur."""
    sampler = Sampler(Rows(np.array(weights, dtype=object)), bits=bits)
    stream = seeded_bits(5)
    for row, weight in enumerate(weights):
        assert_law(sampler.draw(np.full(DRAWS, row), stream()), weight, 1e-6)


@pytest.mark.parametrize(("rows", "outputs", "bits"), [(1, 2, 16), (20, 20, 14), (400, 20, 11), (10**6, 1000, 6)])
def test_larger_tables_have_guides_of_fewer_bits(rows: int, outputs: int, bits: int) -> None:
    assert _guide_bits(rows, outputs) == bits
