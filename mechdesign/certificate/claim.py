"""`Claim`: what a proof states, of whom. Read from a file, or made from what its reader wanted, so that two compare."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx

from mechdesign.certificate.written import label, written_labels
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.checks import checked
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import Limits, is_single, uncertainty_of
from mechdesign.objective import OBJECTIVES, Objective, profile_shares
from mechdesign.privacy.asked import Protected, protected
from mechdesign.privacy.requirement import Requirement


class Kind(StrEnum):
    """What a proof shows: a mechanism that is private and nearly best, one that is not private, or what is best."""

    CERTIFICATE = "certificate"
    REFUTATION = "refutation"
    FORMULA = "formula"


@dataclass(frozen=True)
class Profile:
    """One profile.

    Attributes
    ----------
    name
        its label as JSON text, as all labels of a claim.
    distribution
        its probabilities.
    limits
        within which it is known; None where it is known.
    weight
        its share of the mean; None where it has no part in the objective.
    group
        the number of its matrix.
    """

    name: str
    distribution: tuple[Fraction, ...]
    limits: Limits | None = None
    weight: Fraction | None = None
    group: int = 0

    @property
    def most(self) -> tuple[Fraction, ...]:
        """How probable each category is at most."""
        return self.distribution if self.limits is None else self.limits[1]


@dataclass(frozen=True)
class Multiple:
    """An epsilon that is this many times the variable one."""

    times: Fraction


@dataclass(frozen=True)
class Ratio:
    """An epsilon that is said by e^epsilon, a rational; None for what the distance of its edge makes it."""

    ratio: Fraction | None


@dataclass(frozen=True)
class Delta:
    """A delta, and how many times the variable one is added to it."""

    least: Fraction
    slope: Fraction = Fraction(0)


Strength: TypeAlias = Epsilon | Multiple | Ratio
"""Any of the ways to say what epsilon is."""


@dataclass(frozen=True)
class Edge:
    """What two profiles, by position, are not told apart by; `rests` says whether what is proved rests on this edge."""

    first: int
    second: int
    epsilon: Strength
    delta: Delta
    rests: bool = True

    @property
    def pair(self) -> tuple[int, int]:
        """Its two profiles, the first one first."""
        return min(self.first, self.second), max(self.first, self.second)


@dataclass(frozen=True, eq=False)
class Claim:
    """What a proof states: labels are JSON text, positions those in `profiles`.

    Attributes
    ----------
    objective
        the name of its objective; empty where there is none.
    losses
        for each category and output; none where the objective has no loss.
    value, bound
        between which the optimum is; of a refutation 0.
    parameter
        what varies in a formula, epsilon or delta.
    shares
        those of the profiles in the overall shares that are kept; none where nothing is said of these.
    """

    kind: Kind
    categories: tuple[str, ...]
    outputs: tuple[str, ...]
    profiles: tuple[Profile, ...]
    edges: tuple[Edge, ...]
    objective: str = ""
    losses: tuple[tuple[Fraction, ...], ...] = ()
    value: Fraction = Fraction(0)
    bound: Fraction = Fraction(0)
    parameter: str = ""
    shares: tuple[Fraction, ...] = ()

    @property
    def is_of_privacy_alone(self) -> bool:
        """Whether nothing is proved of distortion: a certificate then has losses of 0."""
        return bool(self.losses) and not any(map(any, self.losses))

    @property
    def names(self) -> list[str]:
        """The profiles' labels."""
        return [profile.name for profile in self.profiles]

    @property
    def epsilons(self) -> list[Fraction]:
        """The epsilon of each edge; of a formula, where it varies, none."""
        return [edge.epsilon for edge in self.edges if isinstance(edge.epsilon, Fraction)]

    @property
    def deltas(self) -> list[Fraction]:
        """The delta of each edge, at least."""
        return [edge.delta.least for edge in self.edges]

    @property
    def epsilon(self) -> Fraction:
        """The largest epsilon of any edge."""
        return max(self.epsilons)

    @property
    def delta(self) -> Fraction:
        """The largest delta of any edge."""
        return max(self.deltas)

    @property
    def robust(self) -> bool:
        """Whether it holds for every distribution within the profiles' bounds."""
        return any(profile.limits is not None for profile in self.profiles)

    @property
    def matrices(self) -> int:
        """How many matrices the profiles have."""
        return len({profile.group for profile in self.profiles})

    def in_order(self) -> list[Edge]:
        """Return the edges as files have them."""
        return sorted(self.edges, key=lambda edge: edge.pair)

    def ends(self, edge: Edge) -> frozenset[str]:
        """Return the labels of an edge's two profiles."""
        return frozenset((self.profiles[edge.first].name, self.profiles[edge.second].name))

    def protects(self) -> Protected:
        """Return which pairs of profiles have an edge, and what follows for the others; of a formula not at which."""
        zero = Fraction(0)
        if self.kind is Kind.FORMULA:
            found = protected(len(self.profiles), [Requirement(e.first, e.second, zero, zero) for e in self.edges])
            return Protected(found.pairs, found.asked, found.through)
        return protected(len(self.profiles), list(self.requirements()))

    def requirements(self) -> Iterator[Requirement]:
        """Yield what each edge requires; a formula's, where epsilon varies, are left out."""
        for edge in self.edges:
            if isinstance(edge.epsilon, Fraction):
                yield Requirement(edge.first, edge.second, edge.epsilon, edge.delta.least)

    def labels(self, texts: Sequence[str]) -> list[Label]:
        """Return labels as they stand in graphs and mechanisms."""
        return list(map(label, texts))

    def bare_graph(self) -> nx.Graph:
        """Return the profiles with their distributions alone, as a graph without edges."""
        graph = nx.Graph(categories=self.labels(self.categories))
        for name, profile in zip(self.labels(self.names), self.profiles, strict=True):
            graph.add_node(name, distribution=profile.distribution)
        return checked(graph)

    def graph(self) -> nx.Graph:
        """Return the profile graph that it is about, each edge with its epsilon and delta.

        Examples
        --------
        >>> import mechdesign as md
        >>> from mechdesign.certificate.check import examined
        >>> proof = examined(md.design(md.read_graph("categorical-chain"), epsilon="0.5").certificate)
        >>> proof.claim.graph().edges["P1", "P2"]["epsilon"]
        Fraction(1, 2)
        """
        graph = self.bare_graph()
        names = list(graph)
        equal = len({profile.weight for profile in self.profiles}) == 1
        for name, profile in zip(names, self.profiles, strict=True):
            graph.nodes[name].update(_bounds(profile), **({} if equal else {"weight": profile.weight}))
        for one in self.requirements():
            graph.add_edge(names[one.first], names[one.second], epsilon=one.epsilon, delta=one.delta)
        return checked(graph)


def _bounds(profile: Profile) -> dict[str, object]:
    """Return within which bounds a graph says that a profile is known: nothing where it is known."""
    if profile.limits is None:
        return {}
    lower, upper, radius = profile.limits
    boxed = any(lower) or any(high != 1 for high in upper)
    if boxed and radius < 1:
        raise InputError(f"profile {profile.name:.50}: it has bounds and a radius; a graph has one of them")
    return {"lower": lower, "upper": upper} if boxed else {"radius": radius}


def claim_of(
    kind: Kind,
    graph: nx.Graph,
    outputs: Sequence[Label],
    edges: Iterable[Edge],
    objective: Objective | None = None,
    groups: Iterable[int] | None = None,
    **more: Any,
) -> Claim:
    """Return what is claimed of the profiles of a graph; `more` are other fields of the claim."""
    categories = graph.graph["categories"]
    name = "" if objective is None else objective.name
    return Claim(
        kind,
        tuple(written_labels(categories)),
        tuple(written_labels(outputs)),
        tuple(profiles_of(graph, name, groups)),
        tuple(edges),
        name,
        () if objective is None else tuple(map(tuple, objective.table(categories))),
        **more,
    )


def profiles_of(graph: nx.Graph, objective: str, groups: Iterable[int] | None = None) -> Iterator[Profile]:
    """Yield the profiles of a graph, weighted if an objective adds them up; each by itself if there are no groups."""
    kind = OBJECTIVES.get(objective)
    weights: Sequence[Fraction | None] = [None] * len(graph)
    if kind is not None and kind.additive:
        weights = profile_shares(graph)
    numbers = range(len(graph)) if groups is None else groups
    for name, one, weight, group in zip(written_labels(graph), graph.nodes.values(), weights, numbers, strict=True):
        within = uncertainty_of(one)
        limits = None if is_single(within) else within.limits
        yield Profile(name, tuple(one["distribution"]), limits, weight, group)
