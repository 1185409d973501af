"""Which files a command reads and writes: told by the types of its parameters, and compared in one place.

Each option or argument that names a file or a folder has one of these types. So, before any work is done, every output
is known to be writable, and to be neither an input nor another output.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from mechdesign import reports
from mechdesign.cli.option_names import name_of
from mechdesign.errors import InputError
from mechdesign.files.overwriting import Place, check_apart
from mechdesign.files.tables import ARROW
from mechdesign.files.writing import check_file, check_folder
from mechdesign.graph.shipped import graph_path, shipped_graphs
from mechdesign.objective import DISTANCE_LOSSES, NAMED_LOSSES

if TYPE_CHECKING:
    import networkx as nx

Options: TypeAlias = Mapping[str, Any]
"""A command's options and arguments, by name."""


class FileType(click.ParamType[Any]):
    """The name of a file or a folder, kept as text."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return that the shell completes a file."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


class InputFile(FileType):
    """A file that is read.

    Parameters
    ----------
    find
        returns the file from what was written, None if that is the name of something else.
    names
        such names.
    """

    def __init__(self, find: Callable[[str], Path | None] = Path, names: Iterable[str] = ()) -> None:
        self.find, self.names = find, list(names)

    def files(self, text: str) -> list[Path]:
        """Return the files that a command with this text reads."""
        return [path] if (path := self.find(text)) is not None else []

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin so, after the file: for that one bash forgets what was there before."""
        files = super().shell_complete(ctx, param, incomplete)
        return files + [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


@dataclass(frozen=True)
class GivenGraph:
    """A profile graph, by its file or its name; read when it is wanted, and so after all files are compared."""

    name: str

    def __str__(self) -> str:
        return self.name

    @cached_property
    def graph(self) -> "nx.Graph":
        """The graph."""
        from mechdesign.graph.graph_file import read_graph  # networkx loads slowly

        return read_graph(self.name)


class GraphFile(InputFile):
    """A profile graph, by its file or its name."""

    def __init__(self) -> None:
        super().__init__(graph_path, shipped_graphs())

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> GivenGraph:
        """Return the graph, not yet read."""
        del param, ctx
        return GivenGraph(value)


class Program(InputFile):
    """A command to run: its words may name files, such as a script, that it reads."""

    name = "text"

    def files(self, text: str) -> list[Path]:
        """Return the words that are files."""
        from mechdesign.solver.command import words_of  # loads slowly

        return [path for word in words_of(text) if (path := Path(word)).is_file()]


class OutputFile(FileType):
    """A file that is written; `check` says what is wrong with its name, `beside` which files are written with it."""

    def __init__(
        self,
        check: Callable[[str], object] = lambda name: None,
        beside: Callable[[str], Iterable[str]] = lambda name: (),
    ) -> None:
        self.check, self.beside = check, beside


class OutputFolder(OutputFile):
    """A folder that is written to.

    Parameters
    ----------
    purpose
        what it is for, in words.
    names
        patterns of all names that its files may be given.
    where
        says of a command's options whether it is a folder; otherwise it is a file.
    check
        says what is wrong with the name of that file.
    """

    def __init__(
        self,
        purpose: str,
        *names: str,
        where: Callable[[Options], bool] = lambda options: True,
        check: Callable[[str], object] = lambda name: None,
    ) -> None:
        super().__init__(check)
        self.purpose, self.names, self.where = purpose, names, where


def picture(name: str) -> None:
    """Raise an InputError unless a file's ending is that of a picture."""
    reports.check_ending(name)


def page(name: str) -> None:
    """Raise an InputError unless a file's ending is that of a page."""
    if not name.lower().endswith((".html", ".htm")):
        raise InputError("a report is a page: expected a file ending in .html; a browser prints it as PDF", source=name)


def document(name: str, *others: str) -> None:
    """Raise an InputError if the ending of a file is another than that of JSON, or one of `others`."""
    if Path(name).suffix.lower() not in ("", ".json", *others):
        raise InputError(f"--output: expected a name that ends in {', '.join(('.json', *others))}", source=name)


def graph_document(name: str) -> None:
    """Raise an InputError if the ending of a graph's file is another than that of JSON or GraphML."""
    document(name, ".graphml")


PICTURES = (".png", ".svg", ".pdf")


def data(name: str) -> None:
    """Raise an InputError if a file for a curve's points has a picture's ending."""
    if Path(name).suffix.lower() in PICTURES:
        raise InputError("--curve writes points, as JSON; --plot FILE draws the picture", source=name)


FILE = InputFile()
GRAPH = GraphFile()
GRAPH_OR_MECHANISM = InputFile(graph_path, shipped_graphs())
LOSSES = (*NAMED_LOSSES, *DISTANCE_LOSSES)
"""The names of losses; the last are those of the graph's edges."""

LOSS = InputFile(lambda name: None if name in LOSSES else Path(name), LOSSES)
EDGES = InputFile(lambda name: Path(name) if Path(name).suffix.lower() in {".csv", *ARROW} else None, ["all"])
PROGRAM = Program()
OUTPUT = OutputFile()
PICTURE = OutputFile(picture)
PAGE = OutputFile(page)
DOCUMENT = OutputFile(document)
WRITTEN_GRAPH = OutputFile(graph_document)
WRITES_GRAPH = "Write the graph, as JSON; as GraphML if the name ends in .graphml."
CURVE = OutputFile(data)


def check_paths(parameters: Iterable[click.Parameter], options: Options) -> None:
    """Raise an InputError unless each output can be written, and is neither an input nor another output."""
    given = list(_given(parameters, options))
    taken = [
        (f"what {name} reads", Place(path))
        for name, kind, text in given
        if isinstance(kind, InputFile)
        for path in kind.files(text)
    ]
    for name, kind, text in given:
        if isinstance(kind, OutputFile):
            folder = kind if isinstance(kind, OutputFolder) and kind.where(options) else None
            names = folder.names if folder else ()
            check_apart(name, text, taken, names)
            taken.append((f"what {name} writes", Place(Path(text), names)))
            if folder:
                check_folder(text, folder.purpose)
            else:
                kind.check(text)
                check_file(text)


def _given(parameters: Iterable[click.Parameter], options: Options) -> Iterator[tuple[str, FileType, str]]:
    """Yield the files and folders that were given: the parameter as people write it, its type, the text.

    And those that are written beside them.
    """
    for parameter in parameters:
        value = options.get(parameter.name or "")
        if isinstance(kind := parameter.type, FileType) and value is not None:
            name = name_of(parameter)
            for text in map(str, value if isinstance(value, tuple) else [value]):
                yield name, kind, text
                beside = kind.beside(text) if isinstance(kind, OutputFile) else ()
                yield from ((name, OUTPUT, one) for one in beside)
