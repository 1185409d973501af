"""Tutorials that are notebooks: run from the top in a kernel of their own, they say what they are shown to say."""

import doctest
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

HOME = Path(__file__).parent.parent
NOTEBOOKS = sorted(HOME.glob("*/tutorials/*.ipynb"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def text_of(cell: nbformat.NotebookNode) -> str:
    """Return what a cell printed, and what it ended with in plain text."""
    return "\n".join(one["text"] if "text" in one else one["data"]["text/plain"] for one in cell.outputs)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_can_be_followed(path: Path, tmp_path: Path) -> None:
    """Results of ours are shown as HTML, and what is shipped beside the code is what comes out."""
    book = nbformat.read(path, as_version=4)
    said = [text_of(cell) for cell in book.cells if cell.cell_type == "code"]
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    run = [cell for cell in book.cells if cell.cell_type == "code"]
    for cell, shown in zip(run, said, strict=True):
        assert doctest.OutputChecker().check_output(shown, text_of(cell), FLAGS), f"{cell.source}\n{text_of(cell)}"
    data = [one["data"] for cell in run for one in cell.outputs if "data" in one]
    ours = {one["text/plain"].partition("(")[0]: one["text/html"] for one in data if "text/html" in one}
    for name in ("Design", "Mechanism", "Sweep", "Verdict", "Formula"):
        assert ours[name].startswith('<div class="mechdesign">')
    assert any("image/png" in one for one in data)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_shipped_small_and_its_links_lead_somewhere(path: Path) -> None:
    """Pictures and HTML are made when it is run: what is shipped is plain text that a difference can be read in."""
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert all(set(one.get("data", {"text/plain": ""})) == {"text/plain"} for one in cell.outputs)
        for link in re.findall(r"\]\(([^)]+)\)", cell.source) if cell.cell_type == "markdown" else ():
            assert (path.parent / link).exists(), link


def test_there_is_one() -> None:
    assert NOTEBOOKS
