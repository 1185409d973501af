"""What a coarser graph gains, and what is left of the guarantee."""

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.designer import granularity
from mechdesign.designer.granularity import gain, suggested, used_by
from mechdesign.graph.labels import Label

F = Fraction
OPTIONS: dict[str, Any] = {"epsilon": F(1, 2), "delta": F(0), "objective": md.MaxOffDiagonal()}


def none(done: int, everything: int) -> None:
    """Show no progress."""


@given(st.sets(st.integers(0, 3), min_size=2, max_size=3), st.sampled_from(["categorical-chain", "resource-usage"]))
def test_joining_categories_loses_no_privacy(places: set[int], name: str) -> None:
    """The profiles as they were release the same, so what holds for the joined holds for them."""
    fine = md.read_graph(name)
    fine.graph["ordered"] = False
    group = [fine.graph["categories"][place] for place in places]
    found = gain(fine, OPTIONS, categories=[group])
    used = used_by(found.result.mechanism, fine, (), [group])
    assert [used.released(p) for p in fine] == [found.result.mechanism.released(p) for p in fine]
    assert found.kept.private
    assert found.kept.epsilon == md.certify(found.result.mechanism, found.result.graph, epsilon=F(1, 2)).epsilon


def test_joining_neighbours_loses_what_kept_them_apart() -> None:
    """In the example one of two has a category that the other never has: then nothing at all is left."""
    fine = md.profile_graph(
        {"a": [1, 0, 0], "b": [0, 1, 0], "c": ["0.4", "0.4", "0.2"]},
        edges=[("a", "b"), ("b", "c")],
        categories=["x", "y", "z"],
    )
    found = gain(fine, OPTIONS, profiles=[("a", "b")])
    assert found.result.value < md.design(fine, **OPTIONS).bound
    assert not found.kept.private
    assert found.kept.epsilon[1] > 0.5
    used = used_by(found.result.mechanism, fine, [("a", "b")], ())
    joined = found.result.mechanism.released("a+b")
    assert [(p + q) / 2 for p, q in zip(used.released("a"), used.released("b"), strict=True)] == list(joined)


def test_what_gains_most_comes_first_and_each_is_what_it_says() -> None:
    fine = md.design("travel-mode-by-income", **OPTIONS)
    gains, left = suggested(fine, OPTIONS, most=100, progress=none)
    assert left == 0
    assert {one.kind for one in gains} == {"profiles", "categories", "edge"}
    values = [one.result.value for one in gains]
    assert values == sorted(values)
    assert values[-1] < fine.bound
    for one in gains[:3]:
        graph = md.read_graph("travel-mode-by-income")
        if one.kind == "edge":
            graph.remove_edge(*one.members)
        else:
            graph = md.coarsened(graph, **{one.kind: [one.members]})
        assert md.design(graph, **OPTIONS).value == one.result.value


def test_of_too_many_the_dearest_are_tried_and_the_others_counted() -> None:
    """Of an order, only neighbours are pairs."""
    fine = md.design(md.counting_graph(4), **OPTIONS)
    done = []
    _, left = suggested(fine, OPTIONS, most=5, progress=lambda one, all_: done.append((one, all_)))
    assert left == 4 + 2 * 4 - 5
    assert done == [(number, 5) for number in range(5)]


def test_categories_and_profiles_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that of many pairs of categories without an order there are profiles among those that are tried."""
    tried = []

    def trying(_graph: nx.Graph, kind: str, members: tuple[Label, Label], _options: dict[str, Any]) -> None:
        tried.append((kind, members))
        raise md.InputError("only counted")

    monkeypatch.setattr(granularity, "_tried", trying)
    fine = md.design("hobbies", **OPTIONS)
    suggested(fine, OPTIONS, most=6, progress=none)
    assert [kind for kind, _ in tried] == ["categories", "profiles", "edge"] * 2
    prices = {price.edge: price.epsilon for price in fine.prices()}
    assert tried[1][1] == max(prices, key=lambda edge: prices[edge])


def test_what_cannot_be_joined_is_not_suggested() -> None:
    """Two profiles: to join them, or to drop their edge, would leave nothing to protect."""
    fine = md.design("bernoulli-couplet", **OPTIONS)
    assert suggested(fine, OPTIONS, most=100, progress=none) == ([], 0)


@pytest.mark.parametrize("name", ["commutes"])
def test_nothing_gains_where_nothing_is_lost(name: str) -> None:
    options = OPTIONS | {"epsilon": F(10)}
    fine = md.design(name, **options)
    assert fine.value == 0
    assert suggested(fine, options, most=100, progress=none) == ([], 0)
