"""Linear functions within cvxpy expressions, as rows of coefficients: in doubles, each of which is a rational."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np

from mechdesign.arrays import Floats


@dataclass(frozen=True, eq=False)
class Affine:
    """Rows of coefficients · entries + constant, in doubles.

    Entry (x, y) of the matrix with number g is in column (g d + x) d + y.

    Attributes
    ----------
    coefficients
        a sparse matrix, one column for each entry of all matrices.
    constants
        one for each row.
    """

    coefficients: Any
    constants: Floats

    def negative(self) -> "Affine":
        """Return the same with opposite signs."""
        return Affine(-self.coefficients, -self.constants)

    def at(self, entries: Sequence[Fraction]) -> list[Fraction]:
        """Return the rows' values, exactly for these coefficients."""
        rows = zip(self.rows(), self.constants, strict=True)
        return [
            sum((value * entries[column] for column, value in row), Fraction(float(constant))) for row, constant in rows
        ]

    def rows(self, wanted: Iterable[object] | None = None) -> Iterator[list[tuple[int, Fraction]]]:
        """Yield each row's columns and coefficients that are not 0, exactly; nothing of rows that are not `wanted`."""
        parts = self.coefficients
        chosen = repeat(True, len(self.constants)) if wanted is None else wanted
        for first, last, one in zip(parts.indptr[:-1], parts.indptr[1:], chosen, strict=True):
            cells = zip(parts.indices[first:last].tolist(), parts.data[first:last].tolist(), strict=True)
            yield [(column, Fraction(value)) for column, value in cells if value] if one else []


def affine_of(expression: Any, variables: Sequence[Any]) -> Affine:
    """Return an expression that is affine in d x d variables, entry by entry in cvxpy's order, the columns' own.

    Examples
    --------
    >>> import cvxpy as cp
    >>> A = cp.Variable((2, 2))
    >>> affine_of(A[0, 1] - 3 * A[1, 0] + 5, [A]).at([Fraction(n) for n in (0, 1, 2, 0)])
    [Fraction(0, 1)]
    """
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    for variable in variables:
        variable.value = np.zeros(variable.shape)
    constants = np.ravel(np.asarray(expression.value, dtype=float), order="F")
    gradients = expression.grad
    blocks = []
    for variable in variables:
        d = variable.shape[0]
        by_rows = np.arange(d * d).reshape(d, d).T.ravel()  # cvxpy numbers entries by columns
        found = gradients.get(variable)
        block = sp.csr_matrix((d * d, len(constants))) if found is None else sp.csr_matrix(found)
        blocks.append(block[by_rows].T)
    matrix = sp.csr_matrix(sp.hstack(blocks))
    matrix.sum_duplicates()
    return Affine(matrix, constants)


def pieces_of(expression: Any, variables: Sequence[Any]) -> Affine | None:
    """Return linear functions of which a convex expression is the largest; None if it does not have that form.

    Examples
    --------
    >>> import cvxpy as cp
    >>> A = cp.Variable((2, 2))
    >>> pieces_of(cp.maximum(cp.max(A), 0.5), [A]).constants.tolist()
    [0.0, 0.0, 0.0, 0.0, 0.5]
    >>> pieces_of(cp.sum_squares(A), [A]) is None
    True
    """
    import scipy.sparse as sp

    if (parts := linear_parts(expression)) is None:
        return None
    found = [affine_of(part, variables) for part in parts]
    coefficients = sp.csr_matrix(sp.vstack([part.coefficients for part in found]))
    return Affine(coefficients, np.concatenate([part.constants for part in found]))


def linear_parts(expression: Any, sign: int = 1) -> list[Any] | None:
    """Return affine expressions that are at most t, for any t, just when `sign` times the expression is; or None.

    There are such if it is affine, or made of these by max, maximum, abs and norm_inf, or min and minimum where the
    sign is negative, by stacking them, and with affine terms and constant factors.

    Examples
    --------
    >>> import cvxpy as cp
    >>> A = cp.Variable((2, 2))
    >>> len(linear_parts(3 - 2 * cp.min(A))), linear_parts(cp.max(A) + cp.max(-A))
    (1, None)
    """
    import cvxpy as cp
    from cvxpy.atoms.affine import add_expr, binary_operators, concatenate, hstack, unary_operators, vstack

    if expression.is_affine():
        return [sign * expression]
    arguments = expression.args
    if isinstance(expression, unary_operators.NegExpression):
        return linear_parts(arguments[0], -sign)
    if isinstance(expression, add_expr.AddExpression):
        return _with_terms(arguments, sign)
    if isinstance(expression, cp.multiply | binary_operators.MulExpression) and arguments[0].is_constant():
        factor = arguments[0].value
        if not np.isscalar(factor) and np.ndim(factor):
            return None
        inner = linear_parts(arguments[1], sign if factor >= 0 else -sign)
        return None if inner is None else [abs(float(factor)) * part for part in inner]
    if isinstance(expression, cp.abs | cp.norm_inf) and sign > 0 and arguments[0].is_affine():
        return [arguments[0], -arguments[0]]
    largest = cp.max | cp.maximum if sign > 0 else cp.min | cp.minimum
    if isinstance(expression, largest | hstack.Hstack | vstack.Vstack | concatenate.Concatenate | cp.reshape):
        found = [linear_parts(part, sign) for part in arguments]
        return None if None in found else [part for parts in found for part in parts or ()]
    return None


def _with_terms(terms: Sequence[Any], sign: int) -> list[Any] | None:
    """Return the parts of a sum in which one term at most is not affine."""
    others = [term for term in terms if not term.is_affine()]
    rest = sign * sum(term for term in terms if term.is_affine())
    parts = linear_parts(others[0], sign) if len(others) == 1 else None
    if parts is None or not all(np.ndim(rest) == 0 or part.shape == rest.shape for part in parts):
        return None
    return [part + rest for part in parts]
