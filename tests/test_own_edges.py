"""A mechanism carries the edges that it was made for: in its file, in Python, and in each command that judges it."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import answer

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

    def test_every_pair_may_be_asked_about(self) -> None:
        assert md.certify(DESIGN, epsilon="0.5", all_pairs=True).private is False
        assert md.certify(DESIGN, CHAIN, epsilon="0.5", all_pairs=True).private is False
        assert len(md.tight_epsilons(DESIGN)) == 4
        assert len(md.tight_epsilons(DESIGN, all_pairs=True)) == 6
        assert md.privacy_curve(DESIGN, None, ["0.5"])[0][2] == 0
        assert md.privacy_curve(DESIGN, None, ["0.5"], all_pairs=True)[0][1] > 0

    def test_without_an_epsilon_what_follows_is_of_the_tight_one(self) -> None:
        verdict = md.certify(DESIGN)
        assert verdict.protected.epsilon == 2 * F(str(verdict.epsilon[1]))
        assert verdict.sentence().endswith(
            "The edges are 2 of 3 pairs of profiles; for the other epsilon 1 follows along paths."
        )

    def test_of_what_is_refuted_nothing_follows(self) -> None:
        found = md.certify(DESIGN, epsilon="0.4").protected
        assert (found.counts(), found.epsilon) == ("2 of 3 pairs", None)

    def test_post_processing_keeps_them(self) -> None:
        silent = DESIGN.mechanism.then([[1]] * 4, outputs=["silence"])
        assert silent.asked.edges == 2

    def test_evidence_is_of_the_own_edges(self) -> None:
        verdict, document = md.evidence(DESIGN.mechanism, epsilon="0.5")
        assert (verdict.private, len(document["edges"])) == (True, 2)
        verdict, document = md.evidence(DESIGN.mechanism, epsilon="0.5", all_pairs=True)
        assert (verdict.private, document["format"]) == (False, "mechdesign-refutation/2")

    def test_bounds_are_in_the_file_too(self) -> None:
        graph = limited()
        for attributes in graph.nodes.values():
            attributes["radius"] = F(1, 50)
        md.write_mechanism(md.design(graph, epsilon=1).mechanism, "within.json")
        verdict = md.certify("within.json", epsilon=1)
        assert (verdict.private, verdict.robust, verdict.protected.asked) == (True, True, 2)

    def test_scaled_epsilons_are_the_edges_own(self) -> None:
        graph = limited(epsilon="0.4")
        graph.edges["b", "c"]["epsilon"] = "0.8"
        md.write_mechanism(md.design(graph, epsilon=2, scale_own=True).mechanism, "scaled.json")
        verdict = md.certify("scaled.json", epsilon=math.inf)
        assert verdict.own is not None
        assert (verdict.private, verdict.own.least, verdict.own.largest) == (True, F(4, 5), F(8, 5))
        assert verdict.protected.epsilon == F(12, 5)

    def test_what_was_mended_is_for_the_edges_it_was_mended_for(self) -> None:
        mended = md.mend(md.design(limited(), epsilon=2), epsilon=1)
        md.write_mechanism(mended.mechanism, "mended.json")
        verdict = md.certify("mended.json", epsilon=1)
        assert (verdict.private, verdict.protected.asked) == (True, 2)
        every = md.mend(md.design(limited(), epsilon=2), epsilon=1, all_pairs=True)
        assert md.certify(every.mechanism, epsilon=1, all_pairs=True).private
        assert every.mechanism.asked.every_pair

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

    def test_a_graph_says_by_which_distances(self) -> None:
        designs = [md.design(limited(distance=far), epsilon=1) for far in (1, 2)]
        found = [md.compose(*pair, graph=limited()).epsilon for pair in (designs, designs[::-1])]
        assert found[0] == found[1]
        assert found[0][1] > 1

    def test_limits_of_their_own_are_each_mechanisms(self) -> None:
        """Each is judged by its own epsilon, and what is required by one alone counts in either order."""
        designs = [md.design(limited(epsilon=own), epsilon=1) for own in ("0.2", math.inf)]
        found = [md.compose(*pair, epsilon=1) for pair in (designs, designs[::-1])]
        assert [one.private for one in found] == [True, True]
        assert found[0].epsilon == found[1].epsilon
        assert found[0].epsilon[1] > 1.2

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


class TestCommands:
    def test_a_row_of_a_database_may_become_any_other(self) -> None:
        """So the parent of a product is judged by every pair of values, whatever edges it was made for."""
        parent = md.design(md.counting_graph(2), epsilon=1).mechanism
        md.write_mechanism(parent, "parent.json")
        found = answer("mechanism", "product", "parent.json", "--rows", "2")
        assert found["epsilon_upper"] == md.certify(parent, all_pairs=True).epsilon[1] > md.certify(parent).epsilon[1]
