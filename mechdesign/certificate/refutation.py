"""Refutations: one JSON file that proves a mechanism not private, to anybody.

::

    {"format": "mechdesign-refutation/2",
     "labels": {"categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, LABEL]},
     "profiles": [{"group": 0, "masses": [INTEGER, ...]}, {"group": 1, "masses": [INTEGER, ...]}],
     "matrices": [[[WEIGHT, ...], ...], [[WEIGHT, ...], ...]],
     "bits": INTEGER, "epsilons": ["p/q"], "deltas": ["p/q"],
     "edges": [[0, 1, 0, 0]], "set": [OUTPUT, ...],
     "notes": {anything; no part of the proof}}

It states, and `checker.py` verifies in exact arithmetic from nothing but this file, that with S the outputs in `set`
q^0(S) > e^epsilon q^1(S) + delta: the first profile exceeds what the second allows. `set` is in order.
An epsilon above 700 is written as 700: what is refuted there is not private at any smaller one, and what is refuted at
a larger one is refuted at 700. All else is as in a certificate (certificate.py), with the two profiles alone.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import edges_of, matrices_of
from mechdesign.certificate.checker import REFUTATION
from mechdesign.certificate.claim import Kind, claim_of
from mechdesign.certificate.claim_fields import BITS, epsilons_of, head_of, raise_if_long
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import nominal
from mechdesign.mechanism.given import AskedBy, asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.requirement import requirements


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
    places = sorted({mechanism.outputs.index(y) for y in outputs})
    positions = list(map(mechanism.serving, edge))
    claim = claim_of(Kind.REFUTATION, nominal(pair), mechanism.outputs, edges_of(required))
    here, there = (
        _mass(mechanism, one.distribution, position, places)
        for one, position in zip(claim.profiles, positions, strict=True)
    )
    limit = claim.epsilons[0]
    document = {
        **head_of(claim, REFUTATION),
        "matrices": matrices_of(mechanism, claim, positions),
        **epsilons_of(claim, _bits(limit, required[0].delta, here, there)),
        "set": places,
        "notes": notes or {},
    }
    raise_if_long(document, "refutation")
    return document


def _mass(mechanism: Mechanism, distribution: Sequence[Fraction], position: int, places: Sequence[int]) -> Fraction:
    released = mechanism.released_weights(distribution, position)
    return Fraction(sum(int(released.weights[y]) for y in places), released.total)


def _bits(epsilon: Fraction, delta: Fraction, here: Fraction, there: Fraction) -> int:
    """Return how many bits of a rational above e^epsilon are enough to show here > e^epsilon there + delta."""
    for bits in BITS:
        if here > exp_above(epsilon, bits=bits) * there + delta:
            return bits
    raise InputError("no refutation: nothing is exceeded on these outputs, or by less than the checker can show")
