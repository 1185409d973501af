"""checker.py alone: what it states must be true of whatever it accepts, and it must say why it rejects the rest."""

import copy
import json
import math
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command import alone
from hostile import plain
from oracles.divergence import exp_at_least, exp_at_most
from oracles.stated import assert_true
from spoilt import NO_JSON, Document, Place, alike, nodes, of_other_kinds, of_the_same_kind, replaced, status_of
from test_robust import example

import mechdesign as md
from mechdesign import ExpectedLoss, Rejected, WorstLoss, design, profile_graph, read_graph
from mechdesign.certificate import checker
from mechdesign.certificate.checker import CERTIFICATE, SHAPES, exp_bounds

F = Fraction
ALIKE = "(?: and matrices shared alike)?"
KEEPS = "(?: that keeps the overall shares)?"
CLAIMS = re.compile(rf"at most (\S+); no private mechanism{KEEPS} with these outputs{ALIKE} is below ([^\s;]+)")

# --- real certificates ------------------------------------------------------------------------------------------------


def two_components() -> Any:
    """Four profiles, a category that only some have, edges of their own epsilon and delta, and weights."""
    graph = profile_graph(
        {"a": ["1/2", "1/2", 0], "b": ["1/5", "4/5", 0], "c": [0, "1/3", "2/3"], "d": [0, "2/3", "1/3"]},
        edges=[("a", "b"), ("c", "d")],
        categories=["x", "y", "z"],
        weights={"a": 1, "b": 2, "c": 3, "d": 0},
    )
    graph.edges["a", "b"]["epsilon"] = F(1, 10)
    graph.edges["c", "d"]["delta"] = F(1, 50)
    return graph


def pair(weights: dict[int, int] | None = None) -> Any:
    profiles = {1: ["1/4", "3/4"], 2: ["3/5", "2/5"], 3: ["0", "1"]}
    return profile_graph(profiles, edges=[(1, 2), (2, 3)], categories=["u", "v"], weights=weights)


MADE: dict[str, Callable[[], Any]] = {
    "max-off-diagonal": lambda: design(pair(), epsilon="0.5"),
    "max-off-diagonal, delta": lambda: design(pair(), epsilon="0.2", delta="1/20"),
    "max-off-diagonal, shared": lambda: design(pair(), epsilon="0.5", shared=True),
    "expected-loss, delta": lambda: design(pair(), epsilon="0.1", delta="1/20", objective=ExpectedLoss()),
    "expected-loss, components": lambda: design(two_components(), epsilon=1, objective=ExpectedLoss("absolute")),
    "expected-loss, shared, delta": lambda: design(
        two_components(), epsilon="0.3", delta="1/9", objective=ExpectedLoss(), shared=True
    ),
    "worst-loss": lambda: design(pair(), epsilon="0.5", objective=WorstLoss()),
    "worst-loss, rectangular": lambda: design(
        pair(), epsilon="0.5", delta="1/100", objective=WorstLoss([[0, 2, "1/2"], [3, 0, 1]])
    ),
    "max-off-diagonal, components": lambda: design(two_components(), epsilon="0.5"),
    "max-off-diagonal, shares": lambda: design(pair(), epsilon="0.2", keep_shares=True),
    "expected-loss, shares": lambda: design(
        pair({1: 1, 2: 2, 3: 4}), epsilon="0.1", delta="1/20", objective=ExpectedLoss(), keep_shares=True
    ),
    "expected-loss, within bounds": lambda: design(example(), epsilon="0.5", objective=ExpectedLoss()),
    "no noise": lambda: design(pair(), epsilon=3, delta="2/3"),
}


@cache
def _certificate(name: str) -> str:
    return json.dumps(MADE[name]().certificate)


def check(document: Document) -> tuple[Fraction, Fraction]:
    c = checker.check(json.dumps(document))
    return c.value, c.bound


def certificate(name: str = "max-off-diagonal") -> Document:
    document: Document = json.loads(_certificate(name))
    return document


@pytest.mark.parametrize("name", MADE)
def test_accepted(name: str) -> None:
    document = certificate(name)
    value, bound = check(document)
    assert (value, bound) == (F(document["value"]), F(document["bound"]))
    assert value - bound <= max(F(1, 10**9), value / 10**8)
    assert_true(document)
    assert all(lam for *_, lam in document["privacy"])


# --- one way to be wrong at a time ------------------------------------------------------------------------------------

LABELS = ("categories", "outputs", "profiles")
MAX, LOSS, WORST, DELTA = "max-off-diagonal", "expected-loss, components", "worst-loss", "expected-loss, delta"
SHARES = "expected-loss, shares"


def put(place: str, value: Any) -> Callable[[Document], None]:
    """Return what sets one place, such as "profiles.0.weight", to a value or to a function of the old one."""

    def spoil(document: Document) -> None:
        *path, last = [int(part) if part.lstrip("-").isdigit() else part for part in place.split(".")]
        for part in path:
            document = document[part]  # type: ignore[index]
        document[last] = value(document[last]) if callable(value) else value  # type: ignore[index]

    return spoil


def drop(place: str) -> Callable[[Document], None]:
    def spoil(document: Document) -> None:
        *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        for part in path:
            document = document[part]  # type: ignore[index]
        del document[last]  # type: ignore[arg-type]

    return spoil


def add(text: str) -> Callable[[str], str]:
    return lambda old: str(F(old) + F(text))


def append(value: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda old: [*old, value]


def nearly_nothing(document: Document) -> None:
    """One edge asks for epsilon = 0."""
    document["epsilons"].append("0")
    document["edges"][0][2] = 1


def no_noise(document: Document) -> None:
    for x, row in ((x, row) for rows in document["matrices"] for x, row in enumerate(rows)):
        row[:] = [sum(row) if y == x % len(row) else 0 for y in range(len(row))]


def without_the_last_row(document: Document) -> None:
    """Leave out the last profile's last row."""
    rows = document["matrices"][-1]
    rows[max(x for x, row in enumerate(rows) if row)] = []


def nobody(document: Document) -> None:
    """A profile without a category, and without rows."""
    document["profiles"][0]["masses"], document["matrices"][0] = [0, 0], [[], []]


def to_worst_loss(document: Document) -> None:
    document |= {"objective": "worst-loss", "weights": [0, 0, 0, 1]}


KEYS = tuple(key for key in SHAPES[CERTIFICATE] if key != "shares")

NO_NUMBERS = [
    *("", "x", "1e3", "1/0", "1/-2", "0x1", " 1", "1 ", "1\n", "1_0", "+1", ".5", "1.", "٣", "१/२", "--1", "1/2/3"),
    *("NaN", "inf", "1" * 1001, "0." + "1" * 1001, "1/" + "1" * 1001),
]
NO_ENTRIES = [
    *([0, 0, 1, -1], [0, 0, 0, 1], [0, 0, 2, 1], [0, 2, 0, 1]),
    *([0, -1, 0, 1], [0, 0, -1, 1]),
]
NO_MULTIPLIERS = [[2, 0, 0, 1], [1, 2, 0, 1], [1, 1, 2, 1], [-1, 0, 0, 1], [1, -1, 0, 1], [1, 1, -1, 1]]
NO_SHARES: list[Any] = [None, [], {}, [[1, 2, 4], [0, 0]]]
TABLES = ("profiles", "edges", "matrices", "privacy", "entries", "epsilons")

WRONG: list[tuple[int, str, Callable[[Document], None]]] = [
    # no certificate at all
    (2, MAX, put("format", "mechdesign-certificate/2")),
    (2, MAX, put("format", "mechdesign-certificate/1")),
    *[(2, MAX, drop(key)) for key in KEYS],
    *[(2, MAX, put(key, lambda old: [1] * len(old))) for key in TABLES],  # integers one level too high
    (2, MAX, lambda document: document.update({key: [] for key, old in document.items() if isinstance(old, list)})),
    *[(2, MAX, put(f"labels.{key}", [])) for key in LABELS],
    (2, MAX, put("labels", [["u", "v"], ["u", "v"], [1, 2, 3]])),
    (2, "worst-loss, rectangular", put("labels.outputs", [])),
    (2, MAX, put("labels.categories", ["u", "u"])),  # a label twice
    (2, MAX, put("labels.profiles.0", 2)),
    (2, MAX, put("labels.outputs", ["v", "u"])),  # off-diagonal entries compare inputs with outputs
    (2, MAX, put("loss", [[0, 1], [1, 0]])),
    (2, LOSS, put("loss_unit", 0)),
    (2, LOSS, put("loss_unit", -2)),
    (2, LOSS, put("loss", [])),
    (2, LOSS, put("loss", lambda old: old[1:])),
    (2, LOSS, put("loss.0", lambda old: old[1:])),
    (2, LOSS, put("objective", "max-off-diagonal")),
    (2, MAX, put("objective", "expected-loss")),
    (2, MAX, put("objective", "smallest")),
    *[(2, MAX, put("value", text)) for text in NO_NUMBERS],
    (2, MAX, put("profiles.0.bounds", None)),
    (2, MAX, put("profiles.0.bounds", {})),
    (2, MAX, put("bits", -1)),
    (2, MAX, put("bits", 321)),
    (2, MAX, put("matrices.0.0.0", 10**999)),
    (2, MAX, put("entries", append([0, 1, 0]))),
    (2, MAX, put("entries", append([0, 1, 0, 1, 1]))),
    *[(2, SHARES, put("shares", other)) for other in NO_SHARES],
    # lists that are too short or too long
    *[(2, SHARES, put(f"shares.{key}", lambda old: old[1:])) for key in ("weights", "multipliers")],
    *[(2, MAX, put("profiles.0.masses", masses)) for masses in ([1, 3, 0], [1], [])],
    *[(2, MAX, put(key, lambda old: old[1:])) for key in ("profiles", "weights", "labels.profiles")],
    (2, MAX, put("edges.0", append(2))),
    (2, MAX, put("matrices.0", append([]))),
    (2, MAX, put("matrices.0", lambda old: old[1:])),
    (2, MAX, put("privacy.0", lambda old: old[1:])),
    (2, MAX, put("privacy.0", append(0))),
    (2, MAX, put("entries", append([]))),
    # distributions
    (10, MAX, put("profiles.0.masses", [-1, 5])),
    (10, MAX, nobody),
    (15, MAX, put("profiles.0.masses", lambda old: old[::-1])),
    (18, MAX, put("profiles.0.masses.0", lambda old: old + 1)),
    (10, MAX, put("profiles.0.masses", [0, 0])),
    (10, MAX, put("profiles.0.masses", [-1, -1])),
    (10, MAX, put("weights.0", -1)),
    (10, MAX, put("weights", [0, 0, 0])),
    (10, WORST, put("weights", [0, 0, 0])),
    (10, WORST, put("weights", [1, 1, -1])),
    # edges
    (11, MAX, put("edges.0.1", 9)),
    (11, MAX, put("edges.0.0", -1)),
    (11, MAX, put("edges.0.1", 0)),
    (11, MAX, put("edges.0", [1, 0, 0, 0])),
    (11, MAX, put("edges.0.2", 1)),
    (11, MAX, put("edges.0.2", -1)),
    (11, MAX, put("edges.0.3", 1)),
    (11, MAX, put("edges.0.3", -1)),
    (11, MAX, put("edges", lambda old: old[::-1])),
    (11, MAX, put("edges", lambda old: [old[0], *old])),
    (11, MAX, put("epsilons", [])),
    (11, MAX, put("deltas", [])),
    (11, MAX, put("epsilons.0", "-1/2")),
    (11, MAX, put("deltas.0", "1")),
    (11, MAX, put("deltas.0", "-1/100000000000000000000")),
    (11, MAX, put("epsilons.0", "701")),
    # e^epsilon
    (15, MAX, put("epsilons.0", "0.25")),
    (15, MAX, put("bits", 3)),
    # overall shares
    (12, SHARES, put("shares.weights.0", 2)),
    (12, SHARES, put("shares.weights", [0, 0, 0])),
    (12, SHARES, put("shares.weights", [-1, -2, -4])),
    (12, SHARES, put("labels.outputs", ["v", "u"])),
    (12, "expected-loss, delta", put("shares", {"weights": [1, 1, 1], "multipliers": [0, 0]})),
    # rows
    (13, MAX, put("matrices.0.0", lambda old: [-1, sum(old) + 1])),
    (13, MAX, put("matrices", lambda old: [[[-weight for weight in row] for row in rows] for rows in old])),
    (13, MAX, put("matrices.0.0", lambda old: old[1:])),
    (13, MAX, put("matrices.0.0", append(0))),
    (13, MAX, put("matrices.0.0", [])),
    (13, MAX, put("matrices.0.0", [0, 0])),
    (13, MAX, put("matrices.0", [[0, 0], [0, 0]])),
    (13, MAX, put("matrices.2.0", [0, 0])),  # of a category that the profile does not have
    (13, MAX, put("matrices.2.0", [1, 0])),
    (13, MAX, put("profiles.0.masses", [0, 1])),
    (13, MAX, put("profiles.2.masses", [1, 3])),
    (13, MAX, without_the_last_row),  # its only one
    (13, "max-off-diagonal, components", without_the_last_row),
    (13, MAX, put("matrices", append([[1, 0], []]))),  # of nobody
    # groups
    (13, MAX, put("profiles.1.group", 0)),  # whose own rows are now of nobody
    (14, MAX, put("profiles.2.group", 3)),
    (14, MAX, put("profiles.0.group", -1)),
    (14, MAX, put("matrices", lambda old: old[:2])),
    (14, MAX, put("matrices", [])),
    # privacy
    (15, "max-off-diagonal, shared", put("matrices.0.0", lambda old: [sum(old), 0])),
    (15, MAX, put("matrices.0.0", lambda old: [old[0] - 1, old[1] + 1])),
    (15, MAX, put("epsilons.0", "0.49999999")),
    (15, MAX, nearly_nothing),
    (15, LOSS, no_noise),
    (15, WORST, no_noise),
    (15, DELTA, put("deltas.0", add("-1/1000000"))),
    (15, "no noise", put("deltas.0", str(F(3, 5) - F(1, 10**40)))),  # {u} has 3/5 against 0
    # value
    (16, MAX, put("value", add("-1/1000000000000000000000000000000000000000000000000"))),
    (16, LOSS, put("loss.0.0", 1)),
    (16, LOSS, put("loss_unit", 3)),
    (16, LOSS, put("loss", lambda old: [[3 * loss for loss in row] for row in old])),
    (16, LOSS, put("weights.0", 2)),
    (16, WORST, put("loss.0.1", 10**998)),  # more than doubles hold
    (16, WORST, put("value", "0")),
    (16, MAX, put("value", add("1/1000000000000000000000000000000000000"))),
    (16, LOSS, put("value", add("-1/1000000000000000000000000000000000000000000000000"))),
    (16, LOSS, to_worst_loss),
    # multipliers
    *[(17, MAX, put("entries", append(entry))) for entry in NO_ENTRIES],
    (17, MAX, put("privacy.0.3", -1)),
    (17, MAX, put("privacy.1.3", -(10**60))),
    *[(17, MAX, put("privacy", lambda old, entry=entry: sorted([*old, entry]))) for entry in NO_MULTIPLIERS],
    (17, MAX, put("privacy", lambda old: old[::-1])),
    (17, MAX, put("privacy", lambda old: [old[0], *old])),  # twice the same, which costs delta once
    (17, MAX, put("entries", lambda old: [[*place, 2 * price] for *place, price in old])),
    (17, MAX, put("entries", append([9, 0, 1, 2**80]))),
    (17, MAX, put("entries", lambda old: [[*place, 2**80 - 1] for *place, _ in old])),
    (17, LOSS, put("entries", [[0, 0, 1, 1]])),
    # bound
    *[(18, name, put("bound", add(str(F(1, 2**160))))) for name in MADE if name != "no noise"],
    *[(18, name, put("bound", lambda old: str(F(old) * 2))) for name in (MAX, LOSS, WORST, DELTA)],
    *[(18, name, put("privacy", [])) for name in (MAX, LOSS, WORST, DELTA)],
    (18, MAX, put("entries", [])),
    (18, MAX, put("bound", "9" * 999)),
    (18, "no noise", put("bound", "1/" + "9" * 999)),
    (18, WORST, put("weights", [1, 0, 0])),
    (18, SHARES, put("shares.multipliers", [0, 0])),
    (18, SHARES, put("shares.multipliers", lambda old: [-weight for weight in old])),
    (18, SHARES, put("shares.multipliers.0", 10**990)),
    (18, SHARES, drop("shares")),  # a mechanism that need not keep them may be below
]


@pytest.mark.parametrize(("status", "name", "spoil"), WRONG, ids=[f"{wrong[0]}-{n}" for n, wrong in enumerate(WRONG)])
def test_rejected(status: int, name: str, spoil: Callable[[Document], None], tmp_path: Path) -> None:
    document = certificate(name)
    spoil(document)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(document))
    assert alone(checker, str(path)).status == status_of(check, document) == status


@pytest.mark.parametrize("name", MADE)
def test_what_is_accepted_is_rounded_outwards(name: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(_certificate(name))
    said = alone(checker, str(path))
    assert said.status == 0
    value, bound = map(F, CLAIMS.findall(said.out)[0])
    document = certificate(name)
    assert 0 <= value - F(document["value"]) < F(1, 10**12)
    assert 0 <= F(document["bound"]) - bound < F(1, 10**12)


def test_a_bound_says_of_which_mechanisms() -> None:
    """One for shared matrices is none for a matrix each; that for a matrix each holds for all."""
    names = ("max-off-diagonal", "max-off-diagonal, shared")
    own, shared = (checker.statement(checker.check(_certificate(name))) for name in names)
    assert "no private mechanism with these outputs is below" in own
    assert "no private mechanism with these outputs and matrices shared alike is below" in shared
    words = "; with a matrix for each profile one may be"
    assert shared.endswith(words)
    assert words not in own


def test_shares_that_are_missed_by_one_unit() -> None:
    """What keeps its privacy and its value is refused for its shares alone: nothing else is wrong with it."""
    document = certificate("max-off-diagonal, shares")
    assert "no private mechanism that keeps the overall shares with" in checker.statement(
        checker.check(json.dumps(document))
    )
    statuses = Counter[int]()
    for group, rows in enumerate(document["matrices"]):
        for x, row in enumerate(rows):
            for y in range(len(row)):
                changed = copy.deepcopy(document)
                changed["matrices"][group][x] = [weight + (1 if z == y else -1) for z, weight in enumerate(row)]
                with pytest.raises(Rejected) as reason:
                    check(changed)
                statuses[reason.value.status] += 1
                if reason.value.status == 12:
                    del changed["shares"]
                    assert check(changed | {"bound": "-9"})[1] == -9
                    assert "the overall shares are not kept" in str(reason.value)
    assert statuses[12]


def test_each_status_is_tried() -> None:
    stated = {int(number) for number in re.findall(r"\b(1[0-8]|2) [a-zN]", checker.__doc__ or "")}
    assert {status for status, _, _ in WRONG} == stated == {2, *range(10, 19)}


# --- files that are no certificates -----------------------------------------------------------------------------------


def around(key: str, text: str) -> bytes:
    """Return a certificate with other text as the value of a key."""
    return json.dumps(certificate() | {key: "HERE"}).replace('"HERE"', text).encode()


def of_a_certificate(spoil: Callable[[bytes], bytes]) -> Callable[[], bytes]:
    return lambda: spoil(_certificate(MAX).encode())


HOSTILE: dict[str, Callable[[], bytes]] = {
    **{kind: of_a_certificate(spoil) for kind, spoil in NO_JSON.items()},
    "NaN": lambda: around("value", "NaN"),
    "Infinity": lambda: around("bound", "-Infinity"),
    "a long number in escapes": lambda: around("bound", '"-' + "\\u0039" * 5000 + '"'),
    "a less long number in escapes": lambda: around("bound", '"-' + "\\u0039" * 4295 + '"'),
    "an exponent": lambda: around("value", "1e999999999"),
    "an exponent in text": lambda: around("value", '"1e999999999"'),
    "a long integer": lambda: around("matrices", "[[[" + "9" * 10**7 + "]]]"),
    "a long number": lambda: around("value", '"' + "9" * 10**7 + '"'),
    "a long decimal": lambda: around("value", "0." + "9" * 10**7),
    "labels that are one key twice": lambda: around("labels", '{"categories": [{"a": 1, "a": 2}]}'),
    "a key twice within": lambda: around("bound", '{"p": 0, "p": 0}'),
    "10 MB of [ in notes": lambda: around("notes", "[" * 10**7),
    "deep labels": lambda: around("labels", '{"categories": ' + "[" * 901 + "]" * 901 + "}"),
    "deeper labels": lambda: around("labels", '{"categories": ' + "[" * 5001 + "]" * 5001 + "}"),
    "deep edges": lambda: around("edges", "[" * 800 + "]" * 800),
    "deep numbers": lambda: around("value", "[" * 900 + "]" * 900),
    "a lone surrogate": lambda: around("format", '"\\ud800"'),
    "a million empty lists": lambda: around("matrices", "[" + "[]," * 1_000_000 + "[]]"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files(kind: str, tmp_path: Path) -> None:
    """One line on standard error and exit status 2; how soon, test_checker_work.py asks."""
    path = tmp_path / "certificate.json"
    path.write_bytes(HOSTILE[kind]())
    assert alone(checker, str(path)).status == 2


def test_a_message_is_short_though_labels_are_long() -> None:
    document = certificate("no noise")
    document["labels"]["profiles"] = ["a" * 10**6, "b" * 10**6, "c"]
    document |= {"bits": 0, "epsilons": ["0"], "deltas": ["0"]}
    with pytest.raises(Rejected, match="NOT PRIVATE") as reason:
        check(document)
    assert len(str(reason.value)) < 200


@pytest.mark.slow
def test_shares_with_long_denominators_are_not_kept() -> None:
    """As many as there are profiles and categories, each as long as the unit of the losses: gigabytes, if they were."""
    k, d = 150, 60
    document = plain(k, d, [[1, 0, 0]] * d, []) | {"loss_unit": 10**998 + 1, "objective": "expected-loss"}
    tracemalloc.start()
    check(document)
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


# --- e^epsilon --------------------------------------------------------------------------------------------------------

EPSILONS = [
    F(1, 10**300),
    F(1, 3 * 10**60),
    F(1, 2**257),
    F(1, 2**256),
    F(1, 2**200) + F(1, 2**500),
    *(F(2) ** n * (1 + sign * F(1, tiny)) for n in range(-6, 10) for sign in (-1, 0, 1) for tiny in (10**9, 10**90)),
    *(F(n, 7) for n in range(1, 4900, 97)),
    F(10**400 + 7, 3 * 10**399),
    F(1, 2),
    F(22, 7),
    F("0.1"),
    F("699.999999"),
    F(700) - F(1, 10**200),
    F(700),
]


@pytest.mark.parametrize("x", EPSILONS, ids=lambda x: f"{float(x):.17g}")
def test_exp_bounds(x: Fraction) -> None:
    """Around e^x, within 2^-180 relatively: by another series, and by decimal's correctly rounded exponential."""
    low, high = (F(number, 4**300) for number in exp_bounds(x, 300))
    assert low <= exp_at_least(x)
    assert exp_at_most(x) <= high
    assert high - low <= low / 2**180
    with localcontext() as context:
        context.prec = 200
        true = F((Decimal(x.numerator) / Decimal(x.denominator)).exp())  # errs by less than 10^-190, relatively
    assert low <= true * (1 + F(1, 10**150))
    assert true * (1 - F(1, 10**150)) <= high
    assert low < true * (1 - F(1, 2**320)) or x < F(1, 2**100)
    assert high > true * (1 + F(1, 2**320))


@pytest.mark.parametrize("n", [64, 65, 128, 384])
@pytest.mark.parametrize("x", [F(1, 10**300), F(1, 3), F(1), F(699), F(700)])
def test_exp_bounds_are_as_fine_as_asked(x: Fraction, n: int) -> None:
    low, high = exp_bounds(x, n)
    assert F(low, 4**n) <= exp_at_least(x)
    assert exp_at_most(x) <= F(high, 4**n)
    assert (high - low) * 2 ** (n - 20) <= low


def test_exp_bounds_at_0() -> None:
    assert exp_bounds(F(0), 64) == (4**64, 4**64)


# --- what looks wrong and is not --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [MAX, DELTA, "max-off-diagonal, delta", "worst-loss, rectangular"])
def test_prices_given_in_parts_add_up(name: str) -> None:
    document = certificate(name)
    document["entries"] = [
        [*place, part] for *place, weight in document["entries"] for part in (weight // 2, weight - weight // 2)
    ]
    check(document)
    document["bound"] = str(F(document["bound"]) + F(1, 2**149))
    with pytest.raises(Rejected, match="less than the bound"):
        check(document)


@pytest.mark.parametrize("again", [[0, 1], [1, 0]])
def test_an_edge_counts_once(again: list[int]) -> None:
    """Else the number of edges that is printed could be any; and two halves of its delta cost less than the whole."""
    document = certificate(DELTA)
    document["edges"].insert(1, [*again, 0, 0])
    with pytest.raises(
        Rejected, match=r"^edge 1: not of two profiles, an epsilon and a delta, or not in order$"
    ) as reason:
        check(document)
    assert reason.value.status == 11


@pytest.mark.parametrize("bits", [0, 3, 64, 320])
@pytest.mark.parametrize("epsilon", [F(0), F(1, 10**30), F(1, 2), F(7, 3), F(700)])
def test_what_is_taken_for_e_to_the_epsilon(epsilon: Fraction, bits: int) -> None:
    """Integers over 2^bits, of which the one is below and the other above, and both are near it."""
    document = certificate(MAX) | {"epsilons": [str(epsilon)], "bits": bits}
    c = checker.read(json.dumps(document), 10**6)
    checker.check_edges(c)
    low, high = (F(number, 4**600) * 2**bits for number in exp_bounds(epsilon, 600))
    near = 1 + F(1, 2 ** (bits + 44))
    assert c.below[0] <= low < (c.below[0] + 1) * near
    assert (c.above[0] - 1) / near < high <= c.above[0]


def test_an_odd_rational_above() -> None:
    """What it costs is rounded up: here, of one multiplier against a profile that always has one category."""
    document = certificate(MAX) | {"privacy": [[1, 0, 0, 1]], "entries": [], "bits": 90}
    c = checker.read(json.dumps(document), 10**6)
    c.above = [2 * 2**90 + 1]
    checker.check_profiles(c)
    checker.check_matrices(c)
    assert checker.lower_bound(c) == -F(math.ceil((2 + F(1, 2**90)) * 2**80), 2**160)


def test_labels_are_compared_as_they_are_written() -> None:
    document = certificate(MAX)
    document["labels"]["profiles"] = [1, "1", [1]]
    check(document)


def test_the_sentence_of_a_leak() -> None:
    """Which profile against which: here q = (3/4, 1/4) against (1/4, 3/4) and (1, 0)."""
    document = certificate("no noise") | {"bits": 0, "epsilons": ["0"]}
    document |= {"deltas": ["1/2", "1/8"], "edges": [[0, 1, 0, 0], [0, 2, 0, 1]], "privacy": []}
    with pytest.raises(Rejected) as reason:
        check(document)
    assert str(reason.value) == "NOT PRIVATE: profile 1 against profile 3 exceeds delta"


@pytest.mark.parametrize("name", [name for name in MADE if name.startswith("expected-loss")])
def test_a_value_may_be_rounded_up(name: str) -> None:
    """By less than 2^-120, and not down: the value must not be below the objective."""
    document = certificate(name)
    exact = F(document["value"])
    above = F(-(-exact * 2**120 // 1), 2**120)
    assert above - exact < F(1, 2**120)
    document["value"] = str(above)
    assert check(document)[0] == above
    document["value"] = str((exact + above) / 2)
    assert check(document)[0] == (exact + above) / 2
    for other in {above - F(1, 2**120), above + F(1, 2**120)} - {exact}:
        document["value"] = str(other)
        with pytest.raises(Rejected, match="not the objective"):
            check(document)


def test_a_loss_beyond_doubles() -> None:
    document = certificate(WORST)
    document["loss"] = [[10**999 - 1] * 2] * 2
    document["value"], document["bound"] = "9" * 999, "0"
    assert check(document)[0] == F("9" * 999)


def test_a_delta_just_enough() -> None:
    document = certificate("no noise")
    document["deltas"] = ["3/5"]
    check(document)


def test_an_epsilon_beyond_700() -> None:
    """It is certified at 700."""
    made = design(pair(), epsilon="12345.6").certificate
    assert made["epsilons"] == ["700"]
    check(made)


def test_labels_may_be_tuples_in_python_and_lists_in_a_file() -> None:
    result = design(read_graph("metric-grid-5x5"), epsilon="0.5", objective=ExpectedLoss())
    assert result.certificate["labels"]["categories"][0] == [0, 0]
    assert md.check_certificate(result.certificate) == (result.value, result.bound)
    assert check(result.certificate) == (result.value, result.bound)


# --- every leaf -------------------------------------------------------------------------------------------------------


UNSTATED = ("privacy", "entries", "bits")
"""What states nothing of the distributions themselves."""


@pytest.mark.parametrize("name", MADE)
def test_what_is_of_another_kind_is_no_certificate(name: str) -> None:
    """But for labels, which may be anything, and bounds, which need not be there."""
    for place, document in of_other_kinds(certificate(name)):
        without = place[0] == "profiles" and len(place) == 2
        assert status_of(check, document) == 2 or place[0] == "labels" or without, place


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * ("bounds" in one)) for one in MADE])
def test_nothing_false_is_accepted(name: str) -> None:
    """Whatever is changed outside `notes`: rejected, or what the changed file states is true all the same.

    The first place of each kind of place, and every tenth of the others. All places, and new
    certificates: `tests/attack.py certificates`.
    """
    document = certificate(name)
    verdicts: Counter[int] = Counter()
    seen: set[Place] = set()
    for number, (place, value) in enumerate(nodes(document)):
        if not place or (alike(place) in seen and number % 10):
            continue
        seen.add(alike(place))
        for other in of_the_same_kind(value):
            if other == value:
                continue
            changed = replaced(document, place, other)
            status = status_of(check, changed)
            verdicts[status] += 1
            if not status and place[0] not in UNSTATED:
                assert_true(changed)
    assert verdicts[2] > 30
    assert set(verdicts) >= {0, 2, 10, 11, 13, 16} | ({17} if document["privacy"] else set())
    assert (12 in verdicts) == ("shares" in document)
    assert sum(verdicts.values()) > 3 * verdicts[0]
