"""`mechdesign mechanism k-ary | exponential | product`, certified by `certify`; and the workload that it tells."""

from fractions import Fraction
from pathlib import Path

import pytest
from command import answer, done, refused

import mechdesign as md


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_k_ary() -> None:
    done("mechanism", "k-ary", "a,b", "c", "--epsilon", "1", "--delta", "0.1", "-o", "m.json")
    assert md.read_mechanism("m.json").row("a", "a") == md.k_ary("abc", epsilon=1, delta="0.1").row("a", "a")
    verdict = answer("certify", "m.json", "--epsilon", "1", "--delta", "0.1")
    assert verdict["private"]
    assert verdict["epsilon_lower"] == pytest.approx(1, abs=1e-15)
    assert md.read_mechanism("m.json").notes == {"epsilon": "1", "delta": "0.1", "method": "k-ary"}


@pytest.mark.parametrize(("epsilon", "said"), [("700", []), ("1000", ["700"]), ("inf", [])])
def test_an_epsilon_that_counts_as_a_smaller_one_is_said(epsilon: str, said: list[str]) -> None:
    found = answer("mechanism", "k-ary", "a,b", "--epsilon", epsilon, "-o", "m.json")["warnings"]
    assert found == [
        f"An epsilon above {one} counts as {one}: this is more private than what was asked for." for one in said
    ]


def test_a_response_needs_two_values() -> None:
    """A file's name is not one of them."""
    Path("crash.json").write_text("{}")
    expected = {"crash.json": "crash.json is a file; the values themselves are expected", "yes": "a response needs two"}
    for value, words in expected.items():
        assert f"VALUES: {words}, such as: mechanism k-ary yes no" in refused(
            "mechanism", "k-ary", value, "--epsilon", "1", "-o", "m.json"
        )
    assert not Path("m.json").exists()


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


def test_a_table_of_utilities_with_labels() -> None:
    done("graph", "values", "a,b", "-o", "g.json")
    Path("u.csv").write_text(",low,middle,high\nb,0,1,2\na,2,1,0\n")
    done("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "u.csv", "-o", "m.json")
    mechanism = md.read_mechanism("m.json")
    assert mechanism.outputs == ("low", "middle", "high")
    assert mechanism.row("a", "a")[0] > mechanism.row("a", "a")[2]
    assert mechanism.row("b", "b") == mechanism.row("a", "a")[::-1]


@pytest.mark.slow
def test_a_workload_beyond_doubles() -> None:
    done("mechanism", "k-ary", ",".join(map(str, range(60))), "--ratio", "2", "-o", "m.json")
    assert answer("certify", "m.json", "--workload")["workload"]["every_subset"] == pytest.approx(
        60 * 59 * 2.0**60, rel=1e-9
    )
