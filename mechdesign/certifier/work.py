"""How many inequalities decide whether a mechanism is private, with each kind of sufficient sets of [HLM]."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from mechdesign.certifier.applied import released_under
from mechdesign.certifier.sufficient_sets import cells, larger_set
from mechdesign.errors import InputError
from mechdesign.mechanism.given import AskedBy, asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.show.answer import Answer, Fact, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact
from mechdesign.size import check_size


@dataclass(frozen=True)
class Work(Answering):
    """How many inequalities decide whether a mechanism is private.

    Attributes
    ----------
    pairs
        ordered pairs of neighbours; also the checks that A*(E) takes, one for each.
    sizes
        |A_dd'| -> ordered pairs.
    every_subset
        all sets but the empty one and that of all outputs, by Definition 2.
    theorem_2
        the non-empty subsets of A_dd'.
    corollary_1
        the cells of A_dd'; for delta = 0 only.
    """

    pairs: int
    sizes: dict[int, int]
    every_subset: int
    theorem_2: int
    corollary_1: int

    def answer(self, *, delta: Fraction = Fraction(0)) -> Answer:
        """Return what is told of it; Corollary 1 is for delta = 0 only."""
        named = {
            "every_subset": "every set of outputs: the definition",
            "theorem_2": "the subsets of {y : P(y) > P'(y)}: Holohan et al., Theorem 2",
            "corollary_1": "the parts of it where P(y) / P'(y) is the same: their Corollary 1" if delta == 0 else "",
            "pairs": "one set, {y : P(y) > e^epsilon P'(y)}: what decided here",
        }
        under = "Inequalities that decide, over all ordered pairs"
        facts = [Fact(key, words, Exact(getattr(self, key)), under=under) for key, words in named.items()]
        return Answer(facts=facts + for_programs({"sizes": {str(size): count for size, count in self.sizes.items()}}))


MOST_COMPARED = 5_000_000
"""Outputs of ordered pairs that are compared, in about ten seconds."""


def work(mechanism: Mechanism, graph: AskedBy = None) -> Work:
    """Return how many checks (5) takes on the edges of `graph`, with each kind of sufficient sets.

    Parameters
    ----------
    mechanism
        its ties are exact if its weights are.
    graph
        whose edges join neighbours, for instance `database_graph(values, n)`; default: the mechanism's own.

    Raises
    ------
    InputError
        if the mechanism does not go with the graph, profiles are known only within bounds, or there are too many
        pairs and outputs to compare.

    References
    ----------
    [HLM] §3, Example 2, arXiv:1505.07254.

    Examples
    --------
    >>> from mechdesign.graph.databases import database_graph
    >>> from mechdesign.closed_form.k_ary import k_ary
    >>> from mechdesign.closed_form.product_sanitisation import ProductSanitisation
    >>> work(ProductSanitisation(k_ary([0, 1, 2], ratio=2), 2).mechanism(), database_graph([0, 1, 2], 2))
    Work(pairs=36, sizes={3: 36}, every_subset=18360, theorem_2=252, corollary_1=36)
    """
    asked = asked_of(mechanism, graph)
    if asked.robust:
        raise InputError(
            "workload: goes with profiles that are known exactly, not within bounds; or give nominal=True too"
        )
    names, released = released_under(mechanism, asked)
    count = 2 * asked.edges
    many = "the workload of {} outputs of ordered pairs would be counted"
    check_size(count * len(mechanism.outputs), MOST_COMPARED, many, "give a smaller graph")
    position = {name: place for place, name in enumerate(names)}
    joined = combinations(names, 2) if asked.every_pair else asked.profiles.edges
    ends = [(released[position[a]], released[position[b]]) for a, b in joined]
    pairs = [pair for one, other in ends for pair in ((one, other), (other, one))]
    sizes = Counter(len(larger_set(*pair)) for pair in pairs)
    return Work(
        pairs=len(pairs),
        sizes=dict(sorted(sizes.items())),
        every_subset=len(pairs) * (2 ** len(mechanism.outputs) - 2),
        theorem_2=sum(count * (2**size - 1) for size, count in sizes.items()),
        corollary_1=sum(len(cells(*pair)) for pair in pairs),
    )
