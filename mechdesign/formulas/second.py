"""Which of the optima is the mechanism: the one that reports another category with the least mean probability.

Optima are many, as a rule, and a basis gives one of the corners of all of them, which come and go. So on each piece a
second program is solved in the same way: with the objective at most the piece's function, the least mean probability,
by the profiles' weights, of an output that is not the category's own. Its solution proves the piece as well.
"""

from fractions import Fraction

from flint import fmpq, fmpq_poly

from mechdesign.formulas.classes import classes_of
from mechdesign.formulas.cover import cover
from mechdesign.formulas.pieces import signed
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.program import Program, Row
from mechdesign.formulas.solved import Solved
from mechdesign.graph.distribution import support
from mechdesign.objective import profile_weights


def second_stage(solved: Solved, number: int) -> Solved:
    """Return what is found of the second program on one piece; the first itself, if part of that is not settled.

    Examples
    --------
    >>> import mechdesign as md
    >>> f = md.formula("categorical-chain")
    >>> second_stage(f, 2).found.pieces[0].value          # from E = 3 on no category is changed
    (0) / (1)
    """
    part, first = solved.found.pieces[number], solved.program
    above, below = map(fmpq_poly, map(list, signed(part.value, part.stretch)))
    level = {c: below * cost for c, cost in first.cost.items()}
    rows = {**first.rows, ("level", 0, 0, 0): Row(level, above, False)}
    program = Program(first.columns, rows, _cost(solved), first.least_loss)
    classes = classes_of(program)
    found = cover(classes, part.stretch)
    return solved if found.unsettled else Solved(solved.terms, program, classes, found, solved.low, solved.high)


def _cost(solved: Solved) -> dict[int, fmpq]:
    """Return the mean probability of reporting another category, by columns of the program."""
    terms = solved.terms
    free = terms.objective.free_outputs(terms.graph.graph["categories"])
    weights = profile_weights(terms.graph)
    shares: dict[tuple[int, int], Fraction] = {}
    for group, masses, weight in zip(terms.groups, terms.distributions, weights, strict=True):
        for x, mass in support(masses):
            shares[group, x] = shares.get((group, x), Fraction(0)) + mass * weight / sum(weights)
    return {
        c: rational(shares[group, x])
        for c, (kind, group, x, y) in enumerate(solved.program.columns)
        if kind == "entry" and y != free[x] and shares[group, x]
    }
