"""What to cite: this package, and the papers that the References of a docstring name, by their first authors."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.text import shown
from mechdesign.files.documents import read_json
from mechdesign.formulas.find import formula
from mechdesign.formulas.formula import Formula
from mechdesign.graph.places import point_graph
from mechdesign.objective import OBJECTIVES
from mechdesign.words import expected_one_of

TITLE = "least-distorting privacy mechanisms, designed, proved and certified in exact arithmetic"
YEAR = 2026
SOFTWARE = """\
@software{{mechdesign,
  author = {{{{mechdesign developers}}}},
  title = {{mechdesign: {title}}},
  url = {{https://github.com/mechdesign/mechdesign}},
  version = {{{version}}}, year = {{{year}}}, license = {{Apache-2.0}}
}}"""
PAPER = """\
@misc{{{key},
  author = {{{authors}}},
  title = {{{title}}},
  year = {{{year}}}, howpublished = {{{where}}}{eprint}
}}"""
EPRINT = ",\n  eprint = {{{number}}}, archivePrefix = {{arXiv}}"


@dataclass(frozen=True)
class Paper:
    """A paper, as a list of references has it; References name it by its first author."""

    authors: Sequence[str]
    title: str
    year: int
    where: str

    @property
    def first(self) -> str:
        """The first author's surname."""
        return self.authors[0].split()[-1]

    @property
    def text(self) -> str:
        """It on one line."""
        *others, last = self.authors
        names = f"{', '.join(others)} and {last}" if others else last
        return f"{names}, {self.title}, {self.where}, {self.year}."

    @property
    def bibtex(self) -> str:
        """It as an entry for BibTeX."""
        key, (_, _, number) = f"{self.first.lower()}{self.year}", self.where.partition("arXiv:")
        eprint = EPRINT.format(number=number) if number else ""
        authors = " and ".join(self.authors)
        return PAPER.format(key=key, authors=authors, title=self.title, year=self.year, where=self.where, eprint=eprint)


PAPERS = tuple(Paper(**one) for one in read_json(Path(__file__).with_name("references.json")))
"""All that the docstrings of public names refer to."""


@with_flags
def citation(subject: Any = None, *, bibtex: bool = False) -> str:
    """Return what to cite: this package, and the papers that something in it is from.

    Parameters
    ----------
    subject
        a design or a formula; an objective, its class or its name, such as "worst-loss"; or any function or class of
        the package. Nothing: designing itself. For which of a paper's results, see its help.
    bibtex
        whether as entries for BibTeX; else one line each.

    Raises
    ------
    InputError
        if it is no part of this package.

    Examples
    --------
    >>> import mechdesign as md
    >>> citation(md.MutualInformation).splitlines()[-1].split(", ")[:2]
    ['Claude Shannon', 'Coding Theorems for a Discrete Source with a Fidelity Criterion']
    """
    texts = [references(part) for part in _parts(subject)]
    papers = [paper for paper in PAPERS if any(paper.first in text for text in texts)]
    if bibtex:
        own = SOFTWARE.format(title=TITLE, version=version("mechdesign"), year=YEAR)
        return "\n\n".join([own, *(paper.bibtex for paper in papers)])
    own = f"mechdesign: {TITLE}, version {version('mechdesign')}, {YEAR}."
    return "\n".join([own, *(paper.text for paper in papers)])


def _parts(subject: Any) -> list[Any]:
    """Return the functions and classes that a subject is from."""
    if subject is None:
        return [design]
    if isinstance(subject, Design):
        metric = any("distance" in own for _, _, own in subject.graph.edges(data=True))
        return [design, point_graph if metric else type(subject.objective)]
    if isinstance(subject, Formula):
        return [formula, type(subject.terms.objective)]
    if isinstance(subject, str):
        if subject not in OBJECTIVES:
            raise InputError(f"citation: {expected_one_of(OBJECTIVES, subject)}")
        return [OBJECTIVES[subject]]
    part = subject if inspect.isclass(subject) or inspect.isroutine(subject) else type(subject)
    if not str(getattr(part, "__module__", "")).startswith("mechdesign."):
        expected = "a design, a formula, an objective or a part of mechdesign"
        raise InputError(f"citation: expected {expected}, found {shown(subject)}")
    return [part]


def references(part: Any) -> str:
    """Return what stands below References in the docstring of a function or a class."""
    _, _, below = (inspect.getdoc(part) or "").partition("References\n----------\n")
    return below.partition("\n\n")[0]
