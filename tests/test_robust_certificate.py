"""Certificates for every distribution within bounds: what is changed in one is found."""

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from exactly import exp_at_least, exp_at_most
from hostile import plain
from schemas import fault_in
from test_robust import example

import mechdesign as md
from mechdesign.certificate.checker import Rejected, check, largest_mean, main, statement
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


def twice(key: str) -> Callable[[Document], object]:
    """A list with its first part twice."""
    return set_at(key, to=lambda old: [old[0], *old])


def both(*changes: Callable[[Document], object]) -> Callable[[Document], object]:
    def change(document: Document) -> None:
        for one in changes:
            one(document)

    return change


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (set_at("masses", 0, to=[0, 0, 0]), 10, "not a distribution within its bounds"),
        (set_at("masses", 0, 0, to=lambda mass: mass + 1), 10, "do not have its distribution"),
        (set_at("radius", 2, to=-1), 10, "not a distribution within its bounds"),
        (set_at("lower", 0, 0, to=lambda low: 2 * low), 10, "not a distribution within its bounds"),
        (set_at("lower", 0, 0, to=-1), 10, "not a distribution within its bounds"),
        (set_at("upper", 0, 1, to=0), 10, "not a distribution within its bounds"),
        (set_at("upper", 2, 2, to=0), 13, "not weights >= 0 for all outputs"),
        (set_at("distributions", 0, to=["0.5", "0.2", "0.2"]), 10, "do not have its distribution"),
        (set_at("distributions", 0, to=["0.45", "0.35", "0.2"]), 10, "do not have its distribution"),
        (set_at("rows", 2, 2, to=[]), 13, "not weights >= 0 for all outputs"),
        (set_at("rows", 2, 2, to=[0, 0, 0]), 13, "not weights >= 0 for all outputs"),
        (set_at("rows", 2, 2, to=lambda row: [2 * weight for weight in row]), 10, "rows of no total or unequal ones"),
        (set_at("rows", 1, to=lambda rows: rows[::-1]), 10, "do not have its distribution"),
        (set_at("lower", 0, to=lambda low: [0] * len(low)), 15, "NOT PRIVATE"),
        (set_at("radius", 2, to=lambda radius: 10 * radius), 15, "NOT PRIVATE"),
        (set_at("below", 0, to="1"), 15, "NOT PRIVATE"),
        (set_at("value", to="0.01"), 16, "value"),
        (set_at("bound", to="0.5"), 18, "less than the bound"),
        (set_at("worst", 0, to=lambda masses: masses[:-1]), 2, "worst"),
        (set_at("worst", 0, to=lambda masses: [2 * mass for mass in masses]), 17, "worst"),
        (set_at("worst", 0, to=lambda masses: [-1, sum(masses) + 1, 0]), 17, "worst"),
        (set_at("worst", 0, to=lambda masses: [sum(masses), 0, 0]), 17, "worst"),
        (both(twice("places"), twice("worst")), 17, "worst: at no multiplier"),
        (set_at("places", 0, to=[9, 0, 0]), 17, "worst: at no multiplier"),
        (set_at("places", 0, to=[-1, 0, 0]), 17, "worst: at no multiplier"),
        (set_at("places", 0, 2, to=2), 17, "worst: at no multiplier"),
        (set_at("places", to=[]), 2, "worst"),
        (both(set_at("places", to=[]), set_at("worst", to=[])), 18, "less than the bound"),
        (set_at("worst", to=None), 2, "worst"),
        (set_at("format", to="mechdesign-certificate/1"), 2, "not a mechdesign certificate"),
        (set_at("format", to="mechdesign-certificate/3"), 2, "not a mechdesign certificate"),
    ],
)
def test_what_is_changed_is_found(change: Callable[[Document], object], status: int, words: str) -> None:
    found, reason = refused(changed(change))
    assert (found, words in reason) == (status, True), reason


def test_what_is_less_is_as_well_proved() -> None:
    """Narrower bounds leave privacy as it is; the bound then rests on distributions that are no longer within them."""
    document = changed(set_at("radius", 2, to=0))
    assert refused(document)[0] in (17, 18)
    document |= {"places": [], "worst": [], "bound": "0"}
    assert check(json.dumps(document)).value > 0


def test_it_follows_the_schema_and_says_for_whom_it_holds(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(proof())
    assert fault_in(document, "certificate") is None
    del document["radius"]
    assert fault_in(document, "certificate") is not None
    file = tmp_path / "proof.json"
    file.write_text(proof())
    assert main([str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("accepted: private for every distribution within the profiles' bounds at epsilon")
    assert "no private mechanism with these groups" in said
    assert "no mechanism of which this check shows as much with these groups" in statement(check(proof("0.02")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda graph: None, None),
        (
            lambda graph: graph.nodes["ball"].update(radius="0.06"),
            "the certificate has the radius 0.05, you have the radius 0.06",
        ),
        (
            lambda graph: graph.nodes["ball"].pop("radius"),
            'profile "ball": the certificate has the radius 0.05, you have no radius',
        ),
        (
            lambda graph: graph.nodes["known"].update(radius="0.1"),
            'profile "known": the certificate has no radius, you have the radius 0.1',
        ),
        (lambda graph: graph.nodes["known"].update(radius=0), None),
        (
            lambda graph: graph.nodes["box"].update(lower=[0, "0.25", "0.15"]),
            'category "a": the certificate has probability 0.45 to 0.55, you have probability 0 to 0.55',
        ),
    ],
)
def test_it_is_held_to_the_reader_s_bounds(change: Callable[[Any], object], words: str | None) -> None:
    graph = example()
    change(graph)
    if words is None:
        md.check_certificate(json.loads(proof()), graph=graph, epsilon="0.5")
        return
    with pytest.raises(Rejected) as reason:
        md.check_certificate(json.loads(proof()), graph=graph, epsilon="0.5")
    assert words in str(reason.value)
    assert reason.value.status == 19


def test_a_certificate_for_the_distributions_alone_is_not_for_their_bounds() -> None:
    document = md.design(example(), epsilon="0.5", nominal=True).certificate
    with pytest.raises(Rejected, match=r"the certificate has probability 0\.5, you have probability 0\.45 to 0\.55"):
        md.check_certificate(document, graph=example())


def test_a_mechanism_that_differs_in_a_row_that_is_only_possible() -> None:
    result = md.design(example(), epsilon="0.5")
    md.check_certificate(result.certificate, graph=example(), mechanism=result.mechanism)
    document = copy.deepcopy(result.certificate)
    document["rows"][2][2] = document["rows"][2][0]
    with pytest.raises(Rejected):
        md.check_certificate(document, graph=example(), mechanism=result.mechanism)


def test_mass_moves_within_bounds_and_radius_both() -> None:
    class Fields:
        masses, lower, upper, radius, used = [[4, 4, 2]], [[1, 0, 2]], [[9, 5, 9]], [2], [[0, 1, 2]]

    fields: Any = Fields
    assert largest_mean(fields, 0, [0, 1, 5]) == 2 * 0 + 4 * 1 + 4 * 5
    assert largest_mean(fields, 0, [0, 5, 1]) == 2 * 0 + 5 * 5 + 3 * 1
    assert Fraction(largest_mean(fields, 0, [1, 1, 1]), 10) == 1
    fields.radius = [9]
    assert largest_mean(fields, 0, [0, 1, 5]) == 1 * 0 + 0 * 1 + 9 * 5  # as little of the first two as may be
    assert largest_mean(fields, 0, [1, 5, 0]) == 3 * 1 + 5 * 5 + 2 * 0  # as much of the second


@pytest.mark.parametrize("delta", ["0", "0.02"])
def test_what_the_bound_rests_on_is_a_distribution_within(delta: str) -> None:
    """Neither less than one, nor more, nor further away than the radius: between the bounds though each of them is."""
    document = json.loads(proof(delta))
    assert {i for i, _, _ in document["places"]} == {0, 2}
    for n, (i, _, _) in enumerate(document["places"]):
        unit, own, radius = sum(document["masses"][i]), document["masses"][i], document["radius"][i]
        if i == 0:
            wrong = [document["lower"][i], document["upper"][i]]
        else:
            wrong = [[own[0] - step, own[1] + step, own[2]] for step in (radius + 1, 5 * radius // 4)]
        for masses in wrong:
            assert sum(masses) != unit or i
            other = copy.deepcopy(document)
            other["worst"][n] = masses
            assert refused(other)[0] == 17
        within = own if i == 0 else [own[0] - radius, own[1] + radius, own[2]]
        check(
            json.dumps(
                document | {"worst": [*document["worst"][:n], within, *document["worst"][n + 1 :]], "bound": "-9"}
            )
        )


def test_the_most_and_the_least_are_those_of_the_definition() -> None:
    """By the sets of the graph, which sort in another way."""
    graph, c = checked(example()), check(proof())
    for i, attributes in enumerate(graph.nodes.values()):
        matrix = [
            [Fraction(weight, sum(row)) if row else Fraction(0) for weight in row or [0] * 3] for row in c.rows[i]
        ]
        for y in range(3):
            for sign, found in ((1, c.most), (-1, c.least)):
                values = [sign * row[y] for row in matrix]
                extreme = uncertainty_of(attributes).largest(values)
                mean = sum((mass * value for mass, value in zip(extreme, values, strict=True)), Fraction(0))
                assert Fraction(found[i][y], c.totals[i]) == sign * mean


@pytest.mark.parametrize(
    ("lower", "upper", "private", "leaked"),
    [
        ([4, 6, 4], [6, 8, 4], "0.41", "0.35"),  # the first category: up to 6 against 4; the second: from 6 against 8
        ([3, 8, 4], [4, 9, 4], "0.29", "0.2"),  # the first: from 3 against 4; the second: up to 9 against 8
    ],
)
def test_the_most_is_held_against_the_least(lower: list[int], upper: list[int], private: str, leaked: str) -> None:
    """Each category is released as it is; one profile is known, and the other within bounds around the same."""
    rows = [[16, 0, 0], [0, 16, 0], [0, 0, 16]]
    known = plain(2, 3, rows, [[0, 1]])
    masses = {"masses": [[4, 8, 4]] * 2, "distributions": [["1/4", "1/2", "1/4"]] * 2}
    bounds = {"lower": [lower, [4, 8, 4]], "upper": [upper, [4, 8, 4]], "radius": [16, 0]}
    document = known | masses | bounds | {"epsilons": [private], "below": [str(exp_at_most(Fraction(private)))]}
    document["above"] = [str(exp_at_least(Fraction(private)))]
    check(json.dumps(document))
    document["epsilons"], document["below"] = [leaked], [str(exp_at_most(Fraction(leaked)))]
    assert refused(document)[0] == 15


@pytest.mark.parametrize("delta", ["0", "0.02"])
def test_the_bound_holds_to_its_last_digit(delta: str) -> None:
    document = json.loads(proof(delta))
    check(json.dumps(document))
    document["bound"] = str(Fraction(document["bound"]) + Fraction(1, 2**160))
    assert refused(document)[0] == 18
