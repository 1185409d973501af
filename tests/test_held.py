"""Certificates held against what their reader wanted: each difference is found, and the same is the same."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import mechdesign as md
from mechdesign import ExpectedLoss, InputError, MaxOffDiagonal, Rejected, WorstLoss, check_certificate, design
from mechdesign.certificate.certificate_file import write_certificate
from mechdesign.certificate.check import examined, hold
from mechdesign.certificate.held import first_difference
from mechdesign.certificate.refutation import refutation_of
from mechdesign.certificate.wanted import wanted as asked_of
from mechdesign.certifier.evidence import evidence
from mechdesign.graph.checks import checked
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.manifest import guarantee

F = Fraction


def chain(**edge: Any) -> nx.Graph:
    """a - b - c; the first edge with limits of its own."""
    graph = md.profile_graph(
        {"a": ["1/5", "4/5", 0], "b": ["2/5", "2/5", "1/5"], "c": ["1/2", "1/4", "1/4"]},
        edges=[("a", "b"), ("b", "c")],
        categories=["x", "y", "z"],
        weights={"a": 1, "b": 2, "c": 5},
    )
    graph.edges["a", "b"].update(edge)
    return graph


def within(**own: Any) -> nx.Graph:
    """The chain, with b in a box and c in a ball."""
    graph = chain()
    graph.nodes["b"].update({"lower": ["3/10", "3/10", 0], "upper": ["1/2", "1/2", "1/4"]} | own.pop("b", {}))
    graph.nodes["c"].update({"radius": "1/20"} | own)
    return graph


def changed(change: Callable[[nx.Graph], object]) -> nx.Graph:
    graph = chain()
    change(graph)
    return graph


def proved(graph: nx.Graph, **options: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(design(graph, **options).certificate))
    return document


def held(document: dict[str, Any], **wanted: Any) -> None:
    """Hold a certificate against what is wanted, whether or not it is said of which pairs."""
    c = examined(document)
    hold(c, asked_of(c, **wanted))


def refusal(document: dict[str, Any], **wanted: Any) -> str:
    with pytest.raises(Rejected) as reason:
        held(document, **wanted)
    assert reason.value.status == 19
    assert "\n" not in str(reason.value)
    return str(reason.value)


@pytest.mark.parametrize(
    "edge",
    [{}, {"epsilon": F(1, 10)}, {"delta": F(1, 10)}, {"distance": F(3)}, {"distance": F(0)}, {"epsilon": F(800)}],
)
@pytest.mark.parametrize(("epsilon", "delta"), [("0.3", "0"), ("0.3", "1/50"), ("300", "0"), ("0", "1/9")])
def test_the_same_is_the_same(edge: dict[str, Any], epsilon: str, delta: str) -> None:
    """Everything together, and each alone; epsilon and delta also without those of the edges, by the graph."""
    graph = chain(**edge)
    result = design(graph, epsilon=epsilon, delta=delta)
    wanted: dict[str, Any] = {"graph": graph, "epsilon": epsilon, "delta": delta, "mechanism": result.mechanism}
    wanted["objective"] = MaxOffDiagonal()
    exact = (result.value, result.bound)
    assert check_certificate(result.certificate, **wanted) == exact
    assert check_certificate(result.certificate, graph=graph) == exact
    for name in ("mechanism", "objective"):
        assert check_certificate(result.certificate, graph=graph, **{name: wanted[name]}) == exact
    assert check_certificate(result.certificate, graph=graph, epsilon=epsilon, delta=delta) == exact
    assert check_certificate(result.certificate, graph=graph, delta=delta) == exact


def without_edges(document: dict[str, Any]) -> dict[str, Any]:
    """The attack: no edges, so that the identity is private on every edge, and optimal."""
    for one in document["profiles"]:
        row = [[int(x == y) for y in range(3)] if mass else [] for x, mass in enumerate(one["masses"])]
        document["matrices"][one["group"]] = row
    return document | {"edges": [], "privacy": [], "entries": [], "value": "0", "bound": "0"}


def test_a_certificate_without_edges_proves_nothing_that_is_wanted() -> None:
    document = without_edges(proved(chain(), epsilon="0.5"))
    assert check_certificate(document) == (F(0), F(0))  # genuine
    assert "does not have your edge" in refusal(document, graph=chain())
    assert "no edges" in refusal(document, epsilon="0.5")
    assert "no edges" in refusal(document, delta="0.1")
    held(document, epsilon="inf")
    nobody = chain()
    nobody.remove_edges_from(list(nobody.edges))
    check_certificate(document, graph=nobody, epsilon="0.5")


@pytest.mark.parametrize(
    "number", [lambda text: text, float, np.float64, np.float32], ids=["text", "float", "64", "32"]
)
def test_a_float_is_the_decimal_that_a_person_writes(number: Callable[[str], Any]) -> None:
    own = {"epsilon": "0.7", "delta": "0.1"}
    document = proved(chain(**{key: number(value) for key, value in own.items()}), epsilon=number("0.3"))
    for limits in (own, {"epsilon": 0.7, "delta": 0.1}):
        check_certificate(document, graph=chain(**limits), epsilon=0.3)
    document = proved(chain(distance=number("1.1")), epsilon=number("0.7"), delta=number("0.01"))
    check_certificate(document, graph=chain(distance="11/10"), epsilon="7/10", delta="1/100")


ABSOLUTE = ExpectedLoss("absolute")
PROVED: dict[str, tuple[Callable[[], nx.Graph], dict[str, Any]]] = {
    "plain": (chain, {"epsilon": "0.5"}),
    "delta": (chain, {"epsilon": 5, "delta": "1/10"}),
    "loss": (chain, {"epsilon": "0.5", "objective": ABSOLUTE}),
    "within": (within, {"epsilon": "0.5"}),
}
DIFFERENCES: list[tuple[str, dict[str, Any], str]] = [
    *(("delta", {"delta": "1/10"} | one, "has epsilon 5, you asked for")
      for one in ({"epsilon": "0.5"}, {"epsilon": "0.5", "graph": chain()}, {"epsilon": 6}, {"epsilon": "inf"})),
    *(("delta", one, "has delta 0.1, you asked for")  # without a delta it is 0
      for one in ({"delta": 0}, {"delta": "1/9", "graph": chain()}, {"epsilon": 5}, {"epsilon": 5, "graph": chain()})),
    ("plain", {"graph": changed(lambda g: g.nodes["a"].update(distribution=(F(1, 3), F(2, 3), F(0))))},
     'profile "a", category "x": the certificate has probability 0.2, you have probability 1/3'),
    ("plain", {"graph": changed(lambda g: g.add_node("d", distribution=(1, 0, 0)))}, "does not have your profile"),
    ("plain", {"graph": changed(lambda g: g.remove_node("a"))}, 'has the profile "a", which you have not'),
    ("plain", {"graph": changed(lambda g: g.graph.update(categories=("x", "z", "y")))}, "in another order"),
    ("plain", {"graph": changed(lambda g: g.graph.update(categories=("x", "w", "z")))}, 'not have your category "w"'),
    ("plain", {"graph": changed(lambda g: g.edges["b", "c"].update(epsilon=F(7, 10)))}, "you asked for epsilon 0.7"),
    ("plain", {"graph": changed(lambda g: g.edges["b", "c"].update(delta=F(1, 4)))}, "you asked for delta 0.25"),
    ("plain", {"graph": changed(lambda g: g.edges["b", "c"].update(distance=F(3)))}, "you asked for epsilon 1.5"),
    ("plain", {"graph": changed(lambda g: g.edges["b", "c"].update(epsilon="inf"))}, "where you require nothing"),
    ("plain", {"graph": changed(lambda g: g.remove_edge("a", "b"))}, 'has the edge "a"-"b", where you require nothing'),
    ("plain", {"graph": changed(lambda g: g.add_edge("a", "c"))}, 'does not have your edge "a"-"c"'),
    ("plain", {"graph": within()},
     'profile "b", category "x": the certificate has probability 0.4, you have probability 0.3 to 0.5'),
    ("plain", {"graph": changed(lambda g: g.nodes["a"].update(radius="0.05"))},
     'profile "a": the certificate has no radius, you have the radius 0.05'),
    ("loss", {"objective": MaxOffDiagonal()}, "objective expected-loss, you asked for max"),
    ("loss", {"objective": WorstLoss("absolute")}, "objective expected-loss, you asked for worst"),
    ("loss", {"objective": ExpectedLoss()}, '"x" reported as "z": the certificate has loss 2, you have loss 1'),
    ("loss", {"objective": ExpectedLoss([[0, 1, 2, 3]] * 3)}, "a loss for 3 outputs, yours is for 4"),
    ("loss", {"objective": ABSOLUTE, "graph": changed(lambda g: g.nodes["a"].update(weight=F(7)))}, 'profile "a"'),
    ("within", {"graph": within(radius="1/10")},
     'profile "c": the certificate has the radius 0.05, you have the radius 0.1'),
    ("within", {"graph": within(radius=1)}, 'profile "c": the certificate has the radius 0.05, you have no radius'),
    ("within", {"graph": within(b={"lower": ["1/5", "3/10", 0]})},
     'profile "b", category "x": the certificate has probability 0.3 to 0.5, you have probability 0.2 to 0.5'),
    ("within", {"graph": within(b={"upper": ["1/2", "1/2", "1/5"]})},
     'profile "b", category "z": the certificate has probability 0 to 0.25, you have probability 0 to 0.2'),
    ("within", {"graph": chain()},
     'profile "b", category "x": the certificate has probability 0.3 to 0.5, you have probability 0.4'),
]  # fmt: skip
"""What is proved, what is wanted, and the first difference of these."""


@cache
def document_of(name: str) -> dict[str, Any]:
    graph, options = PROVED[name]
    return proved(graph(), **options)


@pytest.mark.parametrize(("name", "wanted", "words"), DIFFERENCES)
def test_the_first_difference_is_said(name: str, wanted: dict[str, Any], words: str) -> None:
    assert words in refusal(document_of(name), **wanted)


def test_what_only_looks_different() -> None:
    held(document_of("delta"), epsilon=5, delta="1/10")
    held(document_of("delta"), delta="1/10")
    check_certificate(document_of("loss"), objective=ExpectedLoss([[0, 1, 2], [1, 0, 1], [2, 1, 0]]), graph=chain())
    check_certificate(document_of("within"), graph=within(), epsilon="0.5")
    width_0 = chain()
    for attributes in width_0.nodes.values():
        attributes["lower"] = attributes["upper"] = attributes["distribution"]
    del width_0.nodes["c"]["lower"], width_0.nodes["c"]["upper"]
    width_0.nodes["c"]["radius"] = 0
    assert check_certificate(document_of("plain"), graph=width_0, epsilon="0.5")


def test_another_mechanism() -> None:
    graph = chain()
    document = proved(graph, epsilon="0.5")
    mechanism = design(graph, epsilon="0.5").mechanism
    held(document, mechanism=mechanism)
    assert "other probabilities" in refusal(document, mechanism=design(graph, epsilon="0.6").mechanism)
    with_labels = md.mechanism_from_matrix([[1, 0, 0]] * 3, inputs=["x", "y", "z"])
    assert "other probabilities" in refusal(document, mechanism=with_labels)
    assert "category" in refusal(document, mechanism=md.mechanism_from_matrix([[1, 0, 0]] * 3))
    turned = md.mechanism_from_matrix([[1, 0, 0]] * 3, inputs=["x", "z", "y"])
    assert "another order" in refusal(document, mechanism=turned)
    part = design(graph.subgraph(["a", "b"]).copy(), epsilon="0.5").mechanism
    assert 'no rows for the profile "c"' in refusal(document, mechanism=part, graph=graph)
    assert 'the profile "c", which you have not' in refusal(document, mechanism=part)
    other = chain()
    other.nodes["a"]["distribution"] = (F(1), F(0), F(0))
    made_for_others = type(mechanism)(other, mechanism.outputs, mechanism.rows, mechanism.index)
    assert "probability 0.2, you have probability 1" in refusal(document, mechanism=made_for_others)
    check_certificate(document, mechanism=made_for_others, graph=graph)


def test_rows_of_categories_that_a_profile_never_has_do_not_count() -> None:
    """The certificate does not have them; here a never has z."""
    graph = chain()
    result = design(graph, epsilon="0.5")
    kept = result.mechanism
    index = kept.index.copy()
    index[0, 2] = kept.index[0, 0]
    other = type(kept)(kept.graph, kept.outputs, kept.rows, index)
    held(result.certificate, mechanism=other)
    held(result.certificate, graph=graph, mechanism=kept, objective=MaxOffDiagonal())
    words = 'profile "a": your mechanism has an entry off the diagonal of 0.838, for a category that it never has'
    index[0, 2] = kept.index[0, 1]  # it reports y
    assert words in refusal(result.certificate, graph=graph, mechanism=other, objective=MaxOffDiagonal())


def test_profiles_that_a_mechanism_knows_are_no_others_of_their_names(tmp_path: Path) -> None:
    """Also where they share one matrix: what is proved of others protects nobody here."""
    apart = md.profile_graph({"a": ["9/10", "1/10"], "b": ["1/10", "9/10"]}, edges=[("a", "b")], categories=["x", "y"])
    near = md.profile_graph({"a": ["1/2", "1/2"], "b": ["51/100", "49/100"]}, edges=[("a", "b")], categories=["x", "y"])
    within = apart.copy()
    for name in within:
        within.nodes[name]["radius"] = F(1, 20)
    path = tmp_path / "proof.json"
    for whose, graph, words in (
        (apart, near, "probability 0.5, you have probability 0.9"),
        (within, apart, "the certificate has no radius, you have the radius 0.05"),
    ):
        mechanism = design(whose, epsilon=1, shared=True).mechanism
        write_certificate(evidence(mechanism, graph, epsilon=1)[1], path)
        with pytest.raises(InputError, match="it does not vouch for this mechanism") as fault:
            guarantee(mechanism, str(path))
        assert words in str(fault.value)
        check_certificate(path, mechanism=mechanism, graph=graph, epsilon=1)  # of these profiles it is true


@pytest.mark.parametrize(
    "wanted",
    [{"epsilon": 1}, {"delta": 0}, {"mechanism": chain()}, {"objective": ExpectedLoss()}],
    ids=lambda w: next(iter(w)),
)
def test_it_is_said_of_which_pairs(wanted: dict[str, Any]) -> None:
    """A certificate over 3 of 15 pairs is no answer to whoever means all of them."""
    expected = f"{next(iter(wanted))}: of which pairs of profiles? give graph=, whose edges all must be proved, or all_"
    with pytest.raises(InputError, match=re.escape(expected)):
        check_certificate("there is no such file", **wanted)


class TestEveryPair:
    def test_one_is_missing(self) -> None:
        document = proved(chain(), epsilon="0.5")
        words = (
            'does not have the pair "a"-"c": it is proved for 2 of 3 pairs of profiles; for the other epsilon 1 follows'
        )
        assert words in refusal(document, all_pairs=True)
        assert words in refusal(
            document, all_pairs=True, epsilon="0.5", mechanism=design(chain(), epsilon="0.5").mechanism
        )
        assert 'does not have your edge "a"-"c"' in refusal(document, all_pairs=True, graph=chain())

    def test_the_profiles_are_those_of_the_mechanism(self) -> None:
        """A proof of all pairs of two of its three inputs says nothing of the third."""
        matrix = md.mechanism_from_matrix([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["0", "0", "1"]], inputs="xyz")
        some = md.value_graph(["x", "y", "z"])
        some.remove_node("z")
        document = md.evidence(matrix, some, epsilon=1)[1]
        held(document, all_pairs=True, epsilon=1)
        words = refusal(document, all_pairs=True, epsilon=1, mechanism=matrix)
        assert words.startswith('the certificate does not have your profile "z"')
        assert words.endswith("; your profiles are the matrix' inputs here: if they are others, give your graph")

    def test_what_comes_out_says_nothing_of_the_matrices(self) -> None:
        """Of another mechanism that releases alike neither the objective is known, nor what it does within bounds."""
        complete = md.value_graph(["x", "y"])
        for profile, mass in zip(complete, ("1/5", "4/5"), strict=True):
            complete.nodes[profile]["distribution"] = [F(mass), 1 - F(mass)]
        noisy = design(complete, epsilon="0.5").mechanism
        out = complete.copy()
        for n, profile in enumerate(out):
            released = noisy.released_weights(noisy.graph.nodes[profile]["distribution"], n)
            out.nodes[profile]["distribution"] = released.fractions()
        document = proved(out, epsilon="0.5")
        wanted: dict[str, Any] = {"all_pairs": True, "epsilon": "0.5", "mechanism": noisy}
        assert check_certificate(document, **wanted) == (Fraction(0), Fraction(0))
        words = 'profile "x", category "x": the certificate has probability'
        assert words in refusal(document, **wanted, objective=MaxOffDiagonal())
        noisy.graph.nodes["x"]["radius"] = F(1, 5)
        assert words in refusal(document, **wanted)


@pytest.mark.parametrize("loss", ["hamming", "absolute", [[0, 1, 2], [1, 0, 1], [2, 1, 0]]])
@pytest.mark.parametrize("names", [["z", "y", "x"], ["x", "y", "w"]])
def test_a_loss_is_of_outputs_by_name(loss: Any, names: list[str]) -> None:
    """With other names for its outputs a certificate says nothing of reporting x as x."""
    objective = ExpectedLoss(loss)
    document = proved(chain(), epsilon=1, objective=objective)
    held(document, graph=chain(), objective=objective)
    document["labels"]["outputs"] = names
    expected = "outputs of your objective in another order" if set(names) == set("xyz") else 'your output "z"'
    assert expected in refusal(document, graph=chain(), objective=objective)


def test_by_how_much_probabilities_differ() -> None:
    """Also where it is a rounding of the 17th digit; it is never said to be 0."""
    graph = md.value_graph(["x", "y"])
    exact = md.mechanism_from_matrix([["7/10", "3/10"], ["3/10", "7/10"]], inputs=["x", "y"])
    document = md.evidence(exact, graph, epsilon=1)[1]
    doubles = md.mechanism_from_matrix([[0.7, 0.3], [0.3, 0.7]], inputs=["x", "y"])
    words = "your mechanism has other probabilities than the certificate, by up to "
    small = refusal(document, graph=graph, epsilon=1, mechanism=doubles)
    assert small.startswith(words + "5.6e-18 at profile ")
    assert small.endswith("; so little may be rounding, but it is proved of the certificate's alone")
    for off in (F(1, 10**400), F(1, 50)):
        rows = [["7/10", "3/10"], [str(F(3, 10) + off), str(F(7, 10) - off)]]
        other = md.mechanism_from_matrix(rows, inputs=["x", "y"])
        found = refusal(document, graph=graph, epsilon=1, mechanism=other)
        size = {F(1, 50): "0.02", F(1, 10**400): "1.0e-400"}[off]
        assert words + f'{size} at profile "y", category "y", output "x"' in found


def test_by_how_much_long_numbers_differ() -> None:
    """What is cut short, or has 17 digits, is not compared at a glance."""
    graph = chain()
    graph.nodes["a"]["distribution"] = (F(0.2), 1 - F(0.2), F(0))
    assert refusal(proved(chain(), epsilon="0.5"), graph=graph).endswith(
        "you have probability 3602879701896397/18014398509481984, 1.2e-17 apart"
    )
    long = F(3**70, 10**40)
    found = refusal(proved(chain(), epsilon=long), graph=chain(), epsilon=long + F(1, 10**40))
    assert found.endswith("…, 1.0e-40 apart")


def test_a_design_is_no_certificate(tmp_path: Path) -> None:
    made = design("bernoulli-couplet", epsilon=1)
    with pytest.raises(InputError, match=r"expected a certificate or the path of one, found Design; give its `\.cert"):
        check_certificate(made)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"expected a certificate, found Design; give its `\.certificate`"):
        write_certificate(made, tmp_path / "proof.json")  # type: ignore[arg-type]


def test_700_stands_for_more_only_where_nothing_rests_on_it() -> None:
    """Private at 700 is private at 1000; but a bound at 700 is none at 1000, and a refutation at 700 is none either."""
    graph = md.value_graph(["a", "b"])
    result = design(graph, epsilon=1000)
    check_certificate(result.certificate, graph=graph, epsilon=1000)
    document = json.loads(json.dumps(result.certificate))
    document["privacy"] = [[0, 0, 0, 1]]
    document["bound"] = f"-{10**300}"
    assert "has epsilon 700, you asked for epsilon 1000" in refusal(document, graph=graph, epsilon=1000)
    check_certificate(document, graph=graph, epsilon=700)
    identity = md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=["a", "b"])
    refuted = examined(md.evidence(identity, graph, epsilon=1000)[1])
    assert first_difference(refuted, asked_of(refuted, graph=graph, epsilon=700)) is None
    assert "you asked for epsilon 1000" in str(first_difference(refuted, asked_of(refuted, graph=graph, epsilon=1000)))


def test_an_epsilon_that_all_edges_cut_off() -> None:
    graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[("a", "b", {"distance": "0.5"})], categories=[0, 1])
    check_certificate(design(graph, epsilon=2000).certificate, graph=graph)


def test_labels_are_shown_as_people_read_them() -> None:
    graph = nx.relabel_nodes(chain(), {"a": "Zürich"})
    with pytest.raises(Rejected, match='does not have your profile "Zürich"'):
        check_certificate(proved(chain(), epsilon="0.5"), graph=graph)
    half = nx.relabel_nodes(chain(), {"a": "\ud83d"})
    with pytest.raises(Rejected, match=r'does not have your profile "\\ud83d"'):
        check_certificate(proved(chain(), epsilon="0.5"), graph=half)


@pytest.mark.parametrize("name", [None, {"a": 1}, [{"a": 1}], 1.5])
def test_labels_that_no_graph_can_have(name: Any) -> None:
    document = proved(chain(), epsilon="0.5")
    document["labels"]["profiles"] = [name, "b", "c"]
    check_certificate(document)  # to the checker they are text
    with pytest.raises(InputError, match="expected text or an integer"):
        examined(document).claim.bare_graph()


def test_a_refutation_is_about_any_distributions_within() -> None:
    graph = within(radius="1/3")
    moved = chain()
    moved.nodes["c"]["distribution"] = (F(1, 3), F(1, 4), F(5, 12))
    rows = np.tile(np.arange(3), (3, 1))
    identity = Mechanism(graph, ("x", "y", "z"), np.eye(3, dtype=int).astype(object), rows)
    document = refutation_of(identity, checked(moved), ("c", "b"), ["z"], epsilon=F(1, 10), delta=F(0))
    confirmed = examined(document)
    assert first_difference(confirmed, asked_of(confirmed, graph=checked(graph), epsilon="0.1")) is None
    narrower = first_difference(confirmed, asked_of(confirmed, graph=checked(within()), epsilon="0.1"))
    assert narrower == 'profile "c", category "x": the certificate has probability 1/3, you have probability 0.5'
