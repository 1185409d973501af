"""What the reader of a certificate wanted: whose pairs of profiles, which epsilon and delta, objective, mechanism."""

import os
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from mechdesign.certificate.checked import Checked
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.graph.graph_file import as_graph
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.objective import Goal, checked_objective
from mechdesign.privacy.asked import Asked


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a certificate is held against; None and False for what nobody asked for.

    Where every pair is wanted, `graph` has an edge for each. `mended_from` is the graph of the rows that were mended,
    as `Mended.rows`, with the edges that are wanted.
    """

    graph: nx.Graph | None = None
    all_pairs: bool = False
    epsilon: Epsilon | None = None
    delta: Fraction | None = None
    mechanism: Mechanism | None = None
    objective: Goal | None = None
    mended_from: nx.Graph | None = None

    def names(self) -> list[str]:
        """Return the names of what was asked for, as the options of `mechdesign check`."""
        given = [name for name, value in vars(self).items() if value is not None and value is not False]
        return [name.replace("_", "-") for name in given]

    @property
    def profiles(self) -> nx.Graph | None:
        """The profiles that are expected, with the pairs that are to be proved; None where nobody says which."""
        return self.graph if self.mended_from is None else self.mended_from


def wanted(
    proof: Checked,
    *,
    graph: nx.Graph | str | os.PathLike[str] | None = None,
    all_pairs: bool = False,
    epsilon: Number | None = None,
    delta: Number | None = None,
    mechanism: Mechanism | None = None,
    objective: Goal | None = None,
) -> Wanted:
    """Return what is asked of a certificate; with an epsilon, delta is 0 unless given, but where it is the unknown.

    Raises
    ------
    InputError
        if an argument cannot be used.
    """
    if epsilon is not None and delta is None and not (proof.formula is not None and proof.formula.parameter == "delta"):
        delta = 0
    whose = None if graph is None else as_graph(graph)
    return Wanted(
        graph=Asked(whose).every().graph() if all_pairs and whose is not None else whose,
        all_pairs=all_pairs,
        epsilon=None if epsilon is None else parse_epsilon(epsilon),
        delta=None if delta is None else parse_delta(delta),
        mechanism=None if mechanism is None else check_mechanism(mechanism),
        objective=None if objective is None else checked_objective(objective),
    )


def check_said_of_whom(whose: bool, asked: list[str], graph: str, all_pairs: str) -> None:
    """Raise unless it is said whose pairs are to be proved, wherever something is asked about these.

    Raises
    ------
    InputError
        naming what was asked, and what says of whom: `graph` or `all_pairs`.
    """
    if asked and not whose:
        which = f"give {graph}, whose edges all must be proved, or {all_pairs}, for every pair"
        raise InputError(f"{asked[0]}: of which pairs of profiles? {which}")
