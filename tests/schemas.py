"""The JSON Schemas that come with mechdesign, and which of them a document must follow."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource

from mechdesign.files.documents import dump_json

FOLDER = resources.files("mechdesign") / "schemas"
NAMES = sorted(file.name.removesuffix(".json") for file in FOLDER.iterdir() if file.name.endswith(".json"))
LARGEST = 50_000
"""Characters of a document that takes half a second to validate; larger ones, made the same way, are passed over."""


def schema(name: str) -> dict[str, Any]:
    """Return a schema by its name."""
    read: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return read


REGISTRY: Any = Registry().with_resources(
    (one["$id"], Resource.from_contents(one)) for one in map(schema, ("graph", "certificate"))
)
"""What others refer to parts of."""


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name), registry=REGISTRY)


def fault_finder(name: str, document: Any) -> Callable[[Any], str | None]:
    """Return what finds the fault of changed copies of a document without one, as fault_in does.

    A part that a copy has in common with the document is not looked through again where it stands.
    """
    good: set[tuple[int, int]] = set()
    learning = True

    def sparing(keyword: str) -> Any:
        original = Draft202012Validator.VALIDATORS[keyword]

        def check(own: Any, rule: Any, part: Any, around: Any) -> Iterator[ValidationError]:
            if (id(rule), id(part)) in good:
                return
            errors = list(original(own, rule, part, around))
            if learning and not errors and isinstance(part, dict | list):
                good.add((id(rule), id(part)))
            yield from errors

        return check

    once = extend(Draft202012Validator, {key: sparing(key) for key in ("properties", "items", "$ref", "allOf")})
    by_schema = once(schema(name), registry=REGISTRY)
    assert not list(by_schema.iter_errors(document)), fault_in(document, name)
    learning = False
    return lambda changed: _first(by_schema, changed, name)


def name_of(document: Any) -> str | None:
    """Return which schema a document says that it follows; None for one that has none."""
    if not isinstance(document, dict):
        return None
    form = document.get("format")
    name = "graph" if form is None and "nodes" in document else str(form).removeprefix("mechdesign-").partition("/")[0]
    return name if name in NAMES else None


def fault_in(document: Any, name: str) -> str | None:
    """Return what is wrong with a document by the schema, None if nothing is."""
    return _first(validator(name), document, name)


def _first(validator: Any, document: Any, name: str) -> str | None:
    error = next(validator.iter_errors(document), None)
    return error and f"{name}: {error.json_path}: {error.message:.200}"


def check_written(value: Any) -> None:
    """Raise an AssertionError if what goes into a file does not follow its schema."""
    name = name_of(value)
    if name and len(text := dump_json(value)) <= LARGEST:
        fault = fault_in(json.loads(text), name)  # as it is read again: tuples are lists
        assert fault is None, fault
