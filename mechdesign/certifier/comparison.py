"""How a mechanism on values or databases compares with the best there is: the optimal product sanitisation."""

from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from mechdesign.arrays import Exact, Integers
from mechdesign.closed_form.product_sanitisation import OPTIMAL, PRODUCT, least_error
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, parse_epsilon
from mechdesign.graph.databases import database_shape, row_distances
from mechdesign.graph.distribution import support
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.given import AskedBy, asked_of
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Down, Near, Up


@dataclass(frozen=True)
class Comparison(Answering):
    """Errors are the expected number of rows that change, for the database for which it is largest.

    For single values (`rows` is 1) that is the probability that a value is not reported as itself.

    Attributes
    ----------
    rows
        of a database.
    error
        this mechanism's, exactly.
    optimal_below
        a rational just below the least that any mechanism can have that is private at the same epsilon and delta.
    """

    rows: int
    error: Fraction
    optimal_below: Fraction

    @property
    def lost(self) -> Fraction:
        """What this mechanism gives away against the optimal one; it may be negative if this one is not private."""
        return self.error - self.optimal_below

    def answer(self, *, private: bool | None = None) -> Answer:
        """Return what is told of it; nothing is lost or gained by a mechanism that is not private at that epsilon."""
        private = self.lost >= 0 if private is None else private
        what = "Expected number of rows that change, for the worst database"
        what = "Probability of reporting another value, for the worst value" if self.rows == 1 else what
        facts = [
            Fact("error", "this mechanism", Up(self.error), under=what),
            Fact("optimal", f"{PRODUCT}, same epsilon and delta", Down(self.optimal_below), under=what),
            Fact("lost", "lost" if private else "", Near(self.lost if private else None, 9), under=what),
        ]
        facts += sentences(OPTIMAL)
        less = "" if private else "Nothing is lost or gained: it is not private at that epsilon and delta."
        return Answer(less, tone="bad" if less else "", facts=[*for_programs({"rows": self.rows}), *facts])


@with_flags
def compare_with_optimal_product(
    mechanism: Mechanism,
    graph: AskedBy = None,
    *,
    epsilon: Number,
    delta: Number = 0,
    all_pairs: bool = False,
) -> Comparison | None:
    """Return how a mechanism compares with the optimal product sanitisation, or None where that does not apply.

    It does where every pair of values is an edge, and where the profiles are all databases of n rows and edges join
    those that differ in one row (see `database_graph`; order and names of the profiles do not matter); no edge may have
    an epsilon, delta or distance of its own, no profile bounds within which alone it is known, and the outputs must be
    the categories.

    Parameters
    ----------
    mechanism
        with rows for each profile of the graph; or one matrix, which serves them all.
    graph
        whose profiles and edges, as for `certify`; without it the mechanism's own.
    epsilon, delta
        at which the optimal one is private, epsilon in nats.
    all_pairs
        as for `certify`.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Theorem 10, the error n (m - 1) (1 - delta) /
    (e^epsilon + m - 1). It is the least worst-case error of all sanitisations, correlated ones included, not only of
    the theorem's products.

    Examples
    --------
    >>> import mechdesign as md
    >>> graph = md.database_graph(["no", "yes"], 2)
    >>> best = md.design(graph, epsilon=1, delta="0.1", objective=md.WorstLoss("rows")).mechanism
    >>> found = md.compare_with_optimal_product(best, graph, epsilon=1, delta="0.1")
    >>> f"{float(found.optimal_below):.9f} {float(found.lost):.6f}"
    '0.484094558 0.000000'
    """
    check_mechanism(mechanism)
    nats = parse_epsilon(epsilon)
    asked = asked_of(mechanism, graph, all_pairs=all_pairs)
    chosen = _rows_of_categories(mechanism, asked.profiles)
    shape = (len(mechanism.categories), 1) if asked.every_pair else database_shape(asked.profiles)
    if chosen is None or shape is None or mechanism.outputs != mechanism.categories:
        return None
    m, n = shape
    error = 1 - min(_kept(mechanism, chosen)) if n == 1 else max(_changes(mechanism, chosen))
    # For a larger epsilon 0 is the lower bound of the optimum: it is less than e^-100,000 per row.
    bounded = nats if nats <= LARGEST_ABOVE else float("inf")
    return Comparison(n, error, least_error(m, n, epsilon=bounded, delta=delta))


def _rows_of_categories(mechanism: Mechanism, own: nx.Graph) -> list[int] | None:
    """Return which row of the mechanism serves each category, for its own profile; None unless each has one."""
    if (
        is_robust(own)
        or tuple(own.graph["categories"]) != mechanism.categories
        or len(own) != len(mechanism.categories)
    ):
        return None
    position = {profile: number for number, profile in enumerate(mechanism.profiles)}
    one_matrix = (mechanism.index == mechanism.index[0]).all()
    rows: dict[int, int] = {}
    for profile, attributes in own.nodes.items():
        possible = support(attributes["distribution"])
        if len(possible) > 1 or not (one_matrix or profile in position):
            return None
        x = possible[0][0]
        rows[x] = int(mechanism.index[position.get(profile, 0), x])
    return [rows[x] for x in sorted(rows)] if len(rows) == len(own) else None


def _kept(mechanism: Mechanism, rows: list[int]) -> list[Fraction]:
    """Return the probability with which each category is reported as itself."""
    return [mechanism.rows.probability(row, x) for x, row in enumerate(rows)]


def _changes(mechanism: Mechanism, rows: list[int]) -> list[Fraction]:
    """Return the expected number of rows that change, for each database, [HLM] (16)."""
    distances = row_distances(mechanism.categories)  # type: ignore[arg-type]  # they are tuples
    return [_mean(mechanism.rows.exact(row), far) for row, far in zip(rows, distances, strict=True)]


def _mean(weights: Exact, values: Integers) -> Fraction:
    return Fraction(int(weights @ values), int(weights.sum()))
