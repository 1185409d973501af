"""A coarser graph, what it gains and what it loses, as text and as JSON."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
from rich.console import Console

from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.baseline import baseline_name
from mechdesign.designer.caution import UNBOUNDED
from mechdesign.designer.design_answer import WORST_CASES
from mechdesign.designer.granularity import Gain
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import decimal_above, decimal_below, digits_above, float_above, float_below
from mechdesign.exact.text import shown_epsilon
from mechdesign.graph.document import plain
from mechdesign.graph.groups import partition
from mechdesign.graph.joined_edges import lost_edges
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import sizes_of
from mechdesign.graph.uncertainty import is_robust
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import table_of
from mechdesign.words import counted

Groups = Mapping[str, Mapping[Label, Sequence[Label]]]
"""The joined profiles and categories, by name."""

WITHIN = "Designs and guarantees are for every distribution within the profiles' bounds."


def coarsened_in_json(
    fine: nx.Graph,
    coarse: nx.Graph,
    joined: Groups,
    before: Design | None,
    after: Gain | None,
) -> dict[str, Any]:
    """Return the JSON object: the coarser graph's size, what was joined and lost, and what the designs cost."""
    return {
        "profiles": len(coarse),
        "categories": len(coarse.graph["categories"]),
        "edges": coarse.number_of_edges(),
        "joined": {kind: [{"name": name, "members": plain(list(group))} for name, group in groups.items()]
                   for kind, groups in joined.items()},
        "lost_edges": plain(_lost(fine, joined)),
        "before": None if before is None else _cost(before),
        "after": None if after is None else _cost(after.result) | _kept_in_json(after.kept),
        "robust": None if before is None else before.robust,
    }  # fmt: skip


def _cost(result: Design) -> dict[str, float]:
    return {
        "value": float_above(result.value),
        "bound": float_below(result.bound),
        "baseline": float_above(result.baseline),
    }


def _kept_in_json(kept: Verdict) -> dict[str, float | None]:
    """Return the tight epsilon on the edges as they were, rounded up, and the scale of their own; null for none."""
    scale = None if kept.scale is None else kept.scale[1]
    return {"kept_epsilon": in_json(kept.epsilon[1]), "kept_scale": in_json(scale)}


def _lost(fine: nx.Graph, joined: Groups) -> list[tuple[Label, Label]]:
    return lost_edges(fine, partition(list(fine), joined["profiles"], "profile"))


def print_coarsened(
    out: Console,
    fine: nx.Graph,
    coarse: nx.Graph,
    joined: Groups,
    before: Design | None,
    after: Gain | None,
) -> None:
    """Print the sizes, the designs before and after, and what is lost."""
    out.print(f"before: {sizes_of(fine)}")
    out.print(f"after:  {sizes_of(coarse)}")
    if before is not None and is_robust(fine):
        out.print(WITHIN if before.robust else UNBOUNDED)
    if before is not None and after is not None:
        out.print()
        out.print(_before_and_after(before, after))
        if before.adds_worst_cases:
            out.print(WORST_CASES)
    for sentence in _lost_in_words(fine, joined, before, after):
        out.print()
        out.print(sentence)


def _before_and_after(before: Design, after: Gain) -> Any:
    one, other = before, after.result
    lines = [
        [one.objective.words, decimal_above(one.value), decimal_above(other.value)],
        [
            f"no {one.rivals} is below",
            decimal_below(one.bound),
            decimal_below(other.bound),
        ],
        [baseline_name(one.graph, one.delta), decimal_above(one.baseline), decimal_above(other.baseline)],
        ["guarantee on the edges as they were", f"epsilon {shown_epsilon(one.epsilon)}", _kept(after.kept)],
    ]
    return table_of("What it gains", ["", "before", "after"], lines)


def _kept(kept: Verdict) -> str:
    """Return in words what a mechanism guarantees on the edges as they were: the tight epsilon, rounded up."""
    own = kept.own is not None and not kept.edges_asked
    left = kept.own.scale[1] if kept.own is not None and own else kept.epsilon[1]
    if in_json(left) is None:
        return "none"
    return f"{'own times' if own else 'epsilon'} {float(digits_above(Fraction(left), 4)):g}"


def _lost_in_words(fine: nx.Graph, joined: Groups, before: Design | None, after: Gain | None) -> list[str]:
    """Return what a coarser graph no longer promises, and what it no longer says."""
    sentences = []
    if joined["profiles"]:
        sentences.append(
            "Joined profiles have one matrix, and what is protected is their mean by weight: a person of whom one "
            "knows no more than that it is one of them. Against those who know which of them it is, "
            "this graph promises nothing."
        )
    if lost := _lost(fine, joined):
        sentences.append(
            f"{counted(len(lost), 'edge')} between joined profiles: gone. That they have one matrix does not hide "
            "which of them it is; their values still tell them apart, and this graph does not bound by how much."
        )
    if joined["categories"]:
        sentences.append(
            "Joined categories are reported as one, so which of them it was is not released; what is distorted within "
            "one is not counted any more. This alone loses no privacy."
        )
    if after is not None and before is not None and joined["profiles"]:
        sentences.append(
            "The last line of the table is what the mechanism for the coarser graph, used by the profiles as they "
            f"were, guarantees on the edges as they were at delta {shown_epsilon(before.delta)}."
        )
    return sentences
