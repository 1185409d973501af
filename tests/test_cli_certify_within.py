"""`mechdesign certify` on a graph whose profiles are known only within bounds."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import refused, run

from mechdesign import Mechanism, check_certificate, profile_graph
from mechdesign.certificate import checker
from mechdesign.certifier.evidence import evidence

GRAPH = {
    "graph": {"categories": ["no", "yes"]},
    "nodes": [
        {"id": "A", "distribution": ["0.3", "0.7"], "radius": "0.05"},
        {"id": "B", "distribution": ["0.5", "0.5"], "lower": ["0.4", "0.4"], "upper": ["0.55", "0.6"]},
    ],
    "edges": [{"source": "A", "target": "B"}],
}

COIN = ("certify", "coin.csv", "--graph", "graph.json")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.json").write_text(json.dumps(GRAPH))
    Path("coin.csv").write_text("3/4,1/4\n1/4,3/4\n")
    return tmp_path


def has_bounds(proof: str) -> bool:
    """Whether a certificate that is true has a profile within bounds."""
    return any(one.bounds for one in checker.check(proof).profiles)


@pytest.mark.usefixtures("place")
class TestCertify:
    def test_where_only_sets_would_show_it_nothing_is_proved(self) -> None:
        """Two outputs of one kind have the worst case at one distribution, not at two; added up they exceed delta."""
        Path("coin.csv").write_text("3/4,1/4,0\n0,3/4,1/4\n")
        nodes = [{"id": name, "distribution": ["1/2", "1/2"], "radius": "0.1"} for name in "AB"]
        Path("graph.json").write_text(json.dumps(GRAPH | {"nodes": nodes}))
        status, out, _ = run(*COIN, "--epsilon", "0", "--json", "--delta", "0.15")
        verdict: dict[str, Any] = json.loads(out)
        assert (status, verdict["private"], verdict["exact"]) == (3, None, False)
        assert (verdict["delta_lower"], verdict["delta_upper"]) == (0.15, 0.30000000000000004)
        status, _, err = run(*COIN, "--epsilon", "0", "--delta", "0.15", "--certificate", "proof.json")
        assert (status, "no proof: neither that it is private nor that it is not is proved" in err) == (2, True)
        assert not Path("proof.json").exists()
        enough = repr(verdict["delta_upper"])
        assert run(*COIN, "--epsilon", "0", "--delta", enough, "--certificate", "proof.json")[0] == 0
        assert has_bounds(Path("proof.json").read_text())

    def test_neither_proved_nor_refuted(self) -> None:
        """18 outputs, of two profiles over four categories."""
        weights = np.random.default_rng(6).integers(1, 50, (4, 18))
        Path("coin.csv").write_text("\n".join(",".join(f"{w}/{row.sum()}" for w in row) for row in weights))
        counts = np.random.default_rng(5).integers(1, 20, (2, 4))
        nodes = [
            {"id": name, "distribution": [f"{n}/{row.sum()}" for n in row], "radius": "1/50"}
            for name, row in zip("AB", counts, strict=True)
        ]
        graph = GRAPH | {"graph": {"categories": list("abcd")}, "nodes": nodes}
        Path("graph.json").write_text(json.dumps(graph))
        low, high = (
            json.loads(run(*COIN, "--delta", "0.01", "--json")[1])[f"epsilon_{end}"] for end in ("lower", "upper")
        )
        between = ("--epsilon", repr((low + high) / 2), "--delta", "0.01")
        status, out, err = run(*COIN, *between, "--json")
        verdict = json.loads(out)
        assert (status, err, verdict["private"], verdict["exact"]) == (3, "", None, False)
        status, out, _ = run(*COIN, *between)
        assert status == 3
        assert "Neither proved nor refuted: the worst cases of the outputs add up to more than delta" in out
        assert "no proof: neither that it is private nor that it is not is proved" in refused(
            *COIN, *between, "--certificate", "proof.json"
        )


def test_a_refutation_without_a_graph() -> None:
    """Of a mechanism whose own profiles have bounds; the worst distributions stand in the file."""
    graph = profile_graph({"A": ["0.3", "0.7"], "B": ["0.5", "0.5"]}, edges="all", categories=["no", "yes"])
    graph.nodes["A"]["radius"] = Fraction(1, 20)
    weights = np.array([[3, 1], [1, 3]], dtype=object)
    mechanism = Mechanism(graph, ("no", "yes"), weights, np.array([[0, 1], [0, 1]]))
    verdict, document = evidence(mechanism, epsilon="0.25")
    assert (verdict.private, [one["masses"] for one in document["profiles"]]) == (False, [[1, 1], [1, 3]])
    assert checker.check(json.dumps(document)).format == checker.REFUTATION
    verdict, document = evidence(mechanism, epsilon="0.25", nominal=True)
    assert verdict.private
    assert check_certificate(document) is not None
    verdict, document = evidence(mechanism, epsilon=1)
    assert verdict.private
    assert has_bounds(json.dumps(document))
