"""[HLM] Examples 1 and 3: favourite hobbies, two queries on them, and a parent mechanism that sanitises them."""

from fractions import Fraction

import numpy as np

from mechdesign.closed_form import ProductSanitisation
from mechdesign.closed_form.k_ary import symmetric
from mechdesign.graph.databases import database_graph
from mechdesign.papers.hlm import PAPER, least_delta
from mechdesign.papers.hlm_hamming import base_of_alpha
from mechdesign.papers.result import Claim, Result

HOBBIES = ("Sports", "Cars", "Television", "Computer games", "Reading")
DATABASE = ("Sports", "Computer games", "Television", "Sports", "Reading", "Television")
ALPHA = Fraction(1, 10)

WORDS = """\
Example 1 asks a database of six people's hobbies how many different hobbies it has and how many people name \
television; its list is lost in the text at hand, and the one here is made to have the printed answers. Example 3 \
sanitises each row with one alpha; its numbers are lost too, and alpha = 0.1, which 1/5 allows, hence 0.6 on the \
diagonal, is a guess. By Theorem 1 a query on a sanitised database is as private as the database: post-processing."""


def reproduce() -> Result:
    """Return the two answers of Example 1, the parent of Example 3, and Theorem 1 on a query.

    References
    ----------
    [HLM] Examples 1 and 3, Theorem 1.

    Examples
    --------
    >>> result = reproduce()
    >>> result.rows[0].computed, result.rows[0].agrees
    (4, True)
    """
    parent = symmetric(HOBBIES, ALPHA)
    ratio = 1 / base_of_alpha(len(HOBBIES), ALPHA)
    database_delta, query_delta = deltas_of_a_query(ratio / 2)
    private = ProductSanitisation(parent, len(DATABASE)).is_private(ratio=ratio)
    rows = [
        Claim("Example 1: different hobbies", len(set(DATABASE)), "4"),
        Claim("Example 1: people who name television", DATABASE.count("Television"), "2"),
        Claim("Example 3: alpha is at most 1/5", Fraction(1, 5) >= ALPHA, reference=True, note="alpha = 0.1, a guess"),
        Claim("Example 3: P(television stays television)", parent.row("Television", "Television")[2], reference="0.6"),
        Claim("Example 3: P(television becomes cars)", parent.row("Television", "Television")[1], reference="0.1"),
        Claim("Example 3: e^epsilon of any number of rows", ratio, reference="6", note="delta = 0"),
        Claim("six rows are private at that", private, reference=True),
        Claim(
            "Theorem 1: a query has no larger delta",
            query_delta <= database_delta,
            note="two rows, half of e^epsilon",
            claimed=True,
        ),
    ]
    return Result("hlm-examples-1-3", "Hobbies: two queries, one sanitisation", PAPER, tuple(rows), WORDS)


def deltas_of_a_query(ratio: Fraction) -> tuple[Fraction, Fraction]:
    """Return the least delta of two sanitised rows, and of how many of these name television.

    Parameters
    ----------
    ratio
        e^epsilon.

    Examples
    --------
    >>> deltas_of_a_query(Fraction(3))
    (Fraction(3, 10), Fraction(9, 50))
    """
    graph = database_graph(HOBBIES, 2)
    mechanism = ProductSanitisation(symmetric(HOBBIES, ALPHA), 2).mechanism()
    count = np.array([[int(database.count("Television") == k) for k in range(3)] for database in graph])
    query = mechanism.then(count, outputs=range(3))
    return least_delta(mechanism, graph, ratio), least_delta(query, graph, ratio)
