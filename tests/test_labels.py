"""Labels whose hash values were chosen to be the same are refused before any dictionary is made of them."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import product
from typing import Any

import networkx as nx
import pytest

import mechdesign as md
from mechdesign.errors import telling
from mechdesign.graph.checks import checked
from mechdesign.graph.graph_file import graph_of
from mechdesign.graph.labels import SAME_HASH, check_hashes
from mechdesign.mechanism.mechanism_file import mechanism_of

PRIME = 2**61 - 1
"""Hash values of integers are remainders of this."""

MANY = 5 * SAME_HASH
INTEGERS = [PRIME * step for step in range(1, MANY)]
POINTS = [(step, PRIME * step, "a") for step in [PRIME * step for step in range(1, MANY)]]


class Counted(int):
    """An integer that counts how often any of its kind is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return isinstance(other, int) and int.__eq__(self, other)

    __hash__ = int.__hash__


def as_lists(label: Any) -> Any:
    return [as_lists(part) for part in label] if isinstance(label, tuple) else label


def graph_file(categories: list[Any], ids: list[Any]) -> nx.Graph:
    nodes = [{"id": as_lists(label), "value": as_lists(categories[0])} for label in ids]
    with telling(source="some.json"):
        return graph_of({"graph": {"categories": as_lists(categories)}, "nodes": nodes, "edges": []})


def mechanism_file(outputs: list[Any]) -> md.Mechanism:
    profiles = [{"id": "a", "value": "x"}]
    rows = [[1] * len(outputs)]
    shape = {"format": "mechdesign-mechanism/1", "categories": ["x"], "rows": rows, "profiles": profiles}
    with telling(source="some.json"):
        return mechanism_of({**shape, "outputs": as_lists(outputs)})


ENTRANCES: dict[str, Callable[[list[Any]], object]] = {
    "some.json: nodes": lambda labels: graph_file(["x"], labels),
    "some.json: graph.categories": lambda labels: graph_file(labels, ["a"]),
    "some.json: outputs": mechanism_file,
    "outputs": lambda labels: md.mechanism_from_matrix([[1] + [0] * (len(labels) - 1)], outputs=labels),
    "inputs": lambda labels: md.mechanism_from_matrix([[1]] * len(labels), inputs=labels, outputs=["y"]),
    "values": md.value_graph,
    "nodes": lambda labels: md.profile_graph({label: [1] for label in labels}, edges=[], categories=["x"]),
    "graph.categories": lambda labels: md.profile_graph({"a": []}, edges=[], categories=labels),
    "column 'who'": lambda labels: md.graph_from_table({"who": labels, "x": labels}, profile="who", value="x"),
}


NUMBERS = [["3/4", "1/4"], ["1/4", "3/4"]]

ORDERED: dict[str, Callable[[Any], object]] = {
    "categories": lambda labels: md.profile_graph({"a": NUMBERS[0], "b": NUMBERS[1]}, edges="all", categories=labels),
    "inputs": lambda labels: md.mechanism_from_matrix(NUMBERS, inputs=labels),
    "outputs": lambda labels: md.mechanism_from_matrix(NUMBERS, outputs=labels),
    "outputs of a channel": lambda labels: md.mechanism_from_matrix(NUMBERS).then(NUMBERS, outputs=labels),
    "outputs of a utility": lambda labels: md.private_exponential(
        md.value_graph("ab"), [[1, 0], [0, 1]], epsilon=1, outputs=labels
    ),
    "values": lambda labels: md.value_graph(labels, weights=[1, 2]),
    "values of databases": lambda labels: md.database_graph(labels, 2),
    "categories of a table": lambda labels: md.graph_from_table(
        {"who": ["a", "b"], "x": ["no", "yes"]}, profile="who", value="x", categories=labels
    ),
}


@pytest.mark.parametrize("kind", [set, frozenset])
@pytest.mark.parametrize("place", ORDERED)
def test_sets_are_refused_where_the_order_counts(place: str, kind: type) -> None:
    """A set of text has another order in each run."""
    ORDERED[place](["no", "yes"])
    with pytest.raises(md.InputError, match=f"^{place.split()[0]}: expected a list, whose order counts, found a set"):
        ORDERED[place](kind(["no", "yes"]))
    with pytest.raises(md.InputError, match="weights: expected a list, whose order counts, found a set"):
        md.value_graph("ab", weights=kind([1, 2]))


@pytest.mark.parametrize("labels", [INTEGERS, POINTS], ids=["integers", "points"])
@pytest.mark.parametrize("place", ENTRANCES)
def test_labels_of_one_hash_value_are_refused_wherever_they_enter(place: str, labels: list[Any]) -> None:
    with pytest.raises(md.InputError, match="have one hash value") as caught:
        ENTRANCES[place](labels)
    assert str(caught.value).startswith(f"{place}: more than {SAME_HASH} different labels")
    assert "name them by text" in str(caught.value)


def test_decimals_of_one_hash_value_are_refused_too() -> None:
    cells = [Decimal(label) for label in INTEGERS]
    with pytest.raises(md.InputError, match="column 'who'"):
        md.graph_from_table({"who": cells, "x": ["x"] * len(cells)}, profile="who", value="x")


def test_the_search_itself_takes_few_comparisons() -> None:
    Counted.compared = 0
    with pytest.raises(md.InputError):
        check_hashes([Counted(label) for label in INTEGERS * 10], "nodes")
    assert Counted.compared <= 2 * SAME_HASH**2
    Counted.compared = 0
    check_hashes([Counted(label) for label in [1, 2, 3] * 1000], "nodes")
    assert Counted.compared <= 3000


def test_the_same_label_again_is_no_collision() -> None:
    check_hashes([7] * 1000, "nodes")
    check_hashes([[], {}, None, 1.5], "nodes")  # whoever wants labels says so


def test_a_grid_of_few_dimensions_is_no_attack() -> None:
    """Of all integers, -1 and -2 have one hash value."""
    points = list(product([-2, -1, 0], repeat=5))
    assert len(md.profile_graph({point: [1] for point in points}, edges=[], categories=["x"])) == 3**5


def same_frozenset_hash(count: int) -> list[tuple[int, int]]:
    """Return pairs whose frozensets all have one hash value: CPython combines the members' by exclusive or."""
    whole, odd = 2**64, 3644798167
    pairs = []
    for first in range(1, 20 * count):
        shuffled = (((first ^ 89869747) ^ (first << 16)) * odd % whole) ^ 987654321987654321
        undone = shuffled * pow(odd, -1, whole) % whole ^ 89869747
        undone ^= undone << 16
        second = (undone ^ undone << 32) % whole
        if second < PRIME:
            pairs.append((first, second))
    return pairs[:count]


def test_where_edges_stand_is_kept_under_other_keys_than_pairs_of_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = same_frozenset_hash(200)
    assert len({hash(frozenset(pair)) for pair in pairs}) == 1
    assert len(pairs) == 200
    nodes = [{"id": label, "value": "x"} for pair in pairs for label in pair]
    edges = [{"source": a, "target": b, "epsilon": -1} for a, b in pairs]
    kept: list[Mapping[Any, str]] = []

    def spy(graph: nx.Graph, *, places: Mapping[Any, str]) -> nx.Graph:
        kept.append(places)
        return checked(graph, places=places)

    monkeypatch.setattr("mechdesign.graph.graph_file.checked", spy)
    with pytest.raises(md.InputError, match=r"edges\[11\] \(.*epsilon: expected"):
        graph_of({"graph": {"categories": ["x"]}, "nodes": nodes, "edges": edges})
    assert len({hash(key) for key in kept[0]}) == len(kept[0]) == 600


def test_values_of_many_nodes_are_found_in_linear_time() -> None:
    categories = [Counted(label) for label in range(300)]
    nodes = [{"id": f"P{label}", "value": Counted(label)} for label in range(300)]
    Counted.compared = 0
    graph = graph_of({"graph": {"categories": categories}, "nodes": nodes, "edges": []})
    assert [graph.nodes[f"P{i}"]["distribution"].position for i in range(300)] == list(range(300))
    assert Counted.compared < 20 * 300
