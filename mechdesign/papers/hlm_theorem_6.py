"""[HLM] Theorems 6, 7 and 8, Corollary 3: n rows have the privacy of one."""

from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np

from mechdesign.closed_form import ProductSanitisation, exponential_mechanism, optimal_product_sanitisation
from mechdesign.closed_form.k_ary import symmetric
from mechdesign.graph.databases import database_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.hlm import PAPER, distance, least_delta
from mechdesign.papers.hlm_hamming import base_of_alpha, parent_alpha
from mechdesign.papers.result import Claim, Result

WORDS = """\
Theorem 6 and Corollary 3 hold exactly, also for delta > 0: the least delta of n rows is that of the parent, to the \
last digit, for random parents of any shape. That is because neighbours differ in one row; over k rows privacy \
degrades as group privacy does. So a million rows are certified from the m x m parent. Theorem 7: with alpha = z/(1 \
+ (m-1) z), z = e^-gamma, product sanitisation and the exponential mechanism with Hamming utility are the same \
matrix. Theorem 8: alpha = (1 - delta)/(e^eps + m - 1) is private, less is not."""

PARENTS = 100
MOST_DATABASES = 27


def reproduce() -> Result:
    """Return on how many random parents the delta of n rows is exactly the parent's, and the equivalences.

    References
    ----------
    [HLM] Theorems 6, 7 and 8, Corollary 3.

    Examples
    --------
    >>> result = reproduce()
    >>> result.rows[0].computed, result.rows[0].agrees
    (100, True)
    """
    large = ProductSanitisation(optimal_product_sanitisation(range(5), epsilon=1, delta="0.01"), 10**6)
    rows = [
        Claim(
            f"Theorem 6: random parents of {PARENTS} whose delta n rows have exactly",
            inherited(),
            reference=f"{PARENTS}",
        ),
        Claim("Theorem 7: cases of 18 where the two matrices are equal", equivalent(), reference="18"),
        Claim("Theorem 8: cases of 36 where alpha is exactly the least that is private", boundary(), reference="36"),
        Claim(
            "Corollary 3: a million rows of five values, delta at epsilon = 1",
            large.delta(epsilon=1),
            reference="0.01",
        ),
        Claim("its expected number of changed rows", large.error(), reference="589436.42156"),
    ]
    return Result("hlm-theorem-6", "Product sanitisation: n rows are as private as one", PAPER, tuple(rows), WORDS)


def random_parent(random: Random, m: int) -> Mechanism:
    """Return a mechanism on m values with random rows, some of them with zeros.

    Parameters
    ----------
    random
        where the rows come from.
    m
        how many values.

    Examples
    --------
    >>> random_parent(Random(0), 2).row(0, 0)
    (Fraction(12, 25), Fraction(13, 25))
    """
    weights = [[random.choice((0, *range(1, 20))) for _ in range(m)] for _ in range(m)]
    rows = [[weight + (not any(row)) for weight in row] for row in weights]
    return mechanism_from_matrix(
        np.array([[Fraction(weight, sum(row)) for weight in row] for row in rows], dtype=object)
    )


def inherited() -> int:
    """Return for how many random parents the delta of n rows, by the definition, is exactly the parent's.

    Examples
    --------
    >>> inherited() == PARENTS
    True
    """
    random = Random(1505)
    equal = 0
    shapes = [(m, n) for m, n in product((2, 3, 4), (2, 3)) if m**n <= MOST_DATABASES]
    for number in range(PARENTS):
        m, n = shapes[number % len(shapes)]
        ratio = 1 + Fraction(random.randint(0, 30), 10)
        rows = ProductSanitisation(random_parent(random, m), n)
        equal += rows.delta(ratio=ratio) == least_delta(rows.mechanism(), database_graph(range(m), n), ratio)
    return equal


def equivalent() -> int:
    """Return for how many (m, n, alpha) of 18 the product and the exponential mechanism are the same, entry by entry.

    Examples
    --------
    >>> equivalent()
    18
    """
    same = 0
    for m, n, share in product((2, 3), (1, 2, 3), ("1", "1/2", "1/10")):
        alpha = Fraction(share) / m
        z = base_of_alpha(m, alpha)
        rows = ProductSanitisation(symmetric(range(m), alpha), n).mechanism()
        databases = list(database_graph(range(m), n))
        exponential = exponential_mechanism(databases, databases, partial(_hamming_weight, z))
        same += bool((rows.weights == exponential.weights).all())
    return same


def _hamming_weight(z: Fraction, d: Any, a: Any) -> Fraction:
    return z ** distance(d, a)


def boundary() -> int:
    """Return for how many (m, e^epsilon, delta) of 36 (21) has exactly the delta asked for, and a smaller alpha more.

    Examples
    --------
    >>> boundary()
    36
    """
    exact = 0
    for m, ratio, delta in product((2, 3, 7), ("1", "3/2", "3", "8"), ("0", "1/100", "1/2")):
        E, asked = Fraction(ratio), Fraction(delta)
        alpha = parent_alpha(m, ratio=E, delta=asked)
        at, below = (ProductSanitisation(symmetric(range(m), a), 1) for a in (alpha, alpha * Fraction(999, 1000)))
        exact += at.delta(ratio=E) == asked < below.delta(ratio=E)
    return exact
