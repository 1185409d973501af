"""The probabilities of a certificate held against those of its reader's mechanism."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.arrays import Exact
from mechdesign.certificate.checker import REFUTATION
from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.certificate.written import of_labels, shown_label, written_labels
from mechdesign.exact.bounds import digits_above
from mechdesign.mechanism.mechanism import Mechanism

ROUNDED = Fraction(1, 10**9)
"""Probabilities that differ by no more may be the same numbers, written with fewer digits."""

Difference = tuple[Fraction, str]
"""By how much a probability differs, and which."""


def only_releases_alike(c: Any, mechanism: Mechanism) -> bool:
    """Return whether a mechanism, of other matrices, has profiles that release just what those of a certificate do.

    So it is with what `mend` wrote: a row that was given is a profile of its certificate, and the mended row what this
    profile releases. Within bounds, matrices count, not what they do to one distribution.
    """
    if c.format in (REFUTATION, FORMULA) or any(c.radius):
        return False
    if set(written_labels(mechanism.profiles)) != set(c.profiles):
        return False
    if next(of_rows(c, mechanism), None) is None:
        return False
    return next(of_released(c, mechanism, None), None) is None


def of_released(c: Any, mechanism: Mechanism, graph: nx.Graph | None) -> Iterator[str]:
    """Yield how what the profiles release through a mechanism differs from what those of the certificate release."""
    outputs = written_labels(mechanism.outputs)
    yield from of_labels("output", c.outputs, outputs)
    if c.outputs != outputs:
        yield "the certificate has the outputs of your mechanism in another order"
        return
    nodes = (mechanism.graph if graph is None else graph).nodes
    if graph is not None and tuple(graph.graph["categories"]) != mechanism.categories:
        yield "your mechanism has other categories than your graph, or in another order"
        return
    written = written_labels(nodes)
    yield from of_labels("profile", c.profiles, written)
    named = dict(zip(written, nodes, strict=True))
    found: list[Difference] = []
    for profile, weights, total in zip(c.profiles, c.least, c.totals, strict=True):
        name = named[profile]
        own = mechanism.released_weights(nodes[name]["distribution"], mechanism.serving(name))
        found += _differences(c, f"profile {shown_label(profile)}", weights, total, own.weights, own.total)
    if found:
        yield _largest(found, "your mechanism releases other distributions than the certificate's")


def of_rows(c: Any, mechanism: Mechanism) -> Iterator[str]:
    """Yield how far the rows of a mechanism are from the proportions of the certificate's."""
    yield from of_labels("category", c.categories, written_labels(mechanism.categories))
    yield from of_labels("output", c.outputs, written_labels(mechanism.outputs))
    if (c.categories, c.outputs) != (written_labels(mechanism.categories), written_labels(mechanism.outputs)):
        yield "the certificate has the categories or outputs of your mechanism in another order"
        return
    position = {name: number for number, name in enumerate(written_labels(mechanism.profiles))}
    if not mechanism.one_matrix:
        missing = [shown_label(one) for one in c.profiles if one not in position]
        yield from (f"your mechanism has no rows for the profile {one}" for one in missing)
    found: list[Difference] = []
    for profile, rows in zip(c.profiles, c.rows, strict=True):
        for x, row in enumerate(rows):
            if row:
                own = mechanism.rows[mechanism.index[position.get(profile, 0), x]]
                place = f"profile {shown_label(profile)}, category {shown_label(c.categories[x])}"
                found += _differences(c, place, row, sum(row), own, int(own.sum()))
    if found:
        yield _largest(found, "your mechanism has other probabilities than the certificate")


def _differences(
    c: Any, place: str, weights: Sequence[int], total: int, own: Exact, own_total: int
) -> Iterator[Difference]:
    """Yield where two distributions over the outputs differ, given as integers over their totals."""
    for y, (weight, other) in enumerate(zip(weights, own, strict=True)):
        if weight * own_total != int(other) * total:
            by = abs(Fraction(weight, total) - Fraction(int(other), own_total))
            yield by, f"{place}, output {shown_label(c.outputs[y])}"


def _largest(found: Sequence[Difference], words: str) -> str:
    """Return the largest difference in a sentence, rounded up, so that it is never said to be 0."""
    by, place = max(found, key=lambda one: one[0])
    rounded = "; so little may be rounding, but it is proved of the certificate's alone" if by <= ROUNDED else ""
    return f"{words}, by up to {digits_above(by, 2)} at {place}{rounded}"
