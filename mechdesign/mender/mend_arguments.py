"""What is asked of `mend`, checked: a distance of rows, a loss that is one, digits that a spreadsheet keeps."""

from collections.abc import Sequence

import networkx as nx

from mechdesign.certifier.applied import released_under
from mechdesign.errors import InputError, telling
from mechdesign.exact.numbers import whole
from mechdesign.exact.text import shown
from mechdesign.graph.checks import check_number_of_edges
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import check_known
from mechdesign.mechanism.given import Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import checked_objective
from mechdesign.objective.base import LossTable
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import Released

MOST_DIGITS = 15
"""Spreadsheets keep no more."""


def rows_of(mechanism: Given, graph: nx.Graph | None, *, all_pairs: bool) -> nx.Graph:
    """Return the profile graph of what is mended, `Mended.rows`: what profiles release, and the pairs asked for."""
    given, asked = as_mechanism(mechanism, graph, all_pairs=all_pairs)
    check_known(asked.profiles, "mended-from")
    return graph_of_rows(given, asked, *released_under(given, asked))


def graph_of_rows(given: Mechanism, asked: Asked, names: Sequence[Label], released: Sequence[Released]) -> nx.Graph:
    """Return the profile graph of what is released: its categories are the outputs, its edges those that matter."""
    graph = asked.profiles
    about = {key: graph.graph[key] for key in ("name", "ordered") if key in graph.graph}
    if given.outputs != given.categories:
        about.pop("ordered", None)
    result = nx.Graph(categories=given.outputs, **about)
    for name, one in zip(names, released, strict=True):
        weight = {"weight": graph.nodes[name]["weight"]} if "weight" in graph.nodes[name] else {}
        result.add_node(name, distribution=one.fractions(), **weight)
    if asked.every_pair:
        check_number_of_edges(asked.edges)
    result.add_edges_from(asked.graph().edges(data=True))
    return result


def check_digits(digits: object, doubles: bool) -> None:
    """Raise an InputError unless rows can be decimals of so many places."""
    if digits is None:
        return
    whole("digits", digits, at_most=MOST_DIGITS)
    if doubles:
        raise InputError("digits: expected either doubles or decimals of so many places, found both")


def checked_distance(objective: object) -> ByLoss:
    """Return an objective that is a distance of rows; others raise an InputError."""
    goal = checked_objective(objective)
    if not isinstance(goal, ByLoss):
        raise InputError(
            f"objective: expected ExpectedLoss(...) or WorstLoss(...), a distance of rows, found {goal.name}"
        )
    return goal


def checked_table(goal: ByLoss, outputs: Sequence[Label]) -> LossTable:
    """Return the loss on the outputs, which is to cost nothing where nothing changes, and never less."""
    m = len(outputs)
    with telling(after="; here the categories are the outputs"):
        table = goal.table(outputs)
    if len(table[0]) != m:
        found = f"found {len(table)} x {len(table[0])}"
        raise InputError(f"loss: expected {m} x {m}, what it costs to move from each output to each other, {found}")
    wrong = [(x, y) for x in range(m) for y in range(m) if (table[x][y] != 0 if x == y else table[x][y] < 0)]
    if wrong:
        x, y = wrong[0]
        expected = "expected 0, as what stays costs nothing" if x == y else "expected a number >= 0"
        raise InputError(f"loss, row {x}, column {y}: {expected}, found {shown(table[x][y])}")
    return table
