"""formula_checker.py alone: whatever it accepts is the optimum, and it must say why it rejects the rest."""

import json
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from formulas import MADE, ROOT_3, Document
from optimum import optimum

from mechdesign.certificate import formula_checker
from mechdesign.certificate.formula_checker import Rejected, statement

F = Fraction
FILE = Path(formula_checker.__file__)


def check(document: Document) -> Any:
    return formula_checker.check(json.dumps(document))


def made(name: str) -> Document:
    document: Document = json.loads(json.dumps(MADE[name]))  # no list is part of two
    return document


# --- what is true, in doubles and from the definition -----------------------------------------------------------------


def number(end: Any) -> float:
    """Return an end of an interval; the algebraic ones that tests use are roots of integers."""
    if isinstance(end, dict):
        low, high = (F(one) for one in end["interval"])
        for _ in range(60):
            middle = (low + high) / 2
            values = [sum(a * z**k for k, a in enumerate(end["polynomial"])) for z in (low, middle)]
            low, high = (middle, high) if values[0] * values[1] > 0 else (low, middle)
        return float(low)
    return math.inf if end is None else float(F(end))


def optimum_at(document: Document, z: float) -> float:
    edges = []
    for n, (i, j) in enumerate(document["edges"]):
        own = float(F(document["deltas"][n]))
        if document["parameter"] == "epsilon":
            edges.append((i, j, document["powers"][n] * math.log(z), own))
        else:
            slope, ratio = (float(F(document[key][n])) for key in ("slopes", "ratios"))
            edges.append((i, j, math.log(ratio), own + slope * z))
    groups = [[i for i, own in enumerate(document["groups"]) if own == g] for g in sorted(set(document["groups"]))]
    loss = [[cost / document["loss_unit"] for cost in costs] for costs in document["loss"]]
    weights = document["weights"] if document["objective"] == "expected-loss" else None
    profiles = [[float(F(p)) for p in masses] for masses in document["distributions"]]
    outputs = len(document["outputs"])
    return optimum(profiles, edges, groups, outputs=outputs, loss=loss or None, weights=weights)


def assert_true(document: Document) -> None:
    """Require that the function given is the optimum near both ends of each piece and between."""
    for piece in document["pieces"]:
        start, end = number(piece["from"]), min(number(piece["to"]), number(piece["from"]) + 9)
        for share in (0.0, 0.01, 0.3, 0.7, 0.99, 1.0):
            z = start + share * (end - start)
            up, down = (sum(a * z**k for k, a in enumerate(piece[key])) for key in ("numerator", "denominator"))
            assert up / down == pytest.approx(optimum_at(document, z), abs=1e-7)


@pytest.mark.parametrize("name", MADE)
def test_accepted(name: str) -> None:
    assert "the optimum is exactly this function" in statement(check(MADE[name]))
    assert_true(MADE[name])


# --- one number changed -----------------------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each number of a document."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))
    elif path[0] not in ("format", "parameter", "categories", "outputs", "profiles", "objective", "root"):
        yield path


def put(document: Document, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    *way, last = path
    value: Any = document
    for part in way:
        value = value[part]
    value[last] = change(value[last])


def changed(value: Any, draw: random.Random) -> Any:
    by = draw.choice([F(-2), F(-1), F(1), F(1, 2), F(3)])
    if isinstance(value, int):
        return draw.choice([int(value + draw.choice([-2, -1, 1, 2])), -value, 0])
    return str(F(value or "7") + by) if draw.random() < 0.9 else None


@pytest.mark.parametrize("name", MADE)
def test_one_number_changed_is_rejected_unless_it_is_still_true(name: str) -> None:
    """What is accepted is true, by a linear program in doubles; nearly everything is rejected."""
    draw, kept, tried = random.Random(name), 0, 0
    ways = list(places(MADE[name]))
    for way in draw.sample(ways, min(len(ways), 80)):
        document = made(name)
        put(document, way, lambda value: changed(value, draw))
        if document == MADE[name]:
            continue
        tried += 1
        try:
            check(document)
        except Rejected:
            continue
        kept += 1
        assert_true(document)
    assert tried > 40
    assert kept < tried / 3


# --- one way to be wrong at a time ------------------------------------------------------------------------------------

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
    (LOCAL, at("parameter", ["epsilon"]), 2, "parameter: neither epsilon nor delta"),
    (LOCAL, at("root", True), 2, "root: missing, or not an integer"),
    (LOCAL, at("root", 0), 2, "root: not from 1 to 999"),
    (LOCAL, at("root", 1000), 2, "root: not from 1 to 999"),
    (LOCAL, drop("powers"), 2, "powers: missing, not a list, or not as long as expected"),
    (LOCAL, at("powers", [1, 1]), 2, "powers: missing, not a list, or not as long as expected"),
    (LOCAL, at("powers", [1, 1, True]), 2, "powers: missing, or not an integer"),
    (LOCAL, at("powers", [1, 1, 1.0]), 2, "powers: missing, or not an integer"),
    (LOCAL, at("powers", [1, 1, math.nan]), 2, "powers: missing, or not an integer"),
    (IN_DELTA, drop("slopes"), 2, "slopes: missing, not a list, or not as long as expected"),
    (LOCAL, at("deltas.0", 0), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("deltas.0", "1/0"), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("deltas.0", "1e9"), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("deltas.0", " 1"), 2, "deltas: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("categories.1", "v0"), 2, "no categories, outputs or profiles, or one given twice"),
    (LOCAL, at("outputs.1", "v0"), 2, "no categories, outputs or profiles, or one given twice"),
    (LOCAL, at("profiles.1", "p0"), 2, "no categories, outputs or profiles, or one given twice"),
    (LOCAL, at("objective", "largest"), 2, "an unknown objective, no loss for it, or"),
    (LOCAL, at("objective", "worst-loss"), 2, "an unknown objective, no loss for it, or"),
    (LOCAL, at("outputs.1", "w"), 2, "off the diagonal a loss or unequal outputs"),
    (WORST, at("loss_unit", 0), 2, "an unknown objective, no loss for it, or"),
    (WORST, at("loss", [[0, 1]]), 2, "an unknown objective, no loss for it, or"),
    (WORST, at("loss.1", [0]), 2, "loss: missing, not a list, or not as long as expected"),
    (LOCAL, at("pieces", {}), 2, "pieces: missing, not a list, or not as long as expected"),
    (LOCAL, at("pieces.0", []), 2, "pieces, 0: not an object, or one with a key twice"),
    (LOCAL, at("pieces.0.numerator", None), 2, "pieces, 0: numerator: missing, or not a list of integers"),
    (LOCAL, at("pieces.0.numerator", [True]), 2, "pieces, 0: numerator: missing, or not a list of integers"),
    (LOCAL, at("pieces.0.numerator", ["1"]), 2, "pieces, 0: numerator: missing, or not a list of integers"),
    (LOCAL, at("primal.0.matrices.0.1", None), 2, "primal, 0: matrices: missing, not a list, or not as long"),
    (LOCAL, at("primal.0.matrices.0.0", [[1], [1]]), 2, "primal, 0: matrices: missing, not a list, or not as long"),
    (LOCAL, at("primal.0.excess.0", [[]]), 2, "primal, 0: excess: missing, not a list, or not as long as expected"),
    (LOCAL, at("dual.0.levels", [[[1]]]), 2, "dual, 0: levels: missing, not a list, or not as long as expected"),
    (LOCAL, at("pieces.0.from", 1), 2, "pieces, 0: from: missing, or not text such as 3/10 or 0.3"),
    (LOCAL, at("pieces.0.from", {}), 2, "pieces, 0: from: missing, or not a list of integers"),
    (LOCAL, at("pieces.0.from", root([7], "0", "1")), 2, "pieces, 0: from: a polynomial without roots"),
    (LOCAL, at("pieces.0.from", root([7, 0], "0", "1")), 2, "pieces, 0: from: a polynomial without roots"),
    (SQUARE, ends({"polynomial": [-3, 0, 1]}), 2, "pieces, 0: to: missing, not a list, or not as long as expected"),
    (LOCAL, at("distributions.0.0", "1/2"), 10, "profile 0: not a distribution"),
    (LOCAL, at("distributions.0", ["2", "-1", "0"]), 10, "profile 0: not a distribution"),
    (LOCAL, at("weights", [0, 0, 0]), 10, "weights: not >= 0 with a positive total"),
    (LOCAL, at("weights", [3, -1, 0]), 10, "weights: not >= 0 with a positive total"),
    (LOCAL, at("edges.1", [2, 2]), 11, "edge 1: not two profiles, ratio >= 1, 0 <= delta < 1"),
    (LOCAL, at("edges.1", [3, 1]), 11, "edge 1: not two profiles"),
    (LOCAL, at("edges.1", [0, -1]), 11, "edge 1: not two profiles"),
    (LOCAL, at("powers.1", -1), 11, "edge 1: not two profiles"),
    (LOCAL, at("powers.1", 1000), 11, "edge 1: not two profiles"),
    (LOCAL, at("deltas.1", "1"), 11, "edge 1: not two profiles"),
    (LOCAL, at("deltas.1", "-1/9"), 11, "edge 1: not two profiles"),
    (IN_DELTA, at("ratios.1", "99/100"), 11, "edge 1: not two profiles"),
    (IN_DELTA, at("slopes.1", "-1"), 11, "edge 1: not two profiles"),
    (LOCAL, at("primal.0.matrices.0.0", []), 13, "primal, 0: group 0, row 0: not entries >= 0 whose total is"),
    (LOCAL, at("primal.0.matrices.1.1.0", [2]), 13, "primal, 0: group 1, row 1: not entries >= 0"),
    (LOCAL, at("primal.0.matrices.1.1", [[1], [4, 1], [-3]]), 13, "primal, 0: group 1, row 1: not entries >= 0"),
    (LOCAL, at("groups.2", 3), 14, "profile 2: not a group that has a matrix"),
    (LOCAL, at("groups.2", -1), 14, "profile 2: not a group that has a matrix"),
    (LOCAL, at("primal.0.matrices.1.1", [[], [2, 1], []]), 15,
     'primal, 0: NOT PRIVATE: profile "p1" against profile "p0" exceeds ratio and excess'),
    (SHARED, at("primal.0.excess.0.0.1", [21, 10]), 15, 'profile "p1" against profile "p0" exceeds delta'),
    (SHARED, at("primal.0.excess.0.0.0", [-1]), 15, 'profile "p1" against profile "p0" exceeds ratio and excess'),
    (SHARED, at("primal.0.excess.0.0", []), 15, 'profile "p1" against profile "p0" exceeds ratio and excess'),
    (SHARED, at("primal.0.excess.2.1", []), 15, 'profile "p1" against profile "p2" exceeds ratio and excess'),
    (LOCAL, at("powers.0", 0), 15, 'profile "p1" against profile "p0" exceeds ratio and excess'),
    (DELTA, at("deltas.0", "1/11"), 15, 'profile "a" against profile "b" exceeds delta'),
    (LOCAL, at("primal.0.value", []), 16, "primal, 0: a cost is not proved to be at most the value"),
    (LOCAL, at("primal.0.value", [2]), 16, "primal, 0: the value is not the function of the piece"),
    (LOCAL, at("pieces.0.numerator", [2]), 16, "primal, 0: the value is not the function of the piece"),
    (MEAN, at("primal.0.value", [8, -3]), 16, "primal, 0: a cost is not proved to be at most the value"),
    (WORST, at("loss.0.1", 2), 16, "primal, 0: a cost is not proved to be at most the value"),
    (WORST, at("loss.1.0", 2), 16, "primal, 0: a cost is not proved to be at most the value"),
    (LOCAL, at("dual.0.privacy.0.0.1", [-1]), 17, "dual, 0: edge 0: a multiplier is negative, or above that of its"),
    (LOCAL, at("dual.0.privacy.2.1.1", [-1]), 17, "dual, 2: edge 2: a multiplier".replace("dual, 2", "dual, 0")),
    (SHARED, at("dual.0.deltas.0.0", []), 17, "dual, 0: edge 0: a multiplier is negative, or above that of its"),
    (DELTA, at("dual.0.deltas.0.1", [0]), 17, "dual, 0: edge 0: a multiplier is negative, or above that of its"),
    (LOCAL, at("dual.0.entries.0.0.0", [1]), 17, "dual, 0: entries or weights: negative, not of total 1, on the"),
    (LOCAL, at("dual.0.entries.0.0.1", [3, 1]), 17, "dual, 0: entries or weights: negative, not of total 1"),
    (LOCAL, at("dual.0.entries.0.0", [[], [3, 1], [-1]]), 17, "dual, 0: entries or weights: negative"),
    (LOCAL, at("dual.0.weights", [[1]]), 17, "dual, 0: entries or weights: "),
    (MEAN, at("dual.0.weights", [[1]]), 17, "dual, 0: entries or weights: "),
    (MEAN, at("dual.0.entries.0.0", [[], [1]]), 17, "dual, 0: entries or weights: "),
    (WORST, at("dual.0.entries.1.0", [[1], []]), 17, "dual, 0: entries or weights: "),
    (WORST, at("dual.0.weights", []), 17, "dual, 0: entries or weights: "),
    (WORST, at("dual.0.weights.0", [5, 4]), 17, "dual, 0: entries or weights: "),
    (WORST, at("dual.0.weights.0", [3, 4]), 17, "dual, 0: entries or weights: "),
    (WORST, at("dual.0.weights", [[-1], [9, 8]]), 17, "dual, 0: entries or weights: "),
    (LOCAL, at("dual.0.levels.0.0", [3]), 18, "dual, 0: group 0, row 0: the level is above a price"),
    (LOCAL, at("dual.0.levels.0.1", [1]), 18, "dual, 0: group 0, row 1: the level is above a price"),
    (LOCAL, at("dual.0.levels.0.0", [1]), 18, "dual, 0: what the multipliers prove is not the function of the piece"),
    (MEAN, at("dual.0.levels.1.0", [0, -2]), 18, "dual, 0: what the multipliers prove is not the function of the"),
    (MEAN, at("weights", [1, 2]), 18, "dual, 0: group 0, row 0: the level is above a price"),
    (SQUARE, ends(root([-3, 0, 1], "-2", "2")), 20, "pieces, 0: an end is not the one root within its interval"),
    (SQUARE, ends(root([-3, 0, 1], "3/2", "17/10")), 20, "pieces, 0: an end is not the one root within its interval"),
    (SQUARE, ends(root([-3, 0, 1], "9/5", "17/10")), 20, "pieces, 0: an end is not the one root within its interval"),
    (SQUARE, ends(root([-6, 11, -6, 1], "11/10", "4")), 20, "pieces, 0: an end is not the one root within its"),
    (SQUARE, ends(root([6, -11, 6, -1], "1/2", "7/2")), 20, "pieces, 0: an end is not the one root within its"),
    (SQUARE, ends(root([-2, 1], "2", "3")), 20, "pieces, 0: an end is not the one root within its interval"),
    (SQUARE, ends(root([-2, 1], "1", "2")), 20, "pieces, 0: an end is not the one root within its interval"),
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


@pytest.mark.parametrize(("name", "spoil", "status", "words"), WRONG)
def test_rejected(name: str, spoil: Callable[[Document], None], status: int, words: str) -> None:
    document = made(name)
    spoil(document)
    with pytest.raises(Rejected) as reason:
        check(document)
    assert reason.value.status == status, reason.value
    assert words in str(reason.value)
