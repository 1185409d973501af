"""What to cite: every paper that the docstring of a public name refers to, as people and as BibTeX read it."""

import re
from pathlib import Path
from typing import Any

import pytest
from test_docstrings import public

import mechdesign as md
from mechdesign.objective import OBJECTIVES
from mechdesign.papers.citation import PAPERS, citation, references

REFERRING = {name: value for name, value in public().items() if callable(value) and references(value)}
ROOT = Path(__file__).parents[1]


def papers(subject: Any = None) -> list[str]:
    """Return the first authors of those that are named."""
    lines = citation(subject).splitlines()[1:]
    return [paper.first for line in lines for paper in PAPERS if paper.text == line]


def test_every_reference_of_a_docstring_is_a_paper() -> None:
    """By its number, too, where it has one; or a theorem of this project."""
    for name, value in REFERRING.items():
        text = references(value)
        found = "".join(paper.where for paper in PAPERS if paper.first in papers(value))
        assert found or "this project" in text, name
        assert all(number in found for number in re.findall(r"arXiv:[\d.]*\d", text)), name


@pytest.mark.parametrize("objective", [*OBJECTIVES.values(), md.MutualInformation])
def test_every_objective_is_attributed(objective: Any) -> None:
    assert len(papers(objective)) == 1
    assert objective not in OBJECTIVES.values() or papers(objective.name) == papers(objective)


def test_a_design_is_attributed_with_its_objective() -> None:
    made = md.design("bernoulli-couplet", epsilon=1, objective=md.WorstLoss())
    assert papers(made) == ["Geumlek", "Holohan"]
    assert papers(md.formula("bernoulli-couplet", objective=md.WorstLoss())) == papers(made)
    assert papers() == ["Geumlek"]
    assert papers(md.WorstLoss("absolute")) == papers(md.WorstLoss) == ["Holohan"]
    assert papers(md.private_exponential) == ["Holohan", "McSherry", "Dong"]
    assert papers(md.Convex) == []
    values = md.value_graph("abc", metric=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    placed = md.design(values, epsilon=1, objective=md.ExpectedLoss())
    assert papers(placed) == ["Geumlek", "Chatzikokolakis", "Andrés", "Bordenabe", "Chatzikokolakis"]


def test_bibtex() -> None:
    text = citation(md.MutualInformation, bibtex=True)
    assert text.count("@") == 2
    assert text.count("{") == text.count("}")
    assert "@misc{shannon1959,\n  author = {Claude Shannon}," in text
    assert "eprint = {1903.09084}, archivePrefix = {arXiv}\n}" in citation(bibtex=True)
    assert len({paper.bibtex.splitlines()[0] for paper in PAPERS}) == len(PAPERS)


def test_the_front_page_cites_alike() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```bibtex\n{citation(md.Convex, bibtex=True)}\n```" in text


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("worst-lost", "did you mean worst-loss"),
        (3, "citation: expected a design, a formula, an objective or a part of mechdesign, found 3"),
        (dict, "found <class 'dict'>"),
        (len, "found <built-in function len>"),
    ],
)
def test_what_is_no_part(subject: Any, fault: str) -> None:
    with pytest.raises(md.InputError, match=re.escape(fault)):
        citation(subject)
