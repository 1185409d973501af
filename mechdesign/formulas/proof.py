"""The proof of a formula: one JSON file that anybody can check, by weak duality alone.

::

    {"format": "mechdesign-formula/1", "parameter": "epsilon" | "delta", "root": INTEGER,
     "categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, ...],
     "distributions": [["p/q", ...], ...], "groups": [GROUP, ...],
     "edges": [[PROFILE, PROFILE], ...], "powers": [INTEGER, ...], "deltas": ["p/q", ...],
     "objective": NAME, "loss": [[INTEGER, ...], ...], "loss_unit": INTEGER, "weights": [INTEGER, ...],
     "pieces": [{"from": END, "to": END, "numerator": POLY, "denominator": POLY}, ...],
     "primal": [{"from": END, "to": END, "denominator": POLY, "value": POLY,
                 "matrices": [[[POLY, ...], ...], ...], "excess": [[[POLY, ...], [POLY, ...]], ...]}, ...],
     "dual": [{"from": END, "to": END, "denominator": POLY, "levels": [[POLY, ...], ...],
               "privacy": [[[POLY, ...], [POLY, ...]], ...], "deltas": [[POLY, POLY], ...],
               "entries": [[[POLY, ...], ...], ...], "weights": [POLY, ...]}, ...],
     "notes": {anything; no part of the proof}}

The claim is that the optimum is this function on each piece. The variable z is delta, or z^root = e^epsilon; an edge
asks q_i(y) <= z^power q_j(y) both ways, plus excess of total delta. Where z is delta, `ratios` stand in place of
`powers`, and an edge's delta is that of `deltas` plus z times that of `slopes`. What is called as in a certificate is
as in a certificate. A POLY is a list of integers, coefficients of ascending powers of z. An END is "p/q", null for
infinity, or {"polynomial": POLY, "interval": ["p/q", "p/q"]}: its only root there. [] stands for zeros.

On each interval of `primal`, all over its denominator, each group's `matrices` are private with an objective of at most
`value`, and this is the piece's function. On each interval of `dual` the multipliers `privacy`, at most those of their
edge's delta, prove as in `mechdesign.certificate.bound` that no private mechanism is below the sum of the `levels`,
less that of each delta times its multiplier; and this is the piece's function. `entries` are prices of entries off the
diagonal, `weights` those of the profiles for a worst loss.
"""

from collections.abc import Iterator, Mapping
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_poly

from mechdesign.certificate.certificate import raise_if_long
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import written_ends
from mechdesign.formulas.lifted import ZERO, entries_of, levels_of, multipliers_of, side_of, weights_of
from mechdesign.formulas.pieces import Piece
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.program import Key
from mechdesign.formulas.sides import Side
from mechdesign.formulas.solved import Solved
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.writing import shown_end
from mechdesign.objective import profile_weights

FORMAT = "mechdesign-formula/1"


def proof_of(formula: Solved) -> dict[str, Any]:
    """Return the proof of a formula as a JSON value.

    Raises
    ------
    InputError
        if part of its range is not settled, or it has numbers of more digits than the checker reads.
    """
    if formula.unsettled:
        ends = ", ".join(
            f"{formula.terms.letter} from {shown_end(gap.low)} to {shown_end(gap.high)}"
            for gap in formula.unsettled[:3]
        )
        raise InputError(f"no proof: not settled is {ends}; ask for a range without")
    found, objective = formula.found, formula.terms.objective
    losses = objective.table(formula.terms.graph.graph["categories"])
    loss_unit = lcm(*(loss.denominator for row in losses for loss in row))
    weights = profile_weights(formula.terms.graph)
    weight_unit = lcm(*(weight.denominator for weight in weights))
    spans = [part.stretch for part in (*found.pieces, *found.primal, *found.dual)]
    written = written_ends(end for one in spans for end in (one.low, one.high) if end is not None)

    def span(stretch: Stretch) -> dict[str, Any]:
        return {"from": written[stretch.low], "to": None if stretch.high is None else written[stretch.high]}

    document = {
        "format": FORMAT,
        **_asked(formula),
        "objective": objective.name,
        "loss": [[int(loss * loss_unit) for loss in row] for row in losses],
        "loss_unit": loss_unit,
        "weights": [int(weight * weight_unit) for weight in weights],
        "pieces": [span(Stretch(piece.low, piece.high)) | _function(piece) for piece in formula.pieces],
        "primal": [span(part.stretch) | _primal(formula, side_of(part)) for part in found.primal],
        "dual": [span(part.stretch) | _dual(formula, side_of(part)) for part in found.dual],
        "notes": {"made_by": "mechdesign"},
    }
    raise_if_long(document, "proof")
    return document


def _function(piece: Piece) -> dict[str, list[int]]:
    numerator = list(piece.numerator) if any(piece.numerator) else []
    return {"numerator": numerator, "denominator": list(piece.denominator)}


def _asked(formula: Solved) -> dict[str, Any]:
    """Return what is asked of whom."""
    terms = formula.terms
    categories = terms.graph.graph["categories"]
    own: dict[str, Any]
    if terms.parameter == "epsilon":
        own = {"powers": [edge.power for edge in terms.edges]}
    else:
        own = {
            "ratios": [format_number(edge.ratio or 1) for edge in terms.edges],  # type: ignore[arg-type]
            "slopes": ["1" if edge.delta is None else "0" for edge in terms.edges],
        }
    return {
        "parameter": terms.parameter,
        "root": terms.root,
        "categories": list(categories),
        "outputs": list(terms.objective.output_labels(categories)),
        "profiles": list(terms.graph),
        "distributions": [list(map(format_number, masses)) for masses in terms.distributions],
        "groups": list(terms.groups),
        "edges": [[edge.first, edge.second] for edge in terms.edges],
        "deltas": [format_number(edge.delta or 0) for edge in terms.edges],  # type: ignore[arg-type]
        **own,
    }


def _primal(formula: Solved, side: Side) -> dict[str, Any]:
    entries = entries_of(formula, side)
    value = sum((cost * side.numerators.get(c, ZERO) for c, cost in enumerate(formula.classes.cost)), ZERO)
    return _whole(
        {
            "denominator": side.denominator,
            "value": value + rational(formula.program.least_loss) * side.denominator,
            "matrices": _tables(formula, entries, "entry"),
            "excess": _both_ways(formula, entries, "excess"),
        }
    )


def _dual(formula: Solved, side: Side) -> dict[str, Any]:
    terms = formula.terms
    prices = multipliers_of(formula, side)
    weights = weights_of(formula, prices, side.denominator)
    off_diagonal = {("entry", *place): value for place, value in weights.items() if len(place) == 3}
    worst = [weights.get((i,), ZERO) for i in range(len(terms.groups))]
    return _whole(
        {
            "denominator": side.denominator,
            "privacy": _both_ways(formula, prices, "privacy"),
            "deltas": [[prices.get(("delta", i, j, 0), ZERO) for i, j in edge.directions()] for edge in terms.edges],
            "entries": _tables(formula, off_diagonal, "entry"),
            "weights": worst if any(len(place) == 1 for place in weights) else [],
            "levels": levels_of(formula, prices, weights, side.denominator),
        }
    )


def _tables(formula: Solved, values: Mapping[Key, fmpq_poly], kind: str) -> list[list[list[fmpq_poly]]]:
    """Return values by group, category and output; nothing in rows of zeros."""
    terms = formula.terms
    d = len(terms.graph.graph["categories"])
    found: list[list[list[fmpq_poly]]] = [[[] for _ in range(d)] for _ in range(max(terms.groups) + 1)]
    for (own, group, x, y), value in values.items():
        if own == kind:
            found[group][x] = found[group][x] or [ZERO] * formula.outputs
            found[group][x][y] = value
    return found


def _both_ways(formula: Solved, values: Mapping[Key, fmpq_poly], kind: str) -> list[list[list[fmpq_poly]]]:
    """Return values by edge, direction and output; nothing in rows of zeros."""
    rows: dict[tuple[int, int], list[fmpq_poly]] = {}
    for (own, i, j, y), value in values.items():
        if own == kind:
            rows.setdefault((i, j), [ZERO] * formula.outputs)[y] = value
    return [[rows.get(pair, []) for pair in edge.directions()] for edge in formula.terms.edges]


def _whole(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with each polynomial times one number, so that all have integers, without a common divisor."""
    polynomials = list(_flat(list(fields.values())))
    unit = lcm(*(int(p.denom()) for p in polynomials))
    common = gcd(*(int(p.numer().content()) * (unit // int(p.denom())) for p in polynomials))
    factor = fmpq(unit, common)

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
