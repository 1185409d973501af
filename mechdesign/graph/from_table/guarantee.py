"""What a graph from a table says that its bounds guarantee, and how much all that is released tells of one person."""

from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.numbers import Epsilon, number
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.graph.properties import own_epsilons

ZERO = Fraction(0)


def guarantee_in(graph: nx.Graph, epsilon: Epsilon | None = None, delta: Fraction = ZERO) -> str | None:
    """Return what a graph says that its bounds guarantee, if they are from a sample; the text of `from-table`.

    With the `epsilon` and `delta` of a released value, also what these come to with the noise of the counts, if any.

    Examples
    --------
    >>> guarantee_in(nx.Graph(made={"confidence": {"guarantee": "with probability at least 95 % ..."}}))
    'with probability at least 95 % ...'
    """
    made = graph.graph.get("made")
    said = _text(made, "confidence", "guarantee")
    by_counts = noise_in(made)
    if said is None or by_counts is None or epsilon is None:
        return said
    return f"{said}. {together(by_counts, None if own_epsilons(graph) else epsilon, delta)}"


def level_in(graph: nx.Graph) -> Fraction | None:
    """Return with which probability a graph says that its bounds hold; None if it does not."""
    return _positive(graph.graph.get("made"), "confidence", "level")


def noise_in(made: Any) -> Fraction | None:
    """Return which epsilon the noised counts of a table tell of one person, as a graph says of how it was made.

    None if they are not noised, or if that is no number.

    Examples
    --------
    >>> noise_in({"noise": {"of_one_person": "0.5"}}), noise_in({"public": True})
    (Fraction(1, 2), None)
    """
    return _positive(made, "noise", "of_one_person")


def grown(delta: Fraction, by_counts: Fraction) -> Fraction:
    """Return a bound of the delta of a released value together with noised counts: e^(their epsilon / 2) times its own.

    Examples
    --------
    >>> grown(ZERO, Fraction(1)), float(grown(Fraction(1, 100), Fraction(2))), grown(Fraction(1, 2), Fraction(10**9))
    (Fraction(0, 1), 0.027182818284590453, Fraction(1, 1))
    """
    if not delta or by_counts > 2 * LARGEST_ABOVE:
        return Fraction(1) if delta else ZERO
    return min(Fraction(1), delta * exp_above(by_counts / 2))


def _text(made: Any, place: str, key: str) -> str | None:
    one = made.get(place) if isinstance(made, dict) else None
    said = one.get(key) if isinstance(one, dict) else None
    return said if isinstance(said, str) else None


def _positive(made: Any, place: str, key: str) -> Fraction | None:
    told = _text(made, place, key)
    try:
        return None if told is None else number(place, told, above=0)
    except InputError:
        return None


def together(by_counts: Fraction, epsilon: Epsilon | None, delta: Fraction) -> str:
    """Return in words what noised counts and a released value tell; None: which epsilon that is depends on the edge.

    Examples
    --------
    >>> together(Fraction(1, 2), Fraction(1), ZERO).partition(":")[2]
    ' together epsilon 1.5'
    """
    grown = f", with delta times e^{format_number(by_counts / 2)}" if delta else ""
    first = (
        "Of which of two neighbouring profiles is a person's, the noised counts, and so the mechanism itself, tell"
        f" epsilon {format_number(by_counts)} at most, the released value"
    )
    if epsilon is None:
        return f"{first} the edge's epsilon: together their sum{grown}"
    return f"{first} epsilon {shown_epsilon(epsilon)}: together epsilon {shown_epsilon(by_counts + epsilon)}{grown}"
