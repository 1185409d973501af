"""`report`: the page of results that are at hand, as `mechdesign report` writes it of their files."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate_file import write_certificate
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.graph.graph_file import write_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import write_mechanism
from mechdesign.mender.mended import Mended
from mechdesign.reports.page.whole import page_of
from mechdesign.reports.report_files import Options, read_given
from mechdesign.show.as_blocks import Answering
from mechdesign.show.as_blocks import page_of as page_of_answer
from mechdesign.show.language import Language, codes
from mechdesign.show.render import write_page
from mechdesign.words import expected_one_of


def report(
    *results: Any,
    path: str | os.PathLike[str],
    title: str | None = None,
    purpose: str | None = None,
    language: str = "en",
    all_pairs: bool = False,
) -> None:
    """Write a page that a data-protection officer can sign: what is protected, how well, at what cost.

    The page is one HTML file that loads nothing. Proofs are checked, and compared with the other results.

    Parameters
    ----------
    *results
        that belong together: a `Design` or what was mended, or a mechanism, a certificate or refutation, a graph, or
        paths of files of these, of curves, and of the manifest of sanitised data; or one other result alone, such as
        a verdict or estimates.
    path
        of the page, which is replaced if it is there.
    title, purpose
        what the page is about, and what the data are released for; if None, as the graph says.
    language
        of the words: "en" or "de". A result alone is told in English.
    all_pairs
        whether every pair of profiles is asked about where there is no certificate.

    Raises
    ------
    InputError
        naming the result that is of no such kind, is a second one of its kind, is rejected, or is about something else
        than another.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import mechdesign as md
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> md.report(md.design("bernoulli-couplet", epsilon=1), path=page)
    >>> "PASSED" in page.read_text(encoding="utf-8")
    True
    """
    if not results:
        raise InputError("report: expected a result, found none")
    if language not in codes():
        raise InputError(f"language: {expected_one_of(codes(), language)}")
    say = Language(language)
    if len(results) == 1 and isinstance(results[0], Answering) and not isinstance(results[0], Design | Mended):
        write_page(page_of_answer(results[0].answer(), title or type(results[0]).__name__), path)
        return
    with tempfile.TemporaryDirectory() as folder:
        files = [file for result in results for file in _files(result, Path(folder))]
        given = read_given(files, Options(all_pairs=all_pairs, say=say, title=title, purpose=purpose))
        write_page(page_of(given, say), path, say)


def _files(result: Any, folder: Path) -> Iterator[str]:
    """Yield the files of a result, written under the names that they usually have; those that are there as they are."""
    files: dict[str, Callable[[Path], None]] = {}
    if isinstance(result, str | os.PathLike):
        yield os.fspath(result)
    elif isinstance(result, Mechanism):
        files["mechanism.json"] = partial(write_mechanism, result)
    elif isinstance(result, Mapping):
        files["certificate.json"] = partial(write_certificate, dict(result))
    elif isinstance(result, nx.Graph):
        files["graph.json"] = partial(write_graph, result)
    elif isinstance(result, Design | Mended):
        yield from _files(result.mechanism, folder)
        yield from _files(result.certificate, folder)
    else:
        raise InputError(f"report: expected results that belong together, found {type(result).__name__} among them")
    for name, write in files.items():
        if (folder / name).exists():
            raise InputError(f"report: a second {Path(name).stem}; a report is about one")
        write(folder / name)
        yield str(folder / name)
