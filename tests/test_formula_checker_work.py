"""formula_checker.py's work is counted, grows with the steps that it takes, and is bounded."""

import json
import sys
from collections import Counter
from typing import Any

import pytest
from formulas import MADE
from hostile_formulas import FAMILIES, plain
from running import steps

from mechdesign.certificate import formula_checker
from mechdesign.certificate.formula_checker import WORK, Rejected, spend

SHARE = 2**10
"""Of forty seconds' work, in these tests forty milliseconds."""
LINES = 8 * 10**8
"""Of the checker, in forty seconds."""
DONE = {
    "algebraic_ends": 0,
    "colliding_polynomials": 0,
    "long_denominators": 0,
    "many_intervals": 0,
    "many_profiles_and_outputs": 13,
}
"""What comes of files that are not refused for the work that they would be."""


def text(family: str) -> str:
    return json.dumps(FAMILIES[family](20_000), separators=(",", ":"))


def outcome(proof: str) -> int:
    """Return the checker's exit status."""
    try:
        formula_checker.check(proof)
    except Rejected as reason:
        return reason.status
    return 0


@pytest.mark.parametrize("family", FAMILIES)
def test_steps_are_counted(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When all that may be spent is spent, no more lines have run than in that time; reading is a few for each byte."""
    monkeypatch.setattr(formula_checker, "WORK", 2**45 // SHARE)
    monkeypatch.setattr(formula_checker, "WORK_PER_BYTE", 0)
    proof = text(family)
    assert steps(formula_checker, lambda: outcome(proof)) <= LINES // SHARE + len(proof)
    assert outcome(proof) == DONE.get(family, 2)


def test_where_the_limit_is(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = json.dumps(MADE["pair, root of 3"])
    work = formula_checker.check(proof).work
    assert 0 < work < WORK // 50
    monkeypatch.setattr(formula_checker, "WORK_PER_BYTE", 0)
    monkeypatch.setattr(formula_checker, "WORK", work + 1)
    assert outcome(proof) == 0
    monkeypatch.setattr(formula_checker, "WORK", work)
    words = "would take too long for a file of this size: too many, too long or too high polynomials"
    with pytest.raises(Rejected, match=words) as reason:
        formula_checker.check(proof)
    assert reason.value.status == 2


def test_every_loop_over_polynomials_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    places: Counter[str] = Counter()

    def counted(c: Any, *rest: Any) -> None:
        spend(c, *rest)
        places[sys._getframe(1).f_code.co_name] += 1

    monkeypatch.setattr(formula_checker, "spend", counted)
    for document in (MADE["pair, root of 3"], MADE["local, in delta"]):
        formula_checker.check(json.dumps(document))
    arithmetic = {"combined", "product", "quotient", "sign", "mapped"}
    assert set(places) == arithmetic | {"check_profiles", "check_dual", "check_primal", "over_one", "nonnegative"}


def test_a_short_file_takes_little_memory() -> None:
    """A thousand rows of zeros for a thousand outputs are one list."""
    n = 1000
    document = plain(n, n) | {"primal": [plain(n, 1)["primal"][0] | {"matrices": [[[]]] * n}]}
    with pytest.raises(Rejected, match="group 0, row 0"):
        formula_checker.check(json.dumps(document))
    c = formula_checker.read(json.dumps(document), 10**6)
    assert len({id(row) for table in c.primal[0].matrices for row in table}) == 1
