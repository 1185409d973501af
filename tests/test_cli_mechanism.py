"""`mechdesign mechanism k-ary | exponential | product`, certified by `certify`; and the workload that it tells."""

from fractions import Fraction
from pathlib import Path

import pytest
from command import answer, done, refused

import mechdesign as md

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- k-ary --------------------------------------------------------------------------------------------------


def test_k_ary() -> None:
    said = done("mechanism", "k-ary", "a,b", "c", "--epsilon", "1", "--delta", "0.1", "-o", "m.json")
    assert "Each of 3 values is kept with probability 0.618505196, or any other reported" in said
    assert md.read_mechanism("m.json").row("a", "a") == md.k_ary("abc", epsilon=1, delta="0.1").row("a", "a")
    verdict = answer("certify", "m.json", "--epsilon", "1", "--delta", "0.1")
    assert verdict["private"]
    assert verdict["epsilon_lower"] == pytest.approx(1, abs=1e-15)
    assert md.read_mechanism("m.json").notes == {"epsilon": "1", "delta": "0.1", "method": "k-ary"}


def test_k_ary_of_a_ratio_is_exact() -> None:
    found = answer("mechanism", "k-ary", "1", "2", "--ratio", "3", "-o", "m.json")
    assert (found["kept_exact"], found["values"]) == ("3/4", 2)
    assert "epsilon" not in md.read_mechanism("m.json").notes


# --- product ------------------------------------------------------------------------------------------------


def test_the_product_of_a_k_ary_parent_is_optimal() -> None:
    """[HLM], Theorem 10, at the reference values m = 3, n = 2, epsilon = 1: 0.847766230468."""
    done("mechanism", "k-ary", "a,b,c", "--epsilon", "1", "-o", "row.json")
    found = answer("mechanism", "product", "row.json", "--rows", "2", "-o", "m.json")
    assert found["changed"] == pytest.approx(0.847766230468, abs=1e-12)
    assert found["least"] == pytest.approx(found["changed"], abs=1e-12)
    assert found["least"] <= Fraction(found["changed_exact"])
    assert found["epsilon_upper"] == pytest.approx(1)
    done("graph", "database", "a,b,c", "--rows", "2", "-o", "g.json")
    said = done("certify", "m.json", "--graph", "g.json", "--epsilon", "1")
    assert "Certified: private on 18 edges: 18 of 36 pairs of profiles; " in said
    assert "lost 0.000000000" in said


def test_a_million_rows_need_no_list() -> None:
    done("mechanism", "k-ary", "a,b", "--ratio", "3", "--delta", "0.2", "-o", "row.json")
    said = done("mechanism", "product", "row.json", "--rows", "1000000", "--delta", "0.2")
    assert "Each of 1,000,000 rows by itself through row.json: all together are as private as one." in said
    assert "this mechanism 200000.000000000" in said
    assert "no mechanism as private is below 199999.99" in said
    assert "Written" not in said


def test_a_parent_of_ones_own_may_be_a_matrix() -> None:
    """It is held against the best that is as private; one that never hides anything against nothing."""
    Path("row.csv").write_text("0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n")
    found = answer("mechanism", "product", "row.csv", "--rows", "5")
    assert found["changed_exact"] == "2"
    assert 0 < found["least"] < 2
    assert found["mechanism"] is None
    Path("row.csv").write_text("1,0\n0,1\n")
    found = answer("mechanism", "product", "row.csv", "--rows", "5")
    assert (found["epsilon_lower"], found["changed"], found["least"]) == (None, 0, 0)


# --- exponential --------------------------------------------------------------------------------------------


def test_the_exponential_mechanism_of_a_named_utility() -> None:
    done("graph", "counting", "3", "-o", "g.json")
    asked = ("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "absolute", "-o", "m.json")
    said = done(*asked)
    assert "Utilities are multiplied by 0.5." in said
    assert "this mechanism 0.835252425" in said
    assert answer("certify", "m.json", "--graph", "g.json", "--epsilon", "1")["private"]
    found = answer(*asked)
    assert found["expected_loss"] < found["worst_loss"]


def test_on_databases_it_is_the_optimal_product() -> None:
    """Theorem 4 of [HLM]: with the utility that counts rows nothing is lost, and no factor of two is."""
    done("graph", "database", "no,yes", "--rows", "3", "-o", "g.json")
    done("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "rows", "-o", "m.json")
    assert "lost 0.000000000" in done("certify", "m.json", "--graph", "g.json", "--epsilon", "1")


def test_a_table_of_utilities_with_labels() -> None:
    done("graph", "values", "a,b", "-o", "g.json")
    Path("u.csv").write_text(",low,middle,high\nb,0,1,2\na,2,1,0\n")
    done("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "u.csv", "-o", "m.json")
    mechanism = md.read_mechanism("m.json")
    assert mechanism.outputs == ("low", "middle", "high")
    assert mechanism.row("a", "a")[0] > mechanism.row("a", "a")[2]
    assert mechanism.row("b", "b") == mechanism.row("a", "a")[::-1]


# --- the workload -------------------------------------------------------------------------------------------


def test_the_workload_of_example_2() -> None:
    """[HLM], Example 2, as it should be: ERR-2.1."""
    done("graph", "database", "0,1,2", "--rows", "2", "-o", "g.json")
    Path("u.csv").write_text(
        "\n".join(
            ",".join(str(-abs(a - c) - abs(b - d)) for c in range(3) for d in range(3))
            for a in range(3)
            for b in range(3)
        )
    )
    done("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "u.csv", "-o", "m.json")
    asked = ("certify", "m.json", "--graph", "g.json", "--epsilon", "1", "--workload")
    said = done(*asked)
    assert "every set of outputs: the definition 18,360" in said
    assert "Theorem 2 924" in said
    assert "Corollary 1 " in said
    assert "what decided here 36" in said
    workload = answer(*asked)["workload"]
    assert (workload["pairs"], workload["sizes"]) == (36, {"3": 24, "6": 12})
    assert "Corollary 1" not in done(*asked, "--delta", "0.1")
    assert "workload" not in answer(*asked[:-1])


def test_a_workload_beyond_doubles() -> None:
    done("mechanism", "k-ary", ",".join(map(str, range(60))), "--ratio", "2", "-o", "m.json")
    assert "every set of outputs: the definition 4.08134e+21" in done("certify", "m.json", "--workload")
    assert answer("certify", "m.json", "--workload")["workload"]["every_subset"] == pytest.approx(
        60 * 59 * 2.0**60, rel=1e-9
    )


def test_a_workload_that_takes_too_long_is_refused() -> None:
    done("mechanism", "k-ary", ",".join(map(str, range(200))), "--ratio", "2", "-o", "m.json")
    assert "too large: the workload of 7,960,000 outputs of ordered pairs" in refused("certify", "m.json", "--workload")
