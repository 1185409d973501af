"""How notebooks show results: a sentence, small tables, and a picture where one helps, made of a report's parts.

Nothing is solved or measured for it, and of what is large only the first part is shown: `mechdesign report` shows all.
"""

from functools import singledispatch

from mechdesign.designer.result import Design
from mechdesign.designer.swept import Sweep
from mechdesign.formulas.formula import Formula
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.reports.formula_plot import plot_formula
from mechdesign.reports.page.before_and_after import before_and_after, groups, picture
from mechdesign.reports.page.matrices import LARGEST, matrices_of, matrix_of_values, sharing
from mechdesign.reports.page.subject import of_mechanism
from mechdesign.reports.page.utility import pictures
from mechdesign.show.as_blocks import Answering, blocks_of
from mechdesign.show.blocks import Block, Pages, Picture, Text
from mechdesign.show.language import ENGLISH
from mechdesign.show.render import fragment
from mechdesign.words import counted

MOST_MATRICES, MOST_PROFILES, MOST_POINTS = 4, 6, 40
"""Matrices, profiles and pieces of a formula that are shown."""
MOST_ROWS = 100_000
"""Pairs of a profile and a category among which equal matrices are looked for."""


def html(value: Answering | Mechanism) -> str:
    """Return a result as a part of a page.

    Examples
    --------
    >>> import mechdesign as md
    >>> ">0.056684742</td>" in html(md.design("categorical-chain", epsilon=0.5))
    True
    """
    return fragment(
        _mechanism(value) if isinstance(value, Mechanism) else [*blocks_of(value.answer()), *pictures_of(value)]
    )


@singledispatch
def pictures_of(value: object) -> list[Block]:
    """Return the pictures that stand beside what is told of a result."""
    del value
    return []


@pictures_of.register
def _design(value: Design) -> list[Block]:
    mechanism = value.mechanism
    if len(mechanism.outputs) > LARGEST or of_mechanism(mechanism).inputs_alone:
        return _matrices(mechanism)
    before = Text(before_and_after(of_mechanism(mechanism), ENGLISH))
    rest = _rest(len(mechanism.profiles), MOST_PROFILES, "profile")
    drawn = picture(mechanism, ENGLISH) if len(mechanism.profiles) <= MOST_PROFILES else []
    return [before, *drawn, Pages(groups(mechanism, MOST_PROFILES, ENGLISH, open_tables=0)), *rest]


def _mechanism(value: Mechanism) -> list[Block]:
    profiles, outputs = counted(len(value.profiles), "profile"), counted(len(value.outputs), "output")
    about = f"A mechanism for {profiles}: {counted(len(value.categories), 'category')} to {outputs}."
    return [Text(about), *_matrices(value)]


def _matrices(mechanism: Mechanism) -> list[Block]:
    """Return the first matrices, those that profiles share once."""
    subject = of_mechanism(mechanism)
    if mechanism.index.size > MOST_ROWS or max(len(mechanism.categories), len(mechanism.outputs)) > LARGEST:
        return [Text("Its matrices are too large to be shown here; plot_matrices draws them, to_frame lists them.")]
    if subject.inputs_alone and len(mechanism.profiles) <= LARGEST:
        return [matrix_of_values(subject, ENGLISH)]
    alike = sharing(subject)
    shown = matrices_of(subject, alike[:MOST_MATRICES], ENGLISH)
    return [*shown, *_rest(len(alike), MOST_MATRICES, "matrix", "matrices")]


@pictures_of.register
def _sweep(value: Sweep) -> list[Block]:
    return pictures(value.curve(), ENGLISH) if value else []


@pictures_of.register
def _formula(value: Formula) -> list[Block]:
    if not 0 < len(value.pieces) <= MOST_POINTS:
        return []
    axis = "times the own epsilons" if value.terms.scale_own else value.terms.parameter
    title = f"The {value.terms.objective.words} over {axis}"
    return [Picture(title, "the optimum", lambda: plot_formula(value))]


def _rest(everything: int, most: int, one: str, several: str = "") -> list[Block]:
    """Say that not all is shown, if it is not."""
    if everything <= most:
        return []
    return [Text(f"The first {most} of {everything} {several or one + 's'}.")]
