"""Certificates for every distribution within bounds: what is changed in one is found."""

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from command import alone
from hostile import plain
from hypothesis import given
from hypothesis import strategies as st
from schemas import fault_in
from test_robust import example

import mechdesign as md
from mechdesign.certificate import checker
from mechdesign.certificate.checker import Rejected, check, statement
from mechdesign.certificate.within import thresholds
from mechdesign.graph.checks import checked
from mechdesign.graph.uncertainty import uncertainty_of

Document = dict[str, Any]


@cache
def proof(delta: str = "0") -> str:
    return json.dumps(md.design(example(), epsilon="0.5", delta=delta, objective=md.ExpectedLoss()).certificate)


def changed(change: Callable[[Document], object]) -> Document:
    document: Document = json.loads(proof())
    change(document)
    return document


def refused(document: Document) -> tuple[int, str]:
    with pytest.raises(Rejected) as reason:
        check(json.dumps(document))
    return reason.value.status, str(reason.value)


def set_at(*place: Any, to: Any) -> Callable[[Document], object]:
    def change(document: Document) -> None:
        part: Any = document
        for step in place[:-1]:
            part = part[step]
        part[place[-1]] = to(part[place[-1]]) if callable(to) else to

    return change


def bound_at(profile: int, *place: Any, to: Any) -> Callable[[Document], object]:
    return set_at("profiles", profile, "bounds", *place, to=to)


def without_worst(document: Document) -> None:
    for one in document["profiles"]:
        one.get("bounds", {}).update(worst=[])


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (set_at("profiles", 0, "masses", to=[0, 0, 0]), 10, "not within its bounds"),
        (set_at("profiles", 0, "masses", 0, to=lambda mass: 2 * mass), 10, "not within its bounds"),
        (set_at("profiles", 0, "masses", 0, to=lambda mass: mass - 1), 16, "value"),
        (bound_at(2, "radius", to=-1), 10, "not within its bounds"),
        (bound_at(0, "lower", 0, to=lambda low: 2 * low), 10, "not within its bounds"),
        (bound_at(0, "lower", 0, to=-1), 10, "not within its bounds"),
        (bound_at(0, "upper", 1, to=0), 10, "not within its bounds"),
        (bound_at(2, "upper", 2, to=0), 13, "not weights >= 0 for all outputs, or not needed"),
        (set_at("matrices", 2, 2, to=[]), 13, "not weights >= 0 for all outputs"),
        (set_at("matrices", 2, 2, to=[0, 0, 0]), 13, "not weights >= 0 for all outputs"),
        (set_at("matrices", 1, to=lambda rows: rows[::-1]), 15, "NOT PRIVATE"),
        (bound_at(0, "lower", to=lambda low: [0] * len(low)), 15, "NOT PRIVATE"),
        (bound_at(2, "radius", to=lambda radius: 10 * radius), 15, "NOT PRIVATE"),
        (set_at("epsilons", 0, to="0"), 15, "NOT PRIVATE"),
        (bound_at(2, "thresholds", 0, to=lambda old: [old[1], old[0], *old[2:]]), 10, "not the higher one first"),
        (bound_at(2, "thresholds", 0, to=lambda old: [*old[:2], old[3], old[2]]), 10, "not the higher one first"),
        (bound_at(0, "thresholds", 0, 0, to=3), 10, "not categories that the profile may have"),
        (bound_at(0, "thresholds", 0, 0, to=-1), 10, "not categories that the profile may have"),
        (bound_at(0, "thresholds", 0, to=lambda old: old[1:]), 2, "thresholds"),
        (bound_at(0, "thresholds", to=lambda old: old[1:]), 2, "thresholds"),
        (bound_at(2, "thresholds", to=lambda old: [[0, 0, 0, 0]] * len(old)), 15, "NOT PRIVATE"),
        *[(bound_at(0, key, to=lambda old: old[1:]), 2, key) for key in ("lower", "upper")],
        (bound_at(0, "worst", 0, "masses", to=lambda masses: masses[:-1]), 2, "masses"),
        (bound_at(0, "worst", 0, "masses", to=lambda masses: [2 * mass for mass in masses]), 17, "worst"),
        (bound_at(0, "worst", 0, "masses", to=lambda masses: [-1, sum(masses) + 1, 0]), 17, "worst"),
        (bound_at(0, "worst", 0, "masses", to=lambda masses: [sum(masses), 0, 0]), 17, "worst"),
        (bound_at(0, "worst", 0, "output", to=9), 17, "worst: at no output or side"),
        (bound_at(0, "worst", 0, "output", to=-1), 17, "worst: at no output or side"),
        (bound_at(0, "worst", 0, "side", to=2), 17, "worst: at no output or side"),
        (bound_at(0, "worst", 0, "side", to=-1), 17, "worst: at no output or side"),
        (without_worst, 18, "less than the bound"),
    ],
)
def test_what_is_changed_is_found(change: Callable[[Document], object], status: int, words: str) -> None:
    found, reason = refused(changed(change))
    assert (found, words in reason) == (status, True), reason


def test_what_is_less_is_as_well_proved() -> None:
    """Narrower bounds leave privacy as it is; the bound then rests on distributions that are no longer within them."""
    document = changed(bound_at(2, "radius", to=0))
    assert refused(document)[0] in (17, 18)
    without_worst(document)
    assert check(json.dumps(document | {"bound": "0"})).value > 0


def test_a_worst_distribution_counts_once() -> None:
    """What it is given for has then been taken away."""
    document = changed(bound_at(0, "worst", to=lambda old: [*old, *old]))
    check(json.dumps(document))
    document["bound"] = str(Fraction(document["bound"]) + Fraction(1, 2**160))
    assert refused(document)[0] == 18


def test_any_thresholds_show_something_true() -> None:
    """Those of a file show the most that there is; whichever else there could be, no less: that is weak duality."""
    document = json.loads(proof())
    best = check(proof())
    for i, one in enumerate(document["profiles"]):
        for four in product(range(3), repeat=4):
            other = copy.deepcopy(document)
            for found in (other["profiles"][i].get("bounds", {"thresholds": []})["thresholds"],):
                found[:] = [[*four]] * len(found)
            c = checker.read(json.dumps(other), 10**6)
            checker.check_profiles(c)
            checker.check_matrices(c)
            with suppress(Rejected):
                most, least, over = checker.released(c, c.profiles[i])
                assert over == best.released[i][2]
                assert all(a >= b for a, b in zip(most, best.released[i][0], strict=True))
                assert all(a <= b for a, b in zip(least, best.released[i][1], strict=True))
        assert len(one["masses"]) == 3


def test_it_follows_the_schema_and_says_for_whom_it_holds(tmp_path: Any) -> None:
    document = json.loads(proof())
    assert fault_in(document, "certificate") is None
    del document["profiles"][0]["bounds"]["radius"]
    assert fault_in(document, "certificate") is not None
    file = tmp_path / "proof.json"
    file.write_text(proof())
    status, said, _ = alone(checker, str(file))
    assert status == 0
    assert said.startswith("accepted: private for every distribution within the profiles' bounds at epsilon")
    assert "no private mechanism with these outputs" in said
    assert "no mechanism of which this check shows as much with these outputs" in statement(check(proof("0.02")))


def test_a_mechanism_that_differs_in_a_row_that_is_only_possible() -> None:
    result = md.design(example(), epsilon="0.5")
    md.check_certificate(result.certificate, graph=example(), mechanism=result.mechanism)
    document = copy.deepcopy(result.certificate)
    document["matrices"][2][2] = document["matrices"][2][0]
    with pytest.raises(Rejected):
        md.check_certificate(document, graph=example(), mechanism=result.mechanism)


@given(st.data())
def test_thresholds_find_the_largest_mean(data: st.DataObject) -> None:
    """Where mass moves from the smallest values to the largest, within bounds and radius both."""
    d = data.draw(st.integers(1, 5))
    numbers = st.lists(st.integers(0, 9), min_size=d, max_size=d)
    lower, rooms, more = data.draw(numbers), data.draw(numbers), data.draw(numbers)
    masses = [low + room for low, room in zip(lower, rooms, strict=True)]
    upper = [mass + room for mass, room in zip(masses, more, strict=True)]
    radius = data.draw(st.integers(0, 12))
    bounds = {"lower": lower, "upper": upper, "radius": radius}
    values = dict(enumerate(data.draw(numbers)))
    high, low = thresholds(bounds, masses, {x: Fraction(v) for x, v in values.items()})
    one = SimpleNamespace(masses=masses, bounds=SimpleNamespace(**bounds))
    now, left, order = list(masses), radius, sorted(values, key=values.__getitem__)
    for b in reversed(order):
        for a in order:
            if values[a] < values[b]:
                step = min(left, now[a] - lower[a], upper[b] - now[b])
                now[a], now[b], left = now[a] - step, now[b] + step, left - step
    largest = sum(mass * values[x] for x, mass in enumerate(now))
    assert checker.largest_mean(one, values, values[high], values[low]) == largest


@pytest.mark.parametrize("delta", ["0", "0.02"])
def test_what_the_bound_rests_on_is_a_distribution_within(delta: str) -> None:
    """Neither less than one, nor more, nor further away than the radius: between the bounds though each of them is."""
    document = json.loads(proof(delta))
    places = [
        (i, n)
        for i, one in enumerate(document["profiles"])
        for n in range(len(one.get("bounds", one).get("worst", [])))
    ]
    assert {i for i, _ in places} == {0, 2}
    for i, n in places:
        own, bounds = document["profiles"][i]["masses"], document["profiles"][i]["bounds"]
        unit, radius = sum(own), bounds["radius"]
        if i == 0:
            wrong = [bounds["lower"], bounds["upper"]]
        else:
            wrong = [[own[0] - step, own[1] + step, own[2]] for step in (radius + 1, 5 * radius // 4)]
        for masses in wrong:
            assert sum(masses) != unit or i
            other = copy.deepcopy(document)
            other["profiles"][i]["bounds"]["worst"][n]["masses"] = masses
            assert refused(other)[0] == 17
        within = own if i == 0 else [own[0] - radius, own[1] + radius, own[2]]
        other = copy.deepcopy(document) | {"bound": "-9"}
        other["profiles"][i]["bounds"]["worst"][n]["masses"] = within
        check(json.dumps(other))


def test_the_most_and_the_least_are_those_of_the_definition() -> None:
    """By the sets of the graph, which sort in another way."""
    graph, c = checked(example()), check(proof())
    for one, (*both, over), attributes in zip(c.profiles, c.released, graph.nodes.values(), strict=True):
        rows = [row or [0, 0, 1] for row in c.matrices[one.group]]
        matrix = [[Fraction(weight, sum(row)) for weight in row] for row in rows]
        for y in range(3):
            for sign, found in zip((1, -1), both, strict=True):
                values = [sign * row[y] for row in matrix]
                extreme = uncertainty_of(attributes).largest(values)
                mean = sum((mass * value for mass, value in zip(extreme, values, strict=True)), Fraction(0))
                assert Fraction(found[y], over) == sign * mean


@pytest.mark.parametrize(
    ("lower", "upper", "private", "leaked"),
    [
        ([4, 6, 4], [6, 8, 4], "0.41", "0.35"),  # the first category: up to 6 against 4; the second: from 6 against 8
        ([3, 8, 4], [4, 9, 4], "0.29", "0.2"),  # the first: from 3 against 4; the second: up to 9 against 8
    ],
)
def test_the_most_is_held_against_the_least(lower: list[int], upper: list[int], private: str, leaked: str) -> None:
    """Each category is released as it is; one profile is known, and the other within bounds around the same."""
    document = plain(2, 3, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1]])
    first, second = ({"group": i, "masses": [4, 8, 4]} for i in range(2))
    bounds = {"lower": lower, "upper": upper, "radius": 16, "worst": []}
    rows: dict[int, list[int]] = {0: [1, 0, 0], 1: [0, 1, 0], 2: [0, 0, 1]}
    found = []
    for y in range(3):
        most, least = ({x: Fraction(sign * row[y]) for x, row in rows.items()} for sign in (1, -1))
        found.append([*thresholds(bounds, [4, 8, 4], most), *thresholds(bounds, [4, 8, 4], least)[::-1]])
    document |= {"profiles": [first | {"bounds": bounds | {"thresholds": found}}, second], "bits": 64}

    def at(epsilon: str) -> str:
        return json.dumps(document | {"epsilons": [epsilon]})

    check(at(private))
    assert refused(json.loads(at(leaked)))[0] == 15


@pytest.mark.parametrize("delta", ["0", "0.02"])
def test_the_bound_holds_to_its_last_digit(delta: str) -> None:
    document = json.loads(proof(delta))
    check(json.dumps(document))
    document["bound"] = str(Fraction(document["bound"]) + Fraction(1, 2**160))
    assert refused(document)[0] == 18
