"""What privacy costs over epsilon: the curve of designs that a sweep keeps in a file."""

from mechdesign import reports
from mechdesign.designer.curve_of_designs import Curve
from mechdesign.objective import OBJECTIVES
from mechdesign.reports.page.written_numbers import limit
from mechdesign.show.as_blocks import table_of
from mechdesign.show.blocks import Block, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Up
from mechdesign.show.language import Language

FOLDED = 40
"""Points up to which the table is not folded."""


def in_short(curve: Curve, say: Language) -> Section:
    """Return what a sweep shows, in sentences."""
    name, what = curve.name(say), curve.over(say)
    first, last = curve.points[0], curve.points[-1]
    blocks: list[Block] = [Text(say("sweep.words", what=what))]
    if len(curve.points) > 1:
        ends = {
            "low": limit(first.epsilon),
            "high": limit(last.epsilon),
            "most": Up(first.value),
            "least": Up(last.value),
        }
        blocks.append(Text(say("sweep.falls", what=what, name=name, **ends)))
    if curve.objective in OBJECTIVES:
        blocks.append(Text(say(f"objective.{curve.objective}.designed")))
    if (free := curve.needless()) is not None:
        blocks.append(Text(say("sweep.needless", what=what, epsilon=limit(free))))
    return Section(say("sweep.title"), blocks)


def section(curve: Curve, say: Language) -> Section:
    """Return the points as a picture and a table."""
    table = table_of(curve.table(say), len(curve.points), folded=len(curve.points) > FOLDED)
    return Section(say("sweep.curve"), pictures(curve, say, table) or [table])


def pictures(curve: Curve, say: Language, table: Table | None = None) -> list[Block]:
    """Return the points as a picture with their table; nothing if none can be drawn."""
    points, name = curve.drawn(), curve.name(say)
    title = say("sweep.picture", name=name, what=curve.over(say))

    def draw() -> "reports.Figure":
        return reports.plot_utility(points, name, curve.baseline, of_own=curve.own)

    return [Picture(title, say("sweep.best"), draw, table)] if points else []
