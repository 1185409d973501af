"""What a report is made from: files, or results that are at hand; which part of it each is, and how it is called."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.files import kinds
from mechdesign.files.documents import dump_json
from mechdesign.files.opening import sha256_of
from mechdesign.graph.document import document_of
from mechdesign.graph.graph_file import as_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import mechanism_document
from mechdesign.mender.mended import Mended

PART = {
    **dict.fromkeys((kinds.MATRIX, kinds.TEXT, kinds.MECHANISM), "mechanism"),
    kinds.CERTIFICATE: "certificate",
    kinds.REFUTED: "refutation",
    kinds.CURVE: "curve of designs",
    kinds.PRIVACY_CURVE: "privacy curve",
    kinds.GRAPH: "graph",
    kinds.MANIFEST: "manifest",
}
"""What a file of a kind is in a report."""


@dataclass(frozen=True)
class Part:
    """One of the things that a report is made from.

    Attributes
    ----------
    what
        it is, of those in `PART`.
    name
        of its file, without folders; of a result, the one that its file usually has.
    called
        what messages call it.
    path
        of the file; None of a result.
    value
        the result, and `document` what its file would have.
    """

    what: str
    name: str
    called: str
    path: str | None = None
    value: Any = None
    document: Any = None

    @property
    def is_matrix(self) -> bool:
        """Whether its numbers are those of somebody's table."""
        return self.path is not None and kinds.kind_of(self.path) in (kinds.MATRIX, kinds.TEXT)

    @cached_property
    def sha256(self) -> str:
        """The digest of its file, or of the one that would be written."""
        if self.path is not None:
            return sha256_of(self.path)
        return hashlib.sha256((dump_json(self.document) + "\n").encode()).hexdigest()


def parts_of(results: Iterable[Any]) -> dict[str, Part]:
    """Return files and results by what they are, one of each kind.

    Raises
    ------
    InputError
        naming the one that is of no such kind, or a second one of its kind.
    """
    found: dict[str, Part] = {}
    for part in (part for result in results for part in _parts(result)):
        if part.what in found:
            first = found[part.what]
            beside = "" if first.path is None else f", beside {first.path}"
            raise InputError(
                f"this is a second {part.what}{beside}; a report is about one", source=part.path or "report"
            )
        found[part.what] = part
    if "certificate" in found and "refutation" in found:
        fault = "a certificate and a refutation; a report is about one of them"
        raise InputError(fault, source=found["refutation"].called)
    return found


def _parts(result: Any) -> Iterator[Part]:
    if isinstance(result, str | os.PathLike):
        yield _file(os.fspath(result))
    elif isinstance(result, Mechanism):
        yield _at_hand("mechanism", result, mechanism_document(result))
    elif isinstance(result, nx.Graph):
        graph = as_graph(result)
        yield _at_hand("graph", graph, document_of(graph))
    elif isinstance(result, Mapping):
        kind = kinds.FORMATS.get(str(result.get("format")).partition("/")[0])
        if kind not in (kinds.CERTIFICATE, kinds.REFUTED):
            raise InputError("report: expected a certificate or a refutation, found a dictionary that is neither")
        yield _at_hand(PART[kind], dict(result), dict(result))
    elif isinstance(result, Design | Mended):
        yield from _parts(result.mechanism)
        yield from _parts(result.certificate)
    else:
        raise InputError(f"report: expected results that belong together, found {type(result).__name__} among them")


def _at_hand(what: str, value: Any, document: Any) -> Part:
    return Part(what, f"{what}.json", f"the {what}", value=value, document=document)


def _file(path: str) -> Part:
    kind = kinds.kind_of(path)
    if kind not in PART:
        sha256_of(path)  # says if it cannot be read
        kinds.check_kind(*PART, path=path)
        raise InputError("expected a mechanism, a certificate, a refutation or a curve", source=path)
    return Part(PART[kind], Path(path).name, path, path)
