"""The proof of a formula: one JSON file that anybody can check, by weak duality alone.

::

    {"format": "mechdesign-formula/2", "parameter": "epsilon" | "delta", "root": INTEGER,
     "labels": {"categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, ...]},
     "profiles": [{"group": GROUP, "masses": [INTEGER, ...]}, ...],
     "powers": [INTEGER, ...], "deltas": ["p/q", ...], "edges": [[PROFILE, PROFILE, POWER, DELTA], ...],
     "objective": NAME, "loss": [[INTEGER, ...], ...], "loss_unit": INTEGER, "weights": [INTEGER, ...],
     "pieces": [{"from": END, "to": END, "numerator": POLY, "denominator": POLY}, ...],
     "primal": [{"from": END, "to": END, "denominator": POLY, "value": POLY,
                 "matrices": [[[POLY, ...], ...], ...], "excess": [[[POLY, ...], [POLY, ...]], ...]}, ...],
     "dual": [{"from": END, "to": END, "denominator": POLY, "levels": [[POLY, ...], ...],
               "privacy": [[[POLY, ...], [POLY, ...]], ...], "deltas": [[POLY, POLY], ...],
               "entries": [[[POLY, ...], ...], ...], "weights": [POLY, ...]}, ...],
     "notes": {anything; no part of the proof}}

The claim is that the optimum is this function on each piece. The variable z is delta, or z^root = e^epsilon; an edge
asks q_i(y) <= z^power q_j(y) both ways, plus excess of total delta, and has their positions in `powers` and `deltas`.
Where z is delta, `ratios` stand in place of `powers`, and a delta is that of `deltas` plus z times that of `slopes`.
What is called as in a certificate is as in a certificate. A POLY is a list of integers, coefficients of ascending
powers of z. An END is "p/q", null for infinity, or {"polynomial": POLY, "interval": ["p/q", "p/q"]}: its only root
there. [] stands for zeros.

On each interval of `primal`, all over its denominator, each group's `matrices` are private with an objective of at most
`value`, and this is the piece's function. On each interval of `dual` the multipliers `privacy`, at most those of their
edge's delta, prove as in `mechdesign.certificate.bound` that no private mechanism is below the sum of the `levels`,
less that of each delta times its multiplier; and this is the piece's function. `entries` are prices of entries off the
diagonal, `weights` those of the profiles for a worst loss.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from flint import fmpq_poly

from mechdesign.certificate.claim import Claim, Kind, Multiple, Ratio, claim_of
from mechdesign.certificate.claim_fields import aim_of, head_of, raise_if_long, strengths_of
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.formulas.parametric_program import ZERO, Key, Program
from mechdesign.formulas.pieces import Piece, shown_end
from mechdesign.formulas.polynomials import rational, unit_of, written_ends
from mechdesign.formulas.stretch import Side, Stretch
from mechdesign.formulas.terms import Terms
from mechdesign.formulas.whole_range import Cover
from mechdesign.graph.distribution import support
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, profile_shares, profile_weights

FORMAT = "mechdesign-formula/2"


def proof_of(terms: Terms, program: Program, found: Cover) -> dict[str, Any]:
    """Return the proof of a formula as a JSON value.

    Raises
    ------
    InputError
        if part of its range is not settled, or it has numbers of more digits than the checker reads.
    """
    if found.unsettled:
        gaps = islice(found.unsettled, 3)
        ends = ", ".join(f"{terms.letter} from {shown_end(gap.low)} to {shown_end(gap.high)}" for gap in gaps)
        raise InputError(f"no proof: not settled is {ends}; ask for a range without")
    spans = [piece.stretch for piece in found.pieces]
    spans += [side.stretch for side in (*found.primal, *found.dual)]
    written = written_ends(end for one in spans for end in (one.low, one.high) if end is not None)

    def span(stretch: Stretch) -> dict[str, Any]:
        return {"from": written[stretch.low], "to": None if stretch.high is None else written[stretch.high]}

    parts = terms.graph, terms.outputs, terms.edges, terms.objective, terms.groups
    claim = claim_of(Kind.FORMULA, *parts, parameter=terms.parameter)
    document = {
        **head_of(claim, FORMAT),
        **_strengths(terms, claim),
        **aim_of(claim, None if terms.objective.additive else profile_weights(terms.graph)),
        "pieces": [span(piece.stretch) | _function(piece) for piece in found.pieces],
        "primal": [span(side.stretch) | _primal(terms, program.least_loss, side) for side in found.primal],
        "dual": [span(side.stretch) | _dual(terms, program, side) for side in found.dual],
        "notes": {"made_by": "mechdesign"},
    }
    raise_if_long(document, "proof")
    return document


def _function(piece: Piece) -> dict[str, list[int]]:
    numerator = list(piece.numerator) if any(piece.numerator) else []
    return {"numerator": numerator, "denominator": list(piece.denominator)}


def _strengths(terms: Terms, claim: Claim) -> dict[str, Any]:
    """Return the fields of what edges ask for: powers of z, or ratios."""
    found = strengths_of(claim)
    if terms.parameter == "delta":
        ratios = [format_number(one.ratio) for one in found if isinstance(one, Ratio) and one.ratio is not None]
        return {"parameter": terms.parameter, "ratios": ratios}
    powers = [int(one.times * terms.root) for one in found if isinstance(one, Multiple)]
    return {"parameter": terms.parameter, "root": terms.root, "powers": powers}


def _primal(terms: Terms, least: Fraction, side: Side[Key]) -> dict[str, Any]:
    value = fmpq_poly(side.value.numerator) * side.denominator / fmpq_poly(side.value.denominator)
    return _whole(
        {
            "denominator": side.denominator,
            "value": value + rational(least) * side.denominator,
            "matrices": _tables(terms, side.numerators, "entry"),
            "excess": _both_ways(terms, side.numerators, "excess"),
        }
    )


def _dual(terms: Terms, program: Program, side: Side[Key]) -> dict[str, Any]:
    prices, weights = side.numerators, _weights(terms, program, side)
    off_diagonal = {("entry", *place): value for place, value in weights.items() if len(place) == 3}
    worst = [weights.get((i,), ZERO) for i in range(len(terms.groups))]
    return _whole(
        {
            "denominator": side.denominator,
            "privacy": _both_ways(terms, prices, "privacy"),
            "deltas": [[prices.get(("delta", i, j, 0), ZERO) for i, j in both] for both in _directions(terms)],
            "entries": _tables(terms, off_diagonal, "entry"),
            "weights": worst if any(len(place) == 1 for place in weights) else [],
            "levels": _levels(terms, program.least_loss, side, weights),
        }
    )


def _weights(terms: Terms, program: Program, side: Side[Key]) -> dict[tuple[int, ...], fmpq_poly]:
    """Return the objective's own weights, over the denominator: of total 1.

    Where the optimum is 0 the program may leave some over, which the first takes: levels are met all the more.
    """
    objective, prices = terms.objective, side.numerators
    if isinstance(objective, ExpectedLoss):
        return {}
    kind, width = ("entry", 3) if isinstance(objective, MaxOffDiagonal) else ("loss", 1)
    found = {_place(key, width): value for key, value in prices.items() if key[0] == kind}
    left = side.denominator - sum(found.values(), ZERO)
    if not left.is_zero():
        first = next((_place(key, width) for key in program.rows if key[0] == kind), None)
        if first is not None:
            found[first] = found.get(first, ZERO) + left
    return {place: value for place, value in found.items() if not value.is_zero()}


def _place(key: Key, width: int) -> tuple[int, ...]:
    return tuple(part for part in key[1 : 1 + width] if isinstance(part, int))


def _levels(
    terms: Terms, least: Fraction, side: Side[Key], weights: Mapping[tuple[int, ...], fmpq_poly]
) -> list[list[fmpq_poly]]:
    """Return each group's and category's level, over the denominator, for losses that have lost `least` again."""
    d = len(terms.graph.graph["categories"])
    levels = [[ZERO] * d for _ in range(max(terms.groups) + 1)]
    for (kind, group, x, _), value in side.numerators.items():
        if kind == "total":
            levels[group][x] = value
    if least:
        prior: Mapping[tuple[int, ...], fmpq_poly] = {
            (i,): rational(share) * side.denominator for i, share in enumerate(profile_shares(terms.graph))
        }
        shares = prior if isinstance(terms.objective, ExpectedLoss) else weights
        for i, masses in enumerate(terms.distributions):
            for x, mass in support(masses):
                levels[terms.groups[i]][x] += rational(least * mass) * shares.get((i,), ZERO)
    return levels


def _tables(terms: Terms, values: Mapping[Key, fmpq_poly], kind: str) -> list[list[list[fmpq_poly]]]:
    """Return values by group, category and output; nothing in rows of zeros."""
    d = len(terms.graph.graph["categories"])
    found: list[list[list[fmpq_poly]]] = [[[] for _ in range(d)] for _ in range(max(terms.groups) + 1)]
    for (own, group, x, y), value in values.items():
        if own == kind:
            found[group][x] = found[group][x] or [ZERO] * len(terms.outputs)
            found[group][x][y] = value
    return found


def _both_ways(terms: Terms, values: Mapping[Key, fmpq_poly], kind: str) -> list[list[list[fmpq_poly]]]:
    """Return values by edge, direction and output; nothing in rows of zeros."""
    rows: dict[tuple[int, int], list[fmpq_poly]] = {}
    for (own, i, j, y), value in values.items():
        if own == kind:
            rows.setdefault((i, j), [ZERO] * len(terms.outputs))[y] = value
    return [[rows.get(pair, []) for pair in both] for both in _directions(terms)]


def _directions(terms: Terms) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield both ways of each edge, in the order of the claim's."""
    for i, j in sorted(edge.pair for edge in terms.edges):
        yield (i, j), (j, i)


def _whole(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with each polynomial times one number, so that all have integers, without a common divisor."""
    factor = unit_of(_flat(list(fields.values())))

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return list(map(written, value))
        return [int(c) for c in (factor * value).numer().coeffs()]

    return {key: written(value) for key, value in fields.items()}


def _flat(value: Any) -> Iterator[fmpq_poly]:
    if isinstance(value, list):
        for one in value:
            yield from _flat(one)
    else:
        yield value
