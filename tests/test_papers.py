"""Every published result agrees with what is right; how tables, words and what is computed are joined."""

import math
import re
from fractions import Fraction

import pytest

from mechdesign.papers import RESULTS, ROWS, Claim, nd
from mechdesign.papers.published import agree, reproduced, table, written

STATED = {
    "gc-figure-1a": (0, 6),
    "gc-figure-1b": (0, 0),
    "gc-figure-1c": (0, 14),
    "gc-optimum": (0, 0),
    "gc-observation-9": (0, 5),
    "gc-uniqueness": (0, 0),
    "gc-small-epsilon": (0, 2),
    "gc-theorem-8": (0, 3),
    "gc-composition": (0, 2),
    "gc-bit-versus-categorical": (0, 0),
    "hlm-examples-1-3": (2, 1),
    "hlm-example-2": (9, 0),
    "hlm-sufficient-sets": (0, 4),
    "hlm-theorems-4-5": (0, 1),
    "hlm-theorem-6": (0, 0),
    "hlm-theorem-10": (0, 17),
    "nd-theorem-1": (0, 16),
    "nd-prior": (3, 1),
    "nd-figures-1-4": (0, 14),
    "nd-figure-5": (0, 0),
    "nd-figures-6-8": (0, 2),
    "nd-floor": (0, 0),
    "sm-table-2": (44, 3),
    "sm-table-3": (10, 3),
    "sm-table-4": (38, 1),
    "sm-two-scales": (0, 0),
    "sm-statistics": (3, 2),
    "sm-mending": (0, 1),
}
"""How many rows of each are printed in the paper, and how many claimed there."""
ERRATA = [*(f"0.{n}" for n in range(1, 10)), *(f"2.{n}" for n in range(1, 5)), *(f"3.{n}" for n in range(1, 7))]
ERRATA += [f"4.{n}" for n in range(1, 12)]
WORDS = {name: words for paper in ("gc", "hlm", "nd", "sm") for name, (_, words) in written(paper)[1].items()}


def test_every_name_has_rows_a_table_and_words() -> None:
    tables = [name for paper in ("gc", "hlm", "nd", "sm") for name in table(paper)]
    assert list(RESULTS) == list(ROWS) == list(STATED) == list(WORDS) == tables


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_result(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one test, for a result takes up to two seconds, and each test may have a process of its own.

    With 20,000 simulated answers for each point standard errors are larger, and what agrees with them is the same.
    """
    monkeypatch.setattr(nd, "RUNS", 20_000)
    nd.simulated.cache_clear()
    one = RESULTS[name]()
    nd.simulated.cache_clear()
    assert one.name == name
    assert one.rows
    assert [row.what for row in one.rows if row.agrees is not True] == []
    assert len({row.what for row in one.rows}) >= len(one.rows) - 4  # "there" refers to the row before
    printed = [row for row in one.rows if row.published is not None]
    assert all(isinstance(row.published, str) and re.fullmatch(r"\d+(\.\d+)?", row.published) for row in printed)
    assert not any(row.claimed is not None for row in printed)
    assert (len(printed), sum(row.claimed is not None for row in one.rows)) == STATED[name]
    assert one.words.endswith(".")


@pytest.mark.parametrize("number", ERRATA)
def test_each_erratum_is_told(number: str) -> None:
    assert any(re.search(rf"ERR-{re.escape(number)}\b", words) for words in WORDS.values())


def test_what_the_text_at_hand_may_have_misread_is_not_called_printed() -> None:
    told = [words for name in WORDS for words in WORDS[name].split("ERR-")[1:] if words.startswith(("3.3", "3.4"))]
    assert told
    assert all("the text at hand" in words and "print" not in words for words in told)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([Claim("another", 1)], "sm-mending: the table goes on with 'scale in [0, 100]', not with 'another'"),
        ([], "sm-mending: 'scale in [0, 100]' is in the table, and not computed"),
    ],
)
def test_table_and_rows_go_together(rows: list[Claim], message: str) -> None:
    with pytest.raises(LookupError, match=re.escape(message)):
        reproduced("sm-mending", lambda: rows)


class TestAgree:
    @pytest.mark.parametrize(
        ("computed", "expected", "verdict"),
        [
            (2 / 3, "0.667", True),  # rounded
            (2 / 3, "0.666", False),  # cut off
            (Fraction(1, 8), "0.12", True),  # a tie may go either way
            (Fraction(1, 8), "0.13", True),
            (Fraction(1, 8) + Fraction(1, 10**9), "0.12", False),
            (0.4, "0.000000", False),
            (1 / 3, Fraction(1, 3), True),
            (1 / 3, 1 / 3 + 1e-8, False),
            (math.inf, math.inf, True),
            (1.0, math.inf, False),
            (True, True, True),
            (True, False, False),
            (1, True, False),  # a number is no claim
        ],
    )
    def test_at_the_digits_given(
        self, computed: Fraction | float, expected: str | Fraction | float, verdict: bool
    ) -> None:
        assert agree(computed, expected) is verdict

    def test_reference_decides(self) -> None:
        assert Claim("wrong in print", 0.0, "1.125", "0.000").agrees is True
        assert Claim("wrong here", 1.125, "1.125", "0.000").agrees is False
        assert Claim("right in print", 1.125, "1.125").agrees is True
        assert Claim("nothing known", 1.125).agrees is None
