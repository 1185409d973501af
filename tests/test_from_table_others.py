"""Values that are none of the categories, or rare: one category of all such; and by which rule a graph was made."""

from fractions import Fraction
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import mechdesign as md
from mechdesign.graph.cell_labels import MISSING_WORDS, Missing, Reading, reading_of
from mechdesign.graph.properties import has_order

FRAME = {"job": ["a", "a", "a", "b", "b", "b"], "use": ["x", "y", "odd", "x", "x", "strange"]}


def made(frame: Any = FRAME, **options: Any) -> nx.Graph:
    return md.graph_from_table(frame, **{"profile": "job", "value": "use", **options})


def test_others_are_one_category() -> None:
    graph = made(categories=["y", "x"], others="rest")
    assert graph.graph["categories"] == ("y", "x", "rest")
    assert list(graph.nodes["a"]["distribution"]) == [Fraction(1, 3)] * 3
    assert list(graph.nodes["b"]["distribution"]) == [0, Fraction(2, 3), Fraction(1, 3)]
    assert graph.graph["made"]["others"] == "rest"
    assert not has_order(graph)  # the last has no place among the others


def test_they_may_have_a_place_in_the_order() -> None:
    graph = made(categories=["y", "rest", "x"], others="rest")
    assert graph.graph["categories"] == ("y", "rest", "x")
    assert has_order(graph)


def test_rare_categories_are_merged() -> None:
    graph = made(merge_below=2, others="rest")
    assert graph.graph["categories"] == ("x", "rest")
    assert list(graph.nodes["a"]["distribution"]) == [Fraction(1, 3), Fraction(2, 3)]
    assert {"others": "rest", "merge_below": 2}.items() <= graph.graph["made"].items()
    assert made(merge_below=1, others="rest").graph["categories"] == ("odd", "strange", "x", "y")
    assert "others" not in made(merge_below=1, others="rest").graph["made"]  # what is none of these is an error again
    assert made(categories=["x", "y"], merge_below=2, others="x").graph["categories"] == ("x",)


def test_missing_values_may_be_rare_too() -> None:
    frame = {"job": ["a", "a", "b", "b"], "use": ["x", "x", "x", ""]}
    assert made(frame, missing="category", merge_below=2, others="rest").graph["categories"] == ("x", "rest")
    assert made(frame, missing="category", categories=["x"], others="rest").graph["categories"] == ("x", "rest")


def test_an_ordered_categorical_is_a_list_of_categories() -> None:
    column = pd.Categorical(["x", "y", None, "x", "x", None], ["x", "y"], ordered=True)
    frame = pd.DataFrame({"job": FRAME["job"], "use": column})
    assert made(frame, missing="category", others="rest").graph["categories"] == ("x", "y", "missing", "rest")


@pytest.mark.parametrize(
    "reading",
    [
        Reading(),
        Reading(Missing.DROP, Missing.DROP),
        Reading(Missing.DROP, Missing.ERROR),
        Reading(Missing.CATEGORY, Missing.DROP, ("99",), "rest"),
        Reading(missing_words=()),
    ],
)
def test_a_rule_is_read_from_what_a_graph_says(reading: Reading) -> None:
    assert reading_of(reading.described()) == reading
    assert reading_of({"profile": "job", **reading.described()}) == reading


def test_a_graph_that_says_nothing_was_made_in_the_usual_way() -> None:
    assert reading_of(None) == reading_of({}) == Reading()
    assert Reading().missing_words == MISSING_WORDS
    assert Reading(Missing.DROP, Missing.DROP).described() == {"missing": "drop"}
    with pytest.raises(md.InputError, match="missing: expected one of error, drop, category, found 3"):
        reading_of({"missing": 3})
