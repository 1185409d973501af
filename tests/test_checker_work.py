"""checker.py's work: its steps grow with the size of the file, and what long numbers cost is counted and bounded."""

import json
import sys
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hostile import FAMILIES, Document, bounded, long_denominators, plain
from running import steps

from mechdesign.certificate import checker
from mechdesign.certificate.checker import WORK_PER_BYTE, Rejected

SIZE = 10_000
LONG = sorted(
    family
    for family in FAMILIES
    if (family.startswith(("long", "one")) and family != "long_results") or family == "many_outputs_on_many_edges"
)
"""Those whose numbers are long; the others are just many."""


def text(document: Document) -> str:
    return json.dumps(document, separators=(",", ":"))


def outcome(certificate: str) -> tuple[int, int]:
    """Return the checker's exit status and its work in bits times bits."""
    return examined(certificate)[:2]


def examined(certificate: str) -> tuple[int, int, int]:
    """Return the checker's exit status, its work, and how much it might have been."""
    seen: list[Any] = []

    def spend(c: Any, *rest: Any) -> None:
        seen[:] = [c]
        counted(c, *rest)

    counted = checker.spend
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker, "spend", spend)
        try:
            checker.check(certificate)
        except Rejected as reason:
            return reason.status, *((seen[0].work, seen[0].limit) if seen else (0, 0))
        return 0, seen[0].work, seen[0].limit


def test_a_longer_file_may_take_more_work() -> None:
    """For a megabyte a quarter more: half a second beside two."""
    document = text(FAMILIES["long_denominators"](SIZE))
    short, long = (examined(document + " " * spaces)[2] for spaces in (0, 2**20))
    assert long - short == 2**20 * WORK_PER_BYTE
    assert long > 1.2 * short


@pytest.mark.parametrize("family", FAMILIES)
def test_twice_the_file_is_about_twice_the_steps(family: str) -> None:
    sizes = [SIZE, 2 * SIZE, 4 * SIZE]
    certificates = [text(FAMILIES[family](size)) for size in sizes]
    counts = [steps(checker, partial(outcome, certificate)) for certificate in certificates]
    assert counts[0] > 100
    assert counts[1] <= 2.5 * counts[0]
    assert counts[2] <= 2.5 * counts[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_files_are_worked_through(family: str) -> None:
    """None is turned away at the door, but for groups that are none: value (16) and bound (18) come at the end."""
    expected = {
        "colliding_groups": 14,
        "long_denominators": 16,
        "long_ratios": 18,
        "long_shares": 18,
        "long_worst": 18,
        "shares_of_long_denominators": 12,
        "colliding_set": 13,
        "many_labels": 2,
        "many_empty_lists": 2,
    }
    assert outcome(text(FAMILIES[family](SIZE)))[0] == expected.get(family, 0)


@pytest.mark.parametrize("family", FAMILIES)
def test_steps_are_counted(family: str) -> None:
    """No more lines run than the work that is counted stands for; a second is 2^40 of it, and a few million lines."""
    certificate = text(FAMILIES[family](SIZE))
    seen: list[int] = []
    lines = steps(checker, lambda: seen.append(outcome(certificate)[1]))
    assert lines <= seen[0] / 2**17 + 2 * len(certificate)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_packed_file_asks_for_more_than_its_size_allows(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much it unpacks to."""
    certificate = text(FAMILIES[family](2 * SIZE))
    monkeypatch.setattr(checker, "WORK", 2**30)
    most = 2**30 // 2**17 + 4 * len(certificate)
    with suppress(Rejected):
        assert steps(checker, lambda: checker.check(certificate, 1)) <= most


def test_a_packed_file_of_too_many_parts_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python's objects they take far more room than in the file: 58 kB of lists took 1.5 GB."""
    certificate = text(FAMILIES["many_empty_lists"](SIZE))
    parts = sum(map(certificate.count, '[{:,"'))
    monkeypatch.setattr(checker, "PARTS", parts - 1000)
    assert "unpacks to far more" not in refusal(certificate, 1000)
    assert refusal(certificate, 999) == "it unpacks to far more than its own size: unpack it first"
    assert "unpacks to far more" not in refusal(certificate, 0)


def refusal(certificate: str, size: int) -> str:
    with pytest.raises(Rejected) as reason:
        checker.check(certificate, size)
    assert reason.value.status == 2
    return str(reason.value)


@pytest.mark.parametrize("family", LONG)
def test_too_much_work_is_refused(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a limit of the work that there is; and not at one above it."""
    certificate = text(FAMILIES[family](SIZE))
    status, work = outcome(certificate)
    work -= WORK_PER_BYTE * len(certificate)
    monkeypatch.setattr(checker, "WORK", work + 1)
    assert outcome(certificate)[0] == status
    monkeypatch.setattr(checker, "WORK", work)
    assert outcome(certificate)[0] == 2
    with pytest.raises(Rejected, match="would take too long for a file of this size: too many long numbers"):
        checker.check(certificate)


def test_every_loop_over_long_numbers_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading, rows, what is released, epsilons, edges, losses, means, value, shares, multipliers, worst, prices."""
    places = set()
    counted = checker.spend

    def spend(c: Any, *rest: Any) -> None:
        before = c.work
        counted(c, *rest)
        if c.work > before:
            places.add(sys._getframe(1).f_lineno)

    monkeypatch.setattr(checker, "spend", spend)
    for family in LONG:
        with suppress(Rejected):
            checker.check(text(FAMILIES[family](SIZE)))
    assert len(places) == 21


def test_what_each_output_takes_is_counted() -> None:
    """What is released on it is a call of its own, which takes as long as many multiplications."""
    few, many = (outcome(text(plain(100, 1, [[1] * m], [])))[1] for m in (10, 110))
    assert many - few > 100 * 100 * 24 * 2**16


@pytest.mark.slow
def test_a_mean_of_long_denominators() -> None:
    """It is computed without reducing fractions: a hundred profiles with totals of 998 digits are no trouble."""
    document = long_denominators(200_000)
    costs = [Fraction(row[1], sum(row)) for (row,) in document["matrices"]]
    mean = sum(costs, Fraction(0)) / len(costs)
    above = Fraction(-(-mean.numerator * 2**120 // mean.denominator), 2**120)
    assert outcome(text(document | {"value": str(above)}))[0] == 0
    assert outcome(text(document | {"value": str(above - Fraction(1, 2**120))}))[0] == 16


def test_bounds_are_counted() -> None:
    """Profiles that are known do not pay for what others take."""
    known = plain(3, 2, [[1, 1], [1, 1]], [[0, 1], [1, 2]])
    within = bounded(known, 2, 0)
    (first, cheap), (second, dear) = (outcome(text(one)) for one in (known, within))
    assert (first, second) == (0, 0)
    assert dear - cheap >= 3 * 48 * 2 * 2 * 2**16


def test_what_keeping_the_shares_takes_is_counted() -> None:
    """For each profile and output what it moves, that over the unit of all, and what its multiplier gains."""
    k, m = 3, 40
    free = plain(k, m, [[int(x == y) for y in range(m)] for x in range(m)], [])
    kept = free | {"shares": {"weights": [1] * k, "multipliers": [0] * m}}
    (first, cheap), (second, dear) = (outcome(text(one)) for one in (free, kept))
    assert (first, second) == (0, 0)
    assert dear - cheap >= k * m * (50 + 2 + 9) * 2**16
