"""Exact solutions of homogeneous linear equations, for what profiles that must release the same have in common."""

from collections.abc import Sequence
from fractions import Fraction


def solved_for(equations: Sequence[Sequence[Fraction]]) -> dict[int, dict[int, Fraction]]:
    """Return each dependent unknown as a combination of the independent ones, for equations · x = 0.

    Of each equation that with the largest coefficient, so that the combinations have mostly small ones.

    Examples
    --------
    >>> solved_for([[Fraction(1), Fraction(-4), Fraction(2)]])
    {1: {0: Fraction(1, 4), 2: Fraction(1, 2)}}
    """
    solved: dict[int, list[Fraction]] = {}
    for equation in equations:
        row = list(equation)
        for pivot, other in solved.items():
            row = [entry - row[pivot] * pivotal for entry, pivotal in zip(row, other, strict=True)]
        pivot = max(range(len(row)), key=lambda x: abs(row[x]))
        if not row[pivot]:
            continue
        row = [entry / row[pivot] for entry in row]
        for other in solved.values():
            other[:] = [entry - other[pivot] * pivotal for entry, pivotal in zip(other, row, strict=True)]
        solved[pivot] = row
    return {pivot: {x: -entry for x, entry in enumerate(row) if entry and x != pivot} for pivot, row in solved.items()}
