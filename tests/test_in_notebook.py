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


def test_a_design_shows_value_bound_and_what_is_released(tmp_path: Path) -> None:
    page = shown(md.design("categorical-chain", epsilon=0.5), tmp_path)
    rows = page.tables["largest off-diagonal entry"]
    assert [row[1] for row in rows[1:3]] == ["0.056684742", "0.056684741"]
    assert "categorical-chain: 3 profiles, 4 categories, 2 edges; epsilon 0.5, delta 0" in page.words
    assert page.tables["P2: the numbers"][1] == ["1", "0.3", "0.317005"]
    assert page.tags["svg"] == 1


def test_an_epsilon_of_python_is_written_as_there(tmp_path: Path) -> None:
    result = md.sweep("categorical-chain", [0.1, 0.3])
    assert "epsilon 0.1, delta 0" in shown(result[0], tmp_path).words
    cells = shown(result, tmp_path).column(CURVE, "epsilon")
    assert cells == ["0.1", "0.3"]


def test_a_design_that_protects_nothing_says_so(tmp_path: Path) -> None:
    page = shown(md.design("categorical-chain", epsilon="inf"), tmp_path)
    assert "Nothing is protected" in page.words


def test_a_mechanism_shows_its_matrices(tmp_path: Path) -> None:
    mechanism = md.design("categorical-chain", epsilon=0.5).mechanism
    page = shown(mechanism, tmp_path)
    assert list(page.tables) == ["P1", "P2", "P3"]
    assert page.tables["P2"][3] == ["3", "0.056685", "0.056685", "0.829946", "0.056685"]
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
    assert shown(coin, tmp_path).tables["The matrix"][1:] == [["no", "0.75", "0.25"], ["yes", "0.25", "0.75"]]


@pytest.mark.parametrize(
    ("epsilon", "tone", "last"),
    [("0.6", "good", "- delta = -0."), ("0.4", "bad", "- delta = 0.0236939")],
)
def test_a_verdict_shows_what_is_tight(epsilon: str, tone: str, last: str, tmp_path: Path) -> None:
    result = md.design("categorical-chain", epsilon=0.5)
    verdict = md.certify(result, epsilon=epsilon)
    page = shown(verdict, tmp_path)
    (rows,) = page.tables.values()
    assert rows[1] == ["tight epsilon, at the delta asked", *map(repr, verdict.epsilon)]
    assert "Worst edge: P2 against P3, on the set of outputs {3}" in page.words
    assert last in page.words
    assert f'<p class="{tone}">' in verdict._repr_html_()


def test_a_sweep_shows_its_curve(tmp_path: Path) -> None:
    """In the order of the epsilons, whatever the order asked for."""
    page = shown(md.sweep("categorical-chain", ["inf", 1, 0.5]), tmp_path)
    assert page.column(CURVE, "epsilon") == ["0.5", "1", "inf"]
    assert page.column(CURVE, "value, at most")[0] == "0.056684742"
    assert page.tags["svg"] >= 1
    assert "no designs" in shown(md.sweep("categorical-chain", []), tmp_path).words


def test_a_formula_shows_its_pieces(tmp_path: Path) -> None:
    page = shown(md.formula("categorical-chain"), tmp_path)
    assert page.column("The pieces", "optimum") == ["(4 - E^2) / (3 (4 + 3 E^2))", "(3 - E) / (9 (1 + E))", "0"]
    assert page.column("The pieces", "to epsilon") == ["0.287682072", "1.09861229", "inf"]
    assert "E = e^epsilon; delta 0" in page.words
    of_delta = shown(md.formula("categorical-chain", ratio="3/2"), tmp_path)
    assert of_delta.tables["The pieces"][0] == ["optimum", "from delta", "to delta"]


@pytest.mark.parametrize(("kind", "long"), [(float, True), (str, False)])
def test_coefficients_that_are_long_are_explained(kind: Callable[[str], object], long: bool, tmp_path: Path) -> None:
    shares = {"a": ["0.62", "0.21", "0.17"], "b": ["0.48", "0.27", "0.25"], "c": ["0.35", "0.31", "0.34"]}
    given = {profile: [kind(share) for share in row] for profile, row in shares.items()}
    graph = md.profile_graph(given, edges=[("a", "b"), ("b", "c")], categories=["no", "some", "yes"])
    assert ("because probabilities are doubles" in shown(md.formula(graph), tmp_path).words) == long


VENDOR = [["9/10", "1/10"], ["1/5", "4/5"]]
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def test_a_mended_mechanism_shows_what_changed(tmp_path: Path) -> None:
    page = shown(md.mend(VENDOR, epsilon=1), tmp_path)
    assert page.column("mean total variation from the given rows", "number")[:2] == ["0.118941422", "0.118941421"]
    (epsilon, *tight), delta = page.tables["What holds"][1:]
    assert (epsilon, tight[0][:7], float(tight[1]) <= 1, delta[2]) == (
        "epsilon, at the delta asked",
        "2.07944",
        True,
        "0.0",
    )
    assert page.tables["Rows that change: 2 of 2"][1:] == [["0", "0.168941422"], ["1", "0.068941422"]]
    assert "on the only pair of profiles" in page.words
    same = shown(md.mend(VENDOR, epsilon=3, objective=md.WorstLoss()), tmp_path)
    assert "nothing is changed" in same.words
    assert list(same.tables) == ["What holds"]


@pytest.mark.parametrize(
    ("epsilon", "lost", "words"),
    [
        ("1.1", ["lost", "0.000260106", "rounded to the nearest"], ""),
        ("1", [], "Nothing is lost or gained: it is not private at that epsilon and delta."),
    ],
)
def test_a_comparison_shows_what_is_given_away(epsilon: str, lost: list[str], words: str, tmp_path: Path) -> None:
    found = md.compare_with_optimal_product(md.mechanism_from_matrix(COIN), epsilon=epsilon)
    page = shown(found, tmp_path)
    (rows,) = page.tables.values()
    assert rows[1] == ["this mechanism", "0.250000000", "rounded up"]
    assert rows[3:] == ([lost] if lost else [])
    assert words in page.words


def test_a_comparison_of_databases_says_so(tmp_path: Path) -> None:
    graph = md.database_graph(["no", "yes"], 2)
    best = md.design(graph, epsilon=1, objective=md.WorstLoss("rows")).mechanism
    page = shown(md.compare_with_optimal_product(best, graph, epsilon=1), tmp_path)
    assert list(page.tables) == ["Expected number of rows that change, for the worst database"]


def test_a_composition_shows_both_epsilons(tmp_path: Path) -> None:
    page = shown(md.compose(COIN, releases=100, delta="1e-6", epsilon="1.1"), tmp_path)
    assert "All 100 releases together satisfy epsilon 94.29" in page.words
    assert "By basic composition: epsilon 110.0." in page.words
    assert "Each release satisfies epsilon 1.1 at delta 1e-08, its share." in page.words
    assert "does NOT satisfy" in shown(md.compose(COIN, epsilon=1), tmp_path).words
    lone = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=[0, 1])
    assert "nobody is protected" in shown(md.compose(COIN, graph=lone), tmp_path).words


def test_estimates_show_shares_and_remarks(tmp_path: Path) -> None:
    page = shown(md.estimate(COIN, [0] * 70 + [1] * 30), tmp_path)
    row = ["all", "0", "0.9000", "0.9000", "0.0923", "0.7083", "1.0000", "interval"]
    assert page.tables["Shares"][1] == row
    mechanism = md.design("categorical-chain", epsilon="0.5").mechanism
    mixed = shown(md.estimate(mechanism, ["1", "2", "2", "3"]), tmp_path)
    assert mixed.tables["Shares"][1][-1] == "bounds"
    assert "only bounds are known" in mixed.words


def test_of_many_estimates_and_rows_the_first_are_shown(tmp_path: Path) -> None:
    groups = [f"g{number % 15}" for number in range(90)]
    page = shown(md.estimate(COIN, [0, 1, 0] * 30, profile=groups), tmp_path)
    assert len(page.tables["Shares"]) == 1 + LISTED
    assert f"the first {LISTED} of 30; --json has all" in page.words
    rows = [[f"{99 * (x == y) + 1}/129" for y in range(30)] for x in range(30)]
    page = shown(md.mend(rows, epsilon=4), tmp_path)
    assert len(page.tables["Rows that change: 30 of 30"]) == 1 + LISTED
    assert f"the first {LISTED} of 30; --json has all" in page.words


def test_hostile_names_are_text(tmp_path: Path) -> None:
    result = md.design(hostile_graph(), epsilon="0.3")
    for value in (result, result.mechanism, md.certify(result, epsilon="0.1")):
        page = shown(value, tmp_path)
        assert page.tags.keys().isdisjoint({"script", "img", "b", "i", "iframe", "object", "embed", "base", "form"})
    assert all(name in shown(result, tmp_path).words for name in HOSTILE[:6])


def test_halves_of_surrogate_pairs() -> None:
    """Notebooks are JSON in UTF-8, which cannot have them."""
    graph = md.profile_graph({"\ud83d": [1, 0], "b": ["1/2", "1/2"]}, edges="all", categories=["x", "y"])
    assert "\\ud83d" in md.design(graph, epsilon=1)._repr_html_().encode().decode()


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


def test_the_style_of_a_part_touches_nothing_around_it() -> None:
    """All its rules are within that of the part; what a report says of the whole page is said of the part."""
    text = md.design("bernoulli-couplet", epsilon=1)._repr_html_()
    style = text.split("<style>")[1].split("</style>")[0]
    assert style.strip().startswith(".mechdesign {")
    assert style.count("{") == style.count("}")
    assert ":root" not in style
    assert "body" not in style.replace("tbody", "")


def test_a_result_is_one_line() -> None:
    result = md.design("categorical-chain", epsilon=0.5)
    assert repr(result.mechanism) == "Mechanism(3 profiles, 4 categories to 4 outputs)"
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
    assert repr(coin) == "Mechanism(2 profiles, 2 categories to 2 outputs, one matrix)"
    assert repr(md.certify(result, epsilon="0.6")) == "Verdict(private, epsilon <= 0.5, delta <= 0, 2 of 3 pairs)"
    assert repr(md.certify(result, epsilon="0.4")).startswith("Verdict(refuted, epsilon <= 0.5, delta <= 0.0285")
    assert repr(md.sweep("categorical-chain", [])) == "Sweep(0 designs)"
