"""[GC] Observations 4 and 5: what two releases reveal together, and why no observation may be used twice."""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.designer.design import design
from mechdesign.exact.exponentials import exp_below
from mechdesign.papers.gc import PAPER, categorical_chain, worst_ratio
from mechdesign.papers.result import Claim, Result

WORDS = """\
Observation 4, additive composition, holds for two independent samples and independent coins: the ratios \
multiply. Observation 5, parallel composition, holds when secrets are compared one at a time: the \
neighbours of the pair (P_i, P_j) move ONE of the two along an edge, the profiles being chosen \
independently. If both may move, the losses add; and the released pair is not a mechanism on G, as the \
paper's words have it, but on the product of G with itself. The paper says that re-use of the same \
observation does not compose, without an example. Here is one: P_i uniform on {00, 11}, P_j on {01, 10}; \
the first bit alone tells nothing of the profile (epsilon 0), nor does the second, but both together tell \
it with certainty. With one tenth of the uniform distribution mixed in, epsilon is ln 19."""

FIRST, SECOND = Fraction(1, 2), Fraction(1, 4)
PAIRS = ("00", "01", "10", "11")
Masses = Sequence[Fraction]


def reproduce() -> Result:
    """Return the exact privacy losses of joint releases.

    References
    ----------
    [GC] Observations 4 and 5.

    Examples
    --------
    >>> result = reproduce()
    >>> f"{result.rows[-1].computed:.6f}", result.rows[-1].agrees
    ('2.944439', True)
    """
    rows = (*_independent(), *_reused())
    return Result("gc-composition", "Two releases", PAPER, rows, WORDS)


def _independent() -> tuple[Claim, ...]:
    """Observations 4 and 5 with Smooth Categorical at two levels on the chain."""
    graph = categorical_chain()
    releases = [design(graph, epsilon=epsilon).mechanism for epsilon in (FIRST, SECOND)]
    q1, q2 = ({profile: release.released(profile) for profile in graph} for release in releases)
    edges = list(graph.edges)
    alone = [worst_ratio((q[a], q[b]) for a, b in edges) for q in (q1, q2)]
    same = worst_ratio((product(q1[a], q2[a]), product(q1[b], q2[b])) for a, b in edges)
    one = worst_ratio((product(q1[a], q2[b]), product(q1[c], q2[d])) for (a, b), (c, d) in _one_moves(graph))
    both = [((a, b), (c, d)) for x, y in edges for a, c in ((x, y), (y, x)) for b, d in edges]
    two = worst_ratio((product(q1[a], q2[b]), product(q1[c], q2[d])) for (a, b), (c, d) in both)
    allowed = [exp_below(FIRST), exp_below(SECOND)]
    return (
        Claim("loss of the first release alone", math.log(alone[0]), reference="0.5000"),
        Claim("loss of the second release alone", math.log(alone[1]), reference="0.2500"),
        Claim(
            "Observation 4: the loss is at most epsilon_1 + epsilon_2", same <= allowed[0] * allowed[1], claimed=True
        ),
        Claim("loss of two samples of one profile", math.log(same), reference="0.7500"),
        Claim("Observation 5: the loss is at most max(epsilon_1, epsilon_2)", one <= max(allowed), claimed=True),
        Claim("loss of two profiles when one may move", math.log(one), reference="0.5000"),
        Claim(
            "loss of two profiles when both may move", math.log(two), reference="0.7500", note="beyond Observation 5"
        ),
    )


def product(first: Masses, second: Masses) -> tuple[Fraction, ...]:
    """Return the joint distribution of two independent releases.

    Parameters
    ----------
    first, second
        distributions.

    Examples
    --------
    >>> product([Fraction(1, 2), Fraction(1, 2)], [Fraction(1)])
    (Fraction(1, 2), Fraction(1, 2))
    """
    return tuple(p * q for p in first for q in second)


def _one_moves(graph: nx.Graph) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the neighbours among pairs of profiles: the Cartesian product of the graph with itself."""
    return list(nx.cartesian_product(graph, graph).edges)


def _reused() -> tuple[Claim, ...]:
    """Two releases of the same observation."""
    sharp, soft = reused_losses(Fraction(0)), reused_losses(Fraction(1, 10))
    return (
        Claim("re-use: loss of the first bit alone", sharp[0], reference=0.0),
        Claim("re-use: loss of the second bit alone", sharp[1], reference=0.0),
        Claim("re-use: the joint loss is infinite", sharp[2] == math.inf, reference=True),
        Claim("softened: loss of the first bit alone", soft[0], reference=0.0),
        Claim("softened: loss of the second bit alone", soft[1], reference=0.0),
        Claim("softened: joint loss", soft[2], reference="2.944439", note="ln 19"),
    )


def reused_losses(softening: Fraction) -> tuple[float, float, float]:
    """Return the privacy losses of the first bit, the second bit, and both bits of the same observation.

    Parameters
    ----------
    softening
        the weight of the uniform distribution in each profile.

    Examples
    --------
    >>> reused_losses(Fraction(0))
    (0.0, 0.0, inf)
    """
    profiles = [
        [(1 - softening) * Fraction(pair in own, 2) + softening / 4 for pair in PAIRS]
        for own in (("00", "11"), ("01", "10"))
    ]
    matrices = [[[int(pair[place] == bit) for bit in "01"] for pair in PAIRS] for place in (0, 1)]
    matrices.append([[int(pair == other) for other in PAIRS] for pair in PAIRS])
    first, second, joint = (worst_ratio([_released(profiles, matrix)]) for matrix in matrices)
    return math.log(first), math.log(second), math.log(joint)


def _released(profiles: list[list[Fraction]], matrix: list[list[int]]) -> tuple[Masses, Masses]:
    """Return what both profiles release through one matrix."""
    columns = list(zip(*matrix, strict=True))
    one, other = ([_mean(column, profile) for column in columns] for profile in profiles)
    return one, other


def _mean(values: Sequence[int], masses: Masses) -> Fraction:
    return sum((mass * value for mass, value in zip(masses, values, strict=True)), Fraction(0))
