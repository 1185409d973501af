"""Solutions and multipliers of a program, from those of its classes, and what they mean for a graph."""

from collections.abc import Mapping

from flint import fmpq_poly

from mechdesign.formulas.cover import Part
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.program import Key
from mechdesign.formulas.sides import Side
from mechdesign.formulas.solved import Solved
from mechdesign.graph.distribution import support
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, profile_weights

ZERO = fmpq_poly([])


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
