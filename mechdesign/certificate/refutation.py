"""Refutations: one JSON file that proves a mechanism not private, to anybody.

::

    {"format": "mechdesign-refutation/1",
     "categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, LABEL],
     "distributions": [["p/q", ...], ...], "rows": [[[WEIGHT, ...], ...], ...], "groups": [0, 1],
     "edges": [[0, 1]], "epsilons": ["p/q"], "deltas": ["p/q"], "above": ["p/q"], "set": [OUTPUT, ...],
     "notes": {anything; no part of the proof}}

It states, and `checker.py` verifies in exact arithmetic from nothing but this file, that with S the outputs in `set`
q^0(S) > e^epsilon q^1(S) + delta: the first profile exceeds what the second allows. `above` is a rational >= e^epsilon.
An epsilon above 700 is written as 700: what is refuted there is not private at any smaller one, and what is refuted at
a larger one is refuted at 700. All else is as in a certificate (certificate.py), with the two profiles alone.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import profile_rows, raise_if_long
from mechdesign.certificate.checker import REFUTATION
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import format_number
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import AskedBy, asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.requirement import requirements

FINEST = 3000
"""Bits of the rational above e^epsilon, at most: so many make 999 digits nearly full."""


def refutation_of(
    mechanism: Mechanism,
    graph: AskedBy,
    edge: tuple[Label, Label],
    outputs: Sequence[Label],
    *,
    epsilon: Epsilon,
    delta: Fraction,
    notes: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return as a JSON value the proof that on these outputs the edge's first profile exceeds what the second allows.

    Parameters
    ----------
    graph
        whose distributions and limits are in force, as for `certify`.
    edge, outputs
        as `certify` finds them: `Verdict.worst.edge` and `Verdict.worst.set`.
    epsilon, delta
        what was asked, in nats.

    Raises
    ------
    InputError
        if they exceed nothing there, or it would take more digits than the checker reads.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> worst = md.certify(coin, epsilon=1).worst
    >>> refutation_of(coin, None, worst.edge, worst.set, epsilon=Fraction(1), delta=Fraction(0))["set"]
    [0]
    """
    asked = asked_of(mechanism, graph)
    pair = nx.Graph(**asked.profiles.graph)
    for name in edge:
        pair.add_node(name, **asked.profiles.nodes[name])
    pair.add_edge(*edge, **({} if asked.every_pair else asked.profiles.edges[edge]))
    required = requirements(pair, epsilon, delta)
    if not required:
        raise InputError("no refutation: an infinite epsilon requires nothing")
    limit, allowed = min(required[0].epsilon, MAX_EPSILON), required[0].delta
    places = [mechanism.outputs.index(y) for y in outputs]
    distributions = [pair.nodes[name]["distribution"] for name in edge]
    positions = list(map(mechanism.serving, edge))
    here, there = (
        _mass(mechanism, distribution, position, places)
        for distribution, position in zip(distributions, positions, strict=True)
    )
    document = {
        "format": REFUTATION,
        "categories": list(mechanism.categories),
        "outputs": list(mechanism.outputs),
        "profiles": list(edge),
        "distributions": [list(map(format_number, distribution)) for distribution in distributions],
        "rows": [profile_rows(mechanism, p, q) for p, q in zip(positions, distributions, strict=True)],
        "groups": [0, 1],
        "edges": [[0, 1]],
        "epsilons": [format_number(limit)],
        "deltas": [format_number(allowed)],
        "above": [str(_above(limit, allowed, here, there))],
        "set": places,
        "notes": notes or {},
    }
    raise_if_long(document, "refutation")
    return document


def _mass(mechanism: Mechanism, distribution: Sequence[Fraction], position: int, places: Sequence[int]) -> Fraction:
    released = mechanism.released_weights(distribution, position)
    return Fraction(sum(int(released.weights[y]) for y in places), released.total)


def _above(epsilon: Fraction, delta: Fraction, here: Fraction, there: Fraction) -> Fraction:
    """Return a rational above e^epsilon that is fine enough to show here > e^epsilon there + delta."""
    bits = 64
    while bits <= FINEST:
        above = exp_above(epsilon, bits=bits)
        if here > above * there + delta:
            return above
        bits *= 2
    raise InputError("no refutation: nothing is exceeded on these outputs, or by less than 999 digits show")
