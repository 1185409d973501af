"""What a profile releases before and after, as bars: two for each category."""

from collections.abc import Sequence
from fractions import Fraction

from mechdesign.report.page.written_numbers import probability
from mechdesign.show.blocks import Picture, Shape, Table

HEIGHT, STEP, LEFT, TOP = 84.0, 26.0, 40.0, 8.0
NAMED = 12
"""Up to so many categories have their names below the bars."""
LONGEST = 4
"""Letters of a name that stands level; a longer one is turned."""
TURNED = 11
"""Letters of a turned name; a longer one is cut short."""


def bars(
    title: str,
    names: Sequence[str],
    before: Sequence[Fraction] | None,
    after: Sequence[Fraction],
    tallest: Fraction,
    table: Table,
) -> Picture:
    """Return a picture of one profile; `tallest` is the mass of a bar as high as the picture."""
    step = STEP if len(names) <= NAMED else max(3.0, 240 / len(names))
    right = LEFT + step * len(names)
    shapes = [
        Shape("path", {"class": "fine", "d": f"M{LEFT:g} {TOP:g}H{right:g}"}),
        Shape("text", {"x": LEFT - 4, "y": TOP + 4, "text-anchor": "end", "class": "dim"}, probability(tallest)[:5]),
        Shape("text", {"x": LEFT - 4, "y": TOP + HEIGHT + 4, "text-anchor": "end", "class": "dim"}, "0"),
    ]
    share = 0.4 if before is not None else 0.8
    styles: dict[str, list[str]] = {"after": [], "before": []} if before is not None else {"after": []}
    tips = []
    for place, (name, mass) in enumerate(zip(names, after, strict=True)):
        left, tip = LEFT + step * (place + 0.1), f"{name}: {probability(mass)}"
        styles["after"].append(_bar(left + (0.8 - share) * step, share * step, mass / tallest))
        if before is not None:
            tip = f"{name}: {probability(before[place])} before, {probability(mass)} after"
            styles["before"].append(_bar(left, share * step, before[place] / tallest))
        whole = f"M{LEFT + step * place:g} {TOP:g}h{step:g}v{HEIGHT:g}h{-step:g}z"
        tips.append(Shape("path", {"class": "bare", "d": whole}, tip=tip))
    shapes += [Shape("path", {"class": style, "d": "".join(parts)}) for style, parts in styles.items()]
    shapes += tips
    shapes.append(Shape("path", {"class": "axis", "d": f"M{LEFT:g} {TOP + HEIGHT:g}H{right:g}"}))
    below = _names(shapes, names, step) if len(names) <= NAMED else 0.0
    words = "one pair of bars for each category, before and after" if before else "one bar for each output"
    return Picture(
        title, f"{words}; the table beside it has the numbers", (right + 4, TOP + HEIGHT + 8 + below), shapes, table
    )


def _bar(left: float, width: float, share: Fraction) -> str:
    height = float(share) * HEIGHT
    return f"M{left:.1f} {TOP + HEIGHT:g}v-{height:.1f}h{width:.1f}v{height:.1f}z"


def _names(shapes: list[Shape], names: Sequence[str], step: float) -> float:
    """Write the names below the bars; return how high they are."""
    turned = max(map(len, names)) > LONGEST
    for place, name in enumerate(names):
        x, y = LEFT + step * (place + 0.5), TOP + HEIGHT + 13
        cut = name if len(name) <= TURNED else f"{name[: TURNED - 1]}…"
        look: dict[str, str | float] = {"x": round(x, 1), "y": y, "text-anchor": "middle"}
        if turned:
            look = {"transform": f"translate({x + 3:.1f} {y - 5:g}) rotate(-60)", "text-anchor": "end"}
        shapes.append(Shape("text", look, cut))
    return 6.4 * min(TURNED, max(map(len, names))) if turned else 10.0
