"""What it gains to make a graph coarser, and what it loses: the optimum after, and what is left of the guarantee."""

from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.graph.coarsening import coarsened
from mechdesign.graph.groups import Joined, partition
from mechdesign.mechanism.mechanism import Mechanism


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
    """Return what it gains to join profiles or categories; `options` are those of `design`.

    Raises
    ------
    InputError
        if they cannot be joined.
    """
    result = design(coarsened(fine, profiles=profiles, categories=categories), **options)
    used = used_by(result.mechanism, fine, profiles, categories)
    return Gain(result, _kept(used, fine, options))


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


def _kept(used: Mechanism, fine: nx.Graph, options: dict[str, Any]) -> Verdict:
    nominal = options.get("nominal", False)
    return certify(used, fine, epsilon=options["epsilon"], delta=options["delta"], nominal=nominal)
