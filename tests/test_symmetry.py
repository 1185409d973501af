"""Classes: exactly equitable, and what is solved by them is what is solved without."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

import mechdesign as md
from mechdesign.bench.families import FAMILIES
from mechdesign.designer import component
from mechdesign.designer.component import components
from mechdesign.exact.numbers import parse_delta, parse_epsilon
from mechdesign.objective import Objective
from mechdesign.privacy.inequalities import directed_edges
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.symmetry.by_classes import by_classes
from mechdesign.symmetry.colour_refinement import given_in
from mechdesign.symmetry.equitable import are_equitable, profile_classes

MAX, MEAN, STEPS, WORST = md.MaxOffDiagonal(), md.ExpectedLoss(), md.ExpectedLoss("absolute"), md.WorstLoss()


def rotated(k: int, delta: str | None = None) -> nx.Graph:
    """A ring of profiles whose distributions are each the next one's, turned by one."""
    counts = [k, *range(1, k)]
    profiles = {i: [Fraction(counts[(y - i) % k], sum(counts)) for y in range(k)] for i in range(k)}
    own = {} if delta is None else {"delta": Fraction(delta)}
    return md.profile_graph(profiles, edges=[(i, (i + 1) % k, own) for i in range(k)], categories=list(range(k)))


def mirrored() -> nx.Graph:
    """Two profiles that are each other's mirror image."""
    masses = [Fraction(n, 10) for n in (5, 3, 2)]
    return md.profile_graph({"a": masses, "b": masses[::-1]}, edges=[("a", "b")], categories=[0, 1, 2])


def coarse(graph: nx.Graph, objective: Objective, epsilon: str = "1", delta: str = "0") -> Problem | None:
    required = requirements(graph, parse_epsilon(epsilon), parse_delta(delta))
    part = components(graph, required, objective, shared=False)[0]
    return by_classes(part.problem, part.prior)


def broken(graph: nx.Graph) -> nx.Graph:
    """The graph with one edge's epsilon larger in one digit."""
    first, second, attributes = next(iter(graph.edges(data=True)))
    other: nx.Graph = graph.copy()
    other.edges[first, second].clear()
    other.edges[first, second]["epsilon"] = Fraction("1.001") * attributes.get("distance", 1)
    return other


CASES: list[Any] = [
    pytest.param(md.value_graph(range(7)), MEAN, "0", id="local"),
    pytest.param(md.value_graph(range(6)), WORST, "1/20", id="local-worst-delta"),
    pytest.param(FAMILIES["grid"].make(16, 16, 1), FAMILIES["grid"].objective(16), "0", id="grid"),
    pytest.param(md.counting_graph(7), STEPS, "1/50", id="count-delta"),
    pytest.param(md.counting_graph(7), MAX, "0", id="count-max"),
    pytest.param(md.database_graph(range(3), 2), md.WorstLoss("rows"), "1/10", id="databases-worst-delta"),
    pytest.param(rotated(5), MEAN, "1/100", id="rotated-delta"),
    pytest.param(rotated(6, "1/30"), WORST, "0", id="rotated-worst"),
    pytest.param(mirrored(), MAX, "1/100", id="mirrored-max-delta"),
    pytest.param(md.value_graph(range(6), weights=range(1, 7)), WORST, "1/20", id="local-worst-delta-weights"),
    pytest.param(md.value_graph(range(6), weights=range(1, 7)), MAX, "0", id="local-max-weights"),
]


def designed(graph: nx.Graph, objective: Objective, delta: str, **options: Any) -> md.Design:
    return md.design(graph, epsilon=1, delta=delta, objective=objective, **options)


@pytest.mark.parametrize("whole", [True, False], ids=["symmetric", "broken"])
@pytest.mark.parametrize(("graph", "objective", "delta"), CASES)
def test_classes_and_single_profiles_agree(
    graph: nx.Graph, objective: Objective, delta: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(graph if whole else broken(graph), objective, delta, whole, monkeypatch)


def heavier(graph: nx.Graph) -> nx.Graph:
    """The graph with one profile's weight larger in one digit."""
    other: nx.Graph = graph.copy()
    other.nodes[next(iter(other))]["weight"] = Fraction("1.001")
    return other


def other_masses(graph: nx.Graph) -> nx.Graph:
    """The graph with one profile's distribution other in one digit."""
    other: nx.Graph = graph.copy()
    masses = other.nodes[next(iter(other))]["distribution"]
    other.nodes[next(iter(other))]["distribution"] = tuple(
        mass + Fraction(step, 1000) for mass, step in zip(masses, [-1, 1, *[0] * len(masses)], strict=False)
    )
    return other


@pytest.mark.parametrize(
    ("graph", "objective"),
    [
        pytest.param(heavier(md.value_graph(range(7))), MEAN, id="local-heavier"),
        pytest.param(heavier(FAMILIES["grid"].make(9, 9, 1)), FAMILIES["grid"].objective(9), id="grid-heavier"),
        pytest.param(other_masses(rotated(5)), MAX, id="rotated-other-masses"),
        pytest.param(other_masses(rotated(5)), MEAN, id="rotated-mean-other-masses"),
        pytest.param(other_masses(mirrored()), STEPS, id="mirrored-other-masses"),
        pytest.param(
            md.value_graph(range(5)),
            md.ExpectedLoss(
                [[Fraction("1.001") if (x, y) == (0, 1) else int(x != y) for y in range(5)] for x in range(5)]
            ),
            id="local-other-loss",
        ),
        pytest.param(FAMILIES["local"].make(6, 6, 1), MEAN, id="local-weights"),
        pytest.param(FAMILIES["components"].make(12, 3, 1), MAX, id="components"),
    ],
)
def test_what_one_digit_tells_apart_is_not_of_one_class(
    graph: nx.Graph, objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(graph, objective, "0", False, monkeypatch)


def agree(graph: nx.Graph, objective: Objective, delta: str, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value, bound and nearest design are the same by classes, which must be there in a `whole` one, and without."""
    found = coarse(graph, objective, delta=delta)
    assert not whole or (found is not None and len(found.sizes) <= found.whole.variables.size // 2)
    lifted = designed(graph, objective, delta)
    monkeypatch.setattr(component, "by_classes", lambda *_: None)
    plain = designed(graph, objective, delta)
    assert float(lifted.value) == pytest.approx(float(plain.value), rel=1e-8)
    assert float(lifted.bound) == pytest.approx(float(plain.bound), rel=1e-8)
    assert lifted.stats["any_optimum"] == plain.stats["any_optimum"] == 0
    # Where a constraint has been weakened in one digit, the plain one is 4e-6 off: its distance is 5e-11 too large.
    there, here = (np.array([one.mechanism.released(profile) for profile in graph], float) for one in (lifted, plain))
    assert abs(there - here).max() <= 1e-5
    assert md.check_certificate(lifted.certificate, graph=graph) == (lifted.value, lifted.bound)
    assert float(lifted.value - lifted.bound) <= 1e-8 * float(lifted.value)


def wrong(graph: nx.Graph, objective: Objective, classes: list[list[int]], prior: list[Fraction] | None = None) -> bool:
    """Return whether classes are found not to be equitable."""
    required = requirements(graph, Fraction(1), Fraction(0))
    part = components(graph, required, objective, shared=False)[0]
    given = given_in(part.problem, part.prior if prior is None else prior)
    edges = directed_edges(required, len(graph))
    groups = profile_classes(np.array(classes))
    return groups is None or not are_equitable(part.problem, edges, given, np.array(classes), groups)


CIRCULANT = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_classes_that_are_equitable_are_taken() -> None:
    assert not wrong(md.value_graph(range(3)), MEAN, CIRCULANT)


@pytest.mark.parametrize(
    ("graph", "objective", "classes", "prior"),
    [
        pytest.param(md.value_graph(range(3)), MEAN, [[0] * 3] * 3, None, id="target"),
        pytest.param(md.value_graph(range(3)), MEAN, CIRCULANT, [Fraction(n, 10) for n in (4, 3, 3)], id="weight"),
        pytest.param(md.value_graph(range(3)), MEAN, [[0, 1, 1], [1, 0, 1], [1, 2, 0]], None, id="row"),
        pytest.param(md.value_graph(range(3)), STEPS, CIRCULANT, None, id="loss"),
        pytest.param(md.counting_graph(2), MEAN, CIRCULANT, None, id="neighbours"),
        pytest.param(mirrored(), MEAN, [[0, 1, 2], [3, 1, 4]], None, id="class-in-two-kinds-of-rows"),
        pytest.param(mirrored(), STEPS, [[0, 1, 2], [0, 1, 2]], None, id="category"),
    ],
)
def test_classes_that_are_not_equitable_are_rejected(
    graph: nx.Graph, objective: Objective, classes: list[list[int]], prior: list[Fraction] | None
) -> None:
    assert wrong(graph, objective, classes, prior)


def test_databases_have_a_class_for_each_number_of_changed_rows() -> None:
    found = coarse(md.database_graph(range(3), 4), md.ExpectedLoss("rows"))
    assert found is not None
    assert sorted(found.sizes) == [81, 81 * 8, 81 * 16, 81 * 24, 81 * 32]
    assert len(found.exact) == 1


def test_limits_of_edges_count_only_where_classes_do_not_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.designer.largest_design.MOST_LIMITS", 1000)
    graph = md.database_graph(range(2), 6)
    result = md.design(graph, epsilon=1, objective=md.ExpectedLoss("rows"))
    assert float(result.value) == pytest.approx(6 / (1 + math.e), rel=1e-9)
    with pytest.raises(md.InputError, match="too large: 192 edges with limits of their own"):
        md.design(graph, epsilon=1, objective=md.ExpectedLoss("rows"), method="highs")


def test_a_certificate_that_would_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result = md.design(md.value_graph(range(6)), epsilon=1, objective=MEAN)
    given = result.certificate["privacy"]
    assert len(given) == len({(edge, way, y) for edge, way, y, _ in given}) <= 2 * 15 * 6
    monkeypatch.setattr("mechdesign.certificate.certificate.MOST_MULTIPLIERS", len(given))
    assert md.design(md.value_graph(range(6)), epsilon=1, objective=MEAN).certificate["privacy"] == given
    monkeypatch.setattr("mechdesign.certificate.certificate.MOST_MULTIPLIERS", len(given) - 1)
    result = md.design(md.value_graph(range(6)), epsilon=1, objective=MEAN)
    with pytest.raises(md.InputError, match=f"15 edges and 6 outputs has {len(given)} multipliers"):
        _ = result.certificate
