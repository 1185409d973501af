"""`mechdesign mechanism k-ary | exponential | product`, certified by `certify`; and the workload that it tells."""

from fractions import Fraction
from pathlib import Path

import pytest
from running import Run

import mechdesign as md
from mechdesign.cli.main import main
from mechdesign.objective import NAMED_LOSSES

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def run(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return Run(capsys)


# --- k-ary --------------------------------------------------------------------------------------------------


def test_k_ary(run: Run) -> None:
    said = run("mechanism", "k-ary", "a,b", "c", "--epsilon", "1", "--delta", "0.1", "-o", "m.json")
    assert "Each of 3 values is kept with probability 0.618505196, or any other reported" in said
    assert md.read_mechanism("m.json").row("a", "a") == md.k_ary("abc", epsilon=1, delta="0.1").row("a", "a")
    verdict = run.json("certify", "m.json", "--epsilon", "1", "--delta", "0.1")
    assert verdict["private"]
    assert verdict["epsilon_lower"] == pytest.approx(1, abs=1e-15)
    assert md.read_mechanism("m.json").notes == {"epsilon": "1", "delta": "0.1", "method": "k-ary"}


def test_k_ary_of_a_ratio_is_exact(run: Run) -> None:
    found = run.json("mechanism", "k-ary", "1", "2", "--ratio", "3", "-o", "m.json")
    assert (found["kept_exact"], found["values"]) == ("3/4", 2)
    assert "epsilon" not in md.read_mechanism("m.json").notes


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["a,b"], "expected one of --epsilon (in nats) and --ratio"),
        (["a,b", "--epsilon", "1", "--ratio", "2"], "expected one of --epsilon (in nats) and --ratio"),
        (["a,b", "--epsilon", "low"], "epsilon: expected a number >= 0 (in nats) or inf, found 'low'"),
        (["a,b", "--ratio", "0.5"], "ratio: expected e^epsilon, a number >= 1, found '0.5'"),
        (["a,b", "--epsilon", "1", "--delta", "1"], "delta: expected a number in [0, 1), found '1'"),
        (["--epsilon", "1"], "expected values, found none"),
        ([",".join(map(str, range(1_001))), "--epsilon", "1"], "too large: there would be 1,001 values"),
    ],
)
def test_k_ary_refuses(run: Run, words: list[str], fault: str) -> None:
    assert fault in run.refused("mechanism", "k-ary", *words)


# --- product ------------------------------------------------------------------------------------------------


def test_the_product_of_a_k_ary_parent_is_optimal(run: Run) -> None:
    """[HLM], Theorem 10, at the reference values m = 3, n = 2, epsilon = 1: 0.847766230468."""
    run("mechanism", "k-ary", "a,b,c", "--epsilon", "1", "-o", "row.json")
    found = run.json("mechanism", "product", "row.json", "--rows", "2", "-o", "m.json")
    assert found["changed"] == pytest.approx(0.847766230468, abs=1e-12)
    assert found["least"] == pytest.approx(found["changed"], abs=1e-12)
    assert found["least"] <= Fraction(found["changed_exact"])
    assert found["epsilon_upper"] == pytest.approx(1)
    run("graph", "database", "a,b,c", "--rows", "2", "-o", "g.json")
    said = run("certify", "m.json", "--graph", "g.json", "--epsilon", "1")
    assert "Certified: private on 18 edges: 18 of 36 pairs of profiles; " in said
    assert "lost 0.000000000" in said


def test_a_million_rows_need_no_list(run: Run) -> None:
    run("mechanism", "k-ary", "a,b", "--ratio", "3", "--delta", "0.2", "-o", "row.json")
    said = run("mechanism", "product", "row.json", "--rows", "1000000", "--delta", "0.2")
    assert "Each of 1,000,000 rows by itself through row.json: all together are as private as one." in said
    assert "this mechanism 200000.000000000" in said
    assert "no mechanism as private is below 199999.99" in said
    assert "Written" not in said


def test_a_parent_of_ones_own_may_be_a_matrix(run: Run) -> None:
    """It is held against the best that is as private; one that never hides anything against nothing."""
    Path("row.csv").write_text("0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n")
    found = run.json("mechanism", "product", "row.csv", "--rows", "5")
    assert found["changed_exact"] == "2"
    assert 0 < found["least"] < 2
    assert found["mechanism"] is None
    Path("row.csv").write_text("1,0\n0,1\n")
    found = run.json("mechanism", "product", "row.csv", "--rows", "5")
    assert (found["epsilon_lower"], found["changed"], found["least"]) == (None, 0, 0)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["row.csv", "--rows", "0"], "row.csv: --rows: expected a positive integer, found 0"),
        (["row.csv", "--rows", "12"], "row.csv: 2 values and 12 rows make 2^12 databases, and at most 2000"),
        (
            ["wide.csv", "--rows", "2"],
            "wide.csv: MECHANISM: expected the values (0, 1) as its outputs, found (0, 1, 2)",
        ),
        (["row.csv", "--rows", "2", "--delta", "2"], "delta: expected a number in [0, 1), found '2'"),
        (["chain.json", "--rows", "2"], "chain.json: MECHANISM: expected exactly one profile for each value"),
        (["no.json", "--rows", "2"], "no.json: no such file"),
    ],
)
def test_product_refuses(run: Run, words: list[str], fault: str) -> None:
    Path("row.csv").write_text("0.7,0.3\n0.3,0.7\n")
    Path("wide.csv").write_text("0.7,0.2,0.1\n0.2,0.7,0.1\n")
    md.write_mechanism(md.design("categorical-chain", epsilon=1).mechanism, "chain.json")
    assert fault in run.refused("mechanism", "product", *words)


# --- exponential --------------------------------------------------------------------------------------------


def test_the_exponential_mechanism_of_a_named_utility(run: Run) -> None:
    run("graph", "counting", "3", "-o", "g.json")
    asked = ("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "absolute", "-o", "m.json")
    said = run(*asked)
    assert "Utilities are multiplied by 0.5." in said
    assert "this mechanism 0.835252425" in said
    assert run.json("certify", "m.json", "--graph", "g.json", "--epsilon", "1")["private"]
    found = run.json(*asked)
    assert found["expected_loss"] < found["worst_loss"]


def test_on_databases_it_is_the_optimal_product(run: Run) -> None:
    """Theorem 4 of [HLM]: with the utility that counts rows nothing is lost, and no factor of two is."""
    run("graph", "database", "no,yes", "--rows", "3", "-o", "g.json")
    run("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "rows", "-o", "m.json")
    assert "lost 0.000000000" in run("certify", "m.json", "--graph", "g.json", "--epsilon", "1")


def test_a_table_of_utilities_with_labels(run: Run) -> None:
    run("graph", "values", "a,b", "-o", "g.json")
    Path("u.csv").write_text(",low,middle,high\nb,0,1,2\na,2,1,0\n")
    run("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "u.csv", "-o", "m.json")
    mechanism = md.read_mechanism("m.json")
    assert mechanism.outputs == ("low", "middle", "high")
    assert mechanism.row("a", "a")[0] > mechanism.row("a", "a")[2]
    assert mechanism.row("b", "b") == mechanism.row("a", "a")[::-1]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (
            ["g.json", "--utility", "hammin"],
            f"--utility: expected {', '.join(NAMED_LOSSES)} or a file of numbers; no such",
        ),
        (["g.json", "--utility", "u.csv"], "u.csv: --utility: expected a table of 2 rows"),
        (["g.json", "--utility", "rows"], 'g.json: loss "rows": expected every category to be a database'),
        (["g.json", "--epsilon", "-1"], "mechdesign: --epsilon: expected a number >= 0 (in nats) or inf, found '-1'"),
        (["g.json", "--epsilon", "inf"], "g.json: --utility: no edge of a finite epsilon"),
        (["nowhere.json"], "nowhere.json: no such file, and no shipped graph of that name"),
    ],
)
def test_exponential_refuses(run: Run, words: list[str], fault: str) -> None:
    md.write_graph(md.value_graph("ab"), "g.json")
    Path("u.csv").write_text("0,1\n1,0\n0,0\n")
    asked = words if "--epsilon" in words else [*words, "--epsilon", "1"]
    assert fault in run.refused("mechanism", "exponential", *asked)


# --- the workload -------------------------------------------------------------------------------------------


def test_the_workload_of_example_2(run: Run) -> None:
    """[HLM], Example 2, as it should be: ERR-2.1."""
    run("graph", "database", "0,1,2", "--rows", "2", "-o", "g.json")
    Path("u.csv").write_text(
        "\n".join(
            ",".join(str(-abs(a - c) - abs(b - d)) for c in range(3) for d in range(3))
            for a in range(3)
            for b in range(3)
        )
    )
    run("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", "u.csv", "-o", "m.json")
    asked = ("certify", "m.json", "--graph", "g.json", "--epsilon", "1", "--workload")
    said = run(*asked)
    assert "every set of outputs: the definition 18,360" in said
    assert "Theorem 2 924" in said
    assert "Corollary 1 " in said
    assert "what decided here 36" in said
    workload = run.json(*asked)["workload"]
    assert (workload["pairs"], workload["sizes"]) == (36, {"3": 24, "6": 12})
    assert "Corollary 1" not in run(*asked, "--delta", "0.1")
    assert "workload" not in run.json(*asked[:-1])


def test_a_workload_beyond_doubles(run: Run) -> None:
    run("mechanism", "k-ary", ",".join(map(str, range(60))), "--ratio", "2", "-o", "m.json")
    assert "every set of outputs: the definition 4.08134e+21" in run("certify", "m.json", "--workload")
    assert run.json("certify", "m.json", "--workload")["workload"]["every_subset"] == pytest.approx(
        60 * 59 * 2.0**60, rel=1e-9
    )


def test_a_workload_that_takes_too_long_is_refused(run: Run) -> None:
    run("mechanism", "k-ary", ",".join(map(str, range(200))), "--ratio", "2", "-o", "m.json")
    assert main(["certify", "m.json", "--workload"]) == 2
    assert "too large: the workload of 7,960,000 outputs of ordered pairs" in run.capsys.readouterr().err
