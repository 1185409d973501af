"""Profile graph files: JSON in networkx' node-link form, with exact numbers; or the same in GraphML.

::

    {"directed": false, "multigraph": false,
     "graph": {"name": "categorical-chain", "categories": ["1", "2"], "source": "where it comes from"},
     "nodes": [{"id": "P1", "distribution": ["0.2", "0.8"]},
               {"id": "P2", "distribution": [0.3, 0.7], "weight": 2},
               {"id": "P3", "distribution": ["2/5", "3/5"]}],
     "edges": [{"source": "P1", "target": "P2"},
               {"source": "P2", "target": "P3", "epsilon": 0.4, "delta": "1e-6"}]}

- A number is JSON's own or text, `0.3`, `"0.3"` or `"3/10"`, and means just what it is written as.
- `id`, `source`, `target` and categories are text or integers, or lists of these (points of a grid).
- A node may have `"value": CATEGORY` in place of `distribution`: it always has that category.
- A node may have `lower` and `upper`, a number for each category, or `radius`, a total variation distance: its profile
  is known only within these bounds, and what is designed or certified holds for every distribution within them.
- A node's `weight` is its prior (default: equal). An edge's `distance` multiplies the epsilon asked for; its
  `epsilon` (a number or "inf") and `delta` replace what is asked for.
- The graph's `ordered` (true or false) says whether the order of the categories means something; default: where they
  are numbers that rise or fall. Elsewhere it is refused.
- Anything else is kept as it is, but names that are nearly one of these are refused: misspelt bounds or epsilons would
  protect nobody. So would an `epsilon` or `delta` of the whole graph: it is asked for when something is designed.
"""

import os
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.documents import json_writer, read_json
from mechdesign.files.kinds import GRAPH
from mechdesign.files.writing import write_together
from mechdesign.graph.checks import check_labels, checked, protects_nobody
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.document import document_of
from mechdesign.graph.graphml import graphml_writer, read_graphml
from mechdesign.graph.labels import as_label, is_label, labels_of
from mechdesign.graph.shipped import graph_path, shipped_graphs
from mechdesign.words import did_you_mean

OURS = "mechdesign-"
"""How the `format` of mechdesign's other files begins; a graph has none."""


ELSEWHERE = 'expected within "graph", as "graph": {"categories": [...], "ordered": true}'
"""What to do about what is said of the categories where it would be left aside."""


def read_graph(path: str | os.PathLike[str]) -> nx.Graph:
    """Return the profile graph in a file, or the shipped one of that name.

    Parameters
    ----------
    path
        a path, of GraphML if it ends in .graphml, else of JSON; or a name from `shipped_graphs()` such as
        "categorical-chain".

    Raises
    ------
    InputError
        naming the file, with every fault in it and its place.

    Examples
    --------
    >>> read_graph("categorical-chain").nodes["P1"]["distribution"][0]
    Fraction(1, 5)
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"expected a path, or the name of a shipped graph, found {type(path).__name__}")
    found = graph_path(path)
    if found is None:
        names = f"(there are: {', '.join(shipped_graphs())}){did_you_mean(shipped_graphs(), str(path))}"
        raise InputError(f"no such file, and no shipped graph of that name {names}", source=str(path))
    return GRAPH.read(found, graph_of, read_graphml if _is_graphml(found) else read_json)


def as_graph(graph: nx.Graph | str | os.PathLike[str]) -> nx.Graph:
    """Return an exact, checked copy of a profile graph, or the one of that name or in that file.

    Raises
    ------
    InputError
        listing every fault.

    Examples
    --------
    >>> len(as_graph("categorical-chain"))
    3
    """
    if isinstance(graph, str | os.PathLike):
        return read_graph(graph)
    if isinstance(graph, nx.Graph) and len(graph) and "categories" not in graph.graph and not _any_given(graph):
        raise InputError(
            "nodes: none has a distribution of categories; if each is a value itself, make the graph with "
            "value_graph(values, metric=distances, weights=...)"
        )
    return checked(graph)


def _any_given(graph: nx.Graph) -> bool:
    return any("distribution" in attributes for attributes in graph.nodes.values())


def write_graph(graph: nx.Graph | str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Write a profile graph as a file that `read_graph` reads back exactly.

    Parameters
    ----------
    graph
        a profile graph, its name or the path of its file.
    path
        of the file, which is replaced if it is there: GraphML if it ends in .graphml, else JSON.

    Raises
    ------
    InputError
        if the graph is not a profile graph or has attributes that no file can hold, or the file cannot be written.

    Examples
    --------
    >>> import mechdesign as md
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_graph(md.value_graph(["a", "b", "c"]), f"{folder}/graph.json")
    ...     read_graph(f"{folder}/graph.json").number_of_edges()
    3
    """
    writer = graphml_writer if _is_graphml(path) else json_writer
    write_together((path, writer(document_of(as_graph(graph)), path)))


def _is_graphml(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix.lower() == ".graphml"


def graph_of(document: Any) -> nx.Graph:
    """Return the profile graph that a JSON value describes.

    Raises
    ------
    InputError
        with every fault and its place.
    """
    if not isinstance(document, dict):
        raise InputError(f"expected a JSON object with nodes and edges, found {shown(document)}")
    form = document.get("format")
    if isinstance(form, str) and form.startswith(OURS):
        kind = form.removeprefix(OURS).partition("/")[0]
        raise InputError(f'expected a profile graph, found a {kind} ("format": "{form}")')
    faults = [
        f"{key}: expected false (privacy holds both ways, once per pair), found {shown(document[key])}"
        for key in ("directed", "multigraph")
        if document.get(key, False) is not False
    ]
    if "edges" in document and "links" in document:  # edges that are left aside would protect nobody
        faults.append("links: expected no list of edges beside `edges`; put them together")
    faults += [f"{key}: {ELSEWHERE}" for key in ("categories", "ordered") if key in document]
    faults += protects_nobody(document)
    heading = document.get("graph", {})
    if not isinstance(heading, dict):
        faults.append(f"graph: expected an object with categories, found {shown(heading)}")
        heading = {}
    graph = nx.Graph()
    graph.graph.update({**heading, "categories": labels_of(heading.get("categories"))})
    nodes = [(place, as_label(node.get("id")), node) for place, node in _objects(document, "nodes", faults)]
    check_labels(graph.graph["categories"], [profile for _, profile, _ in nodes])
    places = _add_nodes(graph, nodes, faults)
    places |= _add_edges(graph, _objects(document, "edges", faults), faults)
    try:
        result = checked(graph, places=places)
    except InputError as error:
        raise InputError(faults + error.faults) from None
    if faults:
        raise InputError(faults)
    return result


def _objects(document: dict[str, Any], key: str, faults: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the objects in the list `document[key]`, each with its place."""
    if key not in document:
        hint = '; this file has "links": rename it' if key == "edges" and "links" in document else ""
        faults.append(f"{key}: expected a list, found nothing{hint}")
        return []
    if not isinstance(document[key], list):
        faults.append(f"{key}: expected a list, found {shown(document[key])}")
        return []
    result = []
    for index, value in enumerate(document[key]):
        if isinstance(value, dict):
            result.append((f"{key}[{index}]", value))
            faults += [f"{key}[{index}].ordered: {ELSEWHERE}"] * ("ordered" in value)
        else:
            faults.append(f"{key}[{index}]: expected an object, found {shown(value)}")
    return result


def _add_nodes(graph: nx.Graph, nodes: list[tuple[str, Any, dict[str, Any]]], faults: list[str]) -> dict[int, str]:
    """Add the profiles that have a name of their own; return where each one's attributes stand."""
    categories = graph.graph["categories"]
    categories = categories if isinstance(categories, list) else []
    position = {value: index for index, value in enumerate(categories) if is_label(value)}
    places = {}
    for place, profile, node in nodes:
        if not is_label(profile):
            faults.append(f"{place}.id: expected text or an integer, found {shown(node.get('id'))}")
            continue
        if profile in graph:
            faults.append(f"{place}.id: the profile {shown(profile)} is given twice")
            continue
        attributes = {key: value for key, value in node.items() if key not in ("id", "value")}
        if "value" in node and "distribution" in node:
            faults.append(f"{place}: expected either a distribution or a value, found both")
        elif "value" in node:
            value = as_label(node["value"])
            if not is_label(value) or value not in position:
                faults.append(f"{place}.value: expected one of the categories, found {shown(value)}")
                value = None  # stands for the first; one fault is enough
            attributes["distribution"] = PointMass(position.get(value, 0), len(categories))
        graph.add_node(profile)
        graph.nodes[profile].update(attributes)
        places[id(graph.nodes[profile])] = place
    return places


def _add_edges(graph: nx.Graph, edges: list[tuple[str, dict[str, Any]]], faults: list[str]) -> dict[int, str]:
    """Add the edges between profiles that there are; return where each one's attributes stand."""
    places = {}
    for place, edge in edges:
        ends = [as_label(edge.get(end)) for end in ("source", "target")]
        bad = [
            f"{place}.{end}: {shown(label)} is not a profile"
            for end, label in zip(("source", "target"), ends, strict=True)
            if not is_label(label) or label not in graph
        ]
        faults.extend(bad)
        if bad:
            continue
        if graph.has_edge(*ends):
            faults.append(f"{place}: the edge {shown(ends[0])}-{shown(ends[1])} is given twice")
            continue
        graph.add_edge(*ends)
        graph.edges[ends].update({key: value for key, value in edge.items() if key not in ("source", "target")})
        places[id(graph.edges[ends])] = place
    return places
