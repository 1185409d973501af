"""A report as HTML: one file that loads nothing, which its own security policy sees to."""

import base64
import hashlib
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from importlib.metadata import version
from itertools import count

from jinja2 import Environment, PackageLoader, StrictUndefined

from mechdesign.files.writing import write_together
from mechdesign.show.blocks import Block, Page

PARTS = resources.files("mechdesign.show") / "parts"


def write_page(page: Page, path: str | os.PathLike[str]) -> None:
    """Write a report as HTML; the file appears whole or not at all.

    Raises
    ------
    InputError
        if the file cannot be written.
    """
    content = html(page)
    write_together((path, lambda beside: beside.write_bytes(content)))


def html(page: Page) -> bytes:
    """Return a report as HTML, in UTF-8; the same for the same report.

    Examples
    --------
    >>> from mechdesign.show.blocks import Section, Text
    >>> b"<p>A &lt; B</p>" in html(Page("Title", "", [Section("One", [Text("A < B")])]))
    True
    """
    style, script = (_part(name) for name in ("style.css", "script.js"))
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{_hash(script)}'"
    text = (
        _templates()
        .get_template("page.html")
        .render(page=page, new_name=_names(), style=style, script=script, policy=policy, version=version("mechdesign"))
    )
    return text.encode(errors="backslashreplace")  # halves of surrogate pairs, in somebody's labels


def fragment(blocks: Sequence[Block]) -> str:
    """Return blocks as a part of somebody else's page, such as a notebook: the look of a report, and no script.

    Examples
    --------
    >>> from mechdesign.show.blocks import Text
    >>> "<p>A &lt; B</p>" in fragment([Text("A < B")])
    True
    """
    text = (
        _templates()
        .get_template("fragment.html")
        .render(blocks=blocks, new_name=_names(), style=_nested(_part("style.css")))
    )
    return text.encode(errors="backslashreplace").decode()


def _nested(style: str) -> str:
    """Return the style of a whole page as one that is nested in the rule of a part: it touches nothing around it."""
    return re.sub(r"(?<![\w.#-])(:root|body)(?= \{)", "&", style)


def _names() -> Callable[[], str]:
    """Return what gives each figure of a page a name of its own."""
    return map("f{}-".format, count(1)).__next__


@cache
def _templates() -> Environment:
    loader = PackageLoader("mechdesign.show", "parts")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """Return by what a browser knows the one script that may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
