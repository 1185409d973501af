"""`mechdesign design` of one graph: prices of edges, multiples of their own epsilons, and the program in a file."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from command import answer, chain_file, done

import mechdesign as md
from mechdesign.reports.plots import plot_design


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("epsilon", [0.5, 1.25])
def test_what_a_multiple_of_own_epsilons_costs(tmp_path: Path, epsilon: float) -> None:
    path, step = chain_file(tmp_path, edge0={"epsilon": "0.3"}, edge1={"epsilon": "0.5"}), 1e-4
    at = [
        answer("design", path, "--epsilon", repr(multiple), "--scale-own", "--prices")
        for multiple in (epsilon, epsilon + step)
    ]
    asked = at[0]["prices_asked"]["epsilon"]
    assert asked == pytest.approx(sum(p["epsilon"] * own for p, own in zip(at[0]["prices"], (0.3, 0.5), strict=True)))
    assert asked == pytest.approx((at[0]["value"] - at[1]["value"]) / step, rel=1e-3)
    said = done("design", path, "--epsilon", repr(epsilon), "--scale-own", "--prices")
    assert f"As the multiple asked for grows it falls by {asked:.6f}"[:-2] in said


def test_the_picture_of_prices_is_the_graph_with_what_its_edges_cost() -> None:
    done("design", "categorical-chain", "--epsilon", "0.5", "--prices", "--plot", "costs.svg")
    drawn = Path("costs.svg").read_text()
    for words in ("width of an edge: what it costs", "edges that are alike may share it", "categorical-chain"):
        assert words in drawn


@pytest.mark.slow
def test_a_page_says_that_other_shares_are_as_good() -> None:
    """Round a ring all edges are alike; with one matrix for all, each has another price."""
    around = ["1/2", "3/10", "0", "0", "0", "1/5"]
    own = {i: around[-i:] + around[:-i] for i in range(6)}
    graph = md.profile_graph(own, edges=[(i, (i + 1) % 6) for i in range(6)], categories=range(6))
    alike, shared = (md.design(graph, epsilon="0.3", shared=shared) for shared in (False, True))
    assert len({price.epsilon for price in alike.prices()}) == 1
    assert len({round(float(price.epsilon), 3) for price in shared.prices()}) > 1
    Path("c.json").write_text(json.dumps(shared.certificate))
    done("report", "c.json", "-o", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Of pairs that are alike several distributions of it are as right." in page
    assert "edges that are alike may share it otherwise" in page


def test_a_sweep_over_multiples() -> None:
    graph = md.read_graph("categorical-chain")
    for (_, _, edge), epsilon in zip(graph.edges(data=True), ("0.3", "1.7"), strict=True):
        edge["epsilon"] = epsilon
    md.write_graph(graph, "own.json")
    options = ("--epsilon", "0.5,1,2", "--scale-own")
    found = answer("design", "own.json", *options, "--curve", "curve.json", "--plot", "curve.svg", "-o", "made")
    assert [(point["edges_asked"], point["scale_own"]) for point in found["points"]] == [(0, True)] * 3
    values = [Fraction(point["value_exact"]) for point in found["points"]]
    assert values == [md.design(md.scaled(graph, factor), epsilon=0).value for factor in ("0.5", 1, 2)]
    assert values[0] > values[1] > values[2]
    for factor in ("0.5", "1", "2"):
        mechanism = md.read_mechanism(f"made/epsilon-{factor}.mechanism.json")
        assert md.certify(mechanism, md.scaled(graph, factor)).private
        assert mechanism.notes["epsilon"] == f"{Fraction(factor)} times each edge's own"
    assert "multiple of each edge's own epsilon" in Path("curve.svg").read_text()


def test_the_program_of_an_objective_in_cvxpy_is_that_of_the_solver() -> None:
    done("design", "categorical-chain", "--epsilon", "0.5", "--objective", "largest-cost", "--mps", "chain.mps")
    names = json.loads(Path("chain.mps.map.json").read_text(encoding="utf-8"))
    own = [row for row in names["rows"] if row.startswith(("rise", "fall"))]
    assert (len(own), own[0], own[-1]) == (2 * 3 * 4, "rise_0_0", "fall_2_3")
    assert names["rows"]["fall_2_3"] == {"kind": "fall", "profile": "P3", "category": "4"}


def test_encoding_and_labels_of_a_loss() -> None:
    """Read as matrices are: in another encoding, with decimal commas, by the labels, which are in another order."""
    text = ";4;1;3;2\n4;0;1;1;1\n1;1;0;1;0,5\n3;1;1;0;1\n2;1;1;1;0\n"
    Path("loss.csv").write_text(text, encoding="utf-16")
    loss = [[0, "1/2", 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    wanted = md.design("categorical-chain", epsilon=1, objective=md.ExpectedLoss(loss))
    asked = ("--epsilon", "1", "--objective", "expected-loss", "--loss", "loss.csv")
    assert Fraction(answer("design", "categorical-chain", *asked)["value_exact"]) == wanted.value


def test_with_delta_a_bound_may_be_on_mechanisms_that_worst_cases_show_private() -> None:
    """Of two profiles of which little is known sums of worst cases do not show randomised response private."""
    labels = ["no", "maybe", "yes"]
    graph = md.profile_graph({"d": [1, 0, 0], "e": ["0.5", "0.5", 0]}, edges="all", categories=labels)
    graph.nodes["d"]["radius"], graph.nodes["e"]["upper"] = "0.1", [1, 1, 0]
    result = md.design(graph, epsilon=0, delta="0.05")
    assert md.certify(md.k_ary(labels, epsilon=0, delta="0.05"), graph, epsilon=0, delta="0.05").private is None
    assert result.baseline < result.bound  # so this would be false of all private mechanisms
    assert result.adds_worst_cases
    assert "no mechanism so proved below" in plot_design(result).get_suptitle()
