"""What kind of file a file is, and which command takes it: said where another kind was expected."""

import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from mechdesign.errors import InputError, telling
from mechdesign.files.documents import read_json
from mechdesign.files.opening import opened

T = TypeVar("T")


@dataclass(frozen=True)
class Kind:
    """A kind of file: what it is called, what to do with the file FILE, and what its `format` says, if it has that.

    Of proofs the checkers know which version it is. The schema of a format is in `mechdesign/schemas`, by its name.
    """

    name: str
    remedy: str
    format: str = ""

    def check(self, document: Any, *, source: str = "") -> dict[str, Any]:
        """Return a JSON object of this format.

        Raises
        ------
        InputError
            if it is none.

        Examples
        --------
        >>> CURVE.check({"format": "mechdesign-curve/1"})
        {'format': 'mechdesign-curve/1'}
        """
        if not isinstance(document, dict) or document.get("format") != self.format:
            raise InputError(f'expected {self.name}, with "format": "{self.format}"', source=source)
        return document

    def read(self, path: str | os.PathLike[str], make: Callable[[Any], T], parse: Callable[..., Any] = read_json) -> T:
        """Return what `make` makes of a file's JSON value, which is parsed once.

        Raises
        ------
        InputError
            naming the file: of another kind, and which command takes it, or what `make` finds in it.
        """
        with expecting(self, path=path), telling(source=str(path)):
            return make(parse(path))


GRAPH = Kind(
    "a profile graph", "mechdesign design FILE --epsilon E designs for it, mechdesign plot FILE -o picture.svg draws it"
)
MECHANISM = Kind(
    "a mechanism",
    "mechdesign certify FILE takes it, mechdesign plot FILE -o picture.svg draws it",
    "mechdesign-mechanism/1",
)
MATRIX = Kind("a matrix", "mechdesign certify FILE takes it, mechdesign plot FILE -o picture.svg draws it")
CERTIFICATE = Kind("a certificate", "mechdesign check FILE takes it", "mechdesign-certificate")
REFUTED = Kind("a refutation", "mechdesign check FILE takes it", "mechdesign-refutation")
FORMULA = Kind("the proof of a formula", "mechdesign check FILE takes it", "mechdesign-formula")
CURVE = Kind(
    "a curve of designs",
    "mechdesign design GRAPH --epsilon E --curve FILE goes on with it, --plot draws it",
    "mechdesign-curve/1",
)
PRIVACY_CURVE = Kind("a privacy curve", "mechdesign report FILE -o report.html shows it", "mechdesign-privacy-curve/1")
PROGRAM = Kind("a linear program", "a solver reads it; mechdesign design GRAPH --epsilon E --method-command runs one")
NAMES_OF_PROGRAM = Kind("what the names in a linear program mean", "no command reads it", "mechdesign-program/1")
BENCH = Kind(
    "the rows of a benchmark",
    "no command reads it; mechdesign bench --plot draws what it measures",
    "mechdesign-bench/1",
)
MANIFEST = Kind(
    "the manifest of sanitised data",
    "it describes the file beside it, without .manifest.json in its name",
    "mechdesign-manifest/1",
)
TABLE = Kind(
    "a table",
    "make a graph with: mechdesign graph from-table FILE --profile COLUMN --value COLUMN -o graph.json",
)
TEXT = Kind("a table or a matrix", f"of a table {TABLE.remedy}; of a matrix: mechdesign certify FILE takes it")
ANSWER = Kind(
    "what a command printed with --json", "no command reads it; -o of that command writes a file to go on with"
)
ARRAYS = Kind("an archive of arrays", "save the matrix alone, with numpy.save, as .npy")
WORKBOOK = Kind("an Excel workbook or another archive", "save the sheet as CSV")
COMPRESSED = Kind("a compressed file", "unpack it")
PICTURE = Kind("a picture", "no command reads it")
RECORDS = Kind("records in JSON", "save them as CSV or Parquet")

NOTE = Kind(
    "a note of what was sanitised", "mechdesign sanitise keeps it; no other command reads it", "mechdesign-sanitised/1"
)

FORMATS = {
    kind.format.partition("/")[0]: kind for kind in list(vars().values()) if isinstance(kind, Kind) and kind.format
}
"""What the `format` of a file says, before the slash."""

_FORMAT = re.compile(r'\s*\{\s*"format"\s*:\s*"([^"/\\]*)')
_ROWS = re.compile(r"\s*\[\s*\[(?!\s*\[)")

BEGINNINGS = {
    b"\x93NUMPY": MATRIX,
    b"PAR1": TABLE,
    b"ARROW1": TABLE,
    b"FEA1": TABLE,
    b"PK\x03\x04": WORKBOOK,
    b"\xd0\xcf\x11\xe0": WORKBOOK,
    b"\x1f\x8b": COMPRESSED,
    b"\x89PNG": PICTURE,
    b"%PDF": PICTURE,
    b"\xff\xd8\xff": PICTURE,
}
ENDINGS = {".csv": TEXT, ".tsv": TEXT, ".txt": TEXT, ".svg": PICTURE, ".mps": PROGRAM, ".graphml": GRAPH}
ANSWERS = (
    {"value", "bound"},
    {"private", "epsilon_lower"},
    {"accepted"},
    {"findings"},
    {"results"},
    {"pieces", "breakpoints"},
)
"""Keys that tell what a command printed."""


def kind_of(path: str | os.PathLike[str]) -> Kind | None:
    """Return what kind of file this is; None if it cannot be read, or be told.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "survey.csv"
    >>> _ = file.write_text("job,usage\\nclerk,low\\n")
    >>> kind_of(file).name
    'a table or a matrix'
    """
    try:
        with opened(path) as file:
            head = file.read(4096)
    except ValueError:  # InputError is one; a NUL in the name another
        return None
    for beginning, kind in BEGINNINGS.items():
        if head.startswith(beginning):
            return ARRAYS if kind is WORKBOOK and b".npy" in head else kind
    text = head.decode("utf-8-sig", errors="replace")
    if ours := _FORMAT.match(text):  # as we write it; so a file is parsed once, by whoever reads it
        return FORMATS.get(ours[1])
    if _ROWS.match(text):
        return MATRIX
    if text.lstrip().startswith(("{", "[")):
        try:
            return _kind_of_value(read_json(path))
        except InputError:
            return None
    return ENDINGS.get(Path(path).suffix.lower())


def _kind_of_value(value: Any) -> Kind | None:
    """Return what kind of file has this JSON value; None for one of somebody else's."""
    if isinstance(value, list):
        kinds = {list: MATRIX, dict: RECORDS}
        return next((kinds[kind] for kind in kinds if value and all(isinstance(row, kind) for row in value)), None)
    if not isinstance(value, dict):
        return None
    form = value.get("format")
    if isinstance(form, str):
        return FORMATS.get(form.partition("/")[0])
    if "nodes" in value:
        return GRAPH
    return ANSWER if any(keys <= set(value) for keys in ANSWERS) else None


@contextmanager
def expecting(*kinds: Kind, path: str | os.PathLike[str]) -> Iterator[None]:
    """Within this, an InputError about a file of another kind says which kind it is and which command takes it.

    Raises
    ------
    InputError
        in place of one that was raised, if the file is of none of the kinds.
    """
    try:
        yield
    except InputError:
        check_kind(*kinds, path=path)
        raise


def check_kind(*kinds: Kind, path: str | os.PathLike[str]) -> None:
    """Raise if this is a file of a kind that is known and none of these.

    Raises
    ------
    InputError
        naming the file, its kind and the command which takes it.
    """
    found = kind_of(path)
    if found is None or found in kinds:
        return
    expected = " or ".join(kind.name for kind in kinds if kind not in (TEXT, COMPRESSED))
    remedy = found.remedy.replace("FILE", shlex.quote(str(path)))
    raise InputError(f"expected {expected}, found {found.name}; {remedy}", source=str(path)) from None
