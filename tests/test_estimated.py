"""The fallback for mechanisms designed without bounds: against the definition, over all vertices of small balls."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import distributions

import mechdesign as md
from mechdesign.exact.exponentials import exp_above
from mechdesign.graph.uncertainty import Uncertainty, uncertainty_of
from mechdesign.privacy.estimated import delta_within_radius

Law = list[Fraction]


def masses_of_sets(rows: list[Law]) -> list[Law]:
    """For each set of outputs the probability of it for each value."""
    outputs = range(len(rows[0]))
    sets = chain.from_iterable(combinations(outputs, size) for size in range(len(outputs) + 1))
    return [[sum((row[y] for y in chosen), Fraction(0)) for row in rows] for chosen in map(list, sets)]


def mean(law: Law | tuple[Fraction, ...], values: Law) -> Fraction:
    return sum((mass * value for mass, value in zip(law, values, strict=True)), Fraction(0))


def ball(centre: Sequence[Fraction], radius: Fraction) -> Uncertainty:
    return uncertainty_of({"distribution": centre, "radius": radius})


def needed(first: Uncertainty, second: Uncertainty, rows: list[Law], ratio: Fraction) -> Fraction:
    """The least delta for all profiles in both balls, by the definition: over all sets, the worst profiles for each."""

    def excess(values: Law) -> Fraction:
        least = second.largest([-value for value in values])
        return mean(first.largest(values), values) - ratio * mean(least, values)

    return max(map(excess, masses_of_sets(rows)))


@given(st.data())
def test_the_delta_holds_for_all_profiles_within_the_radius(data: st.DataObject) -> None:
    d = data.draw(st.integers(1, 3))
    rows = [list(row) for row in data.draw(st.lists(distributions(3), min_size=d, max_size=d))]
    first, second = data.draw(distributions(d)), data.draw(distributions(d))
    ratio = 1 + data.draw(st.fractions(0, 3, max_denominator=7))
    radius = data.draw(st.sampled_from([Fraction(0), Fraction(1, 50), Fraction(1, 5), Fraction(1)]))
    nominal = needed(ball(first, Fraction(0)), ball(second, Fraction(0)), rows, ratio)
    if nominal < 1:
        within = needed(ball(first, radius), ball(second, radius), rows, ratio)
        assert nominal <= within <= delta_within_radius(radius, ratio=ratio, delta=nominal)


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(3, 2), Fraction(2)])
def test_it_is_attained_by_releasing_the_value_itself(ratio: Fraction) -> None:
    identity = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    first, second, radius = (Fraction(1, 2),) * 2, (Fraction(3, 8), Fraction(5, 8)), Fraction(1, 50)
    nominal = needed(ball(first, Fraction(0)), ball(second, Fraction(0)), identity, ratio)
    within = needed(ball(first, radius), ball(second, radius), identity, ratio)
    if nominal:
        assert within == delta_within_radius(radius, ratio=ratio, delta=nominal)
    assert ratio > 1 or nominal == Fraction(1, 8), "one of them does attain it"


def test_epsilon_is_rounded_up_and_delta_is_at_most_1() -> None:
    found = delta_within_radius("0.01", epsilon=1, delta="0.1")
    assert found == Fraction(11, 100) + exp_above(Fraction(1)) / 100
    assert delta_within_radius("1/2", epsilon=5) == 1
    assert delta_within_radius(0, epsilon=5, delta="1/7") == Fraction(1, 7)
    assert delta_within_radius(1, epsilon="inf", delta="1/7") == Fraction(1, 7)
    assert md.delta_within_radius is delta_within_radius


@pytest.mark.parametrize(
    ("radius", "options", "fault"),
    [
        (-1, {"epsilon": 1}, "radius: expected a total variation distance from 0 to 1, found -1"),
        ("1.1", {"epsilon": 1}, "radius: expected a total variation distance from 0 to 1, found '1.1'"),
        ("far", {"epsilon": 1}, "radius: expected a number such as 0.3 or \"3/10\", found 'far'"),
        (0, {}, "expected one of epsilon= (in nats) and ratio= (e^epsilon, exactly), found neither"),
        (0, {"epsilon": 1, "delta": 1}, "delta: expected a number in [0, 1), found 1"),
    ],
)
def test_what_cannot_be_used_is_refused(radius: object, options: dict[str, object], fault: str) -> None:
    with pytest.raises(md.InputError) as error:
        delta_within_radius(radius, **options)  # type: ignore[arg-type]
    assert error.value.faults == [fault]
