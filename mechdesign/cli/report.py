"""`mechdesign report`."""

from typing import Any

import click

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, PAGE
from mechdesign.cli.option_names import OneOf, option
from mechdesign.cli.options import cells_options
from mechdesign.show.answer import Answer
from mechdesign.show.language import Language, codes


@command("report", written={"output": "report"})
@click.argument("files", type=FILE, metavar="FILE...", nargs=-1, required=True)
@option("-o/--output REPORT.html", "Write the page.", PAGE, required=True)
@option("--all-pairs", "Every pair of profiles, where there is no certificate.")
@option("--title TEXT", "Heading; default: the graph's name, or the first file.")
@option("--purpose TEXT", "What the data are released for; default: as the graph says.")
@option("--language", "Language of the page.", OneOf(codes()), default="en")
@cells_options
def report_command(files: tuple[str, ...], output: str, language: str, cells: dict[str, Any], **how: Any) -> Answer:
    """Write a page that a data-protection officer can sign: what is protected, how well, at what cost.

    The page is one file that loads nothing: a sheet to print and sign, and an appendix for reviewers. Give files that
    belong together, one of each kind: a mechanism or a matrix, its certificate or refutation, its graph, the manifest
    of sanitised data, a curve of designs, a privacy curve. Proofs are checked, and compared with the other files.

    \b
    mechdesign report mechanism.json certificate.json graph.json -o report.html
    """
    from mechdesign.reports.page.whole import answer_of, page_of
    from mechdesign.reports.report_files import Options, read_given  # the templates load slowly
    from mechdesign.show.render import write_page

    say = Language(language)
    given = read_given(files, Options(say=say, **cells, **how))
    page = page_of(given, say)
    write_page(page, output, say)
    return answer_of(given, page, say)
