"""A mechanism carries the edges that it was made for: in its file, in Python, and in each command that judges it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import mechdesign as md
from mechdesign.mechanism.mechanism_file import mechanism_document, mechanism_of
from mechdesign.privacy.asked import Source

F = Fraction
CHAIN = md.read_graph("categorical-chain")
DESIGN = md.design(CHAIN, epsilon="0.5")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    md.write_mechanism(DESIGN.mechanism, "m.json")
    return tmp_path


def limited(**own: Any) -> Any:
    """Return a chain whose first edge has limits of its own."""
    graph = md.profile_graph(
        {"a": [F(1, 5), F(4, 5)], "b": [F(1, 2), F(1, 2)], "c": [F(4, 5), F(1, 5)]},
        edges=[("a", "b"), ("b", "c")],
        categories=["no", "yes"],
    )
    graph.edges["a", "b"].update(own)
    return graph


class TestFile:
    def test_edges_have_their_limits(self) -> None:
        graph = limited(epsilon="0.3", delta="1/100")
        document = mechanism_document(md.design(graph, epsilon=1).mechanism)
        assert document["edges"] == [
            {"source": "a", "target": "b", "epsilon": "0.3", "delta": "0.01"},
            {"source": "b", "target": "c"},
        ]
        read = mechanism_of(document)
        assert read.asked.source == Source.MECHANISM
        assert read.asked.requirements(F(1), F(0)) == md.design(graph, epsilon=1).required
        assert mechanism_document(read) == document

    def test_what_else_an_edge_has_is_not_the_mechanisms(self) -> None:
        document = mechanism_document(md.design(limited(distance=2, why="neighbours"), epsilon=1).mechanism)
        assert document["edges"][0] == {"source": "a", "target": "b", "distance": "2"}

    def test_every_pair_is_not_written_out(self) -> None:
        document = mechanism_document(md.design(md.value_graph("abc"), epsilon=1).mechanism)
        assert "edges" not in document
        assert mechanism_of(document).asked.every_pair

    @pytest.mark.parametrize(
        ("edges", "fault"),
        [
            ([], "edges: expected at least one edge, or no `edges`, which is every pair; found none"),
            ([{"source": "P1"}], "edges[0].target: None is not a profile"),
            ([{"source": "P1", "target": "P9"}], "edges[0].target: 'P9' is not a profile"),
            ([{"source": "P1", "target": "P2", "epsilon": -1}], "edges[0] ('P1'-'P2'): epsilon: expected"),
            ([{"source": "P1", "target": "P2"}] * 2, "edges[1]: the edge 'P1'-'P2' is given twice"),
            ({}, "edges: expected a list, found {}"),
        ],
    )
    def test_faults_have_their_place(self, edges: Any, fault: str) -> None:
        with pytest.raises(md.InputError) as error:
            mechanism_of(mechanism_document(DESIGN.mechanism) | {"edges": edges})
        assert fault in str(error.value)


class TestPython:
    def test_our_own_design_is_certified(self) -> None:
        """It was refuted, and `mend` was recommended."""
        for given in (DESIGN, DESIGN.mechanism, md.read_mechanism("m.json"), "m.json"):
            verdict = md.certify(given, epsilon="0.5")
            assert verdict.private
            assert (verdict.protected.counts(), verdict.protected.epsilon) == ("2 of 3 pairs", F(1))
        assert "private on 2 edges: 2 of 3 pairs of profiles; for the other epsilon 1 follows" in verdict.sentence()

    def test_profiles_beyond_those_mended_keep_their_rows(self) -> None:
        two = md.profile_graph(
            {name: CHAIN.nodes[name]["distribution"] for name in ("P1", "P2")},
            edges=[("P1", "P2")],
            categories=CHAIN.graph["categories"],
        )
        mended = md.mend(md.design(CHAIN, epsilon=2), two, epsilon=1).mechanism
        assert mended.profiles == ("P1", "P2", "P3")
        assert [set(edge) for edge in mended.graph.edges] == [{"P1", "P2"}]
        assert md.certify(mended, epsilon=1).private


class TestCompose:
    def test_different_distances_are_refused_in_either_order(self) -> None:
        """They gave 3.0 in one order and 1.5 in the other."""
        designs = [md.design(limited(distance=far), epsilon=1) for far in (1, 2)]
        for pair in (designs, designs[::-1]):
            with pytest.raises(md.InputError, match=r"the edge 'a'-'b' has different distances: [12] and [12]"):
                md.compose(*pair)

    def test_different_edges_are_refused(self) -> None:
        with pytest.raises(md.InputError, match="the mechanisms are for different edges; graph="):
            md.compose(DESIGN, md.design(CHAIN_OF_ALL, epsilon=1))
        found = md.compose(DESIGN, md.design(CHAIN_OF_ALL, epsilon=1), all_pairs=True)
        assert (found.protected.asked, found.protected.pairs) == (3, 3)


CHAIN_OF_ALL = md.profile_graph(
    {name: CHAIN.nodes[name]["distribution"] for name in CHAIN},
    edges=[("P1", "P2"), ("P2", "P3"), ("P1", "P3")],
    categories=CHAIN.graph["categories"],
)
