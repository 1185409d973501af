"""A verdict as text, and as JSON."""

import math
import shlex
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console

from mechdesign.certifier.certify import certify
from mechdesign.certifier.comparison import Comparison
from mechdesign.certifier.tight import Pair
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.output import in_json, table
from mechdesign.exact.bounds import decimal_below, float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, format_number, short, shown_epsilon
from mechdesign.graph.distribution import describe
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.estimated import delta_within_radius

TINIEST = math.ulp(0.0)
"""Stands for a gap that is smaller than any double: one that is exceeded is not 0."""

LARGEST_BELOW_1 = math.nextafter(1.0, 0.0)

LISTED = 20
"""So many pairs are printed; JSON has all."""

Deltas = Sequence[tuple[float, float, float]]


def status_of(verdict: Verdict) -> int:
    """Return the exit status of a verdict: 0 certified, or nothing was asked; 1 refuted; 3 neither is proved."""
    return 3 if verdict.private is None else int(not verdict.private)


def summary(verdict: Verdict, *, asked: bool) -> dict[str, Any]:
    """Return the JSON object of a verdict; `private` and the deltas are null if nothing was asked, and so is infinity.

    `private` is null too if neither is proved. Of profiles known only within bounds, the worst distributions stand with
    the worst edge. `edges_asked` counts the edges to which the epsilon asked for applies; `scale` is for the others.
    """
    worst = None
    if verdict.worst is not None:
        gap, own = _gap(verdict), verdict.worst.profiles
        worst = {
            "edge": list(verdict.worst.edge),
            "set": list(verdict.worst.set),
            "gap": math.copysign(float(abs(gap)) or TINIEST, gap) if gap else 0.0,
            "gap_exact": str(gap),
            "profiles": None if own is None else [list(map(format_number, one)) for one in own],
        }
    lower, upper = map(in_json, verdict.epsilon)
    scale = (None, None) if verdict.scale is None else verdict.scale
    nothing = verdict.open and not asked
    return {
        "private": None if nothing else verdict.private,
        "epsilon_lower": lower,
        "epsilon_upper": upper,
        "delta_lower": None if nothing else verdict.delta[0],
        "delta_upper": None if nothing else verdict.delta[1],
        "scale_lower": in_json(scale[0]),
        "scale_upper": in_json(scale[1]),
        "worst": worst,
        "exact": verdict.exact,
        "robust": verdict.robust,
        "by_rounding": verdict.by_rounding,
        "sentence": verdict.sentence(),
        "edges": verdict.edges,
        "edges_asked": verdict.edges_asked,
        **verdict.protected.summary(),
    }


def pairs_summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the JSON of all pairs, worst first."""
    listed = [
        {
            "edge": list(pair.edge),
            "epsilon_lower": in_json(pair.needs[0]),
            "epsilon_upper": in_json(pair.needs[1]),
            "required": None if pair.required is None else shown_epsilon(pair.required),
            "met": pair.met,
        }
        for pair in pairs
    ]
    return {"ordered_pairs": listed, "failing": sum(pair.met is False for pair in pairs)}


def compared(comparison: Comparison | None, *, private: bool) -> dict[str, float | None] | None:
    """Return the JSON of a comparison; nothing is lost or gained by a mechanism that is not private."""
    if comparison is None:
        return None
    return {
        "rows": comparison.rows,
        "error": float_above(comparison.error),
        "optimal": float_below(comparison.optimal_below),
        "lost": float(comparison.lost) if private else None,
    }


def _gap(verdict: Verdict) -> Fraction:
    """Return a bound of the worst gap on the side on which it stays what is said of it."""
    assert verdict.worst is not None
    return verdict.worst.gap[0 if verdict.private is False else 1]


def print_verdict(out: Console, verdict: Verdict, deltas: Deltas, categories: Sequence[Label]) -> None:
    """Print a verdict for people; `deltas` are tight ones at a few epsilons."""
    out.print(verdict.sentence())
    out.print()
    rows = table("", "", "at least", "at most")
    rows.title = None
    if verdict.edges_asked or verdict.own is None:
        rows.add_row("tight epsilon, at the delta asked", *map(repr, verdict.epsilon))
    if verdict.own is not None:
        rows.add_row("tight multiple of the edges' own epsilons", *map(repr, verdict.own.scale))
    if not verdict.open:
        which = "the epsilon asked" if verdict.own is None else "the epsilons required"
        rows.add_row(f"tight delta, at {which}", *map(repr, verdict.delta))
    for epsilon, low, high in deltas:
        rows.add_row(f"tight delta, at epsilon {epsilon:g}", repr(low), repr(high))
    out.print(rows)
    if verdict.worst is not None:
        _print_worst(out, verdict)
        for end, own in zip(verdict.worst.edge, verdict.worst.profiles or (), strict=False):
            out.print(f"  With {end} distributed, within its bounds, as {describe(own, categories)}.")


def guaranteed(verdict: Verdict, asked: Asked) -> str | None:
    """Return what is certified of the true profiles, where the bounds of those given are from a sample."""
    if not asked.robust or not verdict.private or verdict.open:
        return None
    from mechdesign.graph.from_table import guarantee_in  # here, because few need it

    return guarantee_in(asked.profiles)


def _print_worst(out: Console, verdict: Verdict) -> None:
    assert verdict.worst is not None
    (i, j), gap = verdict.worst.edge, _gap(verdict)
    on = f"on the set of outputs {{{', '.join(map(str, verdict.worst.set))}}}"
    out.print()
    if not verdict.open:
        out.print(f"Worst edge: {i} against {j}, {on}:")
        out.print(f"  Pr({i} in it) - e^epsilon Pr({j} in it) - delta = {short(gap)}.")
    elif gap > 0:
        out.print(f"Worst edge: {i} against {j}, {on}:")
        out.print(f"  Pr({j} in it) = 0, and Pr({i} in it) - delta = {short(gap)}.")
    elif verdict.worst.set:
        out.print(f"Worst edge: {i} against {j}, {on}.")


def print_remedy(
    out: Console, mechanism: str, edges: Sequence[str], epsilon: str | None, delta: str, read: Sequence[str] = ()
) -> None:
    """Print the command that finds the least change by which a refuted mechanism becomes private."""
    asked = ["--epsilon", str(epsilon), *(["--delta", delta] if delta != "0" else [])]
    command = ["mechdesign", "mend", mechanism, *asked, *edges, *read]
    out.print()
    out.print(f"The least change that mends it: {shlex.join(command)}", soft_wrap=True)


def by_radius_alone(verdict: Verdict, mechanism: Mechanism, asked: Asked, epsilon: Epsilon) -> str | None:
    """Return what a refuted epsilon is worth within total variation balls by their radius alone, for any mechanism.

    None where that does not apply: profiles are not within balls, or edges ask for different epsilons.
    """
    nodes = asked.profiles.nodes.values()
    edges = () if asked.every_pair else asked.profiles.edges.values()
    boxes = any("lower" in attributes for attributes in nodes)
    if verdict.private is not False or not verdict.robust or boxes or epsilon > LARGEST_ABOVE:
        return None
    if any("epsilon" in attributes or "distance" in attributes for attributes in edges):
        return None
    radius = max(attributes.get("radius", Fraction(0)) for attributes in nodes)
    needed = certify(mechanism, asked, epsilon=epsilon, nominal=True).delta[1]
    whole = float_above(delta_within_radius(radius, epsilon=epsilon, delta=min(needed, LARGEST_BELOW_1)))
    return (
        "For any mechanism, a total variation error r costs delta + r (1 + e^epsilon): the distributions alone need "
        f"delta = {needed!r}, with r = {brief(radius, 8, 4)} that is {whole!r}."
    )


def print_pairs(out: Console, pairs: Sequence[Pair]) -> None:
    """Print the pairs that fail, worst first; if none does, all."""
    failing = [pair for pair in pairs if pair.met is False]
    listed = failing or pairs
    title = f"Ordered pairs that fail: {len(failing)} of {len(pairs)}" if failing else f"Ordered pairs: {len(pairs)}"
    some = any(pair.required is not None for pair in listed)
    rows = table(title, "", "tight epsilon: at least", "at most", *(["required"] if some else []))
    for pair in listed[:LISTED]:
        required = [] if not some else ["-" if pair.required is None else brief(pair.required, 12, 6)]
        rows.add_row(f"{pair.edge[0]} against {pair.edge[1]}", *map(repr, pair.needs), *required)
    if len(listed) > LISTED:
        rows.caption = f"the worst {LISTED} of {len(listed)}; --json lists all"
        rows.caption_justify = "left"
    out.print()
    out.print(rows)


def print_comparison(out: Console, comparison: Comparison) -> None:
    """Print what the mechanism gives away against the optimal product sanitisation."""
    out.print()
    one = "Probability of reporting another value, for the worst value"
    rows = table("", one if comparison.rows == 1 else "Expected number of rows that change, for the worst database", "")
    rows.title = None
    rows.add_row("this mechanism", f"{float(comparison.error):.9f}")
    rows.add_row("optimal product sanitisation, same epsilon and delta", decimal_below(comparison.optimal_below))
    rows.add_row("lost", f"{float(comparison.lost):.9f}")
    out.print(rows)
