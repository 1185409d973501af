"""`mechdesign report`."""

from typing import TYPE_CHECKING, Any

import click

from mechdesign.cli.file_types import FILE, PAGE, Command
from mechdesign.cli.option_names import OneOf
from mechdesign.cli.options import json_option, layout_options, normalise_option
from mechdesign.cli.output import print_json
from mechdesign.files.delimited import Layout
from mechdesign.privacy.asked import Protected
from mechdesign.show.language import Language, codes
from mechdesign.show.terminal import console

if TYPE_CHECKING:
    from mechdesign.reports.page.subject import Subject


@click.command("report", cls=Command)
@click.argument("files", type=FILE, metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--output", type=PAGE, required=True, metavar="REPORT.html", help="Write the page.")
@click.option("--all-pairs", is_flag=True, help="Every pair of profiles, where there is no certificate.")
@click.option("--title", metavar="TEXT", help="Heading; default: the graph's name, or the first file.")
@click.option("--purpose", metavar="TEXT", help="What the data are released for; default: as the graph says.")
@click.option("--language", type=OneOf(codes()), default="en", show_default=True, help="Language of the page.")
@normalise_option
@layout_options
@json_option
def report_command(
    files: tuple[str, ...], output: str, language: str, layout: Layout, as_json: bool, **how: Any
) -> None:
    """Write a page that a data-protection officer can sign: what is protected, how well, at what cost.

    The page is one file that loads nothing: a sheet to print and sign, and an appendix for reviewers. Give files that
    belong together, one of each kind: a mechanism or a matrix, its certificate or refutation, its graph, the manifest
    of sanitised data, a curve of designs, a privacy curve. Proofs are checked, and compared with the other files.

    \b
    mechdesign report mechanism.json certificate.json graph.json -o report.html
    """
    from mechdesign.reports.page.whole import page_of
    from mechdesign.reports.report_files import Options, read_given  # the templates load slowly
    from mechdesign.show.render import write_page

    say = Language(language)
    given = read_given(files, Options(layout=layout, say=say, **how))
    page = page_of(given, say)
    write_page(page, output, say)
    if as_json:
        sources = [{"kind": one.what, "file": one.name, "sha256": one.sha256} for one in given.sources]
        sections = [section.title for section in (*page.sections, *page.appendix)]
        answer = {"report": output, "sources": sources, "sections": sections}
        print_json(answer | pairs_summary(given.subject))
    else:
        console().print(f"Written: {output}, from {', '.join(source.what for source in given.sources)}.")


def pairs_summary(subject: "Subject | None") -> dict[str, Any]:
    """Return how many pairs of profiles a report says something of; null for curves, and for a refutation of one."""
    if subject is None or subject.refuted:
        return dict.fromkeys(Protected(0, 0).summary())
    return subject.protected.summary()
