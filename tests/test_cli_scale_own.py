"""`mechdesign design` where edges have epsilons of their own: what applies is said, and they can be scaled."""

from fractions import Fraction
from pathlib import Path

import pytest
from command import answer, done

from mechdesign import certify, design, read_graph, read_mechanism, scaled, write_graph

F = Fraction


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own(folder: Path) -> list[str]:
    """Graphs of which all edges have an epsilon of their own, and one of two."""
    graph = read_graph("categorical-chain")
    files = ["some.json", "own.json"]
    for name, (_, _, edge), epsilon in zip(files, graph.edges(data=True), ("0.3", "1.7"), strict=True):
        edge["epsilon"] = epsilon
        write_graph(graph, folder / name)
    return files[::-1]


def test_a_sweep_over_multiples(own: list[str]) -> None:
    options = ("--epsilon", "0.5,1,2", "--scale-own")
    found = answer("design", own[0], *options, "--curve", "curve.json", "--plot", "curve.svg", "-o", "made")
    assert found["scale_own"] is True
    assert [(point["edges_asked"], point["scale_own"]) for point in found["points"]] == [(0, True)] * 3
    values = [F(point["value_exact"]) for point in found["points"]]
    graph = read_graph("own.json")
    assert values == [design(scaled(graph, factor), epsilon=0).value for factor in ("0.5", 1, 2)]
    assert values[0] > values[1] > values[2]
    for factor in ("0.5", "1", "2"):
        mechanism = read_mechanism(f"made/epsilon-{factor}.mechanism.json")
        assert certify(mechanism, scaled(graph, factor)).private
        assert mechanism.notes["epsilon"] == f"{F(factor)} times each edge's own"
    assert "multiple of each edge's own epsilon" in Path("curve.svg").read_text()
    assert "own epsilons" in done("design", own[0], *options)
    assert "each edge's own epsilon times 2, delta 0" in done("design", own[0], "--epsilon", "2", "--scale-own")
