"""A reader's mechanism, read so that it can be compared with a certificate, and held against its probabilities."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial

import networkx as nx

from mechdesign.arrays import Exact
from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Kind
from mechdesign.certificate.written import of_labels, shown_label, written_labels
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above
from mechdesign.files.delimited import Layout
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective

ROUNDED = Fraction(1, 10**9)
"""Probabilities that differ by no more may be the same numbers, written with fewer digits."""

Difference = tuple[Fraction, str]
"""By how much a probability differs, and which."""


def only_releases_alike(proof: Checked, mechanism: Mechanism) -> bool:
    """Return whether a mechanism, of other matrices, has profiles that release just what those of a certificate do.

    So it is with what `mend` wrote: a row that was given is a profile of its certificate, and the mended row what this
    profile releases. Within bounds, matrices count, not what they do to one distribution.
    """
    claim = proof.claim
    if claim.kind is not Kind.CERTIFICATE or claim.robust:
        return False
    if set(written_labels(mechanism.profiles)) != set(claim.names):
        return False
    if next(of_rows(proof, mechanism), None) is None:
        return False
    return next(of_released(proof, mechanism, None), None) is None


def of_released(proof: Checked, mechanism: Mechanism, graph: nx.Graph | None) -> Iterator[str]:
    """Yield how what the profiles release through a mechanism differs from what those of the certificate release."""
    claim, outputs = proof.claim, tuple(written_labels(mechanism.outputs))
    yield from of_labels("output", claim.outputs, outputs)
    if claim.outputs != outputs:
        yield "the certificate has the outputs of your mechanism in another order"
        return
    whose = mechanism.graph if graph is None else graph
    if is_robust(whose):
        yield "you know profiles only within bounds: what one distribution releases says nothing of the others"
        return
    nodes = whose.nodes
    if graph is not None and tuple(graph.graph["categories"]) != mechanism.categories:
        yield "your mechanism has other categories than your graph, or in another order"
        return
    written = written_labels(nodes)
    yield from of_labels("profile", claim.names, written)
    named = dict(zip(written, nodes, strict=True))
    found: list[Difference] = []
    for profile, (weights, total) in zip(claim.names, proof.released, strict=True):
        name = named[profile]
        own = mechanism.released_weights(nodes[name]["distribution"], mechanism.serving(name))
        found += _differences(proof, f"profile {shown_label(profile)}", weights, total, own.weights, own.total)
    if found:
        yield _largest(found, "your mechanism releases other distributions than the certificate's")


def of_rows(proof: Checked, mechanism: Mechanism) -> Iterator[str]:
    """Yield how far the rows of a mechanism are from the proportions of the certificate's."""
    claim = proof.claim
    labels = tuple(written_labels(mechanism.categories)), tuple(written_labels(mechanism.outputs))
    yield from of_labels("category", claim.categories, labels[0])
    yield from of_labels("output", claim.outputs, labels[1])
    if (claim.categories, claim.outputs) != labels:
        yield "the certificate has the categories or outputs of your mechanism in another order"
        return
    position = {name: number for number, name in enumerate(written_labels(mechanism.profiles))}
    if not mechanism.one_matrix:
        missing = [shown_label(one) for one in claim.names if one not in position]
        yield from (f"your mechanism has no rows for the profile {one}" for one in missing)
    found: list[Difference] = []
    for i, profile in enumerate(claim.names):
        for x, row in proof.rows_of(i):
            own = mechanism.rows.exact(mechanism.index[position.get(profile, 0), x])
            place = f"profile {shown_label(profile)}, category {shown_label(claim.categories[x])}"
            found += _differences(proof, place, row, sum(row), own, int(own.sum()))
    if found:
        yield _largest(found, "your mechanism has other probabilities than the certificate")


def of_other_rows(proof: Checked, mechanism: Mechanism, objective: Objective) -> Iterator[str]:
    """Yield that a mechanism of the same rows costs more than the certificate says: by rows that it does not have."""
    costs = dict(zip(written_labels(mechanism.profiles), objective.costs(mechanism), strict=True))
    for name in proof.claim.names:
        cost = costs.get(name, max(costs.values()))  # of one matrix all have the same
        if cost > proof.claim.value:
            value = digits_above(proof.claim.value, 3)
            entry = f"an entry off the diagonal of {digits_above(cost, 3)}, for a category that it never has"
            yield f"profile {shown_label(name)}: your mechanism has {entry}; the certificate's value is {value}"


def _differences(
    proof: Checked, place: str, weights: Sequence[int], total: int, own: Exact, own_total: int
) -> Iterator[Difference]:
    """Yield where two distributions over the outputs differ, given as integers over their totals."""
    for y, (weight, other) in enumerate(zip(weights, own, strict=True)):
        if weight * own_total != int(other) * total:
            by = abs(Fraction(weight, total) - Fraction(int(other), own_total))
            yield by, f"{place}, output {shown_label(proof.claim.outputs[y])}"


def _largest(found: Sequence[Difference], words: str) -> str:
    """Return the largest difference in a sentence, rounded up, so that it is never said to be 0."""
    by, place = max(found, key=lambda one: one[0])
    rounded = "; so little may be rounding, but it is proved of the certificate's alone" if by <= ROUNDED else ""
    return f"{words}, by up to {digits_above(by, 2)} at {place}{rounded}"


def read_compared(
    proof: Checked,
    graph: nx.Graph | None,
    path: str,
    layout: Layout,
    normalise: bool,
    *,
    mended: bool = False,
    matrices: bool = False,
) -> Mechanism:
    """Return the mechanism in a file; its inputs are the certificate's categories, or profiles, as of a mended one.

    Of what is known to be mended its profiles are its own, or the graph's; where `matrices` count, as for an objective,
    they are no profiles.

    Raises
    ------
    InputError
        if the file is no mechanism.
    """
    read = partial(read_foreign, path, layout=layout, normalise=normalise)
    if mended or graph is not None:
        return read(graph)
    try:
        alone = read()
    except InputError:  # such as matrices by profile, which need a graph
        return read(proof.claim.bare_graph())
    if not matrices and only_releases_alike(proof, alone):
        return alone
    with suppress(InputError):  # it has other inputs than the certificate: it is another mechanism
        return read(proof.claim.bare_graph())
    return alone
