"""Closed forms of the papers derived by machine: what passes, what does not, and that they are the right ones."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.certificate import formula_checker
from mechdesign.closed_form.one_bit_cluster import flip_probability
from mechdesign.papers.derived import NOTHING, Form, derived
from mechdesign.papers.gc_bits import corrected
from mechdesign.papers.gc_chain import FORMS

CHAIN = list(FORMS)
MEANS = st.fractions(0, 1, max_denominator=12)


def verdicts(*expected: Form) -> list[bool | None]:
    return [row.agrees for row in derived("chain", md.formula("categorical-chain"), expected)]


def test_a_form_may_be_written_in_any_way() -> None:
    first = Form([Fraction(-4, 7), 0, Fraction(1, 7)], [Fraction(-12, 7), 0, Fraction(-9, 7)], Fraction(4, 3))
    assert verdicts(*CHAIN) == verdicts(first, *CHAIN[1:]) == [True, True, True]


@pytest.mark.parametrize(
    ("expected", "agree"),
    [
        ([Form([4, 0, -1], [12, 0, 8], Fraction(4, 3)), *CHAIN[1:]], [False, True, True]),  # another function
        ([CHAIN[0], Form([3, -1], [9, 9], Fraction(2)), NOTHING], [True, False, True]),  # up to elsewhere
        ([CHAIN[0], Form([3, -1], [9, 9]), NOTHING], [True, False, True]),  # without end
        (CHAIN[:2], [False] * 3),  # one too few
        ([*CHAIN, NOTHING], [False] * 3),  # one too many
    ],
)
def test_another_form_does_not_agree(expected: list[Form], agree: list[bool]) -> None:
    assert verdicts(*expected) == agree


def test_what_is_not_proved_does_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(_: str) -> None:
        raise formula_checker.Rejected(1, "spoiled")

    monkeypatch.setattr(formula_checker, "check", reject)
    assert verdicts(*CHAIN) == [False] * 3


@settings(max_examples=35, deadline=None)
@given(st.tuples(MEANS, MEANS).map(sorted), st.fractions(1, 6, max_denominator=12))
def test_the_corrected_observation_9_is_the_closed_form(means: list[Fraction], E: Fraction) -> None:
    p, q = means
    form = next(form for form in corrected(p, q) if form.high is None or form.high >= E)
    above, below = (sum(c * E**k for k, c in enumerate(part)) for part in form[:2])
    if E > 1 or p != q:
        assert Fraction(above) / Fraction(below) == flip_probability(p, q, ratio=E)
