"""What a notebook shows: well-formed HTML that loads nothing, short however large a result; names in it are text."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pages
import pytest
from test_report_page import HOSTILE, hostile_graph, many

import mechdesign as md
from mechdesign.reports.in_notebook import MOST_MATRICES
from mechdesign.show.as_blocks import LISTED

LONGEST = 40_000
"""Characters that a result may take in a notebook, its style of some 7,500 among them."""

CURVE = "Largest off-diagonal entry: value, bound and difference"


def shown(value: object, home: Path) -> pages.Page:
    """Return what a notebook shows, after it was put into a page, as a notebook does."""
    text = value._repr_html_()  # type: ignore[attr-defined]
    assert len(text) < LONGEST
    (home / "cell.html").write_text(text, encoding="utf-8")
    page = pages.Page(home / "cell.html")
    assert (page.loaded, page.handlers, page.scripts) == ([], [], [])
    return page


CHAIN = md.design("categorical-chain", epsilon=0.5)
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
MATRIX = md.mechanism_from_matrix(COIN, inputs=["no", "yes"])
DATABASES = md.database_graph(["no", "yes"], 2)
SHARES = {"a": ["0.62", "0.21", "0.17"], "b": ["0.48", "0.27", "0.25"], "c": ["0.35", "0.31", "0.34"]}


def formula_of(number: Callable[[str], object]) -> md.Formula:
    given = {profile: [number(share) for share in row] for profile, row in SHARES.items()}
    return md.formula(md.profile_graph(given, edges=[("a", "b"), ("b", "c")], categories=["no", "some", "yes"]))


@pytest.mark.parametrize(
    ("result", "lines"),
    [
        (
            lambda: CHAIN,
            """categorical-chain: 3 profiles, 4 categories, 2 edges; epsilon 0.5, delta 0
            this mechanism | 0.056684742 | rounded up
            1 | 0.3 | 0.317005""",
        ),
        (
            lambda: CHAIN.mechanism,
            """A mechanism for 3 profiles: 4 categories to 4 outputs.
            3 | 0.056685 | 0.056685 | 0.829946 | 0.056685""",
        ),
        (lambda: MATRIX, "no | 0.75 | 0.25"),
        (
            lambda: md.sweep("categorical-chain", ["inf", 1, 0.1]),  # shown in order
            "0.1 | 0.120847327 | 0.120847326 | 1.21e-10 | 0.243595217\ninf | 0",
        ),
        (lambda: md.sweep("categorical-chain", []), "no designs"),
        (
            lambda: md.formula("categorical-chain"),
            """E = e^epsilon; delta 0
            (3 - E) / (9 (1 + E)) | 4/3 | 3 | 0.287682072 | 1.09861229""",
        ),
        (lambda: md.formula("categorical-chain", ratio="3/2"), "optimum | from delta | to delta"),
        (lambda: formula_of(float), "because probabilities are doubles"),
        (
            lambda: md.compare_with_optimal_product(MATRIX, epsilon="1.1"),
            """this mechanism | 0.250000000 | rounded up
            lost | 0.000260106 | rounded to the nearest""",
        ),
        (
            lambda: md.compare_with_optimal_product(MATRIX, epsilon=1),
            "Nothing is lost or gained: it is not private at that epsilon and delta.",
        ),
        (
            lambda: md.compare_with_optimal_product(
                md.design(DATABASES, epsilon=1, objective=md.WorstLoss("rows")).mechanism, DATABASES, epsilon=1
            ),
            "Expected number of rows that change, for the worst database",
        ),
    ],
    ids=range(11),
)
def test_a_result_shows(result: Callable[[], object], lines: str, tmp_path: Path) -> None:
    """What no command prints; the rest of an answer is told alike everywhere (test_answer.py)."""
    text = shown(result(), tmp_path).text
    for line in lines.splitlines():
        assert line.strip() in text


def test_a_design_has_a_picture_and_short_coefficients_need_no_explanation(tmp_path: Path) -> None:
    assert shown(CHAIN, tmp_path).tags["svg"] == 1
    assert shown(md.sweep("categorical-chain", [1]), tmp_path).tags["svg"] == 1
    assert "because probabilities are doubles" not in shown(formula_of(str), tmp_path).words


def test_of_many_estimates_and_rows_the_first_are_shown(tmp_path: Path) -> None:
    groups = [f"g{number % 15}" for number in range(90)]
    page = shown(md.estimate(COIN, [0, 1, 0] * 30, profile=groups), tmp_path)
    assert len(page.tables["Shares"]) == 1 + LISTED
    assert f"the first {LISTED} of 30; --json has all" in page.words
    rows = [[f"{99 * (x == y) + 1}/129" for y in range(30)] for x in range(30)]
    page = shown(md.mend(rows, epsilon=4), tmp_path)
    assert len(page.tables["Rows that change: 30 of 30"]) == 1 + LISTED
    assert f"the first {LISTED} of 30; --json has all" in page.words


@pytest.mark.slow
def test_hostile_names_are_text(tmp_path: Path) -> None:
    result = md.design(hostile_graph(), epsilon="0.3")
    for value in (result, result.mechanism, md.certify(result, epsilon="0.1")):
        page = shown(value, tmp_path)
        assert page.tags.keys().isdisjoint({"script", "img", "b", "i", "iframe", "object", "embed", "base", "form"})
    assert all(name in shown(result, tmp_path).words for name in HOSTILE[:6])


def test_of_what_is_large_a_part_is_shown(tmp_path: Path) -> None:
    mechanism, _ = many(40, 5)
    page = shown(mechanism, tmp_path)
    assert len(page.tables) == MOST_MATRICES
    assert "The first 4 of 40 matrices." in page.words
    wide, _ = many(3, 30)
    assert "too large to be shown here" in shown(wide, tmp_path).words
    flat = md.mechanism_from_matrix(np.full((30, 30), Fraction(1, 30), dtype=object))
    assert "too large to be shown here" in shown(flat, tmp_path).words
    one = md.design("bernoulli-couplet", epsilon=1)
    page = shown(md.Sweep([one] * 50), tmp_path)
    assert len(page.tables[CURVE]) == 1 + LISTED
    assert f"the first {LISTED} of 50" in page.words
