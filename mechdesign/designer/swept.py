"""A sweep: designs by epsilon."""

from typing import TYPE_CHECKING

from mechdesign.designer.curve_of_designs import Curve, Point
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.notebook import frame
from mechdesign.show.answer import Answer
from mechdesign.show.as_blocks import Answering
from mechdesign.words import counted

if TYPE_CHECKING:
    import pandas as pd


class Sweep(Answering, list[Design]):
    """The designs of a sweep, a list of `Design` in the order of the epsilons.

    Examples
    --------
    >>> import mechdesign as md
    >>> curve = md.sweep("categorical-chain", "0.5:1.5:3")
    >>> curve
    Sweep(3 designs, epsilon 0.5 to 1.5, max-off-diagonal 0.0566847 to 0)
    >>> len(curve), curve[0].epsilon
    (3, Fraction(1, 2))
    """

    def __repr__(self) -> str:
        if not self:
            return "Sweep(0 designs)"
        first, last = self[0], self[-1]
        what = "scale" if first.scale_own else "epsilon"
        reach = f"{what} {float(first.epsilon):g} to {float(last.epsilon):g}"
        values = f"{first.objective.name} {float(first.value):.6g} to {float(last.value):.6g}"
        return f"Sweep({counted(len(self), 'design')}, {reach}, {values})"

    def answer(self) -> Answer:
        """Return what is told of it."""
        if not self:
            return Answer("A sweep of no designs.")
        warnings = list(dict.fromkeys(one.warning for one in self if one.warning is not None))
        return Answer(f"{counted(len(self), 'design')}.", tables=[self.curve().table()], warnings=warnings)

    def curve(self) -> Curve:
        """Return its points by epsilon."""
        first = self[0]
        points = [
            Point(
                one.epsilon,
                one.value,
                one.bound,
                one.class_bound,
                one.bound_by == "duality",
                one.baseline if one.required else None,
                one.stats["seconds"],
            )
            for one in sorted(self, key=lambda one: one.epsilon)
        ]
        baseline, goal = first.baseline_name, first.objective
        return Curve(goal.name, goal.words, first.scale_own, first.rivals, baseline, first.method, points)

    def to_frame(self) -> "pd.DataFrame":
        """Return a table of pandas, one line for each design.

        Its columns are `epsilon` and `delta` as nearest doubles, `value` rounded up, `bound` rounded down, `bound_by`,
        `baseline` (see `Design.baseline`) as nearest double, `method` and `seconds`.

        Raises
        ------
        InputError
            if pandas is not installed.

        Examples
        --------
        >>> import mechdesign as md
        >>> print(md.sweep("categorical-chain", [0.5, 1]).to_frame()[["epsilon", "value"]].round(6))
           epsilon     value
        0      0.5  0.056685
        1      1.0  0.008418
        """
        return frame(
            {
                "epsilon": [float(one.epsilon) for one in self],
                "delta": [float(one.delta) for one in self],
                "value": [float_above(one.value) for one in self],
                "bound": [float_below(one.bound) for one in self],
                "bound_by": [one.bound_by for one in self],
                "baseline": [float(one.baseline) for one in self],
                "method": [one.method for one in self],
                "seconds": [one.stats["seconds"] for one in self],
            }
        )
