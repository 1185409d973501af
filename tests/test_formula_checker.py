"""formula_checker.py alone: whatever it accepts is the optimum, and it must say why it rejects the rest."""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command import alone
from formulas import MADE, ROOT_3, Document, local
from hostile_formulas import plain
from oracles.stated import assert_optimal
from spoilt import NO_JSON, of_other_kinds, of_the_same_kinds, status_of

from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.formula_checker import Rejected, statement

F = Fraction
FILE = Path(formula_checker.__file__)


def check(document: Document) -> Any:
    return formula_checker.check(json.dumps(document))


def made(name: str) -> Document:
    document: Document = json.loads(json.dumps(MADE[name]))  # no list is part of two
    return document


SHARES = tuple(F(share) for share in ("0", "1/100", "3/10", "7/10", "99/100", "1"))


def assert_true(document: Document) -> None:
    for share in SHARES:
        assert_optimal(document, share)


@pytest.mark.parametrize("name", MADE)
def test_accepted(name: str) -> None:
    assert " is exactly this function" in statement(check(MADE[name]))
    assert_true(MADE[name])


def test_the_functions_that_the_readme_names_are_there() -> None:
    _, text = FILE.with_name("README.md").read_text(encoding="utf-8").split("# What does each statement rest on?")
    names = set(re.findall(r"`([a-z_]+)`(?:,| \|)", text.partition("\n# ")[0]))
    functions = {name for module in (checker, formula_checker) for name in vars(module)}
    assert {"largest_mean", "between"} <= names <= functions


# --- one place changed ------------------------------------------------------------------------------------------------


QUICK = ("pair, delta", "pair, expected-loss")


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one not in QUICK)) for one in MADE])
def test_nothing_false_is_accepted(name: str) -> None:
    """Whatever stands in the first place of each kind: rejected, or true all the same, by a program in doubles."""
    verdicts: Counter[int] = Counter()
    for place, document in of_the_same_kinds(made(name)):
        if place[0] != "labels":
            status = status_of(check, document)
            verdicts[status] += 1
            if not status:
                assert_true(document)
    assert set(verdicts) >= {0, 2, 10, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22}
    assert sum(verdicts.values()) > 10 * verdicts[0]


def put(document: Document, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    *way, last = path
    value: Any = document
    for part in way:
        value = value[part]
    value[last] = change(value[last])


# --- one way to be wrong at a time ------------------------------------------------------------------------------------

RISES = "pieces, 0: an end is not the root of what rises or falls within its interval"
LOCAL, SHARED, IN_DELTA, ROOT = "local, max-off-diagonal", "local, shared, delta", "local, in delta", "local, root 2"
PAIR, MEAN, WORST, SQUARE = "pair, max-off-diagonal", "pair, expected-loss", "pair, worst-loss", "pair, root of 3"
DELTA = "pair, delta"


def at(place: str, value: Any) -> Callable[[Document], None]:
    """Return what sets one place, such as "pieces.0.from", to a value or to a function of the old one."""
    way = tuple(int(part) if part.isdigit() else part for part in place.split("."))
    return lambda document: put(document, way, value if callable(value) else lambda _: value)


def drop(key: str) -> Callable[[Document], None]:
    return lambda document: document.pop(key)


def ends(end: Any, *, piece: int = 0) -> Callable[[Document], None]:
    """Return what puts an end between two pieces, in all three lists."""

    def spoil(document: Document) -> None:
        for name in ("pieces", "primal", "dual"):
            document[name][piece]["to"] = document[name][piece + 1]["from"] = end

    return spoil


def each(place: str, value: Any) -> Callable[[Document], None]:
    """Return what sets one place of the first piece and intervals alike."""

    def spoil(document: Document) -> None:
        for name in ("pieces", "primal", "dual"):
            at(f"{name}.{place}", value)(document)

    return spoil


def root(polynomial: list[int], low: str, high: str) -> Document:
    return {"polynomial": polynomial, "interval": [low, high]}


WRONG: list[tuple[str, Callable[[Document], None], int, str]] = [
    (LOCAL, at("format", "mechdesign-certificate/1"), 2, "not the proof of a formula"),
    (LOCAL, at("parameter", "rho"), 2, "parameter: neither epsilon nor delta"),
    (LOCAL, at("root", 0), 2, "root: not from 1 to 999"),
    (LOCAL, at("root", 1000), 2, "root: not from 1 to 999"),
    (LOCAL, at("powers", [1, 1, math.nan]), 2, "powers: missing, or not an integer"),
    (IN_DELTA, drop("slopes"), 2, "slopes: missing, not a list, or not as long as expected"),
    (LOCAL, at("deltas.0", "1/0"), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("deltas.0", "1e9"), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("labels.categories.1", "v0"), 2, "no categories, outputs or profiles, or one given twice"),
    (LOCAL, at("labels.outputs.1", "v0"), 2, "no categories, outputs or profiles, or one given twice"),
    (LOCAL, at("objective", "largest"), 2, "an unknown objective, no loss for it, or"),
    (LOCAL, at("objective", "worst-loss"), 2, "an unknown objective, no loss for it, or"),
    (LOCAL, at("labels.outputs.1", "w"), 2, "off the diagonal a loss or unequal outputs"),
    (WORST, at("loss.1", [0]), 2, "loss: missing, not a list, or not as long as expected"),
    (LOCAL, at("primal.0.matrices.0.0", [[1], [1]]), 2, "primal, 0: matrices: missing, not a list, or not as long"),
    (LOCAL, at("primal.0.excess.0", [[]]), 2, "primal, 0: excess: missing, not a list, or not as long as expected"),
    (LOCAL, at("dual.0.levels", [[[1]]]), 2, "dual, 0: levels: missing, not a list, or not as long as expected"),
    (LOCAL, at("pieces.0.from", {}), 2, "pieces, 0: from: missing, or not a list of integers"),
    (LOCAL, at("pieces.0.from", root([7], "0", "1")), 2, "pieces, 0: from: a polynomial without roots"),
    (LOCAL, at("pieces.0.from", root([7, 0], "0", "1")), 2, "pieces, 0: from: a polynomial without roots"),
    (SQUARE, ends({"polynomial": [-3, 0, 1]}), 2, "pieces, 0: to: missing, not a list, or not as long as expected"),
    (LOCAL, at("profiles.0.masses", [0, 0, 0]), 10, "profile 0: not a distribution"),
    (LOCAL, at("profiles.0.masses", [2, -1, 0]), 10, "profile 0: not a distribution"),
    (LOCAL, at("profiles.0.masses", [1, 0]), 2, "masses: missing, not a list, or not as long as expected"),
    (LOCAL, at("weights", [0, 0, 0]), 10, "weights: not >= 0 with a positive total"),
    (LOCAL, at("weights", [3, -1, 0]), 10, "weights: not >= 0 with a positive total"),
    (LOCAL, at("edges.1", [2, 2, 0, 0]), 11, "edge 1: not of two profiles, a ratio and a delta, or not in order"),
    (LOCAL, at("edges.1", [1, 3, 0, 0]), 11, "edge 1: not of two profiles"),
    (LOCAL, at("edges.0", [-1, 0, 0, 0]), 11, "edge 0: not of two profiles"),
    *[(LOCAL, at("edges.1", [0, 2, *places]), 11, "edge 1: not of") for places in ([3, 0], [-1, 0], [0, 3], [0, -1])],
    (LOCAL, at("edges.1", [0, 2]), 2, "edges: missing, not a list, or not as long as expected"),
    (LOCAL, at("powers.1", -1), 11, "not a ratio >= 1 and 0 <= delta < 1"),
    (LOCAL, at("powers.1", 1000), 11, "not a ratio >= 1"),
    (LOCAL, at("deltas.1", "1"), 11, "not a ratio >= 1"),
    (LOCAL, at("primal.0.matrices.0.0", []), 13, "primal, 0: group 0, row 0: not entries >= 0 whose total is"),
    (LOCAL, at("primal.0.matrices.1.1.0", [2]), 13, "primal, 0: group 1, row 1: not entries >= 0"),
    (LOCAL, at("profiles.2.group", 3), 14, "profile 2: not a group that has a matrix"),
    (LOCAL, at("profiles.2.group", -1), 14, "profile 2: not a group that has a matrix"),
    (LOCAL, at("primal.0.matrices.1.1", [[], [2, 1], []]), 15,
     'primal, 0: NOT PRIVATE: profile "p0" against profile "p1" exceeds ratio and excess'),
    (SHARED, at("primal.0.excess.0.0.1", [21, 10]), 15, 'profile "p0" against profile "p1" exceeds delta'),
    (SHARED, at("primal.0.excess.0.0.0", [-1]), 15, 'profile "p0" against profile "p1" exceeds ratio and excess'),
    (DELTA, at("deltas.0", "1/11"), 15, 'profile "a" against profile "b" exceeds delta'),
    (LOCAL, at("primal.0.value", []), 16, "primal, 0: a cost is not proved to be at most the value"),
    (PAIR, at("primal.0.value", [1]), 16, "primal, 0: a cost is not proved to be at most the value"),
    (LOCAL, at("primal.0.value", [2]), 16, "primal, 0: the value is not the function of the piece"),
    (LOCAL, at("pieces.0.numerator", [2]), 16, "primal, 0: the value is not the function of the piece"),
    (LOCAL, at("dual.0.privacy.0.0.1", [-1]), 17, "dual, 0: edge 0: a multiplier is negative, or above that of its"),
    (LOCAL, at("dual.0.privacy.2.1.1", [-1]), 17, "dual, 2: edge 2: a multiplier".replace("dual, 2", "dual, 0")),
    (SHARED, at("dual.0.deltas.0.0", []), 17, "dual, 0: edge 0: a multiplier is negative, or above that of its"),
    (DELTA, at("dual.0.deltas.0.1", lambda price: [price[0] - 1]), 17, "or above that of its delta"),
    (LOCAL, at("dual.0.entries.0.0.0", [1]), 17, "dual, 0: entries or weights: negative, not of total 1, on the"),
    (LOCAL, at("dual.0.entries.0.0.1", [3, 1]), 17, "dual, 0: entries or weights: negative, not of total 1"),
    (LOCAL, at("dual.0.weights", [[1]]), 17, "dual, 0: entries or weights: "),
    (MEAN, at("dual.0.weights", [[1]]), 17, "dual, 0: entries or weights: "),
    (LOCAL, at("dual.0.levels.0.0", [3]), 18, "dual, 0: group 0, row 0: the level is above a price"),
    ("pair, in delta, worst-loss", at("dual.0.levels.0.0", lambda f: [f[0] + 1]), 18, "the level is above a price"),
    (LOCAL, at("dual.0.levels.0.1", [1]), 18, "dual, 0: group 0, row 1: the level is above a price"),
    (LOCAL, at("dual.0.levels.0.0", [1]), 18, "dual, 0: what the multipliers prove is not the function of the piece"),
    (MEAN, at("dual.0.levels.1.0", [0, -2]), 18, "dual, 0: what the multipliers prove is not the function of the"),
    (SQUARE, ends(root([-3, 0, 1], "-2", "2")), 20, RISES),
    (SQUARE, ends(root([-3, 0, 1], "3/2", "17/10")), 20, RISES),
    (SQUARE, ends(root([-3, 0, 1], "9/5", "17/10")), 20, RISES),
    (SQUARE, ends(root([-6, 11, -6, 1], "11/10", "4")), 20, RISES),
    (SQUARE, ends(root([6, -11, 6, -1], "1/2", "7/2")), 20, RISES),
    (SQUARE, ends(root([-2, 1], "2", "3")), 20, RISES),
    (SQUARE, ends(root([-2, 1], "1", "2")), 20, RISES),
    (SQUARE, ends(root([-3, 0, 1], "1", "9/5")), 20, "pieces, 0: it does not end, with room between, after it begins"),
    (PAIR, ends("1"), 20, "pieces, 0: it does not end, with room between, after it begins"),
    (PAIR, ends("1/2"), 20, "pieces, 0: it does not end, with room between, after it begins"),
    (PAIR, ends(None), 20, "pieces, 1: it does not end, with room between, after it begins"),
    (LOCAL, each("0.from", "9/10"), 20, "pieces: the range does not begin at a rational number from 1 on"),
    (IN_DELTA, each("0.from", "-1/10"), 20, "pieces: the range does not begin at a rational number from 0 on"),
    (LOCAL, each("0.from", ROOT_3), 20, "pieces: the range does not begin at a rational number from 1 on"),
    (LOCAL, each("0.to", ROOT_3), 20, "pieces: the range does not begin at a rational number from 1 on"),
    (PAIR, at("pieces.1.from", "31/10"), 21, "pieces, 1: does not begin where the one before ends"),
    (PAIR, at("primal.1.from", "29/10"), 21, "primal, 1: does not begin where the one before ends"),
    (PAIR, at("dual.1.from", ROOT_3), 21, "dual, 1: does not begin where the one before ends"),
    (LOCAL, at("pieces", []), 21, "pieces: no intervals"),
    (LOCAL, at("dual", []), 21, "dual: no intervals"),
    (PAIR, lambda document: document["primal"].pop(), 21, "primal: the intervals do not cover the pieces, or one is"),
    (PAIR, lambda document: document["dual"].pop(0), 21, "dual: the intervals do not cover the pieces, or one is"),
    (PAIR, lambda document: document["pieces"].pop(), 21, "primal: the intervals do not cover the pieces, or one is"),
    (LOCAL, at("primal.0.from", "3/2"), 21, "primal: the intervals do not cover the pieces, or one is in two"),
    (LOCAL, at("dual.0.to", "3/2"), 21, "dual: the intervals do not cover the pieces, or one is in two of them"),
    (LOCAL, at("pieces.0.denominator", []), 22, "pieces, 0: the denominator is not positive"),
    (LOCAL, at("pieces.0.denominator", [-2, -1]), 22, "pieces, 0: the denominator is not positive"),
    (LOCAL, at("pieces.0.denominator", [-2, 1]), 22, "pieces, 0: the denominator is not positive"),
    (LOCAL, at("pieces.0.denominator", [-1, 1]), 22, "pieces, 0: the denominator is not positive"),
    (LOCAL, at("pieces.0.denominator", [4, -4, 1]), 22, "pieces, 0: the denominator is not positive"),
    (LOCAL, at("primal.0.denominator", [-2, 1]), 22, "primal, 0: the denominator is not positive"),
    (PAIR, at("dual.0.denominator", [3, -1]), 22, "dual, 0: the denominator is not positive"),
    (PAIR, at("dual.1.denominator", []), 22, "dual, 1: the denominator is not positive"),
]  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_what_is_of_another_kind_is_no_proof(name: str) -> None:
    """But for labels, which may be anything; and an end may be none, or text."""
    for place, document in of_other_kinds(made(name)):
        assert status_of(check, document) == 2 or place[0] == "labels" or place[-1] in ("from", "to"), place


@pytest.mark.parametrize(("name", "spoil", "status", "words"), WRONG)
def test_rejected(name: str, spoil: Callable[[Document], None], status: int, words: str) -> None:
    document = made(name)
    spoil(document)
    with pytest.raises(Rejected) as reason:
        check(document)
    assert reason.value.status == status, reason.value
    assert words in str(reason.value)


# --- as many intervals and edges as one likes -------------------------------------------------------------------------


def split(document: Document, lists: tuple[str, ...], end: Any) -> Document:
    """Return the proof with the first interval of these lists cut in two."""
    for name in lists:
        first = document[name][0]
        document[name][:1] = [first | {"to": end}, first | {"from": end}]
    return document


ROOT_2, CUBIC = root([-2, 0, 1], "7/5", "3/2"), root([-7, 0, 0, 2], "3/2", "8/5")


@pytest.mark.parametrize("end", ["3/2", ROOT_2, CUBIC, root([4, 0, -4, 0, 1], "7/5", "3/2")])
@pytest.mark.parametrize("lists", [("primal",), ("dual",), ("pieces", "primal", "dual")])
@pytest.mark.parametrize("name", [LOCAL, PAIR, SQUARE, DELTA])
def test_intervals_cut_anywhere(name: str, lists: tuple[str, ...], end: Any) -> None:
    """At a number that is no breakpoint: it is as good a proof, unless the end is no simple way to write it."""
    document = split(made(name), lists, end)
    if end == root([4, 0, -4, 0, 1], "7/5", "3/2"):  # (z^2 - 2)^2 has one sign
        with pytest.raises(Rejected, match="an end is not the root of what rises or falls within its interval"):
            check(document)
    else:
        check(document)


def test_a_piece_is_not_taken_past_its_end() -> None:
    """Not even as far as between the root and the end of its interval; nor is the next one from before it."""
    near = root([-3, 0, 1], "17/10", "9/5")
    for further in (root([-301, 0, 100], "86/50", "9/5"), root([-299, 0, 100], "17/10", "87/50")):
        document = made(SQUARE)
        assert document["pieces"][0]["to"] == near
        ends(further)(document)
        with pytest.raises(Rejected):
            check(document)


@pytest.mark.parametrize(
    ("square", "end"),
    [([25, -30, 9], "5/3"), ([4, 0, -4, 0, 1], root([-2, 0, 1], "7/5", "3/2"))],
    ids=["rational", "algebraic"],
)
def test_where_an_entry_is_0_without_being_negative_an_interval_has_to_end(square: list[int], end: Any) -> None:
    """Elsewhere the halves around its root get shorter and shorter, until the work runs out."""

    def proof(entry: list[int], *between: Any) -> Document:
        document = plain(1, 2, ends=["1", *between, None])
        for part in document["primal"]:
            part |= {"matrices": [[[entry, [1]]]], "denominator": [entry[0] + 1, *entry[1:]]}
        return document

    check(proof(square, end))
    with pytest.raises(Rejected, match="would take too long"):
        check(proof(square))
    check(proof([square[0] + 1, *square[1:]], "4"))  # nowhere 0: a few halves show it, of a bounded interval too


def test_the_polynomial_of_an_end_rises_or_falls_all_over_its_interval() -> None:
    """One that turns within is refused even if it has one root there."""
    turning = [1, 0, -3, 1]  # it turns at 2, its root is near 2.88
    check(plain(ends=["1", root(turning, "5/2", "3"), None]))
    with pytest.raises(Rejected, match=RISES):
        check(plain(ends=["1", root(turning, "3/2", "3"), None]))


def test_a_denominator_may_vanish_where_an_interval_of_the_dual_begins() -> None:
    """As that of multipliers does at epsilon 0: all over (z - 1) more, which is 0 there and nowhere else."""

    def over(f: list[int]) -> list[int]:
        return formula_checker.stripped([b - a for a, b in zip([*f, 0], [0, *f], strict=True)])

    def everywhere(value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], int):
            return over(value)
        return [everywhere(part) for part in value] if isinstance(value, list) else value

    for name, good in (("dual", True), ("primal", True), ("pieces", False)):
        document = made(PAIR)
        part = document[name][0]
        document[name][0] = {key: value if key in ("from", "to") else everywhere(value) for key, value in part.items()}
        if good:
            check(document)
        else:
            with pytest.raises(Rejected, match="pieces, 0: the denominator is not positive"):
                check(document)


def test_rows_that_nobody_uses() -> None:
    """What they are is no matter; a row that one profile of a group has must be there."""
    document = made(LOCAL)
    document["primal"][0]["matrices"][0][2] = [[-7], [0, 3], []]
    check(document)
    for one in document["profiles"]:
        one["group"] = 0
    with pytest.raises(Rejected, match="group 0, row 1: not entries"):
        check(document)


def test_prices_of_a_total_below_1() -> None:
    """They prove as much, where the optimum is 0; a worst loss has weights of total 1."""
    document = made(PAIR)
    document["dual"][1]["entries"][0][0] = [[], [1]]
    check(document)
    document = made(WORST)
    document["dual"][1]["weights"] = [[1], []]
    with pytest.raises(Rejected, match="not of total 1"):
        check(document)


@pytest.mark.parametrize("name", [DELTA, "pair, in delta, worst-loss"])
def test_no_less_excess_will_do(name: str) -> None:
    """It is as small as can be: with a ninth less the mechanism is not private."""
    document = made(name)
    excess = document["primal"][0]["excess"][0][0]
    document["primal"][0] = {
        key: value if key in ("from", "to") else json.loads(re.sub(r"(-?[1-9]\d*)", r"\g<1>0", json.dumps(value)))
        for key, value in document["primal"][0].items()
    }
    check(document)
    document["primal"][0]["excess"][0][0][0] = [9 * a for a in excess[0]]
    with pytest.raises(Rejected, match=r"NOT PRIVATE: .* exceeds ratio and excess"):
        check(document)


def test_nobody() -> None:
    with pytest.raises(Rejected, match="no categories, outputs or profiles, or one given twice"):
        check(plain(0))


def test_weights_of_0() -> None:
    """They are weights, and of a worst loss it does not matter which."""
    document = made(WORST) | {"weights": [0, 3]}
    check(document)
    document = made(MEAN) | {"weights": [0, 3]}
    with pytest.raises(Rejected, match="dual, 0: group 0, row 0: the level is above a price"):
        check(document)
    assert check(MADE[IN_DELTA]).root == 1


def test_one_output_costs_nothing() -> None:
    """Nothing is off the diagonal, and the largest of nothing is 0, not less."""
    document = plain()
    document |= {"objective": "max-off-diagonal", "loss": []}
    document["labels"]["categories"] = [0]
    check(document)
    document["pieces"][0]["numerator"] = document["primal"][0]["value"] = document["dual"][0]["levels"][0][0] = [-1]
    with pytest.raises(Rejected, match="a cost is not proved to be at most the value"):
        check(document)


def test_ratios_and_deltas_with_denominators() -> None:
    """Edges with unlike ones: what is enough for the strictest is enough for all."""
    document = local(3, "max-off-diagonal", parameter="delta", ratio=F(3, 2), delta=("1/10", "1"))
    document["ratios"][1], document["deltas"][2], document["slopes"][0] = "5/3", "1/7", "9/7"
    with pytest.raises(Rejected, match="dual, 0: "):  # which proves too much now
        check(document)
    document["dual"] = made(IN_DELTA)["dual"]
    with pytest.raises(Rejected, match="dual"):
        check(document)
    for key, value in (("ratios", "7/5"), ("deltas", "1/11"), ("slopes", "8/9")):
        stricter = local(3, "max-off-diagonal", parameter="delta", ratio=F(3, 2), delta=("1/10", "1"))
        check(stricter)
        stricter[key][1] = value
        with pytest.raises(Rejected, match="NOT PRIVATE"):
            check(stricter)


# --- hostile files ----------------------------------------------------------------------------------------------------


def text(name: str = LOCAL) -> str:
    return json.dumps(MADE[name])


def around(key: str, value: str) -> bytes:
    """Return a proof with this text as the value of one key."""
    document = made(LOCAL) | {key: "HERE"}
    return json.dumps(document).replace('"HERE"', value).encode()


HOSTILE: dict[str, Callable[[], bytes]] = {
    **{kind: partial(spoil, text().encode()) for kind, spoil in NO_JSON.items()},
    "a certificate": lambda: b'{"format": "mechdesign-certificate/1"}',
    "NaN": lambda: around("loss_unit", "NaN"),
    "Infinity": lambda: around("root", "Infinity"),
    "an exponent": lambda: around("weights", "[1e999999999, 1, 1]"),
    "a long integer": lambda: around("root", "9" * 10**7),
    "a long number in escapes": lambda: around("deltas", '["' + "\\u0039" * 5000 + '", "0", "0"]'),
    "a key twice within": lambda: around("pieces", '[{"from": "1", "from": "1"}]'),
    "500 kB of [ in notes": lambda: around("notes", "[" * 500_000),
    "deep labels": lambda: around("labels", '{"categories": ' + "[" * 5001 + "]" * 5001 + "}"),
    "deep polynomials": lambda: around("primal", "[" * 800 + "]" * 800),
    "an end of ends": lambda: around("pieces", '[{"from": {"polynomial": [1, {"polynomial": []}]}}]'),
    "a lone surrogate": lambda: around("format", '"\\ud800"'),
    "eleven hundred thousand empty lists": lambda: around("dual", "[" + "[]," * 1_100_000 + "[]]"),
    "a high power": lambda: around("powers", "[999999999, 1, 1]"),
    "a root of 0": lambda: around("root", "0"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files(kind: str, tmp_path: Path) -> None:
    """One line on standard error; nothing was proved."""
    path = tmp_path / "proof.json"
    path.write_bytes(HOSTILE[kind]())
    said = alone(formula_checker, str(path))
    assert said.status == (11 if kind == "a high power" else 2)
    assert len(said.err) < 300


def test_how_long_a_file_may_be() -> None:
    document = made(LOCAL)
    for digits in (999, 1000):
        document["notes"] = int("9" * digits)
        if digits == 999:
            check(document)
        else:
            with pytest.raises(Rejected, match="more than 999 digits in a row"):
                check(document)


@pytest.mark.parametrize("again", [[0, 1], [1, 0]])
def test_an_edge_counts_once(again: list[int]) -> None:
    document = plain(3, 1, 2)
    document["edges"] = [[0, 1, 0, 0], [*again, 0, 0]]
    with pytest.raises(
        Rejected, match=r"^edge 1: not of two profiles, a ratio and a delta, or not in order$"
    ) as reason:
        formula_checker.check(json.dumps(document))
    assert reason.value.status == 11


def test_how_much_a_packed_file_may_hold() -> None:
    parts = sum(map(text().count, '[{:,"'))
    padded = text()[:-1] + ', "notes": "' + "[" * (2**19 + 1000 - parts - 6) + '"}'
    formula_checker.check(padded)
    formula_checker.check(padded, 1000)
    with pytest.raises(Rejected, match="unpacks to far more than its own size: unpack it first"):
        formula_checker.check(padded, 999)


def test_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of gzip is unpacked, unless it is spoiled, and no further than a proof may be long."""
    path, packed = tmp_path / "proof.json.gz", gzip.compress(text().encode())
    path.write_bytes(packed)
    assert alone(formula_checker, str(path)).out.startswith("accepted: ")
    for spoiled in (packed[:-9], packed[:20] + b"x" + packed[21:], packed[:2], gzip.compress(b"\xff")):
        path.write_bytes(spoiled)
        assert alone(formula_checker, str(path)).status == 2
    monkeypatch.setattr(formula_checker, "LONGEST", len(text()))
    for long in (packed, text().encode()):
        path.write_bytes(long)
        assert alone(formula_checker, str(path)) == (2, "", "rejected: longer than any proof\n")


def test_statuses_are_those_documented() -> None:
    """Each is said in the docstring, and raised by some test above."""
    source = FILE.read_text()
    raised = {int(found) for found in re.findall(r"(?:require|Rejected)\((\d+),", source)}
    documented = {
        int(found) for found in re.findall(r"(?<![\w^-])(\d+) [a-zN]", source.split('"""')[1].split("status:")[1])
    }
    assert documented == raised | {0, 3}
    assert raised == {status for _, _, status, _ in WRONG}


# --- its words --------------------------------------------------------------------------------------------------------


def words(document: Document) -> list[str]:
    return statement(check(document)).splitlines()


def test_words_for_edges() -> None:
    assert words(MADE[IN_DELTA]) == [
        "accepted: the optimum is exactly this function of delta",
        "delta from 0 to 9/20: (18 - 40 delta)/35",
        "delta from 9/20 to infinity: 0",
        "profiles 3, categories 3; matrices 3, each profile's own; worst-loss",
        "private at e^epsilon 3/2, delta 1/10 + 2 delta, on 3 of 3 pairs",
    ]
    assert words(MADE["pair, in delta"])[-1] == "private at e^epsilon 2, on 1 of 1 pairs"
    assert words(MADE[ROOT])[0].endswith("of z = e^(epsilon/2)")
    assert words(MADE[ROOT])[-1] == "private at 3/2 times epsilon, delta 1/7, on 1 of 1 pairs"
    assert "matrices 1, some shared; max-off-diagonal" in words(MADE[SHARED])[-2]
    assert words(MADE[SHARED])[0].startswith("accepted: the optimum of matrices shared alike is exactly this function")
    assert words(plain())[-1] == "NO EDGES: nobody is protected"
    document = plain(6, 1, 12) | {"powers": list(range(12))}
    document["edges"] = [[*pair, n, 0] for n, (*pair, _, _) in enumerate(document["edges"])]
    assert words(document)[-1].startswith("private at 0 times epsilon, delta 0; or 1 times epsilon, delta 0; or")
    more = "; and 3 more kinds, on 12 of 15 pairs; nothing is proved of the others"
    assert words(document)[-1].endswith("; or 6 times epsilon, delta 0" + more)


def test_many_pieces_and_long_numbers_are_cut() -> None:
    found = words(plain(ends=[*map(str, range(1, 26)), None]))
    assert found[20] == "E from 20 to 21: 0"
    assert found[21] == "and so on: 25 pieces in all"
    long = f"{10**900 + 1}/{10**900}"
    found = words(plain(ends=[long, None]))
    assert len(found[1]) < 350
    assert found[1].endswith("... to infinity: 0")
