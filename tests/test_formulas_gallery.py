"""The gallery of closed forms: a sample is derived anew, every graph has its lines, nothing unproved is written."""

import re
from pathlib import Path

import pytest
from running import script

import mechdesign as md
from mechdesign.certificate import formula_checker

FOLDER = Path(__file__).parent.parent / "graphs"
TEXT = (FOLDER / "FORMULAS.md").read_text(encoding="utf-8")


gallery = script(FOLDER / "gallery.py")
GRAPHS = {(heading, name): graph for heading, named in gallery.sections() for name, graph in named}
SAMPLE = [(heading, name) for heading, name in GRAPHS if "k = 3" in name or name in ("bernoulli-couplet", "commutes")]


def lines_of(heading: str) -> list[str]:
    (section,) = re.findall(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return [line for line in section.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize(("heading", "name"), SAMPLE)
def test_a_sample_is_what_is_derived(heading: str, name: str) -> None:
    derived = [gallery.line(name, GRAPHS[heading, name], objective) for objective in gallery.OBJECTIVES]
    assert set(derived) <= set(lines_of(heading))


def test_every_graph_has_its_lines_in_turn() -> None:
    for heading in dict.fromkeys(heading for heading, _ in GRAPHS):
        wanted = [f"| {n} | {objective} | " for h, n in GRAPHS if h == heading for objective in gallery.OBJECTIVES]
        found = lines_of(heading)
        assert len(found) == len(wanted)
        assert all(line.startswith(start) for line, start in zip(found, wanted, strict=True))
    assert TEXT.startswith(gallery.INTRODUCTION)


def test_an_unproved_form_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(_: str) -> None:
        raise formula_checker.Rejected(1, "spoiled")

    monkeypatch.setattr(formula_checker, "check", reject)
    with pytest.raises(formula_checker.Rejected):
        gallery.line("pair", md.value_graph("ab"), "entry")


def test_large_graphs_are_left_out() -> None:
    left_out = set(md.shipped_graphs()) - set(gallery.small())
    assert left_out == {"departure-by-carrier", "departure-by-destination", "metric-grid-5x5"}
