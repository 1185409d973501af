"""Sufficient sets of [HLM]: on which sets of outputs (5) must be checked so that it holds on all.

(5) asks P(A) <= E P'(A) + delta for every ordered pair of neighbours and every set A of outputs, where P and P' are
what the two release and E is e^epsilon. Of the 2^m - 2 sets few matter:

- A*(E) = {a : P(a) > E P'(a)} alone, since it has the largest P(A) - E P'(A) of all sets (`worst_set`);
- the subsets of A*(1) = {a : P(a) > P'(a)}, which is the A_dd' of Theorem 2 (`larger_set`, `subsets`);
- for delta = 0 the cells of A_dd' on which P(a) / P'(a) is constant, Corollary 1 (`cells`, `corollary_1_sets`);
- for the Hamming utility the one set {a : a_i = d_i}, i being the row that differs, Corollary 2 (`hamming_set`).

Which outputs belong to A_dd' is often decided by a tie, and a tie is decided by rounding unless it is exact: for
u(d, a) = -s |d - a| take one rational for e^{-s} and its integer powers (ERR-2.1, `mechdesign.papers.hlm_sets`).
Outputs are given by their positions.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

from mechdesign.certifier.applied import released_under
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_delta
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import AskedBy, asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.gaps import Outputs, excess, worst_set
from mechdesign.privacy.released import Released
from mechdesign.show.answer import Answer, Fact, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact
from mechdesign.size import check_size


def holds_on(
    sets: Iterable[Outputs], first: Released, second: Released, ratio: Fraction, delta: Fraction = Fraction(0)
) -> bool:
    """Return whether P(A) <= ratio P'(A) + delta for each A of `sets`.

    Parameters
    ----------
    sets
        the sets of outputs to check, sufficient or not.
    first, second, ratio, delta
        P, P', e^epsilon and delta.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> holds_on(subsets((0, 1)), p, q, Fraction(2), Fraction(1, 5))
    True
    """
    return all(excess(first, second, ratio, outputs) <= delta for outputs in sets)


def larger_set(first: Released, second: Released) -> Outputs:
    """Return A_dd' = {a : P(a) > P'(a)}: (5) holds on every set if it holds on the subsets of this one.

    Parameters
    ----------
    first, second
        P and P'.

    References
    ----------
    [HLM] (8), Theorem 2, arXiv:1505.07254. ERR-2.2, a needed hypothesis: for an exponential mechanism this says
    C_d e^{u(d,a)} > C_d' e^{u(d',a)}; without the constants it would be false unless C_d is the same for all d.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [2, 3, 5]))
    >>> larger_set(p, q)      # a tie does not count
    (0,)
    """
    return worst_set(first, second, Fraction(1))


def subsets(outputs: Outputs) -> Iterator[Outputs]:
    """Yield the non-empty subsets, small ones first; of A_dd' they are the sufficient sets of Theorem 2.

    Parameters
    ----------
    outputs
        A.

    Examples
    --------
    >>> list(subsets((0, 4)))
    [(0,), (4,), (0, 4)]
    """
    return chain.from_iterable(combinations(outputs, size) for size in range(1, len(outputs) + 1))


def cells(first: Released, second: Released) -> dict[Fraction | float, Outputs]:
    """Return the cells A^k of A_dd' by their ratio P(a) / P'(a) > 1, on each of which that ratio is constant.

    On a cell (5) reads (ratio of the cell - E) P'(A) <= delta: it holds on all subsets if it holds on the cell.

    Parameters
    ----------
    first, second
        P and P'; where P' is 0 the ratio is infinite.

    References
    ----------
    [HLM] (9)-(11), Theorem 3, arXiv:1505.07254. There C_d is the same for all d and the ratio is e^{r_k}; taking the
    ratio of the probabilities themselves needs no such condition.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 12) for weights in ([4, 2, 6, 0], [2, 1, 2, 7]))
    >>> cells(p, q)
    {Fraction(2, 1): (0, 1), Fraction(3, 1): (2,)}
    """
    members: dict[Fraction | float, list[int]] = {}
    for position in larger_set(first, second):
        above, below = int(first.weights[position]) * second.total, int(second.weights[position]) * first.total
        members.setdefault(Fraction(above, below) if below else math.inf, []).append(position)
    return {ratio: tuple(members[ratio]) for ratio in sorted(members)}


def corollary_1_sets(first: Released, second: Released, *, delta: Fraction = Fraction(0)) -> list[Outputs]:
    """Return the cells: for delta = 0, (5) holds on every set if it holds on each of them.

    Parameters
    ----------
    first, second
        P and P'.
    delta
        must be 0.

    Raises
    ------
    InputError
        for a positive delta.

    References
    ----------
    [HLM] Corollary 1, arXiv:1505.07254. ERR-2.3, a needed hypothesis: delta = 0, to which the paper restricts itself
    one sentence earlier. For delta > 0 it would be false, since the excesses of the cells add up: the utility (0, -.5,
    -1.7, -3, -1.4, -.9) around Z_6 has .379179 on its worst cell at epsilon = .1, and .595325 on A*.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 12) for weights in ([4, 2, 6, 0], [2, 1, 2, 7]))
    >>> corollary_1_sets(p, q)
    [(0, 1), (2,)]
    """
    if parse_delta(delta) > 0:
        raise InputError(
            f"delta: expected 0, found {shown(delta)}; for a positive delta the excesses of the cells add up, so (5) "
            "can hold on each of them and fail on their union; use worst_set"
        )
    return list(cells(first, second).values())


def hamming_set(database: Sequence[Label], neighbour: Sequence[Label], outputs: Sequence[Sequence[Label]]) -> Outputs:
    """Return {a : a_i = d_i}, i being the row that differs: the one sufficient set for the Hamming utility.

    Parameters
    ----------
    database, neighbour
        d and d', which differ in one row.
    outputs
        the databases that can be released.

    Raises
    ------
    InputError
        if d and d' do not differ in exactly one row.

    References
    ----------
    [HLM] Corollary 2, arXiv:1505.07254.

    Examples
    --------
    >>> hamming_set("ab", "bb", ["aa", "ab", "ba", "bb"])
    (0, 1)
    """
    rows = [row for row, (x, y) in enumerate(zip(database, neighbour, strict=False)) if x != y]
    if len(database) != len(neighbour) or len(rows) != 1:
        raise InputError(
            f"neighbour: expected a database that differs from {shown(database)} in one row, found {shown(neighbour)}"
        )
    return tuple(position for position, output in enumerate(outputs) if output[rows[0]] == database[rows[0]])


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
