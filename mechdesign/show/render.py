"""A report as HTML: one file that loads nothing, which its own security policy sees to."""

import base64
import hashlib
import math
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from importlib.metadata import version
from itertools import count
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mechdesign.files.writing import write_together
from mechdesign.show.blocks import Block, Page
from mechdesign.show.language import ENGLISH, Language, in_order

PARTS = resources.files("mechdesign.show") / "parts"


def write_page(page: Page, path: str | os.PathLike[str], say: Language = ENGLISH) -> None:
    """Write a report as HTML, in the language of its words; the file appears whole or not at all.

    Raises
    ------
    InputError
        if the file cannot be written.
    """
    content = html(page, say)
    write_together((path, lambda beside: beside.write_bytes(content)))


def html(page: Page, say: Language = ENGLISH) -> bytes:
    """Return a report as HTML, in UTF-8; the same for the same report.

    Examples
    --------
    >>> from mechdesign.show.blocks import Section, Text
    >>> b"<p>A &lt; B</p>" in html(Page("Title", "", [Section("One", [Text("A < B")])]))
    True
    """
    style, script = (_part(name) for name in ("style.css", "script.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()  # of the one script that may run
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    about = {"language": say.code, "policy": policy, "version": version("mechdesign")}
    template = _templates(say).get_template("page.html")
    text = template.render(page=page, new_name=_names(), style=style, script=script, **about)
    return text.encode(errors="backslashreplace")  # halves of surrogate pairs, in somebody's labels


def fragment(blocks: Sequence[Block]) -> str:
    """Return blocks in English as a part of another page, such as a notebook: the look of a report, and no script.

    Examples
    --------
    >>> from mechdesign.show.blocks import Text
    >>> "<p>A &lt; B</p>" in fragment([Text("A < B")])
    True
    """
    template = _templates(ENGLISH).get_template("fragment.html")
    text = template.render(blocks=blocks, new_name=_names(), style=_nested(_part("style.css")))
    return text.encode(errors="backslashreplace").decode()


def _nested(style: str) -> str:
    """Return the style of a whole page as one that is nested in the rule of a part: it touches nothing around it."""
    return re.sub(r"(?<![\w.#-])(:root|body)(?= \{)", "&", style)


def _names() -> Callable[[], str]:
    """Return what gives each figure of a page a name of its own."""
    return map("f{}-".format, count(1)).__next__


@cache
def _templates(say: Language) -> Environment:
    loader = PackageLoader("mechdesign.show", "parts")
    found = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found.globals["words"] = say
    found.filters |= {"say": say.shown, "in_words": say.figure, "sorted_by": _sorted_by}
    return found


def _sorted_by(cell: Any) -> str:
    """Return as an attribute the number by which a column is sorted."""
    number = in_order(cell)
    return "" if number is None else Markup(' data-n="{}"').format("Infinity" if number == math.inf else number)


def _part(name: str) -> str:
    return (PARTS / name).read_text(encoding="utf-8")
