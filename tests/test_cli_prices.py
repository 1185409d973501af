"""`mechdesign design --prices`: what each edge costs, as text, as JSON and as a picture."""

import json
from pathlib import Path

import pytest
from command import answer, chain_file, run

import mechdesign as md


def text(*arguments: str) -> str:
    status, out, err = run("design", *arguments, "--prices")
    assert (status, err) == (0, "")
    return out


@pytest.mark.parametrize("epsilon", [0.5, 1.25])
def test_a_multiple_of_own_epsilons_is_asked_for(tmp_path: Path, epsilon: float) -> None:
    path, step = chain_file(tmp_path, edge0={"epsilon": "0.3"}, edge1={"epsilon": "0.5"}), 1e-4
    at = [
        answer("design", path, "--epsilon", repr(multiple), "--scale-own", "--prices")
        for multiple in (epsilon, epsilon + step)
    ]
    asked = at[0]["prices_asked"]["epsilon"]
    assert asked == pytest.approx(sum(p["epsilon"] * own for p, own in zip(at[0]["prices"], (0.3, 0.5), strict=True)))
    assert asked == pytest.approx((at[0]["value"] - at[1]["value"]) / step, rel=1e-3)
    said = " ".join(text(path, "--epsilon", repr(epsilon), "--scale-own").split())
    assert f"As the multiple asked for grows it falls by {asked:.6f}"[:-2] in said
    assert "per unit: each edge counts its own epsilon times." in said


def test_the_picture_is_the_graph_with_what_its_edges_cost(tmp_path: Path) -> None:
    picture = tmp_path / "costs.svg"
    text("categorical-chain", "--epsilon", "0.5", "--plot", str(picture))
    drawn = picture.read_text()
    assert "width of an edge: what it costs" in drawn
    assert "edges that are alike may share it otherwise" in drawn
    assert "categorical-chain" in drawn


@pytest.mark.slow
def test_a_page_says_that_other_shares_are_as_good(tmp_path: Path) -> None:
    """Round a ring all edges are alike; with one matrix for all, each has another price."""
    around = ["1/2", "3/10", "0", "0", "0", "1/5"]
    own = {i: around[-i:] + around[:-i] for i in range(6)}
    graph = md.profile_graph(own, edges=[(i, (i + 1) % 6) for i in range(6)], categories=range(6))
    alike, shared = (md.design(graph, epsilon="0.3", shared=shared) for shared in (False, True))
    assert len({price.epsilon for price in alike.prices()}) == 1
    assert len({round(float(price.epsilon), 3) for price in shared.prices()}) > 1
    certificate = tmp_path / "c.json"
    certificate.write_text(json.dumps(shared.certificate))
    assert run("report", str(certificate), "-o", str(tmp_path / "page.html")).status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Of pairs that are alike several distributions of it are as right." in page
    assert "edges that are alike may share it otherwise" in page
