"""`md.report`: the page of results at hand is that of their files."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from command import run

import mechdesign as md


def couplet() -> nx.Graph:
    return md.read_graph("bernoulli-couplet")


@pytest.mark.slow
def test_it_is_the_page_of_the_files(tmp_path: Path) -> None:
    result, graph = md.design(couplet(), epsilon=1), couplet()
    md.report(result, graph, path=tmp_path / "page.html", title="Couplets", language="de")
    files = [str(tmp_path / name) for name in ("mechanism.json", "certificate.json", "graph.json")]
    md.write_mechanism(result.mechanism, files[0])
    md.write_certificate(result.certificate, files[1])
    md.write_graph(graph, files[2])
    assert (
        run("report", *files, "-o", str(tmp_path / "own.html"), "--title", "Couplets", "--language", "de").status == 0
    )
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "own.html").read_bytes()


@pytest.mark.parametrize("name", ["compose", "certify", "formula", "mended", "sweep"])
def test_any_result_has_a_page(tmp_path: Path, name: str) -> None:
    path, graph = tmp_path / "page.html", couplet()
    mechanism = md.design(graph, epsilon=1).mechanism
    made: dict[str, Callable[[], Any]] = {
        "compose": lambda: md.compose(mechanism, epsilon=1, releases=3),
        "certify": lambda: md.certify(mechanism, epsilon=1),
        "formula": lambda: md.formula(graph),
        "mended": lambda: md.mend(md.mechanism_from_matrix([["0.9", "0.1"], ["0.2", "0.8"]]), epsilon=1),
        "sweep": lambda: md.sweep(graph, [1, 2]),
    }
    result = made[name]()
    md.report(result, path=path)
    text = html.unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))
    assert ("PASSED" if name == "mended" else result.answer().sentence) in " ".join(text.split())


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    one, path = md.design(couplet(), epsilon=1), tmp_path / "page.html"
    other = md.design("bernoulli-couplet", epsilon=2)
    graph_of_others = md.read_graph("hobbies")
    composed = md.compose(one.mechanism, epsilon=1, releases=3)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((), "report: expected a result, found none"),
        ((one, other), "report: this is a second mechanism; a report is about one"),
        ((one, 3), "found int among them"),
        ((one, composed), "found Composition among them"),
        (
            (one.mechanism, other.certificate),
            "^the mechanism: not the mechanism of the certificate: .*; report them one by one",
        ),
        ((other.certificate, graph_of_others), "^the graph: not the graph of the certificate: "),
        ((one.mechanism, {"format": "mechdesign-curve/1"}), "found a dictionary that is neither"),
        ((tmp_path / "none.json",), "no such file"),
    ]
    for results, words in cases:
        with pytest.raises(md.InputError, match=words):
            md.report(*results, path=path)
    with pytest.raises(md.InputError, match="language: expected one of"):
        md.report(one, path=path, language="fr")
    assert not path.exists()


@pytest.mark.parametrize("options", [{"purpose": "A trial."}, {"all_pairs": True}, {"language": "de"}])
def test_what_the_page_of_one_result_cannot_say_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    composed = md.compose(md.design(couplet(), epsilon=1).mechanism, epsilon=1, releases=3)
    words = f"^{next(iter(options))}: the page of a Composition alone does not have it"
    with pytest.raises(md.InputError, match=words):
        md.report(composed, path=tmp_path / "page.html", **options)
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("page", ["graph.json", "link.html"])
def test_what_is_read_is_not_overwritten(tmp_path: Path, page: str) -> None:
    result, graph = md.design(couplet(), epsilon=1), tmp_path / "graph.json"
    md.write_graph(couplet(), graph)
    (tmp_path / "link.html").symlink_to(graph)
    before = graph.read_bytes()
    with pytest.raises(md.InputError, match=f"{page}: path would overwrite what report reads; give another name$"):
        md.report(result, graph, path=tmp_path / page)
    assert graph.read_bytes() == before
