"""What is found of a program all over a range, and for what."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from mechdesign.formulas.classes import Classes
from mechdesign.formulas.cover import Cover
from mechdesign.formulas.ends import End
from mechdesign.formulas.pieces import Piece, breakpoints_of, pieces_of
from mechdesign.formulas.program import Program
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.terms import Terms


@dataclass(frozen=True, eq=False, repr=False)
class Solved:
    """What is found of a program all over a range.

    Attributes
    ----------
    terms
        what it is about.
    program, classes, found
        the linear program, its classes, and what was found of it.
    low, high
        the range asked for, in nats or as delta.
    """

    terms: Terms
    program: Program
    classes: Classes
    found: Cover
    low: Fraction
    high: Fraction | None

    @cached_property
    def pieces(self) -> list[Piece]:
        """The optimum, piece by piece: of E, of z = E^(1/root) where edges ask for parts of epsilon, or of delta."""
        return pieces_of(self.found.pieces, self.program.least_loss)

    @cached_property
    def breakpoints(self) -> list[End]:
        """Where one function takes over from another."""
        return breakpoints_of(self.pieces)

    @property
    def outputs(self) -> int:
        """How many there are."""
        return len(self.terms.objective.output_labels(self.terms.graph.graph["categories"]))

    @property
    def unsettled(self) -> list[Stretch]:
        """Intervals for which no optimal basis was found, and nothing is said; none, as a rule.

        Why is said in `found.unsettled`.
        """
        return list(self.found.unsettled)

    def piece_at(self, z: Fraction) -> Piece | None:
        """Return the piece at a value of the variable; None outside the range, and where nothing is settled."""
        lows = [piece.low for piece in self.pieces]
        place = bisect_right(lows, End.at(z)) - 1
        if place < 0:
            return None
        piece = self.pieces[place]
        return piece if piece.high is None or End.at(z) <= piece.high else None
