"""A mended mechanism: the private one nearest to one that is not, with what is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certificate.certificate import Proof, certificate_of, written_above
from mechdesign.certifier.evidence import check_certificate_size, shown
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.baseline import baseline
from mechdesign.designer.caution import warning_of
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.moved import distance, post_processing, released_of
from mechdesign.notebook import InNotebooks
from mechdesign.objective import profile_weights
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement
from mechdesign.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class Mended(InNotebooks):
    """A mended mechanism with what is known of it.

    Attributes
    ----------
    mechanism
        exactly private; the outputs are those of the given one.
    given
        the mechanism that was mended.
    asked
        which pairs of profiles must not be told apart.
    rows
        the graph of what the given mechanism releases: a profile for each of its, whose categories are the outputs.
    released
        what each of them releases now.
    required
        what the edges require.
    epsilon, delta
        what was asked for; epsilon in nats.
    objective, method
        what is least, and how it was found.
    before, after
        the verdicts on the given and on the mended mechanism.
    digits
        of how many places the rows' decimals are; None where they need not be decimals.
    proof
        the bound and the multipliers behind it.
    stats
        seconds in all.
    """

    mechanism: Mechanism
    given: Mechanism
    asked: Asked
    rows: nx.Graph
    required: Sequence[Requirement]
    released: Sequence[Released]
    before: Verdict
    after: Verdict
    epsilon: Epsilon
    delta: Fraction
    objective: ByLoss
    method: str
    digits: int | None
    proof: Proof
    stats: dict[str, Any]

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        return f"Mended({self.objective.name} = {value:.9g}, bound {bound:.9g}, {counted(len(self.rows), 'profile')})"

    @cached_property
    def changes(self) -> Mapping[Label, Fraction]:
        """For each profile the distance between what it released and what it releases now, exactly."""
        table = self.objective.table(self.given.outputs)
        pairs = zip(self.rows.nodes(data="distribution"), self.released, strict=True)
        return {name: distance(self.objective, table, released_of(masses), after) for (name, masses), after in pairs}

    @cached_property
    def value(self) -> Fraction:
        """Their mean by weight, or the largest; rounded up by 2^-120 at most where it would be thousands of digits."""
        return written_above(self.objective.total(list(self.changes.values()), profile_weights(self.rows)))

    @property
    def bound(self) -> Fraction:
        """No private mechanism is nearer: bound <= least distance <= value."""
        return self.proof.bound

    @property
    def unchanged(self) -> bool:
        """Whether every profile releases what it did."""
        return not any(self.changes.values())

    @cached_property
    def baseline(self) -> Fraction:
        """The cost of answering what the given mechanism releases by k-ary randomised response, see `Design`."""
        response = baseline(self.rows, self.required, self.objective, self.epsilon, self.delta)
        table = self.objective.table(response.outputs)
        row_costs = [
            sum((Fraction(int(w), int(row.sum())) * loss for w, loss in zip(row, losses, strict=True)), Fraction(0))
            for row, losses in zip(response.weights, table, strict=True)
        ]
        costs = [
            sum((mass * row_costs[x] for x, mass in support(attributes["distribution"])), Fraction(0))
            for attributes in self.rows.nodes.values()
        ]
        return self.objective.total(costs, profile_weights(self.rows))

    @cached_property
    def warning(self) -> str | None:
        """That nothing is protected, or that the loss means nothing, in words; None if neither."""
        return warning_of(self.rows, self.required, self.objective)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value, as `Design.certificate`.

        Its profiles are the given mechanism's, its distributions what these released, its matrices post-processings: no
        private mechanism is nearer to those distributions than the bound says.

        Raises
        ------
        InputError
            if it would be too large, or need more digits than the checker reads.
        """
        check_certificate_size(len(self.required), len(self.given.outputs))
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        channels = self._post_processings()
        return shown(certificate_of(channels, self.rows, self.required, self.objective, self.proof, self.value, notes))

    def _post_processings(self) -> Mechanism:
        """Return the mechanism on the outputs by which each profile releases what it does now."""
        outputs = self.given.outputs
        m, table = len(outputs), self.objective.table(outputs)
        weights = list(np.identity(m, dtype=int).astype(object))
        index = np.tile(np.arange(m), (len(self.rows), 1))
        for i, (attributes, after) in enumerate(zip(self.rows.nodes.values(), self.released, strict=True)):
            before = released_of(attributes["distribution"])
            if before == after:
                continue
            plan = post_processing(self.objective, table, before, after)
            for x in np.nonzero(before.weights)[0]:
                index[i, x] = len(weights)
                weights.append(plan[x] // np.gcd.reduce(plan[x]))
        return Mechanism(self.rows, outputs, np.array(weights, dtype=object), index)
