"""The JSON Schemas are exact: they take what the readers take, and refuse what they refuse for its shape.

What a schema cannot say is listed in BEYOND: how parts of a document belong together, totals, and what is proved.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formulas import MADE
from jsonschema import Draft202012Validator
from schemas import NAMES, fault_finder, fault_in, name_of, schema

import mechdesign as md
from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.certificate import FORMAT as CERTIFICATE
from mechdesign.files import kinds
from mechdesign.files.documents import write_json
from mechdesign.graph.graph_file import graph_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import mechanism_document, mechanism_of
from mechdesign.reports import curve_file

Path_ = tuple[str | int, ...]
PAIR = md.profile_graph({"P": ["0.2", "0.8"], "Q": ["1/2", "1/2"]}, edges=[("P", "Q")], categories=["no", "yes"])
GRAPH = {
    "directed": False,
    "multigraph": False,
    "graph": {"name": "g", "categories": ["a", 1, ["b", 2]], "ordered": True},
    "nodes": [{"id": "P", "distribution": ["0.2", 0.3, "1/2"], "weight": 2}, {"id": ["Q", 1], "value": "a"}],
    "edges": [{"source": "P", "target": ["Q", 1], "epsilon": "inf", "delta": "1e-6", "distance": 0.5}],
}
WITHIN: dict[str, Any] = {
    "graph": {"categories": ["a", "b"]},
    "nodes": [
        {"id": "P", "distribution": ["0.2", 0.8], "lower": ["0.1", 0], "upper": [0.3, 1]},
        {"id": "Q", "value": "a", "radius": "1/2"},
    ],
    "edges": [],
}
QUESTION = {"graph_sha256": "0", "delta": "0"}
POINT = {"epsilon_exact": "1/2", "value_exact": "0.5", "bound_exact": "0.25", "baseline": 0.5, "seconds": 1}
CURVE = {"format": kinds.CURVE.format, "question": QUESTION, "points": [POINT, POINT | {"epsilon_exact": "inf"}]}


def test_each_kind_of_file_has_a_schema_and_the_readme_lists_it() -> None:
    """Of all that the registry knows; proofs, whose versions the checkers know, included."""
    assert {"graph", *(name.removeprefix("mechdesign-") for name in kinds.FORMATS)} == set(NAMES)
    readme = (Path(md.__file__).parent / "schemas" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([a-z-]+)\.json\)", readme)) == set(NAMES)


def refutation() -> dict[str, Any]:
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    return md.evidence(coin, epsilon=1)[1]


def identity(document: Any) -> Mechanism:
    return Mechanism(graph_of(document), ("a", "b"), np.array([[1, 0], [0, 1]], object), np.array([[0, 1], [0, 1]]))


def within_bounds() -> dict[str, Any]:
    graph = PAIR.copy()
    for attributes in graph.nodes.values():
        attributes["radius"] = "0.1"
    return md.design(graph, epsilon=1).certificate


def read_certificate(document: Any) -> None:
    checker.check(json.dumps(document))


def read_formula(document: Any) -> None:
    md.check_certificate(document)


def read_points(document: Any, folder: Path) -> None:
    file = folder / "curve.json"
    file.write_text(json.dumps(document))
    curve_file.read_curve(str(file), QUESTION)


READERS: dict[str, tuple[str, Callable[[], Any], Callable[[Any], object]]] = {
    "graph": ("graph", lambda: GRAPH, graph_of),
    "graph within bounds": ("graph", lambda: WITHIN, graph_of),
    "mechanism within bounds": ("mechanism", lambda: mechanism_document(identity(WITHIN)), mechanism_of),
    "mechanism": ("mechanism", lambda: mechanism_document(md.design(PAIR, epsilon=1).mechanism), mechanism_of),
    "certificate": ("certificate", lambda: md.design(PAIR, epsilon=1).certificate, read_certificate),
    "certificate within bounds": ("certificate", within_bounds, read_certificate),
    "certificate of a loss": (
        "certificate",
        lambda: md.design(PAIR, epsilon=1, objective=md.ExpectedLoss()).certificate,
        read_certificate,
    ),
    "refutation": ("refutation", refutation, read_certificate),
    "formula": ("formula", lambda: MADE["pair, root of 3"], read_formula),
    "formula in delta": ("formula", lambda: MADE["pair, in delta"], read_formula),
}
ODD: list[Any] = [
    *(None, True, -1, 0, 1, 2, 0.5, 2.5, "x", "", "1/2", " 0.5 ", "-1", "-0", "inf", "1/0", "1e-2"),
    *([], [0], ["x"], [[]], [["x", 1]], {}, {"id": "x"}),
]
"""What takes the place of each part of a document, in turn."""

BEYOND = "|".join(
    [
        *("is not a profile", "expected one of the categories", "expected a total of 1", "one per category"),
        *("one per output", "positions? of rows", "is given twice"),
        *("not as long as expected", "unequal outputs", "not weights >= 0 for all outputs"),
        *("not a group", "not of two profiles", "not proved", "NOT PRIVATE", "not the higher one", "may have"),
        *(
            "is not the objective",
            "prove less",
            "(entries|privacy): .* out of range",
            "not outputs in order",
        ),
        *("total variation distance from 0 to 1", "expected at most", "expected at least the probability"),
        *(
            "not within (its|the) bounds",
            "does not refute",
            "bound_exact <= value_exact",
            "the curve is of another one",
            "^(pieces|primal|dual)[^:]*: (?!.*(missing|not an object))",
            "profile .: not a distribution",
            ": .* there, .* here",
        ),
    ]
)


def places(value: Any, before: Path_ = (), seen: set[object] | None = None) -> Iterator[Path_]:
    """Yield where the parts of a document stand: of a list's numbers and texts the first two, of what looks alike one.

    What looks alike to a schema is of one kind, and in the same place but for its numbers in lists.
    """
    seen = set() if seen is None else seen
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        whole = isinstance(part, dict | list)
        in_list = isinstance(key, int)
        looks = (*(int if isinstance(one, int) else one for one in before), int if in_list and whole else key)
        if key != "notes" and (looks, kind_of(part)) not in seen and (whole or not in_list or key < 2):
            seen.add((looks, kind_of(part)))
            yield (*before, key)
            yield from places(part, (*before, key), seen)


def kind_of(value: Any) -> object:
    """Return what a schema sees of a value: types alone, and the names of parts."""
    if isinstance(value, dict):
        return frozenset((key, kind_of(part)) for key, part in value.items())
    return (list, frozenset(map(kind_of, value))) if isinstance(value, list) else type(value)


def changed(document: Any, place: Path_, odd_values: Sequence[Any]) -> Iterator[Any]:
    """Yield the document without what stands there, and with each odd value in its place; the rest is the same."""
    for odd in [None, *odd_values]:
        part = whole = copy.copy(document)
        *outer, last = place
        for key in outer:
            part[key] = copy.copy(part[key])
            part = part[key]
        if odd is None and part[last] is not None:
            del part[last]
        else:
            part[last] = odd
        yield whole


def compare(
    name: str,
    document: Any,
    read: Callable[[Any], object],
    seen: set[object] | None = None,
    odd_values: Sequence[Any] = ODD,
) -> None:
    """Hold reader and schema against each other on every change of one part, but for those that were seen."""
    before = json.dumps(document)
    document = json.loads(before)
    read(document)
    fault_of = fault_finder(name, document)
    refused = 0
    for place in places(document, (), seen):
        for other in changed(document, place, odd_values):
            fault, why = fault_of(other), refusal(read, other)
            refused += bool(fault)
            assert not fault or why, f"the schema refuses what is read at {place}: {fault}"
            assert fault or not why or re.search(BEYOND, why), f"the schema takes what is refused at {place}: {why}"
    assert refused > 20
    assert json.dumps(document) == before, "a reader changed what it read"


def refusal(read: Callable[[Any], object], document: Any) -> str | None:
    try:
        read(document)
    except (md.InputError, md.Rejected) as error:
        return str(error)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_a_schema_takes_what_the_reader_takes(kind: str) -> None:
    name, document, read = READERS[kind]
    seen: set[object] = set()
    if kind == "formula in delta":  # the rest is as in one of epsilon, and takes seconds
        list(places(MADE["pair, root of 3"], (), seen))
    # A proof of a formula has many parts, and its schema takes 2 ms for each change.
    compare(name, document(), read, seen, ODD[::3] if name == "formula" else ODD)


def test_the_schema_of_curves_takes_what_a_sweep_goes_on_with(tmp_path: Path) -> None:
    compare("curve", CURVE, lambda document: read_points(document, tmp_path))


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_one_by_the_standard(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:mechdesign:schema:{name}:1"


def test_each_schema_is_of_the_version_that_is_written() -> None:
    formats = [CERTIFICATE, checker.REFUTATION, formula_checker.FORMULA]
    formats += [kind.format for kind in kinds.FORMATS.values() if "/" in kind.format]
    for form in formats:
        name = name_of({"format": form})
        assert name is not None
        taken = schema(name)["properties"]["format"]
        assert form in taken.get("enum", [taken.get("const")])
    assert {name_of({"format": form}) for form in formats} == {*NAMES} - {"graph"}


INSTANCES = Path(__file__).parent.parent / "benchmarks" / "instances"


@pytest.mark.slow
def test_shipped_graphs_follow_the_schema() -> None:
    for file in (*md.shipped_graphs().values(), *INSTANCES.glob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        name = name_of(document)
        assert fault_in(document, name) is None if name else file.name == "index.json", file


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": kinds.MECHANISM.format},
        {"format": CERTIFICATE, "value": 1},
        {"format": checker.REFUTATION},
        {"format": formula_checker.FORMULA},
        {"format": kinds.CURVE.format, "question": {}, "points": [{}]},
        {"format": kinds.PRIVACY_CURVE.format},
        {"format": kinds.MANIFEST.format},
        {"format": kinds.NOTE.format, "releases": [{}]},
        {"format": kinds.NAMES_OF_PROGRAM.format},
        {"format": kinds.BENCH.format, "rows": [{}]},
        {"nodes": [], "edges": []},
    ],
    ids=str,
)
def test_no_test_can_write_a_file_that_breaks_its_schema(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        write_json(wrong, tmp_path / "wrong.json")
    assert not list(tmp_path.iterdir())
