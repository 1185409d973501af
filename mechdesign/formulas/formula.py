"""A formula: the optimum as an exact function of e^epsilon, or of delta, piece by piece."""

import math
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from flint import fmpz

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_above
from mechdesign.exact.numbers import Number, parse_epsilon, parse_number
from mechdesign.exact.text import format_number, shown
from mechdesign.formulas.formula_answer import answer_of, latex_of, released_answer, sympy_of
from mechdesign.formulas.parametric_program import Program
from mechdesign.formulas.pieces import Piece, nats
from mechdesign.formulas.polynomials import End
from mechdesign.formulas.proof import proof_of
from mechdesign.formulas.released_functions import Released, released_by
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.terms import Terms
from mechdesign.formulas.whole_range import Cover
from mechdesign.show.answer import Answer, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.words import counted

BITS = 128
"""Of the rational near e^epsilon at which doubles are computed."""

UNSETTLED = "{}: the formula is not settled there; `design` computes the optimum"


@dataclass(frozen=True, eq=False, repr=False)
class Formula(Answering):
    """The optimum of a graph as an exact function of E = e^epsilon, or of delta.

    Called with an epsilon (in nats), or with a delta, it returns the optimum as the nearest double.

    Attributes
    ----------
    pieces
        of E, of z = E^(1/root) where edges ask for parts of epsilon, or of delta.
    breakpoints
        where one function takes over from another.
    unsettled
        intervals for which nothing is said, with the reason; none, as a rule.
    terms, low, high
        what it is about, and the range asked for, in nats or as delta.
    program, found
        the linear program, and what is found of it.
    """

    terms: Terms
    program: Program
    found: Cover
    low: Fraction
    high: Fraction | None

    @property
    def pieces(self) -> list[Piece]:
        """The optimum, piece by piece."""
        return self.found.pieces

    @property
    def breakpoints(self) -> list[End]:
        """Where one function takes over from another."""
        return [piece.low for before, piece in pairwise(self.pieces) if before.high == piece.low]

    @property
    def unsettled(self) -> dict[Stretch, str]:
        """Intervals for which no optimal basis was found, and why."""
        return self.found.unsettled

    def __repr__(self) -> str:
        of_epsilon = self.terms.parameter == "epsilon"
        points = ", ".join(f"{nats(b, self.terms.root) if of_epsilon else float(b):.6g}" for b in self.breakpoints)
        breaks = f", breakpoints {points}" if points else ""
        gaps = f", {counted(len(self.unsettled), 'interval')} unsettled" if self.unsettled else ""
        high = "inf" if self.high is None else format_number(self.high)
        what = f"{self.terms.parameter} {format_number(self.low)} to {high}"
        return f"Formula({self.terms.objective.name}, {what}, {counted(len(self.pieces), 'piece')}{breaks}{gaps})"

    def __call__(self, at: Number) -> float:
        """Return the optimum at an epsilon (in nats), or at a delta, as the nearest double.

        Raises
        ------
        InputError
            outside the range, or where the formula is not settled.
        """
        if self.terms.parameter == "delta":
            value = self.exact(at)
            return value.numerator / value.denominator
        epsilon = parse_epsilon(at)
        if epsilon == math.inf:
            return self._at_infinity()
        exact = Fraction(epsilon)
        if exact < self.low or (self.high is not None and exact > self.high):
            raise InputError(f"epsilon: {self._range()}, found {shown(at)}")
        value = self._value(exp_above(exact / self.terms.root, bits=BITS), shown(at))
        return value.numerator / value.denominator

    def exact(self, at: Number) -> Fraction:
        """Return the optimum at a rational E = e^epsilon, or at a delta, exactly.

        Raises
        ------
        InputError
            outside the range, where the formula is not settled, or if edges ask for parts of epsilon and E is no power.
        """
        if self.terms.parameter == "delta":
            z = parse_number(at)
        else:
            E = parse_number(at)
            if E < 1:
                raise InputError(f"expected E = e^epsilon, a number >= 1, found {shown(at)}")
            z = self._root(E)
        return self._value(z, shown(at))

    @cached_property
    def released(self) -> list[Released]:
        """What each profile releases under the formula's mechanism, as functions, on intervals of their own.

        Of the optima it is the mechanism that least often reports another category, by the profiles' weights.

        Examples
        --------
        >>> import mechdesign as md
        >>> [one] = md.formula(md.value_graph(["yes", "no"])).released
        >>> one.profiles[0]
        [((0, 1), (1, 1)), ((1,), (1, 1))]
        """
        return released_by(self.terms, self.program, self.found)

    def answer(self, *, released: bool = False) -> Answer:
        """Return what is told of it; with what profiles release, if that is wanted."""
        found = answer_of(self.terms, self.found, self.breakpoints)
        more = Answer(facts=for_programs({"latex": self.latex()}))
        return found.then(more, *([released_answer(self.terms, self.released)] if released else []))

    def latex(self) -> str:
        """Return it in LaTeX: the pieces in a `cases` environment, then comments that say what its symbols are.

        Examples
        --------
        >>> import mechdesign as md
        >>> print(md.formula(md.value_graph(["yes", "no"])).latex())
        \\begin{cases}
          \\frac{1}{1 + E} & 1 \\le E.
        \\end{cases}
        % E = e^{\\varepsilon}
        """
        return latex_of(self.terms, self.found, self.low, self.high)

    def sympy(self) -> Any:
        """Return it as a `sympy.Piecewise` of the variable, called E, z or delta.

        Raises
        ------
        InputError
            if sympy is not installed, or nothing is settled.
        """
        return sympy_of(self.terms, self.pieces)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof as a JSON value: that the optimum is this function all over the range.

        Raises
        ------
        InputError
            if part of the range is not settled.
        """
        return proof_of(self.terms, self.program, self.found)

    def _range(self) -> str:
        high = "inf" if self.high is None else format_number(self.high)
        return f"expected a number from {format_number(self.low)} to {high}, for which the formula was asked"

    def _value(self, z: Fraction, found: str) -> Fraction:
        place = bisect_right([piece.low for piece in self.pieces], End.at(z)) - 1
        if place >= 0 and z in self.pieces[place].stretch:
            return self.pieces[place](z)
        if any(z in gap for gap in self.unsettled):
            raise InputError(UNSETTLED.format(found))
        raise InputError(f"{self.terms.parameter}: {self._range()}, found {found}")

    def _at_infinity(self) -> float:
        if self.high is not None:
            raise InputError(f"epsilon: {self._range()}, found inf")
        last = self.pieces[-1] if self.pieces else None
        if last is None or last.high is not None:
            raise InputError(UNSETTLED.format("inf"))
        above, below = last.numerator, last.denominator
        return above[-1] / below[-1] if len(above) == len(below) else 0.0

    def _root(self, E: Fraction) -> Fraction:
        root = self.terms.root
        if root == 1:
            return E
        parts = [_whole_root(number, root) for number in (E.numerator, E.denominator)]
        if None in parts:
            what = f"z = E^(1/{root})"
            raise InputError(
                f"expected E so that {what} is rational, found {format_number(E)}; call it with an epsilon"
            )
        return Fraction(*(part for part in parts if part is not None))


def _whole_root(number: int, root: int) -> int | None:
    """Return the whole number of which this is a power, None if there is none.

    Examples
    --------
    >>> _whole_root(27, 3), _whole_root(28, 3)
    (3, None)
    """
    found = int(fmpz(number).root(root))
    return found if found**root == number else None
