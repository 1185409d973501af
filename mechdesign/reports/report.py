"""`report`: the page of results that are at hand, as `mechdesign report` writes it of their files."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.files.overwriting import Place, check_apart
from mechdesign.mender.mended import Mended
from mechdesign.reports.page.whole import page_of
from mechdesign.reports.report_files import Options, read_given
from mechdesign.show.as_blocks import Answering
from mechdesign.show.as_blocks import page_of as page_of_answer
from mechdesign.show.language import Language, codes
from mechdesign.show.render import write_page
from mechdesign.words import expected_one_of


@with_flags
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
        of the words: "en" or "de". A result alone is told in English, without a purpose.
    all_pairs
        whether every pair of profiles is asked about where there is no certificate.

    Raises
    ------
    InputError
        naming the result that is of no such kind, is a second one of its kind, is rejected, or is about something else
        than another; what the page of a result alone cannot say; or a page that would overwrite a file that is read.

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
        _refuse(results[0], {"purpose": purpose, "all_pairs": all_pairs, "language": language != "en"})
        write_page(page_of_answer(results[0].answer(), title or type(results[0]).__name__), path)
        return
    files = [("what report reads", Place(Path(one))) for one in results if isinstance(one, str | os.PathLike)]
    check_apart("path", path, files)
    given = read_given(results, Options(all_pairs=all_pairs, say=say, title=title, purpose=purpose))
    write_page(page_of(given, say), path, say)


def _refuse(result: Answering, options: Mapping[str, object]) -> None:
    """Refuse what a page of one result cannot say."""
    given = [name for name, value in options.items() if value]
    if given:
        words = f"{given[0]}: the page of a {type(result).__name__} alone does not have it"
        raise InputError(f"{words}; it is for a design, a mechanism, a certificate or a refutation")
