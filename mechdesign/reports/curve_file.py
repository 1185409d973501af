"""The file that keeps a sweep's points, so that what was solved is not lost.

::

    {"format": "mechdesign-curve/1",
     "question": {"graph_sha256": "...", "delta": "0", "objective": "max-off-diagonal", "loss": null,
                  "method": "auto", "shared": false, "any_optimum": false},
     "points": [{"epsilon_exact": "1/10", "value_exact": "p/q", ..., "mechanism": null, "certificate": null}, ...]}

A point is what `mechdesign design --json` says about one epsilon, with the files written for it. The graph's digest is
that of its categories, profiles and edges, whatever its name.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.designer.curve_of_designs import Curve, Point
from mechdesign.designer.design_answer import facts_of
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, parse_epsilon, parse_number
from mechdesign.exact.text import format_number, shown
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import CURVE
from mechdesign.files.writing import locked
from mechdesign.graph.distribution import support
from mechdesign.graph.document import plain
from mechdesign.graph.uncertainty import BOUNDS, is_robust
from mechdesign.objective import profile_weights
from mechdesign.show.answer import Answer
from mechdesign.show.as_json import as_json

LONGEST_WORDS = 200
"""Letters of what a file says in words; a picture has no room for more."""

Points = dict[Epsilon, dict[str, Any]]
Question = Mapping[str, Any]


def point_of(result: Design) -> dict[str, Any]:
    """Return a design as a point of a curve's file."""
    said = as_json(Answer(facts=facts_of(result)))
    return {key: value for key, value in said.items() if key not in ("sentence", "warnings")}


def question_of(graph: nx.Graph, options: Mapping[str, Any]) -> Question:
    """Return what a curve of a checked graph answers, but for the epsilons; `options` are those of `design`."""
    objective, command = options["objective"], options.get("command")
    question = {
        "graph_sha256": _digest(graph),
        "delta": format_number(options["delta"]),
        "objective": objective.name,
        "loss": plain(objective.loss),
        "method": options["method"] if command is None else "command",
        "shared": options["shared"],
        "any_optimum": options["any_optimum"],
    }
    own: dict[str, Any] = {"scale_own": True} if options["scale_own"] else {}
    if options.get("keep_shares"):
        own["keep_shares"] = True
    if is_robust(graph):
        own["nominal"] = options["nominal"]
    return question | own | ({} if command is None else {"command": command})


def _digest(graph: nx.Graph) -> str:
    content: list[Any] = [
        graph.graph["categories"],
        [[profile, support(attributes["distribution"])] for profile, attributes in graph.nodes.items()],
        profile_weights(graph),
        [[a, b, [edge.get(key) for key in ("epsilon", "delta", "distance")]] for a, b, edge in graph.edges(data=True)],
    ]
    if is_robust(graph):
        content.append([[attributes.get(key) for key in BOUNDS] for attributes in graph.nodes.values()])
    return hashlib.sha256(json.dumps(plain(content)).encode()).hexdigest()


def read_curve(path: str, question: Question) -> Points:
    """Return the points in a file, by epsilon; none if there is no such file.

    Raises
    ------
    InputError
        if it answers another question, or is no curve.
    """
    if not Path(path).exists():
        return {}
    asked, points = CURVE.read(path, _question_and_points)
    differ = [
        f"{_difference(key, asked.get(key), question.get(key))}; give another file, or delete this one"
        for key in dict.fromkeys([*question, *asked])
        if asked.get(key) != question.get(key)
    ]
    if differ:
        raise InputError(differ, source=path)
    return points


def _question_and_points(document: Any, source: str = "") -> tuple[dict[str, Any], Points]:
    """Return what a JSON value says that it answers, and how."""
    CURVE.check(document, source=source)
    asked, points = document.get("question"), document.get("points")
    if not isinstance(asked, dict) or not isinstance(points, list):
        raise InputError("expected a question, an object, and points, a list", source=source)
    _check_words(asked, ("objective", "method"), source)
    found: Points = {}
    for number, point in enumerate(points):
        try:
            checked = _checked(point)
            found[parse_epsilon(checked["epsilon_exact"])] = checked
        except InputError as error:
            raise InputError(f"points[{number}]: cannot be used: {error}", source=source) from None
    return asked, found


def curve_in(path: str) -> Curve:
    """Return the points in a file with what they answer, for a report.

    Raises
    ------
    InputError
        if it is no curve, or has no points.
    """
    question, points = CURVE.read(path, _question_and_points)
    if not points:
        raise InputError("expected at least one point, found none; mechdesign design --curve adds them", source=path)
    return curve_of(question, points)


def curve_of(question: Question, points: Points, words: str = "") -> Curve:
    """Return the points of a file by epsilon; `words` are what the objective is called, if it is one's own."""
    some, objective = next(iter(points.values())), str(question.get("objective"))
    return Curve(
        objective=objective,
        words=words or objective,
        own=bool(question.get("scale_own")),
        rivals=str(some.get("bound_of", "")),
        baseline=str(some.get("baseline_name", "baseline")),
        method=str(question.get("method")),
        points=[_point(epsilon, points[epsilon]) for epsilon in sorted(points)],
    )


def _point(epsilon: Epsilon, point: dict[str, Any]) -> Point:
    bound = parse_number(point["bound_exact"])
    required = point.get("edges", 1) and (epsilon < math.inf or point.get("edges_asked", 0) < point.get("edges", 1))
    return Point(
        epsilon,
        parse_number(point["value_exact"]),
        bound,
        parse_number(point.get("class_bound_exact", str(bound))),
        point.get("bound_by", "duality") == "duality",
        Fraction(point["baseline"]) if required else None,
        float(point["seconds"]),
    )


def _difference(key: str, there: Any, here: Any) -> str:
    if key == "graph_sha256":
        return "graph: the curve is of another one, with other categories, profiles, distributions, weights or edges"
    return f"{key}: {shown(there)} there, {shown(here)} here"


def _check_words(fields: Mapping[str, Any], keys: Sequence[str], source: str = "") -> None:
    """Require text that a page has room for."""
    for key in keys:
        part = fields.get(key, "")
        if not isinstance(part, str) or len(part) > LONGEST_WORDS:
            raise InputError(
                f"{key}: expected text of at most {LONGEST_WORDS} letters, found {shown(part)}", source=source
            )


def _checked(point: Any) -> dict[str, Any]:
    """Return a point with doubles for the Fractions that were read; what a table shows must be there."""
    if not isinstance(point, dict):
        raise InputError(f"expected an object, found {shown(point)}")
    for key in ("epsilon_exact", "value_exact", "bound_exact"):
        if not isinstance(part := point.get(key), str):
            raise InputError(f"{key}: expected text, found {shown(part)}")
    _check_words(point, ("bound_of", "baseline_name"))
    for key, expected, least in (("baseline", "a number", -math.inf), ("seconds", "a number >= 0", 0)):
        part = point.get(key)
        if isinstance(part, bool) or not isinstance(part, int | Fraction) or part < least:
            raise InputError(f"{key}: expected {expected}, found {shown(part)}")
    if parse_number(point["bound_exact"]) > parse_number(point["value_exact"]):
        raise InputError("expected bound_exact <= value_exact")
    return {key: _doubles(part) for key, part in point.items()}


def _doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _doubles(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_doubles(part) for part in value]
    return float(value) if isinstance(value, Fraction) else value


def keep_points(path: str, question: Question, known: Points, new: Points) -> None:
    """Add new points to a file, by epsilon; what other sweeps have put there since it was read stays.

    `known` are points that were there, or put there, before: they come back if the file was taken away.

    Raises
    ------
    InputError
        if it now answers another question or is no curve, or cannot be written.
    """
    with locked(path):
        points = {**known, **read_curve(path, question), **new}
        ordered = [points[epsilon] for epsilon in sorted(points)]
        write_json({"format": CURVE.format, "question": dict(question), "points": ordered}, path)
