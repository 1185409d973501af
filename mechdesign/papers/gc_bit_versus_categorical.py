"""Two Bernoulli profiles: [GC]'s Smooth Categorical beside its One Bit Cluster."""

from fractions import Fraction

from mechdesign.designer.design import design
from mechdesign.designer.method import Method
from mechdesign.papers.gc import PAPER, bernoulli_couplet
from mechdesign.papers.result import Claim, Result

WORDS = """\
The paper gives bits one mechanism and categories another, and compares neither with the other. On two \
Bernoulli profiles Smooth Categorical with two categories distorts far less than flipping: every profile \
has a matrix of its own, and it need not treat 0 and 1 alike. The two are equal where the profiles are the \
values 0 and 1 themselves."""

TABLE = {
    ("2/5", "3/5", "1/5"): ("0.083610", "0.250830"),
    ("3/10", "3/5", "1/10"): ("0.195432", "0.418100"),
    ("0", "1", "1"): ("0.268941", "0.268941"),
}


def reproduce() -> Result:
    """Return the largest off-diagonal entry that each mechanism needs.

    References
    ----------
    [GC] (4), (5).

    Examples
    --------
    >>> [f"{float(row.computed):.6f}" for row in reproduce().rows[:2]]
    ['0.083610', '0.250830']
    """
    rows = []
    for (p, q, epsilon), references in TABLE.items():
        graph = bernoulli_couplet(Fraction(p), Fraction(q))
        for method, reference in zip((Method.HIGHS, Method.ONE_BIT_CLUSTER), references, strict=True):
            value = design(graph, epsilon=epsilon, method=method).value
            name = "Smooth Categorical" if method == Method.HIGHS else "One Bit Cluster"
            rows.append(Claim(f"{name}, p = {p}, {q}, epsilon {epsilon}", value, reference=reference))
    return Result("gc-bit-versus-categorical", "Two ways to hide a bit's profile", PAPER, tuple(rows), WORDS)
