"""`mechdesign graph values | counting | grid | database`: what is made, on to sanitised data, and what is refused."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import answer, done

import mechdesign as md


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "graph"),
    [
        (["values", "no", "perhaps,yes"], md.value_graph(["no", "perhaps", "yes"])),
        (["values", "--", "-1", "0", "+3"], md.value_graph([-1, 0, 3])),
        (
            ["values", "0,1,2.5", "--metric", "absolute"],
            md.value_graph(["0", "1", "2.5"], metric=lambda x, y: abs(Fraction(x) - Fraction(y))),
        ),
        (["values", "a,b,c", "--weights", "2,1/2,0"], md.value_graph("abc", weights=[2, "1/2", 0])),
        (["counting", "4"], md.counting_graph(4)),
        (["counting", "4", "--p", "0.2"], md.count.prior_graph(4, "0.2")),
        (["counting", "4", "--p", "beta:2,8"], md.count.prior_graph(4, md.count.Beta(2, 8))),
        (["grid", "2", "3"], md.grid_graph(2, 3)),
        (
            ["grid", "3", "3", "--metric", "manhattan", "--spacing", "0.5", "--within", "1"],
            md.grid_graph(3, 3, metric="manhattan", spacing="0.5", within=1),
        ),
        (["database", "no,yes", "--rows", "3"], md.database_graph(["no", "yes"], 3)),
        (["database", "1", "2", "--rows", "2"], md.database_graph([1, 2], 2)),
    ],
)
def test_a_command_writes_what_the_function_makes(words: list[str], graph: Any) -> None:
    said = done("graph", *words[:1], "-o", "g.json", *words[1:])
    made = md.read_graph("g.json")
    assert (dict(made.nodes), dict(made.edges)) == (dict(graph.nodes), dict(graph.edges))
    assert made.graph["categories"] == graph.graph["categories"]
    sizes = f"{len(graph)} profiles, {len(graph)} categories, {graph.number_of_edges()} edges. "
    assert said.startswith(sizes)
    assert said.endswith("See it with: mechdesign graph show g.json Written: g.json.")
    found = answer("graph", *words[:1], "-o", "g.json", *words[1:])
    assert (found["profiles"], found["edges"], found["graph"]) == (len(graph), graph.number_of_edges(), "g.json")


def test_values_from_a_file() -> None:
    Path("values.txt").write_text("London, UK\n\n Rome \n", encoding="utf-8")
    done("graph", "values", "--file", "values.txt", '"Paris, F"', "-o", "g.json")
    assert list(md.read_graph("g.json")) == ["Paris, F", "London, UK", "Rome"]


def test_points_go_through_design_certificate_and_data() -> None:
    """Labels that are tuples, in every file: a point is written (0, 1) in a table."""
    done("graph", "grid", "1", "3", "-o", "g.json")
    done("design", "g.json", "--epsilon", "1", "--shared", "-o", "m.json", "--certificate", "c.json")
    assert "Certified" in done("certify", "m.json", "--graph", "g.json", "--epsilon", "1")
    assert "accepted" in done("check", "c.json", "--graph", "g.json", "--mechanism", "m.json", "--epsilon", "1")
    Path("d.csv").write_text('place\n"(0, 1)"\n"(0, 2)"\n')
    done("sanitise", "m.json", "d.csv", "--value", "place", "-o", "out.csv", "--proof", "c.json")
    assert set(Path("out.csv").read_text().splitlines()[1:]) <= {f'"(0, {column})"' for column in range(3)}


def test_of_a_graph_without_edges_it_is_said_that_nothing_will_be_protected() -> None:
    assert "no edges, so nothing will be protected" in done("graph", "grid", "1", "1", "-o", "one.json")
    assert "protected" not in done("graph", "grid", "1", "2", "-o", "two.json")
