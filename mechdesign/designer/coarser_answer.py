"""What is told of a coarser graph: what it changes, and what it loses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.design import design
from mechdesign.designer.design_answer import WORST_CASES
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import digits_above
from mechdesign.exact.text import shown_epsilon
from mechdesign.graph.coarsening import coarsened
from mechdesign.graph.document import plain
from mechdesign.graph.groups import Joined, lost_edges, partition
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import sizes_of
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import UNBOUNDED
from mechdesign.show.answer import Answer, Fact, for_people, for_programs, sentences
from mechdesign.show.fact_numbers import Down, Number, Up, in_json
from mechdesign.words import counted

Groups = Mapping[str, Mapping[Label, Sequence[Label]]]
"""The joined profiles and categories, by name."""

WITHIN = "Designs and guarantees are for every distribution within the profiles' bounds."


@dataclass(frozen=True, eq=False)
class Gain:
    """A graph made coarser, with the design for it.

    Attributes
    ----------
    result
        the design for the coarser graph.
    kept
        what that design's mechanism, used by the profiles as they were, guarantees on the edges as they were.
    """

    result: Design
    kept: Verdict


def gain(fine: nx.Graph, options: dict[str, Any], *, profiles: Joined = (), categories: Joined = ()) -> Gain:
    """Return what it changes to join profiles or categories; `options` are those of `design`.

    Raises
    ------
    InputError
        if they cannot be joined.
    """
    result = design(coarsened(fine, profiles=profiles, categories=categories), **options)
    used = used_by(result.mechanism, fine, profiles, categories)
    return Gain(result, _guaranteed(used, fine, options))


def used_by(mechanism: Mechanism, fine: nx.Graph, profiles: Joined, categories: Joined) -> Mechanism:
    """Return the mechanism for a coarser graph as that of the profiles and categories as they were.

    Examples
    --------
    >>> import mechdesign as md
    >>> fine = md.read_graph("categorical-chain")
    >>> rough = md.design(md.coarsened(fine, categories={"high": ("3", "4")}), epsilon=1).mechanism
    >>> used = used_by(rough, fine, (), {"high": ("3", "4")})
    >>> used.outputs, used.row("P2", "3") == used.row("P2", "4") == rough.row("P2", "high")
    (('1', '2', 'high'), True)
    """
    who = partition(list(fine), profiles, "profile").place
    what = partition(fine.graph["categories"], categories, "category").place
    return Mechanism(fine, mechanism.outputs, mechanism.rows, mechanism.index[np.ix_(who, what)])


def _guaranteed(used: Mechanism, fine: nx.Graph, options: dict[str, Any]) -> Verdict:
    nominal = options.get("nominal", False)
    return certify(used, fine, epsilon=options["epsilon"], delta=options["delta"], nominal=nominal)


def coarser_answer(fine: nx.Graph, coarse: nx.Graph, joined: Groups) -> Answer:
    """Return the size of a coarser graph, what was joined, and what is lost."""
    lost = lost_edges(fine, partition(list(fine), joined["profiles"], "profile"))
    told = {
        "profiles": len(coarse),
        "categories": len(coarse.graph["categories"]),
        "edges": coarse.number_of_edges(),
        "joined": {
            kind: [{"name": name, "members": plain(list(group))} for name, group in groups.items()]
            for kind, groups in joined.items()
        },
        "lost_edges": plain(lost),
    }
    remarks = sentences(*_lost_in_words(joined, len(lost)))
    return Answer(
        f"After: {sizes_of(coarse)}.", about=f"Before: {sizes_of(fine)}.", facts=[*for_programs(told), *remarks]
    )


def gain_answer(fine: nx.Graph, before: Design | None, after: Gain | None) -> Answer:
    """Return what the designs cost before and after, where they are compared."""
    if before is None or after is None:
        return Answer(facts=for_programs({"before": None, "after": None, "robust": None}))
    one, other, kept = before, after.result, after.kept
    facts = for_programs({"robust": one.robust, "after.kept_epsilon": kept.epsilon[1]})
    facts += for_programs({"after.kept_scale": None if kept.scale is None else kept.scale[1]})
    for when, made in (("before", one), ("after", other)):
        numbers: dict[str, Number] = {
            "value": Up(made.value),
            "bound": Down(made.bound),
            "baseline": Up(made.baseline),
        }
        facts += [Fact(f"{when}.{key}", number=number) for key, number in numbers.items()]
    proved = "mechanism so proved" if one.adds_worst_cases else "private mechanism"
    rows: list[list[Any]] = [
        [one.objective.words, Up(one.value), Up(other.value)],
        [f"no {proved} is below", Down(one.bound), Down(other.bound)],
        [one.baseline_name, Up(one.baseline), Up(other.baseline)],
        ["guarantee on the edges as they were", f"epsilon {shown_epsilon(one.epsilon)}", _kept(kept)],
    ]
    note = (
        "The last line: what the mechanism for the coarser graph, used by the profiles as they were, guarantees at "
        f"delta {shown_epsilon(one.delta)}."
    )
    return Answer(
        facts=[*facts, *sentences(WITHIN if one.robust else None, WORST_CASES if one.adds_worst_cases else None)],
        tables=[for_people("What it changes", ["", "before", "after"], rows, note)],
        warnings=[UNBOUNDED] if is_robust(fine) and not one.robust else [],
    )


def _kept(kept: Verdict) -> str:
    """Return in words what a mechanism guarantees on the edges as they were: the tight epsilon, rounded up."""
    own = kept.own is not None and not kept.edges_asked
    left = kept.own.scale[1] if kept.own is not None and own else kept.epsilon[1]
    if in_json(left) is None:
        return "none"
    return f"{'own times' if own else 'epsilon'} {float(digits_above(Fraction(left), 4)):g}"


def _lost_in_words(joined: Groups, lost: int) -> Iterator[str]:
    """Yield what a coarser graph no longer promises, and what it no longer says."""
    if joined["profiles"]:
        yield (
            "Joined profiles have one matrix, and what is protected is their mean by weight: a person of whom one "
            "knows no more than that it is one of them. Against those who know which of them it is, "
            "this graph promises nothing."
        )
    if lost:
        yield (
            f"{counted(lost, 'edge')} between joined profiles: gone. That they have one matrix does not hide "
            "which of them it is; their values still tell them apart, and this graph does not bound by how much."
        )
    if joined["categories"]:
        yield (
            "Joined categories are reported as one, so which of them it was is not released; what is distorted within "
            "one is not counted any more. This alone loses no privacy."
        )
