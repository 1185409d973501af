"""Profile graph files: exact round trips, and every fault with the file and its place in it."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.document import LONGEST_POINT_MASS, document_of
from mechdesign.graph.graph_file import ELSEWHERE, graph_of

Document = dict[str, Any]


def document() -> Document:
    """Return a chain a - b - c with everything that a file may have."""
    return {
        "directed": False,
        "multigraph": False,
        "graph": {"name": "chain", "categories": ["no", "yes"], "source": "here"},
        "nodes": [
            {"id": "a", "distribution": ["0.2", 0.8]},
            {"id": "b", "distribution": [0.3, "7/10"], "weight": 2},
            {"id": "c", "value": "yes"},
        ],
        "edges": [{"source": "b", "target": "c", "epsilon": 0.4, "delta": "1e-6"}, {"source": "a", "target": "b"}],
    }


def faults_in(text: str, folder: Path) -> list[str]:
    """Return what is wrong with a file of this text; the message names the file."""
    file = folder / "graph.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(md.InputError) as error:
        md.read_graph(file)
    assert str(error.value).startswith(f"{file}: ")
    return error.value.faults


def short(value: object) -> str:
    """Return the name of a case."""
    return repr(value)[:30]


def same(one: nx.Graph, other: nx.Graph) -> bool:
    return bool(
        one.graph == other.graph
        and dict(one.nodes) == dict(other.nodes)
        and list(one) == list(other)
        and nx.utils.edges_equal(one.edges(data=True), other.edges(data=True))
    )


def test_a_file_is_read_exactly(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document()))
    graph = md.read_graph(file)
    assert graph.graph == {"name": "chain", "categories": ("no", "yes"), "source": "here"}
    assert graph.nodes["a"]["distribution"] == (Fraction(1, 5), Fraction(4, 5))
    assert graph.nodes["b"] == {"distribution": (Fraction(3, 10), Fraction(7, 10)), "weight": 2}
    assert graph.nodes["c"]["distribution"] == PointMass(1, 2)
    assert graph.edges["b", "c"] == {"epsilon": Fraction(2, 5), "delta": Fraction(1, 10**6)}
    assert graph.edges["a", "b"] == {}


def test_a_grid_has_points_for_names() -> None:
    value = document()
    value["graph"]["categories"] = [[0, 0], [0, 1]]
    value["nodes"][2] = {"id": [1, [2, "x"]], "value": [0, 1]}
    value["edges"][0]["target"] = [1, [2, "x"]]
    graph = graph_of(value)
    assert graph.graph["categories"] == ((0, 0), (0, 1))
    assert graph.has_edge("b", (1, (2, "x")))
    assert graph.nodes[1, (2, "x")]["distribution"] == PointMass(1, 2)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document()), encoding="utf-8-sig")
    assert len(md.read_graph(file)) == 3


def test_an_infinite_epsilon_may_be_text_or_a_number(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    for text in ('"inf"', "Infinity"):
        file.write_text(json.dumps(document()).replace('"epsilon": 0.4', f'"epsilon": {text}'))
        assert md.read_graph(file).edges["b", "c"]["epsilon"] == math.inf


def test_a_file_that_misses_total_1_a_little_is_normalised_and_stays_so(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document()).replace("0.8", "0.8000000001"))
    graph = md.read_graph(file)
    assert graph.graph["normalised"] == ["a"]
    assert sum(graph.nodes["a"]["distribution"]) == 1
    md.write_graph(graph, file)
    assert same(md.read_graph(file), graph)


def test_a_file_is_preferred_to_a_shipped_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hobbies").write_text(json.dumps(document()))
    assert md.read_graph("hobbies").graph["name"] == "chain"


@pytest.mark.parametrize("name", ["nowhere.json", "x" * 5000, "nul\0"], ids=short)
def test_a_missing_file_is_named_with_the_graphs_that_there_are(name: str) -> None:
    with pytest.raises(md.InputError, match="no such file, and no shipped graph of that name") as error:
        md.read_graph(name)
    assert "categorical-chain" in str(error.value)
    assert error.value.source == name


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"[]", "expected a JSON object with nodes and edges, found []"),
        (b"null", "expected a JSON object with nodes and edges, found None"),
        (b"NaN", "expected a JSON object with nodes and edges, found 'NaN'"),
    ],
    ids=short,
)
def test_what_is_no_json_object_is_refused(content: bytes, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_bytes(content)
    with pytest.raises(md.InputError) as error:
        md.read_graph(file)
    assert error.value.faults == [fault]
    assert str(error.value) == f"{file}: {fault}"


def changed(change: Callable[[Document], object]) -> Document:
    value = document()
    change(value)
    return value


NOTHING = [
    "graph: expected an object with categories, found 3",
    "nodes[2].value: expected one of the categories, found 'yes'",
    "graph.categories: expected a list of at least one category, found None",
]
IN_VAIN = "expected with an edge, or asked for (--epsilon, --delta); here it would protect nobody"

NUMBER = 'expected a number such as 0.3 or "3/10", found'


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (
            lambda g: g.update(directed=True),
            ["directed: expected false (privacy holds both ways, once per pair), found True"],
        ),
        (
            lambda g: g.update(multigraph=True),
            ["multigraph: expected false (privacy holds both ways, once per pair), found True"],
        ),
        (lambda g: g.update(graph=3), NOTHING),
        (lambda g: g["nodes"].append({"id": "a", "value": "no"}), ["nodes[3].id: the profile 'a' is given twice"]),
        (lambda g: g["nodes"].append({"value": "no"}), ["nodes[3].id: expected text or an integer, found None"]),
        (lambda g: g["nodes"].append(["d"]), ["nodes[3]: expected an object, found ['d']"]),
        (
            lambda g: g["nodes"][2].update(value="perhaps"),
            ["nodes[2].value: expected one of the categories, found 'perhaps'"],
        ),
        (
            lambda g: g["nodes"][2].update(value=["no"]),
            ["nodes[2].value: expected one of the categories, found ('no',)"],
        ),
        (lambda g: g["nodes"][2].update(value={}), ["nodes[2].value: expected one of the categories, found {}"]),
        (
            lambda g: g["nodes"][2].update(distribution=["0", "1"]),
            ["nodes[2]: expected either a distribution or a value, found both"],
        ),
        (
            lambda g: g["edges"].append({"source": "a", "target": "z"}),
            ["edges[2].target: 'z' is not a profile"],
        ),
        (
            lambda g: g["edges"].append({}),
            ["edges[2].source: None is not a profile", "edges[2].target: None is not a profile"],
        ),
        (lambda g: g["edges"].append({"source": "c", "target": {}}), ["edges[2].target: {} is not a profile"]),
        (lambda g: g["edges"].append({"source": "b", "target": "a"}), ["edges[2]: the edge 'b'-'a' is given twice"]),
        (
            lambda g: g.update(links=g["edges"][:1]),
            ["links: expected no list of edges beside `edges`; put them together"],
        ),
        (
            lambda g: [one.update(ordered=True) for one in (g, g["nodes"][1], g["edges"][0])],
            [f"{place}ordered: {ELSEWHERE}" for place in ("", "nodes[1].", "edges[0].")],
        ),
        (
            lambda g: (
                g.update(epsilon="0.5"),
                g["graph"].update(deltas=0, description="of 2020", eps="1", delay=3, delta_t=2),
            ),
            [f"{place}: {IN_VAIN}" for place in ("epsilon", "graph.deltas", "graph.eps")],
        ),
        (lambda g: g["edges"].append("a-b"), ["edges[2]: expected an object, found 'a-b'"]),
        (
            lambda g: g.update(links=g.pop("edges")),
            ['edges: expected a list, found nothing; this file has "links": rename it'],
        ),
        (lambda g: g.pop("edges"), ["edges: expected a list, found nothing"]),
        (lambda g: g.update(edges={}), ["edges: expected a list, found {}"]),
    ],
)
def test_a_wrong_document_is_refused(change: Callable[[Document], object], faults: list[str], tmp_path: Path) -> None:
    assert faults_in(json.dumps(changed(change)), tmp_path) == faults


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("0.8]", "1e999999999]", f"nodes[0] ('a').distribution[1]: {NUMBER} '1e999999999'"),
        (
            "0.8]",
            "9" * 4300 + "]",
            "nodes[0] ('a').distribution: expected a total of 1 (within 1e-9), found more than a million",
        ),
        ("0.4", "NaN", "edges[0] ('b'-'c'): epsilon: expected a number >= 0 (in nats) or inf, found 'NaN'"),
    ],
    ids=short,
)
def test_a_wrong_number_is_refused_with_its_place(old: str, new: str, fault: str, tmp_path: Path) -> None:
    # The edge b-c is the first of the file, though networkx lists a-b first.
    text = json.dumps(document())
    assert old in text
    assert faults_in(text.replace(old, new), tmp_path) == [fault]


def test_places_count_what_is_skipped(tmp_path: Path) -> None:
    value = document()
    value["nodes"].insert(0, "nobody")
    value["nodes"][3]["value"] = "perhaps"
    value["nodes"][2]["weight"] = -1
    value["edges"].insert(0, {"source": "a", "target": "z"})
    value["edges"][2]["delta"] = 1
    assert faults_in(json.dumps(value), tmp_path) == [
        "nodes[0]: expected an object, found 'nobody'",
        "nodes[3].value: expected one of the categories, found 'perhaps'",
        "edges[0].target: 'z' is not a profile",
        "nodes[2] ('b').weight: expected a number >= 0, found -1",
        "edges[2] ('a'-'b'): delta: expected a number in [0, 1), found 1",
    ]


@pytest.mark.parametrize("value", [True, 1.0])
def test_a_value_must_be_the_category_itself_not_equal_to_it(value: object, tmp_path: Path) -> None:
    nodes = [{"id": "a", "value": value}]
    text = json.dumps({"graph": {"categories": [0, 1]}, "nodes": nodes, "edges": []})
    (fault,) = faults_in(text, tmp_path)
    assert fault.startswith("nodes[0].value: expected one of the categories, found ")


def test_attributes_of_any_name_are_kept(tmp_path: Path) -> None:
    value = document()
    value["graph"].update(self=1, incoming_graph_data=2, backend=3)
    value["nodes"][0].update(self=1, node_for_adding=2)
    value["edges"][0].update(self=1, u_of_edge=2, v_of_edge=3)
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(value))
    graph = md.read_graph(file)
    assert graph.graph["backend"] == 3
    assert graph.nodes["a"]["node_for_adding"] == 2
    assert graph.edges["b", "c"]["u_of_edge"] == 2
    md.write_graph(graph, file)
    assert same(md.read_graph(file), graph)


labels = st.recursive(
    st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=4
)
extras = st.dictionaries(
    st.sampled_from(["role", "count", "self", "größe"]), st.integers() | st.text(max_size=4) | st.booleans(), max_size=2
)


made = st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=4) | st.none() | st.lists(st.booleans()))


def around(draw: st.DrawFn, distribution: list[Fraction]) -> Document:
    """Draw what is known of a profile: everything, the numbers on one side or both, or a radius."""
    kinds = st.sampled_from([(), ("lower",), ("upper",), ("lower", "upper"), ("radius",)])
    shares = {key: draw(st.fractions(0, 1, max_denominator=1000)) for key in draw(kinds)}
    bounds: dict[str, Callable[[Fraction], Any]] = {
        "lower": lambda share: [mass * share for mass in distribution],
        "upper": lambda share: [mass + (1 - mass) * share for mass in distribution],
        "radius": lambda share: share,
    }
    return {key: bounds[key](share) for key, share in shares.items()}


@st.composite
def graphs(draw: st.DrawFn) -> nx.Graph:
    """Draw a profile graph with everything that a file may hold."""
    categories = draw(st.lists(labels, min_size=1, max_size=4, unique=True))
    graph = nx.Graph(name=draw(st.text(max_size=5)), categories=categories, source=draw(st.text(max_size=5)))
    graph.graph.update(draw(st.fixed_dictionaries({}, optional={"ordered": st.booleans(), "made": made})))
    profiles = draw(st.lists(labels, min_size=1, max_size=3, unique=True))
    for profile in profiles:
        counts = draw(st.lists(st.integers(0, 10**20), min_size=len(categories), max_size=len(categories)))
        counts[draw(st.integers(0, len(categories) - 1))] += 1
        distribution = [Fraction(count, sum(counts)) for count in counts]
        graph.add_node(profile, distribution=distribution, **around(draw, distribution))
        graph.nodes[profile].update(draw(extras))
        if draw(st.booleans()):
            graph.nodes[profile]["weight"] = draw(st.fractions(min_value=Fraction(1, 10**6)))
    for i, a in enumerate(profiles):
        for b in profiles[i + 1 :]:
            if draw(st.booleans()):
                graph.add_edge(a, b)
                graph.edges[a, b].update(draw(extras))
                if draw(st.booleans()):
                    graph.edges[a, b]["epsilon"] = draw(st.fractions(min_value=0) | st.just(math.inf))
                if draw(st.booleans()):
                    graph.edges[a, b]["delta"] = draw(st.fractions(0, Fraction(999, 1000)))
                if draw(st.booleans()):
                    graph.edges[a, b]["distance"] = draw(st.fractions(min_value=0))
    return graph


@pytest.mark.parametrize("ending", ["json", "graphml"])
@given(graphs())
def test_what_is_written_is_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, ending: str, graph: nx.Graph
) -> None:
    file = tmp_path_factory.getbasetemp() / f"graph.{ending}"
    md.write_graph(graph, file)
    assert same(md.read_graph(file), checked(graph))


def test_networkx_reads_and_writes_such_files(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    for name, path in md.shipped_graphs().items():
        theirs = nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
        graph = md.read_graph(name)
        assert same(checked(theirs), graph)
        file.write_text(
            json.dumps(nx.node_link_data(graph), default=lambda x: list(x) if isinstance(x, PointMass) else str(x))
        )
        assert same(md.read_graph(file), graph)


def test_long_point_masses_are_written_as_their_value(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    graph = md.counting_graph(LONGEST_POINT_MASS)
    md.write_graph(graph, file)
    written = json.loads(file.read_text())
    assert written["nodes"][3] == {"id": 3, "value": 3}
    assert same(md.read_graph(file), graph)
    assert isinstance(md.read_graph(file).nodes[3]["distribution"], PointMass)
    short = document_of(md.counting_graph(2))["nodes"]
    assert short[0] == {"id": 0, "distribution": ["1", "0", "0"]}


def test_writing_is_deterministic_and_stable(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    md.write_graph(graph_of(document()), one)
    md.write_graph(md.read_graph(one), two)
    assert one.read_bytes() == two.read_bytes()


def test_what_is_no_profile_graph_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(md.InputError, match="none has a distribution of categories"):
        md.write_graph(nx.path_graph(2), tmp_path / "graph.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"when": {1, 2}}, "cannot be written as JSON: Object of type set is not JSON serializable"),
        ({"name": "\ud800"}, "cannot be written as JSON: 'utf-8' codec can't encode"),
        ({"id": 7}, r"nodes \(0\): the attribute \"id\" means something else in a file; rename it"),
        ({"value": 7}, r"nodes \(0\): the attribute \"value\" means something else in a file; rename it"),
    ],
)
def test_attributes_that_no_file_can_hold_are_refused(extra: dict[str, Any], message: str, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text("old")
    graph = md.counting_graph(2)
    graph.nodes[0].update(extra)
    with pytest.raises(md.InputError, match=message):
        md.write_graph(graph, file)
    assert file.read_text() == "old"


def test_an_edge_may_not_have_other_ends_in_its_attributes(tmp_path: Path) -> None:
    graph = md.counting_graph(1)
    graph.edges[0, 1]["source"] = "a survey"
    with pytest.raises(md.InputError, match='the attribute "source" means something else in a file'):
        md.write_graph(graph, tmp_path / "graph.json")


def test_floats_among_the_attributes_are_written_exactly(tmp_path: Path) -> None:
    graph = md.counting_graph(1)
    graph.nodes[0].update(half=0.5, nothing=math.nan, much=math.inf, inner={"a": [0.25, {"b": None}]})
    md.write_graph(graph, tmp_path / "graph.json")
    attributes = md.read_graph(tmp_path / "graph.json").nodes[0]
    assert {key: attributes[key] for key in ("half", "nothing", "much", "inner")} == {
        "half": "0.5",
        "nothing": "nan",
        "much": "inf",
        "inner": {"a": ["0.25", {"b": None}]},
    }


@pytest.mark.parametrize("path", [5, None, md.read_graph("categorical-chain")])
def test_what_is_neither_a_path_nor_a_name_is_refused(path: Any) -> None:
    with pytest.raises(
        md.InputError, match=f"expected a path, or the name of a shipped graph, found {type(path).__name__}"
    ):
        md.read_graph(path)
