"""The same added to all distributions makes room for what rounding exceeds: held against the definition, exactly."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.arrays import Exact
from mechdesign.privacy.cover import Cover, cover
from mechdesign.privacy.requirement import Directed, Requirement, both_ways
from mechdesign.rounding.room import Flags, room_for

F = Fraction
TOTAL = 10**6
EPSILONS = st.sampled_from([F(1, 10**6), F(1, 100), F(1, 2), F(2), F(30)])
DELTAS = st.sampled_from([F(1, 10**9), F(1, 50), F(1, 3)])


@st.composite
def asked(draw: st.DrawFn, profiles: int, *, loose: bool) -> list[Requirement]:
    """Edges of some epsilons; if loose, some with a delta too, and those may have an epsilon of 0."""
    found = []
    for a, b in draw(st.lists(st.sampled_from(list(combinations(range(profiles), 2))), unique=True, min_size=1)):
        delta = draw(DELTAS) if loose and draw(st.booleans()) else F(0)
        found.append(Requirement(a, b, draw(st.one_of(EPSILONS, st.just(F(0))) if delta else EPSILONS), delta))
    return found


@st.composite
def weights(draw: st.DrawFn, profiles: int, *, exact: bool = False) -> tuple[Exact, Exact]:
    """Weights that add up to about the total; some are 0, some rational, and low and high may be apart."""
    outputs = draw(st.integers(1, 4))
    masses = st.sampled_from([0, 1, 7, 10**3, TOTAL // 2 - 1, TOTAL // 2, TOTAL])
    cells = st.builds(lambda mass, part: mass + F(part, 3), masses, st.integers(0, 2))
    low = np.array([[draw(cells) for _ in range(outputs)] for _ in range(profiles)], dtype=object)
    apart = [[0 if exact else draw(st.integers(0, 2)) for _ in range(outputs)] for _ in range(profiles)]
    return low, low + np.array(apart, dtype=object)


def excess(one: Directed, low: Exact, high: Exact, room: Exact) -> Fraction:
    """Return what the requirement exceeds in all, by the definition, if so much is added: of a total of 1."""
    a, b, edge = one
    over = high[a] + room - edge.ratio_below * (low[b] + room)
    return F(sum(gap for gap in over if gap > 0)) / (TOTAL + sum(room))


def room_of(required: Cover, low: Exact, high: Exact, total: int, chosen: Flags) -> Exact:
    """Return the room of all profiles as one part."""
    found = room_for(required, low, high, np.array([total], dtype=object), chosen, np.zeros(len(low), dtype=np.int64))
    assert not isinstance(found, str), found
    (room,) = found
    return np.array(room)


def judged(required: list[Requirement], chosen: Flags) -> list[Directed]:
    return [one for one in both_ways(required) if chosen[one[0]] and chosen[one[1]]]


@given(st.data(), st.integers(2, 6), st.booleans())
def test_what_it_adds_meets_every_requirement(data: st.DataObject, profiles: int, loose: bool) -> None:
    required = data.draw(asked(profiles, loose=loose))
    low, high = data.draw(weights(profiles))
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=profiles, max_size=profiles)))
    room = room_of(cover(required), low, high, TOTAL, chosen)
    assert all(type(more) is int and more >= 0 for more in room)
    assert all(excess(one, low, high, room) <= one[2].delta for one in judged(required, chosen))


@given(st.data(), st.integers(2, 6), st.booleans())
def test_strict_requirements_have_the_least_room_that_will_do(data: st.DataObject, profiles: int, all_: bool) -> None:
    """For each output the largest of what edges need, rounded up; also for cliques, which are looked at as one."""
    required = data.draw(asked(profiles, loose=False))
    if all_:
        epsilon = data.draw(EPSILONS)
        required = [Requirement(a, b, epsilon, F(0)) for a, b in combinations(range(profiles), 2)]
    low, high = data.draw(weights(profiles, exact=True))
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=profiles, max_size=profiles)))
    least = [0] * low.shape[1]
    for a, b, edge in judged(required, chosen):
        gaps = (high[a] - edge.ratio_below * low[b]) / (edge.ratio_below - 1)
        least = [max(one, math.ceil(gap)) for one, gap in zip(least, gaps, strict=True)]
    found = cover(required)
    assert not all_ or profiles < 4 or len(found.cliques) == 1
    assert room_of(found, low, high, TOTAL, chosen).tolist() == least


@given(st.data(), st.integers(2, 5))
def test_what_is_met_already_gets_no_room(data: st.DataObject, profiles: int) -> None:
    required = data.draw(asked(profiles, loose=True))
    low, high = data.draw(weights(profiles))
    everyone = np.ones(profiles, dtype=bool)
    first = room_of(cover(required), low, high, TOTAL, everyone)
    again = room_of(cover(required), low + first, high + first, TOTAL + int(first.sum()), everyone)
    assert not again.any()


@given(st.data(), EPSILONS | st.just(F(0)), DELTAS)
def test_a_loose_requirement_alone_gets_no_unit_too_much(
    data: st.DataObject, epsilon: Fraction, delta: Fraction
) -> None:
    """One unit less for each output that gets any, and it is exceeded."""
    edge = Requirement(0, 1, epsilon, delta)
    low, high = data.draw(weights(2))
    high[1], low[0] = 0, TOTAL  # exceeded in one direction alone
    room = room_of(Cover([], [edge]), low, high, TOTAL, np.ones(2, dtype=bool))
    assert not room.any() or excess((0, 1, edge), low, high, np.maximum(room - 1, 0)) > delta


def test_profiles_that_are_not_chosen_ask_for_nothing() -> None:
    line = [Requirement(i, i + 1, F(1, 2), F(0)) for i in range(3)]
    table: Exact = np.array([[0, 10], [10, 0], [5, 5], [5, 5]], dtype=object)
    for required in (line, [Requirement(a, b, F(1, 2), F(0)) for a, b in combinations(range(4), 2)]):
        found = [
            room_of(cover(required), table, table, 10, np.array(chosen))
            for chosen in ([True, False, False, True], [False, False, True, True], [True, True, False, False])
        ]
        assert [bool(room.any()) for room in found] == [required is not line, False, True]


@pytest.mark.parametrize("profiles", [2, 5])
def test_an_epsilon_of_nothing_makes_no_room(profiles: int) -> None:
    """In a pair and in a clique; where nothing is exceeded none is needed."""
    required = cover([Requirement(a, b, F(0), F(0)) for a, b in combinations(range(profiles), 2)])
    table: Exact = np.array([[5, 5]] * profiles, dtype=object)
    everyone: Any = np.ones(profiles, dtype=bool)
    assert not room_of(required, table, table, 10, everyone).any()
    table[0] = [4, 6]
    with pytest.raises(AssertionError, match="an epsilon is too small to make room for rounding"):
        room_of(required, table, table, 10, everyone)
