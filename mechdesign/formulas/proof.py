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
from mechdesign.formulas.bases import Side
from mechdesign.formulas.cover import Part
from mechdesign.formulas.ends import written_ends
from mechdesign.formulas.pieces import Piece
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.program import Key
from mechdesign.formulas.solved import Solved
from mechdesign.formulas.stretch import Stretch
from mechdesign.graph.distribution import support
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, profile_weights

FORMAT = "mechdesign-formula/1"

ZERO = fmpq_poly([])


def proof_of(formula: Solved) -> dict[str, Any]:
    """Return the proof of a formula as a JSON value.

    Raises
    ------
    InputError
        if part of its range is not settled, or it has numbers of more digits than the checker reads.
    """
    if formula.unsettled:
        ends = ", ".join(f"{gap.low!r} to {gap.high!r}" for gap in formula.unsettled[:3])
        raise InputError(f"no proof: not settled are {ends}; ask for a range without")
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


def side_of(part: Part) -> Side:
    """Return the side of a part of a proof."""
    assert part.side is not None
    return part.side


def entries_of(formula: Solved, side: Side) -> dict[Key, fmpq_poly]:
    """Return a solution's unknowns by their names, where not 0, over its denominator."""
    column_of = formula.classes.column_of
    values = ((key, side.numerators.get(column_of[c])) for c, key in enumerate(formula.program.columns))
    return {key: value for key, value in values if value is not None and not value.is_zero()}


def multipliers_of(formula: Solved, side: Side) -> dict[Key, fmpq_poly]:
    """Return the rows' multipliers by their names, where not 0, over their denominator: each class' in equal parts."""
    row_of, sizes = formula.classes.row_of, formula.classes.sizes
    shares = {r: value / sizes[r] for r, value in side.numerators.items() if not value.is_zero()}
    return {key: shares[row_of[r]] for r, key in enumerate(formula.program.rows) if row_of[r] in shares}


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


def weights_of(
    formula: Solved, prices: Mapping[Key, fmpq_poly], denominator: fmpq_poly
) -> dict[tuple[int, ...], fmpq_poly]:
    """Return the objective's own weights, over the denominator: of total 1.

    Where the optimum is 0 the program may leave some over, which the first takes: levels are met all the more.
    """
    objective, program = formula.terms.objective, formula.program
    if isinstance(objective, ExpectedLoss):
        return {}
    kind, width = ("entry", 3) if isinstance(objective, MaxOffDiagonal) else ("loss", 1)
    found = {_place(key, width): value for key, value in prices.items() if key[0] == kind}
    left = denominator - sum(found.values(), ZERO)
    if not left.is_zero():
        first = next((_place(key, width) for key in program.rows if key[0] == kind), None)
        if first is not None:
            found[first] = found.get(first, ZERO) + left
    return {place: value for place, value in found.items() if not value.is_zero()}


def _place(key: Key, width: int) -> tuple[int, ...]:
    return tuple(part for part in key[1 : 1 + width] if isinstance(part, int))


def levels_of(
    formula: Solved,
    prices: Mapping[Key, fmpq_poly],
    weights: Mapping[tuple[int, ...], fmpq_poly],
    denominator: fmpq_poly,
) -> list[list[fmpq_poly]]:
    """Return each group's and category's level, over the denominator, for losses as they are given."""
    terms, least = formula.terms, formula.program.least_loss
    d = len(terms.graph.graph["categories"])
    levels = [[ZERO] * d for _ in range(max(terms.groups) + 1)]
    for (kind, group, x, _), value in prices.items():
        if kind == "total":
            levels[group][x] = value
    if least:
        given = profile_weights(terms.graph)
        prior: Mapping[tuple[int, ...], fmpq_poly] = {
            (i,): rational(weight / sum(given)) * denominator for i, weight in enumerate(given)
        }
        shares = prior if isinstance(terms.objective, ExpectedLoss) else weights
        for i, masses in enumerate(terms.distributions):
            for x, mass in support(masses):
                levels[terms.groups[i]][x] += rational(least * mass) * shares.get((i,), ZERO)
    return levels


def released_of(formula: Solved, side: Side) -> list[list[fmpq_poly]]:
    """Return what each profile releases, sum_x P_i(x) A_i(x, y), over the side's denominator."""
    entries, terms = entries_of(formula, side), formula.terms
    return [
        [
            sum(
                (rational(mass) * entries.get(("entry", group, x, y), ZERO) for x, mass in support(masses)),
                ZERO,
            )
            for y in range(formula.outputs)
        ]
        for group, masses in zip(terms.groups, terms.distributions, strict=True)
    ]
