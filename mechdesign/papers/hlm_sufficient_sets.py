"""[HLM] Theorems 2 and 3, Corollaries 1 and 2: which sets decide, against all sets; and where the text is wrong."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np

from mechdesign.certifier.sufficient_sets import cells, hamming_set, larger_set, subsets
from mechdesign.closed_form import exponential_mechanism, exponential_weight
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.databases import database_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.hlm import PAPER
from mechdesign.papers.hlm_hamming import hamming_mechanism
from mechdesign.papers.result import Claim, Result
from mechdesign.privacy.gaps import excess, worst_set
from mechdesign.privacy.released import Released

WORDS = """\
Theorem 2: the subsets of A_dd' = {a : P(X_d = a) > P(X_d' = a)} decide. ERR-2.2, a needed hypothesis: the \
normalisation constants belong in (8), whose formula is lost in the text at hand; for P_0 = (1/2, 1/2) and u(1, .) = \
(1, 5) the set without them is empty, while delta at epsilon = 1 is .451108. Sharper than the paper: for each \
ordered pair one set decides, {a : P(X_d = a) > e^eps P(X_d' = a)}. Theorem 3: on a cell of A_dd' where the ratio is \
constant, the cell decides for its subsets. ERR-2.3, a needed hypothesis: Corollary 1, that the cells decide, needs \
delta = 0, to which the paper restricts itself one sentence earlier; for a positive delta the cells' excesses add \
up. Corollary 2: for the Hamming utility there is one cell, the databases that agree with d in the row that differs."""

SINGLE_SET = "the single set A*"
PAIRS = 300
OUTPUTS = 6
RATIOS = (Fraction(1), Fraction(11, 10), Fraction(3, 2), Fraction(3))
TENTHS = (0, 5, 17, 30, 14, 9)
"""-10 u(0, a) of the circulant utility; u(d, a) depends on a - d modulo 6."""


def reproduce() -> Result:
    """Return how often each collection of sets decides otherwise than all sets, and the two counterexamples.

    References
    ----------
    [HLM] Theorems 2 and 3, Corollaries 1 and 2.

    Examples
    --------
    >>> result = reproduce()
    >>> [(row.computed, row.agrees) for row in result.rows[:3]]
    [(0, True), (0, True), (0, True)]
    """
    rows = [
        Claim(
            f"{what}: pairs of {PAIRS} on which its sets decide otherwise than all",
            count,
            reference=0,
            note="not in the paper" if what == SINGLE_SET else "",
            claimed=None if what == SINGLE_SET else 0,
        )
        for what, count in violations().items()
    ]
    cell, union = circulant_deltas()
    rows += [
        Claim("Corollary 1, delta > 0: worst cell of the circulant utility", cell, reference="0.379179"),
        Claim(
            "its delta at epsilon = 0.1",
            union,
            reference="0.595325",
            note="ERR-2.3: so delta = 0 is needed",
        ),
        Claim("(8) without C_d: e P_1(0)", two_outputs()[0], reference="0.048892", note="below P_0(0) = 0.5"),
        Claim(
            "(8) without C_d: delta at epsilon = 1",
            two_outputs()[1],
            reference="0.451108",
            note="ERR-2.2: A is empty, so C_d is needed",
        ),
        Claim("Corollary 2: A_dd' = {a : a_i = d_i} is the one cell", corollary_2_holds(), claimed=True),
    ]
    return Result("hlm-sufficient-sets", "Sets that decide privacy", PAPER, tuple(rows), WORDS)


def random_pairs(count: int) -> Iterator[tuple[Released, Released]]:
    """Yield pairs of distributions over six outputs, with small integer weights and so with ties.

    Parameters
    ----------
    count
        how many.

    Examples
    --------
    >>> len(list(random_pairs(3)))
    3
    """
    random = Random(1505)
    for _ in range(count):
        first, second = (np.array([random.randint(1, 9) for _ in range(OUTPUTS)], dtype=object) for _ in range(2))
        yield Released(first, sum(first)), Released(second, sum(second))


def violations() -> dict[str, int]:
    """Return, for each theorem, on how many random pairs its sets fail to decide for all they stand for.

    They decide at every delta if their largest excess is that of all sets, the empty one counted in.

    Examples
    --------
    >>> set(violations().values())
    {0}
    """
    counts = {"Theorem 2": 0, SINGLE_SET: 0, "Theorem 3": 0, "Corollary 1, delta = 0": 0}
    for number, (first, second) in enumerate(random_pairs(PAIRS)):
        ratio = RATIOS[number % len(RATIOS)]
        excesses = {outputs: excess(first, second, ratio, outputs) for outputs in subsets(tuple(range(OUTPUTS)))}
        excesses[()] = Fraction(0)
        largest = max(excesses.values())
        own = list(cells(first, second).values())
        counts["Theorem 2"] += max(excesses[s] for s in [(), *subsets(larger_set(first, second))]) != largest
        counts[SINGLE_SET] += excesses[worst_set(first, second, ratio)] != largest
        counts["Theorem 3"] += any(
            excesses[s] > max(Fraction(0), excesses[cell]) for cell in own for s in subsets(cell)
        )
        counts["Corollary 1, delta = 0"] += all(excesses[cell] <= 0 for cell in own) != (largest <= 0)
    return counts


def circulant() -> Mechanism:
    """Return the exponential mechanism of the circulant utility on Z_6.

    Examples
    --------
    >>> circulant().matrix(0)[0].round(3).tolist()
    [0.401, 0.243, 0.073, 0.02, 0.099, 0.163]
    """
    base = exponential_weight("-1/10")
    return exponential_mechanism(range(OUTPUTS), range(OUTPUTS), lambda d, a: base ** TENTHS[(a - d) % OUTPUTS])


def circulant_deltas() -> tuple[Fraction, Fraction]:
    """Return the largest excess of a cell, and of any set, for the circulant utility at epsilon = 1/10.

    Examples
    --------
    >>> [f"{float(delta):.6f}" for delta in circulant_deltas()]
    ['0.379179', '0.595325']
    """
    ratio = exp_below(Fraction(1, 10))
    pairs = list(permutations(circulant().all_released(), 2))
    by_cell = max(excess(p, q, ratio, cell) for p, q in pairs for cell in cells(p, q).values())
    return by_cell, max(excess(p, q, ratio, worst_set(p, q, ratio)) for p, q in pairs)


def two_outputs() -> tuple[Fraction, Fraction]:
    """Return e P_1(0) and the delta at epsilon = 1 for u(0, .) = (0, 0), u(1, .) = (1, 5).

    Without the constants A_01 = {a : u(0, a) > u(1, a)} is empty.

    Examples
    --------
    >>> [round(float(value), 6) for value in two_outputs()]
    [0.048892, 0.451108]
    """
    utility = ((0, 0), (1, 5))
    mechanism = exponential_mechanism(range(2), range(2), lambda d, a: exponential_weight(utility[d][a]))
    first, second = mechanism.all_released()
    ratio = exp_below(Fraction(1))
    return ratio * second.fractions()[0], excess(first, second, ratio, worst_set(first, second, ratio))


def corollary_2_holds() -> bool:
    """Return whether, for three values and two rows, A_dd' is the set of Corollary 2 and its only cell.

    Examples
    --------
    >>> corollary_2_holds()
    True
    """
    graph = database_graph(range(3), 2)
    base = exponential_weight(-1)
    released = dict(zip(graph, hamming_mechanism(range(3), 2, base).all_released(), strict=True))
    return all(
        cells(released[d], released[other]) == {1 / base: hamming_set(d, other, list(graph))}
        for pair in graph.edges
        for d, other in (pair, pair[::-1])
    )
