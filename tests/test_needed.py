"""The least E with q^i(S) <= E q^j(S) + delta for every set S: three ways must agree exactly."""

from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import divergence

from mechdesign import InputError
from mechdesign.certifier.other_ways import WAYS, By, by_exhaustion, by_lp
from mechdesign.privacy.needed import Needed, needed
from mechdesign.privacy.released import Released

F = Fraction
DELTAS = [F(0), F(1, 7), F(1, 3), F(1, 2), F(9, 10), F(1, 10**30)]


def released(*weights: int) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


def least(first: Released, second: Released, delta: Fraction) -> Fraction | None:
    """Return the least E >= 1 from the definition, None if there is none."""
    p, q = ([F(int(w), one.total) for w in one.weights] for one in (first, second))
    found = F(1)
    for chosen in chain.from_iterable(combinations(range(len(p)), n) for n in range(len(p) + 1)):
        mass, other = sum((p[y] for y in chosen), F(0)), sum((q[y] for y in chosen), F(0))
        if mass > delta and other == 0:
            return None
        if mass > delta:
            found = max(found, (mass - delta) / other)
    return found


def assert_needed(found: Needed, first: Released, second: Released, delta: Fraction) -> None:
    """Its set needs its ratio, exactly; the empty set if nothing more than 1 is needed."""
    assert found.ratio == least(first, second, delta)
    mass = sum((F(int(first.weights[y]), first.total) for y in found.outputs), F(0))
    other = sum((F(int(second.weights[y]), second.total) for y in found.outputs), F(0))
    assert list(found.outputs) == sorted(set(found.outputs))
    if found.ratio is None:
        assert other == 0
        assert mass > delta
    elif found.ratio == 1:
        assert found.outputs == ()
    else:
        assert mass == found.ratio * other + delta


@pytest.mark.parametrize("delta", DELTAS, ids=str)
def test_two_ways_on_every_small_pair(delta: Fraction) -> None:
    """Weights 0 to 2 on three outputs: ties, 0/0, x/0 and equal distributions, all of them."""
    rows = [released(*weights) for weights in product(range(3), repeat=3) if any(weights)]
    for first, second in product(rows, repeat=2):
        for way in (needed, by_exhaustion):
            assert_needed(way(first, second, delta), first, second, delta)


counts = st.integers(1, 5).flatmap(
    lambda m: st.tuples(*[st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(any) for _ in range(2)])
)


@pytest.mark.slow
@settings(max_examples=60)
@given(counts, st.sampled_from(DELTAS))
def test_three_ways(pair: tuple[list[int], list[int]], delta: Fraction) -> None:
    first, second = (released(*weights) for weights in pair)
    for way in WAYS.values():
        assert_needed(way(first, second, delta), first, second, delta)


@settings(max_examples=35)
@given(st.integers(0, 2**32), st.sampled_from([F(0), F(1, 10**6), F(1, 10)]))
def test_many_outputs(seed: int, delta: Fraction) -> None:
    """Large weights, nearly equal: doubles tell nothing."""
    draw = np.random.default_rng(seed)
    base = [int(w) * 2**100 for w in draw.integers(0, 4, 30)]
    base[0] += 2**99
    first = released(*base)
    second = released(
        *(max(0, w + int(change)) if w else 0 for w, change in zip(base, draw.integers(-3, 4, 30), strict=True))
    )
    found = needed(first, second, delta)
    assert found.ratio == by_lp(first, second, delta).ratio
    p, q = first.fractions(), second.fractions()

    assert found.ratio is not None
    assert divergence(p, q, found.ratio) <= delta
    assert found.ratio == 1 or divergence(p, q, found.ratio * (1 - F(1, 10**80))) > delta


@pytest.mark.parametrize("delta", [F(0), F(3, 10), F(1, 10**399)])
@pytest.mark.parametrize("way", WAYS)
def test_beyond_doubles(way: str, delta: Fraction) -> None:
    """Probabilities of 10^-400, ratios of 10^400."""
    huge = 10**400
    for first, second in [
        (released(huge, 1), released(1, 0)),
        (released(1, 0), released(huge, 1)),
        (released(2, 1, 1), released(huge, 1, 0)),
        (released(1, 1), released(huge, 1)),
        (released(huge, 1), released(huge + 1, 2)),
    ]:
        assert_needed(WAYS[way](first, second, delta), first, second, delta)


def test_too_many_sets() -> None:
    rows = released(*[1] * 21)
    with pytest.raises(InputError, match=r"at most 20 outputs.*found 21; use sets or lp"):
        by_exhaustion(rows, rows, F(0))
    assert needed(rows, rows, F(0)) == by_lp(rows, rows, F(0)) == Needed(F(1), ())
    assert list(By) == list(WAYS) == ["sets", "lp", "exhaustive"]
