"""`mechdesign report`."""

from typing import TYPE_CHECKING, Any

import click

from mechdesign.cli.file_types import FILE, PAGE, Command
from mechdesign.cli.options import json_option, layout_options, normalise_option
from mechdesign.cli.output import print_json
from mechdesign.files.delimited import Layout
from mechdesign.privacy.asked import Protected
from mechdesign.show.terminal import console

if TYPE_CHECKING:
    from mechdesign.report.page.subject import Subject


@click.command("report", cls=Command)
@click.argument("files", type=FILE, metavar="MECHANISM|CERTIFICATE|CURVE...", nargs=-1, required=True)
@click.option("-o", "--output", type=PAGE, required=True, metavar="REPORT.html", help="Write the page.")
@click.option("--all-pairs", is_flag=True, help="Every pair of profiles, where there is no certificate.")
@normalise_option
@layout_options
@json_option
def report_command(
    files: tuple[str, ...], output: str, all_pairs: bool, normalise: bool, layout: Layout, as_json: bool
) -> None:
    """Write one page on what is protected, at which epsilon, what it costs, and how to check it.

    The page is one file that loads nothing. Give what belongs together: a mechanism or a matrix, its certificate or
    refutation, a curve of designs, a privacy curve; one of each. A certificate is checked, and compared with the
    mechanism. The page says what these files lack, and which other file has it.

    \b
    mechdesign report mechanism.json certificate.json -o report.html
    """
    from mechdesign.cli.report_files import read_given  # the templates load slowly
    from mechdesign.report.page.whole import page_of
    from mechdesign.show.render import write_page

    given = read_given(files, layout, normalise, all_pairs)
    page = page_of(given)
    write_page(page, output)
    if as_json:
        sources = [{"kind": one.what, "file": one.name, "sha256": one.sha256} for one in given.sources]
        answer = {"report": output, "sources": sources, "sections": [section.title for section in page.sections]}
        print_json(answer | pairs_summary(given.subject))
    else:
        console().print(f"Written: {output}, from {', '.join(source.what for source in given.sources)}.")


def pairs_summary(subject: "Subject | None") -> dict[str, Any]:
    """Return how many pairs of profiles a report says something of; null for curves, and for a refutation of one."""
    if subject is None or subject.refuted:
        return dict.fromkeys(Protected(0, 0).summary())
    return subject.protected.summary()
