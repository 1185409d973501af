"""GraphML: what others write is read exactly, networkx reads what we write, and nothing in a file is passed over."""

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from command import done

import mechdesign as md
from mechdesign.graph.document import document_of
from mechdesign.graph.graphml import NAMESPACE

KEYS = """
 <key id="c" for="graph" attr.name="categories" attr.type="string"/>
 <key id="d" for="node" attr.name="distribution" attr.type="string"/>
 <key id="w" for="node" attr.name="weight" attr.type="double"/>
 <key id="e" for="edge" attr.name="epsilon" attr.type="double"/>
"""
GRAPH = """
 <graph edgedefault="undirected">
  <data key="c">["no", "yes"]</data>
  <node id="a"><data key="d">[0.2, 0.8]</data></node>
  <node id="b"><data key="d">["3/10", "7/10"]</data></node>
  <edge source="a" target="b"><data key="e">0.4</data></edge>
 </graph>
"""


def graphml(keys: str = KEYS, graph: str = GRAPH, attributes: str = f'xmlns="{NAMESPACE}"') -> str:
    return f"<?xml version='1.0'?>\n<graphml {attributes}>{keys}{graph}</graphml>"


def read(text: str, folder: Path) -> nx.Graph:
    file = folder / "graph.graphml"
    file.write_text(text, encoding="utf-8")
    return md.read_graph(file)


def faults_in(text: str, folder: Path) -> list[str]:
    """Return what is wrong with a file of this text; the message names the file."""
    with pytest.raises(md.InputError) as error:
        read(text, folder)
    assert str(error.value).startswith(f"{folder / 'graph.graphml'}: ")
    return error.value.faults


@pytest.mark.parametrize("attributes", [f'xmlns="{NAMESPACE}"', ""])
def test_numbers_mean_what_they_are_written_as(attributes: str, tmp_path: Path) -> None:
    """Though the file says they are doubles."""
    digits = "0.1234567890123456789012345"
    graph = read(graphml(attributes=attributes).replace("0.4", digits), tmp_path)
    assert graph.edges["a", "b"] == {"epsilon": Fraction(digits)}
    assert graph.nodes["a"]["distribution"] == (Fraction(1, 5), Fraction(4, 5))
    assert graph.graph == {"categories": ("no", "yes")}


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    theirs = nx.Graph(categories='["low", "high"]', ordered=True, source="theirs")
    theirs.add_node(0, distribution='["1/3", "2/3"]', weight=2)
    theirs.add_node("b c", distribution="[0.25, 0.75]", weight=0.1)
    theirs.add_edge(0, "b c", epsilon=float("inf"), distance=1.5)
    nx.write_graphml(theirs, tmp_path / "theirs.graphml")
    graph = md.read_graph(tmp_path / "theirs.graphml")
    assert graph.graph == {"categories": ("low", "high"), "ordered": True, "source": "theirs"}
    assert dict(graph.nodes) == {
        0: {"distribution": (Fraction(1, 3), Fraction(2, 3)), "weight": 2},
        "b c": {"distribution": (Fraction(1, 4), Fraction(3, 4)), "weight": Fraction(1, 10)},
    }
    assert graph.edges[0, "b c"] == {"epsilon": float("inf"), "distance": Fraction(3, 2)}


@pytest.mark.parametrize("name", ["categorical-chain", "metric-grid-5x5", "travel-mode-by-income"])
def test_networkx_reads_what_is_written(name: str, tmp_path: Path) -> None:
    graph = md.read_graph(name)
    md.write_graph(graph, tmp_path / "ours.GraphML")
    theirs = nx.read_graphml(tmp_path / "ours.GraphML")
    assert (len(theirs), theirs.number_of_edges()) == (len(graph), graph.number_of_edges())
    assert theirs.graph["name"] == graph.graph["name"]
    assert document_of(md.read_graph(tmp_path / "ours.GraphML")) == document_of(graph)


@pytest.mark.parametrize(
    "label", ["3", 3, "true", "1/3", "0.5", "", " ", '"', "a\tb\r\n", "\0\x85\uffff", "\ud800", "[1]", ("3", 3, ("[",))]
)
def test_every_label_is_told_from_every_other(label: Any, tmp_path: Path) -> None:
    graph = md.value_graph([label, "other"], source="null", name='{"a": 1}')
    md.write_graph(graph, tmp_path / "g.graphml")
    again = md.read_graph(tmp_path / "g.graphml")
    assert list(again) == [label, "other"]
    assert again.graph == graph.graph


def test_long_point_masses_are_written_as_their_value(tmp_path: Path) -> None:
    graph = md.value_graph(["3", 3, *map(str, range(10, 250))], metric=lambda *_: math.inf)
    md.write_graph(graph, tmp_path / "g.graphml")
    assert document_of(md.read_graph(tmp_path / "g.graphml")) == document_of(graph)
    assert (tmp_path / "g.graphml").stat().st_size < 10**7


def test_defaults_are_those_of_whoever_says_nothing(tmp_path: Path) -> None:
    """An edge without an epsilon of its own would else be less private than the file says."""
    keys = KEYS.replace('"epsilon" attr.type="double"/>', '"epsilon"><default>0.1</default></key>')
    keys = keys.replace('"weight" attr.type="double"/>', '"weight"><default>1/3</default></key>')
    graph = GRAPH.replace('<data key="e">0.4</data>', "")
    assert read(graphml(keys, graph), tmp_path).edges["a", "b"] == {"epsilon": Fraction(1, 10)}
    assert read(graphml(keys), tmp_path).edges["a", "b"] == {"epsilon": Fraction(2, 5)}
    for scope in ('for="all"', ""):
        whose = keys.replace('id="e" for="edge"', f'id="e" {scope}')
        assert read(graphml(whose, graph), tmp_path).edges["a", "b"] == {"epsilon": Fraction(1, 10)}
    twice = keys + '<key id="f" for="edge" attr.name="epsilon"><default>9</default></key>'
    assert faults_in(graphml(twice, graph), tmp_path) == ["key ('f'): a second default of 'epsilon'"]
    assert read(graphml(keys), tmp_path).nodes["a"]["weight"] == Fraction(1, 3)


def test_how_a_program_draws_is_left_aside(tmp_path: Path) -> None:
    keys = KEYS + '<key id="y" for="node" yfiles.type="nodegraphics"/><key id="r" yfiles.type="resources"/>'
    drawing = (
        '<data key="y"><y:ShapeNode xmlns:y="http://www.yworks.com/xml/graphml"/></data><port name="p"/><desc>A</desc>'
    )
    graph = GRAPH.replace('<node id="a">', f'<node id="a">{drawing}') + '<data key="r"/>'
    assert document_of(read(graphml(keys, graph), tmp_path)) == document_of(read(graphml(), tmp_path))


def test_no_graph(tmp_path: Path) -> None:
    assert faults_in(graphml(graph=""), tmp_path) == ["graphml: expected one graph, found 0"]


EDGE = '<edge source="a" target="b">'


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("</graphml>", "", "not XML (or cut short) at line 14, column 1: no element found"),
        ("</graph>", "</graph><graph/>", "graphml: expected one graph, found 2"),
        ("graphml", "svg", f"expected GraphML, found the element <{{{NAMESPACE.replace('graphml', 'svg')}}}svg>"),
        ('"undirected"', '"directed"', "directed: expected false (privacy holds both ways, once per pair), found True"),
        (EDGE, f'{EDGE[:-1]} directed="true">', "edges[0]: expected an edge that is not directed; privacy holds both "),
        (EDGE, EDGE + '<data key="e">1</data>', "edges[0]: 'epsilon' is given twice"),
        ('<data key="e">', '<data key="f">', "edges[0]: no <key> has the id 'f'"),
        ("0.4", "<b>0.4</b>", "edges[0].epsilon: expected text, found <b>"),
        ("0.4", "a lot", "edges[0] ('a'-'b'): epsilon: expected a number >= 0 (in nats) or inf, found 'a lot'"),
        ("0.4", '{"a": 1, "a": 2}', "edges[0].epsilon: the key \"a\" is given twice in one object"),
        ("0.4", "[" * 10**5, "edges[0].epsilon: not usable JSON: nested too deeply"),
        ("0.4", "4" * 10**4, "edges[0].epsilon: not usable JSON: a number has too many digits"),
        ('target="b"', 'target="c"', "edges[0].target: 'c' is not a profile"),
        ('target="b"', "", "edges[0].target: None is not a profile"),
        ('<node id="b">', '<node id="a">', "nodes[1].id: the profile 'a' is given twice"),
        ('<node id="b">', "<node>", "nodes[1].id: expected text or an integer, found None"),
        ('0.8]</data></node>', '0.8]</data><graph/></node>', "nodes[0]: expected only data, desc, port, found <graph>"),
        ("</edge>", "</edge><hyperedge/>", "graph: expected only data, desc, edge, node, found <hyperedge>"),
        ("</edge>", "</edge><Edge/>", "graph: expected only data, desc, edge, node, found <Edge>"),
        ('"weight"', '"id"', "nodes[0]: the attribute \"id\" means something else in a file; rename it"),
        ('id="w"', 'id="d"', "key ('d'): given twice"),
        ("[0.2, 0.8]", "[0.2, 0.7]", "nodes[0] ('a').distribution: expected a total of 1 (within 1e-9), found 0.9"),
        ('["no", "yes"]', "no yes", "graph.categories: expected a list of at least one category, found 'no yes'"),
    ],
)  # fmt: skip
def test_faults(old: str, new: str, fault: str, tmp_path: Path) -> None:
    text = graphml().replace('<data key="d">[', '<data key="w">1</data><data key="d">[', 1)
    assert old in text
    faults = faults_in(text.replace(old, new), tmp_path)
    assert any(one.startswith(fault) for one in faults), faults


BOMB = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
HOSTILE = {
    "entities that grow": f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{BOMB}]>',
    "a file": '<!DOCTYPE x [<!ENTITY j SYSTEM "secret.txt">]>',
    "a declaration elsewhere": '<!DOCTYPE graphml SYSTEM "http://127.0.0.1:9/graphml.dtd">',
}


@pytest.mark.parametrize("doctype", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declarations_are_refused_before_they_are_read(doctype: str, encoding: str, tmp_path: Path) -> None:
    """In other encodings, too, where a parser would find them."""
    (tmp_path / "secret.txt").write_text("secret")
    text = graphml().replace("?>", f" encoding='{encoding}'?>{doctype}", 1).replace('"no"', '"&j;"')
    file = tmp_path / "bomb.graphml"
    file.write_bytes(text.encode(encoding))
    refused = "expected GraphML without a DOCTYPE; take it out"
    expected = refused if encoding == "utf-8" else "expected GraphML, text in UTF-8, found binary data"
    with pytest.raises(md.InputError, match=re.escape(f"{file}: {expected}")):
        md.read_graph(file)


def test_no_other_encoding_hides_a_declaration(tmp_path: Path) -> None:
    """A parser that believed what the file says of itself would find one in these letters."""
    hidden = "+ADw-!DOCTYPE x+AD4-"
    text = graphml().replace("?>", f" encoding='utf-7'?>{hidden}", 1)
    assert faults_in(text, tmp_path) == ["not XML (or cut short) at line 1, column 39: not well-formed (invalid token)"]


def test_elements_nested_without_end(tmp_path: Path) -> None:
    deep = 10**5
    assert faults_in(graphml(graph="<a>" * deep + "</a>" * deep), tmp_path)[0].startswith(
        "graphml: expected only data,"
    )


def test_what_has_no_text_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    graph = md.value_graph(["a", "b"])
    graph.graph["of"] = {"a", "set"}
    with pytest.raises(md.InputError, match=r"g\.graphml: cannot be written as GraphML: .* set is not JSON"):
        md.write_graph(graph, tmp_path / "g.graphml")
    assert list(tmp_path.iterdir()) == []


def test_commands_write_and_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("job,use\ncook,low\ncook,high\nhost,low\nhost,low\n")
    done("graph", "from-table", "data.csv", "--profile", "job", "--value", "use", "--public", "-o", "made.graphml")
    done("graph", "values", "a,b,c", "-o", "values.graphml")
    done("graph", "coarsen", "values.graphml", "--join-profiles", "a,b=ab", "-o", "coarse.graphml")
    for name in ("made", "values", "coarse"):
        assert Path(f"{name}.graphml").read_text().startswith("<?xml")
        done("design", f"{name}.graphml", "--epsilon", "1", "-o", f"{name}.json")
        done("certify", f"{name}.json", "--graph", f"{name}.graphml", "--epsilon", "1")
