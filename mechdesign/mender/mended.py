"""A mended mechanism: the private one nearest to one that is not, with what is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certificate.certificate import Proof, certificate_of, written_above
from mechdesign.certifier.evidence import check_certificate_size, shown
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.baseline import baseline, baseline_epsilon, baseline_name
from mechdesign.designer.caution import warning_of
from mechdesign.exact.bounds import digits_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, format_number
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import own_epsilons
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.moved import by_rounding, distance, post_processing
from mechdesign.objective import profile_weights
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.extremes import over_one_total
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement
from mechdesign.show.answer import Answer, Column, Fact, Table, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.words import counted

ROUNDED = "It is rounded to {places}; the bound is of all private ones, not only of those of {places}."


@dataclass(frozen=True, eq=False, repr=False)
class Mended(Answering):
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
        return {name: distance(self.objective, table, over_one_total(masses), after) for (name, masses), after in pairs}

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
        return self.objective.value(baseline(self.rows, self.required, self.objective, self.epsilon, self.delta))

    @cached_property
    def warning(self) -> str | None:
        """That nothing is protected, or that the loss means nothing, in words; None if neither."""
        return warning_of(self.rows, self.required, self.objective)

    def answer(self, graph: str = "") -> Answer:
        """Return what is told of it; `graph` is the name of the graph that it was mended for, if there was one."""
        sizes = f"{counted(len(self.rows), 'row')} of {counted(len(self.mechanism.outputs), 'output')}"
        asked = f"epsilon {brief(self.epsilon, 40, 6)}, delta {format_number(self.delta)}"
        what = "These doubles are private" if self.mechanism.rows.given_doubles is not None else "Private"
        what = what if self.digits is None else f"These decimals, of {counted(self.digits, 'place')}, are private"
        already = "Private already: nothing is changed. " if self.before.private and self.unchanged else ""
        rounded = "" if self.digits is None else ROUNDED.format(places=counted(self.digits, "place"))
        solved = f"Solved in {self.stats['seconds']:.2f} s."
        return Answer(
            f"{already}{what} in exact arithmetic: every edge, both ways, every set of outputs.",
            about=f"{sizes}; {asked}, on {self.asked.said(self.after.protected, graph)}",
            facts=[
                *self._values(bool(already)),
                *self._sizes(),
                *sentences(rounded, solved),
            ],
            tables=[self._privacy(), *self._changes()],
            warnings=[] if self.warning is None else [self.warning],
        )

    def _values(self, already: bool) -> list[Fact]:
        """Return how near it is: of what was private already, for programs alone."""
        which, proved = "mean" if self.objective.additive else "largest", "exact, by duality"
        under = f"{which} {self.objective.kind.distance} from the given rows"
        usual = baseline_name(self.rows, self.delta, self.objective)
        values = [
            Fact("value", "this mechanism", Up(self.value), f"method {self.method}", exact=True, under=under),
            Fact("bound", "no private one is nearer than", Down(self.bound), proved, exact=True, under=under),
            Fact("baseline", f"the given one, then {usual}", Up(self.baseline), under=under),
        ]
        found = [replace(fact, words="") for fact in values] if already else values
        taken = baseline_epsilon(self.rows, self.required, self.objective, self.epsilon, usual)
        return [
            *found,
            *sentences("" if already else taken),
            Fact("epsilon", number=Exact(self.epsilon), exact=True),
            Fact("delta", number=Exact(self.delta)),
        ]

    def _sizes(self) -> list[Fact]:
        edges = self.rows.number_of_edges()
        told = {
            "objective": self.objective.name,
            "method": self.method,
            "profiles": len(self.rows),
            "categories": len(self.mechanism.categories),
            "outputs": len(self.mechanism.outputs),
            "edges": edges,
            "edges_asked": edges - len(own_epsilons(self.rows)),
            "edges_from": str(self.asked.source),
            **self.after.protected.summary(),
            "baseline_name": baseline_name(self.rows, self.delta, self.objective),
            "seconds": self.stats["seconds"],
            "warning": self.warning,
            "changed": sum(map(bool, self.changes.values())),
            "doubles": self.mechanism.rows.given_doubles is not None,
            "digits": self.digits,
        }
        found = for_programs(told)
        for when, verdict in (("before", self.before), ("after", self.after)):
            found.append(Fact(f"private_{when}", number=Exact(verdict.private)))
            found.append(Fact(f"epsilon_{when}", number=Up(verdict.epsilon[1])))
            found.append(Fact(f"delta_{when}", number=Up(verdict.delta[1])))
        return found

    def _privacy(self) -> Table:
        """Return what is tight before and after."""
        verdicts = self.before, self.after
        rows: list[list[Any]] = []
        if self.before.edges_asked or self.before.own is None:
            rows.append(["epsilon, at the delta asked", *(Up(one.epsilon[1]) for one in verdicts)])
        if self.before.own is not None:
            scales = (Up(one.scale[1]) for one in verdicts if one.scale is not None)
            rows.append(["multiple of the edges' own epsilons", *scales])
        rows.append(["delta, at the epsilon asked", *(Up(one.delta[1]) for one in verdicts)])
        columns = [Column(words="tight, rounded up"), Column(words="before"), Column(words="after")]
        return Table("", "What holds", columns, rows)

    def _changes(self) -> list[Table]:
        most = by_rounding(self.objective.table(self.given.outputs))
        changed = sorted((change for change in self.changes.items() if change[1] > most), key=lambda change: -change[1])
        rows = [[name, Up(far)] for name, far in changed]
        title = f"Rows that change: {len(changed)} of {len(self.changes)}"
        if rounded := [far for far in self.changes.values() if 0 < far <= most]:
            title += f", and {len(rounded)} by rounding, by at most {digits_above(max(rounded), 2)}"
        columns = [Column("row", "row"), Column("distance", "distance")]
        everyone = [[name, Up(far)] for name, far in self.changes.items()]
        return [Table("changes", "", columns, everyone, by=1), Table("", title, columns, rows)]

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
            before = over_one_total(attributes["distribution"])
            if before == after:
                continue
            plan = post_processing(self.objective, table, before, after)
            for x in np.nonzero(before.weights)[0]:
                index[i, x] = len(weights)
                weights.append(plan[x] // np.gcd.reduce(plan[x]))
        return Mechanism(self.rows, outputs, np.array(weights, dtype=object), index)
