"""One property of every design, on every case: private, valued, proved, optimal, and the nearest of all that are.

The optimum is that of the definition, exactly; the nearest that of a model in cvxpy; privacy and value are from single
rows; the stranger's checker accepts the proof, and rejects it for anything else.
"""

import json
from collections.abc import Iterable
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from cases import FORCED, GRID, METHODS, OPTIONS, PROBLEMS, WAYS, asked_in, modelled, objectives
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private
from oracles.in_cvxpy import closest, targets
from oracles.optimum import optimum_of, value
from pages import without_pictures
from strained import Strained, strained
from strategies import deltas, drawn_objectives, epsilons, profile_graphs

from mechdesign import (
    Design,
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    Rejected,
    WorstLoss,
    check_certificate,
    design,
    read_graph,
    read_mechanism,
    report,
    write_mechanism,
)
from mechdesign.arrays import Floats
from mechdesign.exact.bounds import float_above
from mechdesign.graph.checks import checked
from mechdesign.objective import NAMED_LOSSES, OBJECTIVES, Objective
from mechdesign.show.as_json import as_json
from mechdesign.show.terminal import print_answer


def agree(graph: nx.Graph, best: Fraction | None = None, **asked: Any) -> Design:
    """Return a design that is private, valued and proved to be nearly optimal."""
    made = design(graph, **asked)
    objective, delta = asked.get("objective", MaxOffDiagonal()), Fraction(asked.get("delta", 0))
    assert_private(made.mechanism, checked(graph), Fraction(asked["epsilon"]), delta)
    assert made.value == value(made.mechanism, checked(graph), objective)
    assert made.value == objective.value(made.mechanism)
    assert made.bound <= made.value <= made.bound + max(Fraction(1, 10**9), made.value / 10**8)
    assert made.keeps_shares == asked.get("keep_shares", False)
    assert not made.keeps_shares or kept(made)
    assert best is None or made.bound <= best <= made.value
    assert_proved(made, {key: asked[key] for key in ("epsilon", "delta", "objective") if key in asked})
    return made


def assert_proved(made: Design, asked: dict[str, Any]) -> None:
    proof, objective = json.loads(json.dumps(made.certificate)), made.objective
    if not getattr(objective, "certified", False):
        of_privacy = {key: wanted for key, wanted in asked.items() if key != "objective"}
        assert check_certificate(proof, graph=made.graph, mechanism=made.mechanism, **of_privacy)[0] == 0
        with pytest.raises(Rejected, match=f"no certificate states the objective {objective.name}"):
            check_certificate(proof, graph=made.graph, objective=objective)
        return
    assert check_certificate(proof, graph=made.graph, mechanism=made.mechanism, **asked) == (made.value, made.bound)
    other = WorstLoss() if isinstance(objective, ExpectedLoss | MaxOffDiagonal) else ExpectedLoss()
    with pytest.raises(Rejected):
        check_certificate(proof, graph=made.graph, **asked | {"objective": other})


def kept(made: Design) -> bool:
    """Return whether what all release together is what they have together, in exact arithmetic."""
    nodes = made.graph.nodes.values()
    shares = [Fraction(node.get("weight", 1)) for node in nodes]
    before = [[w * p for p in node["distribution"]] for w, node in zip(shares, nodes, strict=True)]
    after = [[w * q for q in one.fractions()] for w, one in zip(shares, made.mechanism.all_released(), strict=True)]
    return [*map(sum, zip(*before, strict=True))] == [*map(sum, zip(*after, strict=True))]


KINDS: dict[str, dict[str, Any]] = {"own": {}, "shared": {"shared": True}, "kept": {"keep_shares": True}}
KINDS["kept by one matrix"] = KINDS["shared"] | KINDS["kept"]


def keeps(graph: nx.Graph, objective: Any) -> bool:
    """Return whether there are designs for an objective that keep the overall shares."""
    categories = graph.graph["categories"]
    known = isinstance(objective, Objective) and tuple(objective.output_labels(categories)) == tuple(categories)
    return known and list(objective.free_outputs(categories)) == [*range(len(categories))]


def released(made: Design) -> Floats:
    return np.array([list(map(float, one.fractions())) for one in made.mechanism.all_released()])


FEWER = [one for one in GRID if not one[1].endswith(tuple(NAMED_LOSSES)[1:])]
"""With one matrix a named loss is a table like any other; where shares are kept, one name stands for the others."""
CASES = [(kind, *case) for kind, own in KINDS.items() for case in (FEWER if own else GRID)]


@pytest.mark.parametrize(("kind", "problem", "objective"), CASES)
def test_every_objective(kind: str, problem: str, objective: str) -> None:
    graph, asked = asked_in(problem, objective)
    if "keep_shares" in KINDS[kind] and not keeps(graph, asked["objective"]):
        with pytest.raises(InputError, match=r"^keep_shares, --keep-shares: "):
            design(graph, **asked, keep_shares=True)
        return
    agree(graph, optimum_of(checked(graph), **asked, **KINDS[kind]), **asked, **KINDS[kind])


@pytest.mark.parametrize("objective", [*objectives("abc"), *modelled()])
def test_what_is_written_of_every_objective(objective: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mechanism's file, JSON, a terminal, a notebook and the page say what was designed."""
    graph, epsilon, delta = PROBLEMS["chain, delta"]
    goal = (objectives(graph.graph["categories"]) | modelled())[objective]
    made = design(graph, epsilon=epsilon, delta=delta, objective=goal)
    write_mechanism(made.mechanism, tmp_path / "m.json")
    read = read_mechanism(tmp_path / "m.json")
    assert all(read.row(i, x) == made.mechanism.row(i, x) for i in graph for x in read.categories)
    told, costs = json.loads(json.dumps(as_json(made.answer()))), made.objective.costs(made.mechanism)
    assert (told["objective"], Fraction(told["value_exact"])) == (made.objective.name, made.value)
    assert [*told["costs"].values()] == [float_above(cost) for cost in costs]
    print_answer(made.answer())
    for shown in (capsys.readouterr().out, made._repr_html_()):
        assert (f"cost: the profile's own {made.objective.cost_words}" in unescape(shown)) == bool(costs)
        assert made.objective.words in unescape(shown)
    if objective in modelled() or " " not in objective or objective.endswith(" hamming"):  # others: names alone
        with without_pictures():
            report(made, path=tmp_path / "page.html")
        assert "PASSED" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("objective", objectives("abc"))
def test_every_method(objective: str, method: str) -> None:
    graph, asked = asked_in("mixed", objective)
    if method == "reference" or isinstance(asked["objective"], Objective):
        agree(graph, optimum_of(graph, **asked), method=method, **asked)
    if keeps(graph, asked["objective"]):
        agree(graph, optimum_of(graph, **asked, keep_shares=True), method=method, **asked, keep_shares=True)


@pytest.mark.parametrize("problem", ["ring", "chain, delta"])
@pytest.mark.parametrize("objective", objectives("abc"))
@pytest.mark.parametrize("kind", ["own", "kept"])
def test_the_nearest(problem: str, objective: str, kind: str) -> None:
    """A face alone has no interior, which cvxpy's solver needs: it may go a little beyond."""
    graph, asked = asked_in(problem, objective)
    goal = asked["objective"]
    if not isinstance(goal, Objective) or (kind == "kept" and not keeps(graph, goal)):
        return
    asked |= KINDS[kind]
    made = design(graph, **asked)
    near = closest(checked(graph), **asked, level=float(made.bound) + 1e-7)
    ours, theirs = (float(((q - targets(graph, goal)) ** 2).sum()) for q in (released(made), near))
    assert theirs - 1e-7 <= ours == pytest.approx(theirs, rel=1e-3, abs=1e-7)


@pytest.mark.slow
@settings(max_examples=35)
@given(st.data(), profile_graphs(own=True), epsilons(), deltas(), st.sampled_from([*KINDS]))
def test_any_graph(data: st.DataObject, graph: nx.Graph, epsilon: Any, delta: Fraction, kind: str) -> None:
    """With edges' own requirements, weights, identical and isolated profiles, by any method."""
    categories = graph.graph["categories"]
    every = st.sampled_from([*objectives(categories).values()])
    objective = data.draw(st.one_of(drawn_objectives(len(categories)), every))
    method = data.draw(st.sampled_from(["auto", "auto", *METHODS])) if isinstance(objective, Objective) else "auto"
    weighed = all(node.get("weight", 1) for node in graph.nodes.values())
    if "keep_shares" in KINDS[kind] and not (keeps(graph, objective) and weighed):
        kind = "own"
    if kind == "kept by one matrix" and not nx.is_connected(graph):
        kind = "kept"
    asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "objective": objective} | KINDS[kind]
    if epsilon in (0, Fraction(1, 100), Fraction(1, 2)):
        agree(graph, optimum_of(graph, **asked), method=method, **asked)
        return
    made = design(graph, method=method, **asked)
    assert_private(made.mechanism, graph, epsilon, delta)
    assert made.value == value(made.mechanism, graph, objective) == objective.value(made.mechanism)
    assert made.bound <= made.value
    assert "keep_shares" not in KINDS[kind] or kept(made)


def one_way(asked: Strained, way: str) -> Design:
    made = agree(asked.graph, **asked.arguments)
    assert made.stats["way"].keys() - {"no noise needed"} == {way} - {"no noise needed"}
    return made


def marked(names: Iterable[str], *slow: str) -> list[Any]:
    """Return names for a parameter, of which some are slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in slow)) for name in names]


@pytest.mark.parametrize("way", marked(WAYS, "pairs that decide; projection", "program by outputs"))
def test_every_way(way: str) -> None:
    asked = strained(WAYS[way])
    if len(asked.graph) < 100:
        one_way(asked, way)
    else:  # of which small ones are forced
        assert asked.design().stats["way"] == {way: 1}


@pytest.mark.parametrize("way", OPTIONS)
def test_every_way_that_is_asked_for(way: str) -> None:
    name, options = OPTIONS[way]
    asked = strained(name)
    made = design(asked.graph, **asked.arguments, **options)
    assert made.stats["way"].keys() == {way}
    assert_private(made.mechanism, asked.graph, Fraction(asked.arguments["epsilon"]))


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, one in FORCED.items() for name in one.designs])
def test_every_way_forced(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found is the same as by the usual way."""
    asked = strained(name)
    usual = design(asked.graph, **asked.arguments)
    FORCED[kind].force(monkeypatch)
    forced = one_way(asked, FORCED[kind].way)
    assert forced.stats["any_optimum"] == usual.stats["any_optimum"] == 0
    assert float(forced.value) == pytest.approx(float(usual.value), rel=3e-9, abs=1e-9)
    np.testing.assert_allclose(released(forced), released(usual), rtol=0, atol=FORCED[kind].apart)


@pytest.mark.parametrize(
    "kind", [kind for kind in FORCED if not kind.startswith(("large, ", "by outputs", "projection "))]
)
def test_every_way_forced_keeps_the_shares(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ways that take profiles apart are not gone then; the others find the same."""
    asked = strained(FORCED[kind].designs[-1])
    usual = agree(asked.graph, **asked.arguments, keep_shares=True)
    FORCED[kind].force(monkeypatch)
    forced = agree(asked.graph, **asked.arguments, keep_shares=True)
    assert forced.stats["any_optimum"] == usual.stats["any_optimum"] == 0
    assert float(forced.value) == pytest.approx(float(usual.value), rel=3e-9, abs=1e-9)
    np.testing.assert_allclose(released(forced), released(usual), rtol=0, atol=3e-7)


def test_every_objective_has_a_case() -> None:
    assert {type(one) for one in objectives("abc").values()} == {*OBJECTIVES.values()}


@pytest.mark.parametrize("epsilon", ["0.25", "0.5", "1"])
@pytest.mark.parametrize("name", ["categorical-chain", "resource-usage"])
def test_a_table_of_squares_has_its_nearest_design(name: str, epsilon: str) -> None:
    """Two equations of transport that followed from each other, but for their rounding, left no correction."""
    size = len(read_graph(name).graph["categories"])
    squares = [[(x - y) ** 2 for y in range(size)] for x in range(size)]
    assert design(name, epsilon=epsilon, objective=ExpectedLoss(squares)).stats["any_optimum"] == 0
