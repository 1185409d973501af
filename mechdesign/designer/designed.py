"""What is known of a design, as data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import Proof, certificate_of, privacy_alone
from mechdesign.closed_form.best_pair import best_pair
from mechdesign.designer.baseline import baseline, baseline_name, category_costs, is_count
from mechdesign.designer.caution import adds_worst_cases, far_apart, rivals, undetermined, warning_of
from mechdesign.designer.cluster_design import class_bound
from mechdesign.designer.edge_prices import Price, check_has_prices, edge_prices
from mechdesign.designer.method import Method
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Goal, MaxOffDiagonal, Objective
from mechdesign.objective.by_model import value_in
from mechdesign.privacy.asked import UNBOUNDED, Protected, protected
from mechdesign.privacy.requirement import Requirement


@dataclass(frozen=True, eq=False, repr=False)
class Designed:
    """What is known of a design, as `mechdesign.designer.result` says in words."""

    mechanism: Mechanism
    graph: nx.Graph
    epsilon: Epsilon
    delta: Fraction
    required: Sequence[Requirement]
    objective: Goal
    method: str
    value: Fraction
    proof: Proof
    stats: dict[str, Any]
    scale_own: bool = False
    bound_by: str = "duality"
    free: "Designed | None" = None
    unbounded: bool = False

    @cached_property
    def protected(self) -> Protected:
        """Who is protected from whom: how many pairs of profiles directly, of how many, and how many through others."""
        return protected(len(self.graph), self.required)

    @property
    def robust(self) -> bool:
        """Whether it is private for every distribution within the bounds of profiles, not only for those given."""
        return is_robust(self.graph)

    @property
    def keeps_shares(self) -> bool:
        """Whether the overall shares are kept: sum_i w_i q^i = sum_i w_i P_i, exactly, by the profiles' weights."""
        return self.proof.kept is not None

    @property
    def adds_worst_cases(self) -> bool:
        """Whether privacy is proved by adding up what each output has at worst: within bounds, for delta > 0.

        That is sufficient, not necessary: a private mechanism that does not meet it may be below the bound.
        """
        return adds_worst_cases(self.graph, self.required)

    @property
    def rivals(self) -> str:
        """Which mechanisms the bound is about, in words."""
        return rivals(shared=self.shared, adds=self.adds_worst_cases, keeps=self.keeps_shares)

    @property
    def bound(self) -> Fraction:
        """No mechanism does better than this: bound <= optimum <= value; by the solver's word if `bound_by` says so.

        One matrix for each component is meant where that was asked for, otherwise one for each profile. Where
        `adds_worst_cases` says so, only mechanisms are meant that meet this sufficient condition.
        """
        return self.proof.bound if self.bound_by == "duality" else min(self.proof.bound, self.value)

    @property
    def gap(self) -> Fraction:
        """By what share of the value the bound is below it: how far from the optimum it may be."""
        return (self.value - self.bound) / abs(self.value) if self.value else Fraction(0)

    @property
    def ended(self) -> dict[str, int]:
        """For how many components the search ended early, by why: "gap", "time" or "interruption"."""
        return dict(self.stats.get("ended", {}))

    @cached_property
    def class_bound(self) -> Fraction:
        """No mechanism of the method's own class does better than this.

        For method "one-bit-cluster" these are flips of the bit, one for each component, and this may be above the
        bound; for all others it is the bound.
        """
        if self.method != Method.ONE_BIT_CLUSTER:
            return self.bound
        assert isinstance(self.objective, Objective)
        return max(self.bound, class_bound(self.graph, self.required, self.objective))

    @cached_property
    def pair_bound(self) -> Fraction | None:
        """What the best pair of profiles alone asks for: a bound in closed form; None for a loss.

        See `mechdesign.closed_form.best_pair`.
        """
        if not isinstance(self.objective, MaxOffDiagonal):
            return None
        exact = [attributes["distribution"] for attributes in self.graph.nodes.values()]
        return best_pair(exact, self.required).level

    @cached_property
    def baseline(self) -> Fraction:
        """The objective's value of the mechanism that a design is compared with, see `mechdesign.designer.baseline`.

        It is measured whether or not it meets constraints of a user's own.
        """
        return value_in(self.objective, self._compared, self.proof.groups)

    @cached_property
    def baseline_name(self) -> str:
        """What that mechanism is called."""
        return baseline_name(self.graph, self.delta, self.objective)

    @cached_property
    def category_costs(self) -> list[Fraction] | None:
        """How far each category's released probability is from the true one, at most; None for other outputs."""
        return category_costs(self.mechanism)

    @cached_property
    def baseline_category_costs(self) -> list[Fraction] | None:
        """The same for the mechanism that it is compared with."""
        return category_costs(self._compared)

    @cached_property
    def _compared(self) -> Mechanism:
        epsilon = math.inf if self.scale_own else self.epsilon
        return baseline(self.graph, self.required, self.objective, epsilon, self.delta, outputs=self.mechanism.outputs)

    @cached_property
    def warning(self) -> str | None:
        """What is not protected, or means nothing, or is not told by data, or is far off, in words; None if nothing."""
        said = [UNBOUNDED if self.unbounded else None, warning_of(self.graph, self.required, self.objective)]
        said.append(None if is_count(self.graph) else undetermined(self.mechanism))  # a count is released once
        alone, noisy = self.stats.get("unsearched", 0), self.stats["components"] - self.stats["without_noise"]
        if alone:
            which = "" if noisy == 1 else f" for {alone} of {noisy} components"
            said.append(f"Nothing was found in time{which}: it is the best that is private without a search.")
        if self.method == Method.COMMAND:
            said.append(far_apart(self.value, self.bound, own=bool(self.stats["own_multipliers"])))
        return " ".join(filter(None, said)) or None

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value: see `mechdesign.certificate.certificate`.

        Of privacy alone where the checker does not know the objective.
        """
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        notes |= {key: said for key, said in self.mechanism.notes.items() if key == "bounds"}
        if not self.objective.certified:
            kept = None if self.proof.kept is None else self.proof.kept[0]
            return privacy_alone(self.mechanism, self.graph, self.required, notes, kept)
        assert isinstance(self.objective, Objective)
        return certificate_of(self.mechanism, self.graph, self.required, self.objective, self.proof, self.value, notes)

    def prices(self) -> list[Price]:
        """Return what each edge costs, in the graph's order: the rates at which the optimum falls as it asks for less.

        They are the proof's weights at work. Where edges are alike, or ask the same, several proofs may be as good,
        with other shares for each of them. Where the largest of several components counts, only edges of the one that
        decides cost anything.

        Raises
        ------
        InputError
            for a design with detours, whose proof has none for the edges that were left out; for the method
            "one-bit-cluster", whose mechanism is not the optimum that the proof is about; and where the
            bound is the solver's word.

        Examples
        --------
        >>> import mechdesign as md
        >>> for price in md.design(md.read_graph("categorical-chain"), epsilon=0.5).prices():
        ...     print(price.edge, f"{float(price.epsilon):.6f}", f"{float(price.delta):.6f}")
        ('P1', 'P2') 0.000000 0.000000
        ('P2', 'P3') 0.104446 0.419490
        """
        check_has_prices(self.method)
        if "detours" in self.stats:
            raise InputError("prices: edges that detours make up for have none; leave out detours=")
        if self.bound_by != "duality":
            raise InputError(f"prices: no weights prove a bound of the {self.objective.words}; it is the solver's word")
        return edge_prices(self.mechanism, self.graph, self.required, self.proof.privacy)

    @property
    def shared(self) -> bool:
        """Whether profiles of a component have one matrix."""
        return len(set(self.proof.groups)) < len(self.proof.groups)
