"""Certificates that prove privacy and say nothing of distortion: their objective is a loss of 0 everywhere."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import Proof, certificate_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import WorstLoss
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Kept


def privacy_alone(
    mechanism: Mechanism,
    graph: nx.Graph,
    required: Sequence[Requirement],
    notes: dict[str, Any],
    kept: Kept | None = None,
) -> dict[str, Any]:
    """Return a certificate that a mechanism meets what the edges of its graph require, as a JSON value.

    And that it keeps the overall shares, where it does.

    Raises
    ------
    InputError
        if it would have more digits in a row than the checker reads.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("bernoulli-couplet"), epsilon=1)
    >>> privacy_alone(result.mechanism, result.graph, result.required, {})["value"]
    '0'
    """
    nothing = WorstLoss([[0] * len(mechanism.outputs)] * len(mechanism.categories))
    k = len(graph)
    of_kept = None if kept is None else (kept, [0] * len(mechanism.outputs))
    proof = Proof(Fraction(0), {}, {}, [Fraction(1)] * k, list(range(k)), kept=of_kept)
    return certificate_of(mechanism, graph, required, nothing, proof, Fraction(0), notes)
