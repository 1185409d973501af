"""A chart of curves over one axis, with marks, drawn in numbers of pixels."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mechdesign.show.blocks import Picture, Shape, Table

WIDTH, HEIGHT, LEFT, BELOW, TOP, RIGHT = 360.0, 236.0, 46.0, 34.0, 26.0, 12.0
TICKS = 5

At = Callable[[float, float], tuple[float, float]]
"""Where in the picture a point stands."""


@dataclass(frozen=True)
class Curve:
    """A line through points: the class of its style, what it is in words, its points with what is said of each."""

    style: str
    words: str
    points: Sequence[tuple[float, float, str]]
    dots: bool = True


@dataclass(frozen=True)
class Mark:
    """A place on the axis, or with a height a point in the chart."""

    x: float
    words: str
    y: float | None = None


def chart(
    title: str,
    axes: tuple[str, str],
    curves: Sequence[Curve],
    table: Table,
    marks: Sequence[Mark] = (),
    *,
    from_zero: bool = True,
) -> Picture:
    """Return a chart; its second axis begins at 0, the first one too unless `from_zero` is false."""
    xs = [x for curve in curves for x, _, _ in curve.points] + [mark.x for mark in marks]
    ys = [y for curve in curves for _, y, _ in curve.points] + [mark.y for mark in marks if mark.y is not None]
    low, right = (0.0 if from_zero else min(xs)), max(xs)
    right = right if right > low else low + 1
    high = max(ys) or 1.0
    inner = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BELOW

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x - low) / (right - low) * inner[0], TOP + (1 - y / high) * inner[1]

    shapes = _axes(axes, (low, right), high, at)
    for mark in marks:
        x, y = at(mark.x, mark.y or 0.0)
        if mark.y is None:
            shapes.append(Shape("path", {"class": "mark", "d": f"M{x:.1f} {TOP:g}V{HEIGHT - BELOW:g}"}, tip=mark.words))
        else:
            shapes.append(Shape("path", {"class": "claim", "d": _diamond(x, y)}, tip=mark.words))
    for curve in curves:
        path = "L".join("{:.1f} {:.1f}".format(*at(x, y)) for x, y, _ in curve.points)
        shapes.append(Shape("path", {"class": curve.style, "d": f"M{path}"}))
        if len(curve.points) == 1:  # a path of one point is nothing that is seen
            shapes.append(_ring(curve.style, at(*curve.points[0][:2])))
        for x, y, tip in curve.points if curve.dots else ():
            shapes.append(_ring("bare", at(x, y), tip))
    keys = [(curve.style, curve.words) for curve in curves]
    keys += [("claim" if mark.y is not None else "mark", mark.words) for mark in marks]
    words = f"{axes[1]} over {axes[0]}; " + "; ".join(words for _, words in keys)
    return Picture(title, words, (WIDTH, HEIGHT), shapes, table, keys, fluid=True)


def _ring(style: str, place: tuple[float, float], tip: str = "") -> Shape:
    return Shape("circle", {"class": style, "cx": round(place[0], 1), "cy": round(place[1], 1), "r": 5}, tip=tip)


def _diamond(x: float, y: float) -> str:
    return f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z"


def _axes(axes: tuple[str, str], reach: tuple[float, float], high: float, place: At) -> list[Shape]:
    bottom = HEIGHT - BELOW
    shapes = [Shape("path", {"class": "axis", "d": f"M{LEFT:g} {TOP:g}V{bottom:g}H{WIDTH - RIGHT:g}"})]
    for value in ticks(*reach):
        x, _ = place(value, 0.0)
        shapes.append(Shape("path", {"class": "axis", "d": f"M{x:.1f} {bottom:g}v4"}))
        look: dict[str, str | float] = {"x": round(x, 1), "y": bottom + 15, "text-anchor": "middle", "class": "dim"}
        shapes.append(Shape("text", look, f"{value:g}"))
    for value in ticks(0.0, high):
        _, y = place(0.0, value)
        shapes.append(Shape("path", {"class": "fine", "d": f"M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"}))
        shapes.append(
            Shape("text", {"x": LEFT - 5, "y": round(y + 4, 1), "text-anchor": "end", "class": "dim"}, f"{value:g}")
        )
    shapes.append(Shape("text", {"x": 2, "y": 12}, axes[1]))
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    shapes.append(Shape("text", {"x": middle, "y": HEIGHT - 4, "text-anchor": "middle"}, axes[0]))
    return shapes


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from one end to the other.

    Examples
    --------
    >>> ticks(0.0, 2.0), ticks(0.0, 0.12)
    ([0.0, 0.5, 1.0, 1.5, 2.0], [0.0, 0.05, 0.1])
    """
    rough = (high - low) / TICKS
    step = 10.0 ** math.floor(math.log10(rough))
    step *= next(times for times in (1, 2, 5, 10) if times * step >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, math.floor(high / step + 1e-9) + 1)]
