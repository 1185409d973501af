"""GraphML, read and written as the JSON value of a profile graph's file: nothing of it is lost or rounded.

A text in GraphML, a label or an attribute, is the JSON value that it can be read as, else itself: `3` is a number,
`[0, 1]` a point of a grid, `["0.2", "0.8"]` a distribution, `clerk` and `1/3` are text, and so is `"3"`. Files of
others are read alike. networkx reads these files too, but not for us: it makes numbers doubles, joins profiles that are
given twice, and passes over defaults and all graphs but one.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.documents import parse_json
from mechdesign.files.opening import opened_text
from mechdesign.files.writing import Write
from mechdesign.graph.edge_table import OWN

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

WITHIN = {
    "graphml": {"key", "graph", "data", "desc"},
    "key": {"default", "desc"},
    "graph": {"node", "edge", "data", "desc"},
    "node": {"data", "desc", "port"},
    "edge": {"data", "desc"},
}
"""What may stand in an element; edges in anything else would protect nobody."""

TAKEN = {"node": {"id"}, "edge": {"source", "target"}, "graph": set[str]()}
"""Attributes of XML, whose names no attribute of ours has."""

SINGLE = {"node": {"weight", "radius"}, "edge": set(OWN), "graph": set[str]()}
"""Single numbers, which need no marks of quotation."""

LABEL, NAME, ANY = (str, int, list), (str,), (str, int, list, dict, bool, Fraction, type(None))
"""What a text may stand for: a label, the name of an attribute, its value."""

UNFIT = re.compile("[^ -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML cannot hold, or might change."""


def read_graphml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the JSON value of the profile graph in a GraphML file.

    Raises
    ------
    InputError
        naming the file: unreadable, not XML, with a DOCTYPE, or with what is no single undirected graph.
    """
    with opened_text(path, "GraphML, text in UTF-8") as file:
        text = file.read()
        if "<!DOCTYPE" in text:  # before any parser sees it: it may declare entities that grow without end
            raise InputError("expected GraphML without a DOCTYPE; take it out")
        try:
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            (line, column), reason = error.position, str(error).partition(":")[0]
            raise InputError(f"not XML (or cut short) at line {line}, column {column + 1}: {reason}") from None
        reader = _Reader()
        document = reader.document(root)
        if reader.faults:
            raise InputError(reader.faults)
    return document


@dataclass
class _Key:
    """What a file says of an attribute: its name, and whether `True` is a truth value of it."""

    name: str
    is_boolean: bool


@dataclass
class _Reader:
    """Collects faults; every method returns what it could make of its argument."""

    faults: list[str] = field(default_factory=list)
    keys: dict[str | None, _Key | None] = field(default_factory=dict)
    defaults: dict[str, dict[str, Any]] = field(default_factory=lambda: {scope: {} for scope in TAKEN})

    def document(self, root: Element) -> dict[str, Any]:
        if _tag(root) != "graphml":
            self.faults.append(f"expected GraphML, found the element <{_tag(root)}>")
            return {}
        parts = list(self.parts(root, "graphml"))
        for _, key in _numbered(parts, "key"):
            self.key(key)
        graphs = [part for part in parts if _tag(part) == "graph"]
        if len(graphs) != 1:
            self.faults.append(f"graphml: expected one graph, found {len(graphs)}")
            return {}
        inside = list(self.parts(graphs[0], "graph"))
        return {
            "directed": graphs[0].get("edgedefault") == "directed",
            "graph": self.attributes(inside, "graph", "graph"),
            "nodes": [self.node(place, node) for place, node in _numbered(inside, "node")],
            "edges": [self.edge(place, edge) for place, edge in _numbered(inside, "edge")],
        }

    def parts(self, element: Element, place: str) -> Iterator[Element]:
        """Yield the elements within one that may be there."""
        expected = WITHIN[_tag(element)]
        for part in element:
            if _tag(part) in expected:
                yield part
            else:
                self.faults.append(f"{place}: expected only {', '.join(sorted(expected))}, found <{_tag(part)}>")

    def key(self, element: Element) -> None:
        """Note what an attribute is called; one without a name holds how somebody's program draws."""
        identity, name, scope = element.get("id"), element.get("attr.name"), element.get("for", "all")
        place = f"key ({shown(identity)})"
        if identity in self.keys:
            self.faults.append(f"{place}: given twice")
        self.keys[identity] = None
        default = [part for part in self.parts(element, place) if _tag(part) == "default"]
        if name is None:
            return
        key = _Key(self.value(place, name, NAME), element.get("attr.type") == "boolean")
        self.keys[identity] = key
        scope = "edge" if scope == "all" and key.name in OWN else scope
        for one in TAKEN if scope == "all" else TAKEN.keys() & {scope}:
            for part in default:
                if key.name in self.defaults[one]:
                    self.faults.append(f"{place}: a second default of {shown(key.name)}")
                self.defaults[one][key.name] = self.text(place, part, key)

    def node(self, place: str, element: Element) -> dict[str, Any]:
        own = self.attributes(list(self.parts(element, place)), place, "node")
        return {"id": self.label(f"{place}.id", element.get("id")), **own}

    def edge(self, place: str, element: Element) -> dict[str, Any]:
        if element.get("directed", "false") != "false":
            self.faults.append(
                f"{place}: expected an edge that is not directed; privacy holds both ways, once per pair"
            )
        ends = {end: self.label(f"{place}.{end}", element.get(end)) for end in ("source", "target")}
        return {**ends, **self.attributes(list(self.parts(element, place)), place, "edge")}

    def attributes(self, parts: list[Element], place: str, scope: str) -> dict[str, Any]:
        """Return the attributes of the graph, a node or an edge, with the defaults of those that it has not."""
        found: dict[str, Any] = {}
        for part in (part for part in parts if _tag(part) == "data"):
            if part.get("key") not in self.keys:
                self.faults.append(f"{place}: no <key> has the id {shown(part.get('key'))}")
            elif key := self.keys[part.get("key")]:
                if key.name in found:
                    self.faults.append(f"{place}: {shown(key.name)} is given twice")
                found[key.name] = self.text(f"{place}.{key.name}", part, key)
        found |= {name: value for name, value in self.defaults[scope].items() if name not in found}
        self.faults += [
            f'{place}: the attribute "{name}" means something else in a file; rename it'
            for name in sorted(TAKEN[scope] & found.keys())
        ]
        return found

    def text(self, place: str, element: Element, key: _Key) -> Any:
        """Return the value that the text of an element stands for."""
        if len(element):
            self.faults.append(f"{place}: expected text, found <{_tag(element[0])}>")
        text = element.text or ""
        return self.value(place, text.lower() if key.is_boolean else text, ANY)

    def label(self, place: str, text: str | None) -> Any:
        return None if text is None else self.value(place, text, LABEL)

    def value(self, place: str, text: str, kinds: tuple[type, ...]) -> Any:
        try:
            return _value(text, kinds)
        except InputError as error:
            self.faults.append(f"{place}: {error.faults[0]}")
            return text


def _tag(element: Element) -> str:
    """Return the name of an element of GraphML, with or without its namespace; of others with theirs."""
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")


def _numbered(parts: list[Element], tag: str) -> Iterator[tuple[str, Element]]:
    for index, part in enumerate(part for part in parts if _tag(part) == tag):
        yield f"{tag}s[{index}]", part


def _value(text: str, kinds: tuple[type, ...]) -> Any:
    """Return the JSON value of one of these kinds that a text is; the text itself if it is none."""
    try:
        value = parse_json(text)
    except json.JSONDecodeError:
        return text
    return value if type(value) in kinds else text  # True is no integer here


def graphml_writer(document: dict[str, Any], path: str | os.PathLike[str]) -> Write:
    """Return what writes the JSON value of a profile graph to this path as GraphML, for `write_together`.

    Raises
    ------
    InputError
        if the value has no form in JSON.
    """
    try:
        content = _content(document)
    except (TypeError, ValueError, RecursionError) as error:  # a set; nested too deeply
        raise InputError(f"cannot be written as GraphML: {error}", source=str(path)) from None
    return lambda beside: beside.write_bytes(content)


def _content(document: dict[str, Any]) -> bytes:
    root = Element("graphml", xmlns=NAMESPACE)
    graph = Element("graph", edgedefault="undirected")
    keys: dict[tuple[str, str], str] = {}
    _add_data(graph, "graph", document["graph"], keys)
    for scope, items in (("node", document["nodes"]), ("edge", document["edges"])):
        for item in items:
            names = {name: _text(item[name], LABEL) for name in item if name in TAKEN[scope]}
            element = ElementTree.SubElement(graph, scope, names)
            _add_data(element, scope, {name: item[name] for name in item if name not in names}, keys)
    for (scope, name), identity in keys.items():
        told = {"id": identity, "for": scope, "attr.name": _text(name, NAME), "attr.type": "string"}
        ElementTree.SubElement(root, "key", told)
    root.append(graph)
    ElementTree.indent(root, " ")
    content: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _add_data(element: Element, scope: str, attributes: dict[str, Any], keys: dict[tuple[str, str], str]) -> None:
    for name, value in attributes.items():
        identity = keys.setdefault((scope, name), f"d{len(keys)}")
        data = ElementTree.SubElement(element, "data", key=identity)
        data.text = value if name in SINGLE[scope] and isinstance(value, str) else _text(value, ANY)


def _text(value: Any, kinds: tuple[type, ...]) -> str:
    """Return a text that is read as this value: of a text itself, where that would not be read as another."""
    if isinstance(value, str) and not UNFIT.search(value) and _is_read_as_itself(value, kinds):
        return value
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if UNFIT.search(text) else text


def _is_read_as_itself(text: str, kinds: tuple[type, ...]) -> bool:
    try:
        return bool(_value(text, kinds) == text)
    except InputError:
        return False
