"""`mechdesign design` for profiles known only within bounds."""

import json
from pathlib import Path

import networkx as nx
import pytest
from command import answer, run
from test_robust import example

import mechdesign as md
from mechdesign.reports.design_plot import plot_design


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "graph.json"
    md.write_graph(example(), path)
    return str(path)


def test_it_says_for_whom_it_holds(graph: str) -> None:
    asked = ("design", graph, "--epsilon", "0.5", "--objective", "expected-loss")
    wide, alone = answer(*asked), answer(*asked, "--nominal")
    assert [wide["robust"], alone["robust"]] == [True, False]
    assert wide["value"] > alone["value"]
    told = run(*asked)
    assert told.status == 0
    assert "Private for every distribution within the profiles' bounds" in told.out
    told = run(*asked, "--nominal")
    assert told.status == 0
    out = told.out
    assert "within the profiles' bounds" not in out
    assert out.startswith("The profiles are taken to be as their distributions say; nothing is said of others")
    assert "nothing is said of others within their bounds" in alone["warning"]
    assert wide["warning"] is None


def test_the_certificate_is_checked(graph: str, tmp_path: Path) -> None:
    proof, mechanism = str(tmp_path / "proof.json"), str(tmp_path / "mechanism.json")
    assert run("design", graph, "--epsilon", "0.5", "--certificate", proof, "-o", mechanism).status == 0
    said = run("check", proof, "--graph", graph, "--epsilon", "0.5", "--mechanism", mechanism)
    assert said.status == 0
    assert "for every distribution within the profiles' bounds" in said.out
    assert run("design", graph, "--epsilon", "0.5", "--certificate", proof, "--nominal").status == 0
    said = run("check", proof, "--graph", graph, "--epsilon", "0.5")
    assert said.status == 1
    assert "the certificate has probability 0.5, you have probability 0.45 to 0.55" in said.out


def test_a_curve_is_of_the_one_or_the_other(graph: str, tmp_path: Path) -> None:
    curve = str(tmp_path / "curve.json")
    asked = ("design", graph, "--epsilon", "0.5,1", "--curve", curve)
    told = run(*asked[:4])
    assert told.status == 0
    assert "Private for every distribution within the profiles' bounds" in told.out
    assert [point["robust"] for point in answer(*asked)["points"]] == [True, True]
    assert "nothing is said of others" in answer(*asked[:4], "--nominal")["warning"]
    told = run(*asked, "--nominal")
    assert told.status == 2
    assert f"{curve}: nominal: " in told.err
    md.write_graph(example("0.04"), graph)
    told = run(*asked)
    assert told.status == 2
    assert "the curve is of another one" in told.err


def test_what_cannot_be_had(graph: str, tmp_path: Path) -> None:
    mps = tmp_path / "program.mps"
    said = run("design", graph, "--epsilon", "0.5", "--mps", str(mps))
    assert said.status == 2
    assert "use --nominal too" in said.err
    assert not mps.exists()
    assert run("design", graph, "--epsilon", "0.5", "--mps", str(mps), "--nominal").status == 0
    said = run("design", graph, "--epsilon", "0.5", "--method", "highs")
    assert said.status == 2
    assert "method highs has no form for profiles known only within bounds" in said.err


def test_sanitised_data_say_for_whom_it_is_proved(graph: str, tmp_path: Path) -> None:
    proof, mechanism, data, out = (str(tmp_path / name) for name in ("proof.json", "m.json", "data.csv", "out.csv"))
    kept = md.read_graph(graph)
    profile, category = next(iter(kept)), kept.graph["categories"][0]
    Path(data).write_text(f"who,what\n{profile},{category}\n")
    for options, robust in (((), True), (("--nominal",), False)):
        assert run("design", graph, "--epsilon", "0.5", "--certificate", proof, "-o", mechanism, *options).status == 0
        told = ["sanitise", mechanism, data, "--value", "what", "--profile", "who", "-o", out, "--proof", proof]
        said = run(*told)
        assert said.status == 0
        assert ("within the profiles' bounds" in said.out) is robust
        assert json.loads(Path(out + ".manifest.json").read_text())["robust"] is robust


SURE = {"categories": ["no", "maybe", "yes"]}


@pytest.fixture
def wide(tmp_path: Path) -> str:
    """Two profiles of which little is known: sums of worst cases do not show that randomised response is private."""
    graph = nx.Graph(**SURE)
    graph.add_node("d", distribution=[1, 0, 0], radius="0.1")
    graph.add_node("e", distribution=["0.5", "0.5", 0], upper=[1, 1, 0])
    graph.add_edge("d", "e")
    path = tmp_path / "wide.json"
    md.write_graph(graph, path)
    return str(path)


def test_with_delta_the_bound_is_on_mechanisms_that_worst_cases_show_private(wide: str) -> None:
    result = md.design(wide, epsilon=0, delta="0.05")
    named = md.k_ary(SURE["categories"], epsilon=0, delta="0.05")
    assert md.certify(named, wide, epsilon=0, delta="0.05").private is None
    assert result.baseline < result.bound  # so this would be false of all private mechanisms
    assert result.adds_worst_cases
    for asked in (["0", "--delta", "0.05"], ["0,1", "--delta", "0.05"]):
        told = run("design", wide, "--epsilon", *asked)
        assert told.status == 0
        said = " ".join(told.out.split())
        assert "o mechanism so proved is below" in said
        assert "a private one that this does not show may be below it" in said
        assert "no private mechanism" not in said
        told = run("design", wide, "--epsilon", *asked, "--nominal")
        assert told.status == 0
        said = " ".join(told.out.split())
        assert "o private mechanism is below" in said
        assert "so proved" not in said
    assert "no mechanism so proved below" in plot_design(result).get_suptitle()


def test_without_delta_the_bound_is_on_all_private_mechanisms(wide: str) -> None:
    told = run("design", wide, "--epsilon", "0,1")
    assert told.status == 0
    said = " ".join(told.out.split())
    assert "Private for every distribution within the profiles' bounds" in said
    assert "o private mechanism is below the bound" in said
