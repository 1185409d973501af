"""A design as text, and as JSON."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
from rich.console import Console

from mechdesign.cli.graph_text import heading_of
from mechdesign.designer.baseline import baseline_name
from mechdesign.designer.caution import unprotected
from mechdesign.designer.count_baseline import geometric_value
from mechdesign.designer.method import Method
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import decimal_above, decimal_below, float_above, float_below
from mechdesign.exact.text import format_number, shown_epsilon, shown_range
from mechdesign.graph.from_table import guarantee_in
from mechdesign.graph.labels import Label
from mechdesign.graph.own_epsilons import own_epsilons
from mechdesign.objective import Goal
from mechdesign.privacy.asked import Asked
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import table
from mechdesign.words import counted

WITHIN = "Private for every distribution within the profiles' bounds; losses are at the distributions given."
"""Said of a design that is `robust`."""

WORST_CASES = (
    "For delta > 0 it is proved private by adding up what each output has at worst. The bound is on mechanisms so"
    " proved; a private one that this does not show may be below it."
)
"""Said of a design that `adds_worst_cases`."""

LONGEST = 30
"""Tables show at most this many profiles or categories."""


def summary(result: Design) -> dict[str, Any]:
    """Return the JSON object of a design: value rounded up, bounds rounded down; an infinite epsilon is null.

    Nothing private is below `bound`, or nothing so proved (`Design.adds_worst_cases`); nothing of the method's own
    class is below `class_bound`; the best pair of profiles alone asks for `pair_bound`, null for a loss. See `Design`.
    """
    return {
        "value": float_above(result.value),
        "bound": float_below(result.bound),
        "value_exact": str(result.value),
        "bound_exact": str(result.bound) if result.bound_by == "duality" else None,
        "bound_by": result.bound_by,
        "class_bound": float_below(result.class_bound),
        "class_bound_exact": str(result.class_bound),
        "pair_bound": None if result.pair_bound is None else float_below(result.pair_bound),
        "epsilon": in_json(result.epsilon),
        "epsilon_exact": shown_epsilon(result.epsilon),
        "delta": float(result.delta),
        "objective": result.objective.name,
        "method": result.method,
        "profiles": result.graph.number_of_nodes(),
        "categories": len(result.graph.graph["categories"]),
        "edges": result.graph.number_of_edges(),
        "edges_asked": result.graph.number_of_edges() - len(own_epsilons(result.graph)),
        **result.protected.summary(),
        "scale_own": result.scale_own,
        "robust": result.robust,
        "baseline": float_above(result.baseline),
        "baseline_name": baseline_name(result.graph, result.delta),
        "category_costs": _floats(result.category_costs),
        "baseline_category_costs": _floats(result.baseline_category_costs),
        "components": result.stats.get("components"),
        "own_multipliers": result.stats.get("own_multipliers"),
        "way": result.stats.get("way"),
        "seconds": result.stats["seconds"],
        "warning": result.warning,
    }


def details(result: Design) -> dict[str, Any]:
    """Return the summary with each profile's cost, rounded up, and what it releases, in the nearest doubles.

    `guarantee` says what holds for the true profiles where bounds are from a sample.
    """
    mechanism = result.mechanism
    profiles, outputs = _keys(mechanism.profiles), _keys(mechanism.outputs)
    released = [[weight / one.total for weight in one.weights] for one in mechanism.all_released()]
    return summary(result) | {
        "guarantee": _guarantee(result),
        "costs": dict(zip(profiles, map(float_above, result.objective.costs(mechanism)), strict=True)),
        "released": {
            profile: dict(zip(outputs, masses, strict=True)) for profile, masses in zip(profiles, released, strict=True)
        },
    }


def _guarantee(result: Design) -> str | None:
    return guarantee_in(result.graph) if result.robust else None


def _keys(labels: Sequence[Label]) -> list[str]:
    """Return labels as the keys of a JSON object; 1 and "1" are written so that they differ."""
    texts = list(map(str, labels))
    return texts if len(set(texts)) == len(texts) else list(map(repr, labels))


def _floats(costs: list[Fraction] | None) -> list[float] | None:
    return None if costs is None else [float_above(cost) for cost in costs]


def print_design(out: Console, result: Design) -> None:
    """Print a design for people."""
    shared = len(set(result.proof.groups)) < len(result.proof.groups)
    what = "each edge's own epsilon times" if result.scale_own else "epsilon"
    asked = f"{what} {shown_epsilon(result.epsilon)}, delta {format_number(result.delta)}"
    if result.warning is not None:
        out.print(result.warning)
        out.print()
    out.print(f"{heading_of(result.graph, shared)}; {asked}")
    if result.robust:
        out.print(WITHIN)
        if (said := _guarantee(result)) is not None:
            out.print(f"So it is, {said}.")
        if result.adds_worst_cases:
            out.print(WORST_CASES)
    if words := about_own(result.graph, scaled=result.scale_own):
        out.print(words)
    out.print()
    heading = table("", "", result.objective.words, "")
    heading.show_header = True
    heading.title = None
    heading.add_row("this mechanism", decimal_above(result.value), f"method {result.method}")
    if result.stats["without_noise"] < result.stats["components"]:  # otherwise it is what could be had without privacy
        how = _proved_how(result) if result.bound_by == "duality" else "as the solver says, in doubles"
        if result.class_bound > result.bound + result.bound / 10**9:
            heading.add_row(f"no {result.method} is below", decimal_below(result.class_bound), "exact, in closed form")
            how += ", with a matrix for each profile"
        heading.add_row(f"no {kind_of(result)} is below", decimal_below(result.bound), how)
    if result.required:
        heading.add_row(baseline_name(result.graph, result.delta), decimal_above(result.baseline), compared(result))
    if not (result.delta or shared) and (noisy := geometric_value(result.graph, result.epsilon, result.objective)):
        heading.add_row("geometric noise, clipped to [0, n]", f"{noisy:.9f}", compared(result, Fraction(noisy)))
    out.print(heading)
    out.print()
    out.print(_profile_table(result))
    if any(result.category_costs or []):
        out.print()
        out.print(_category_table(result))
    out.print()
    proved = "Private in exact arithmetic: every edge, both ways, every set of outputs."
    if unprotected(Asked(result.graph), result.required):
        proved = "Nothing was required, so nothing is proved private."
    else:
        proved += f" The edges are {result.protected.words()}."
    out.print(f"{proved} {result.stats['seconds']:.2f} s.")


def _proved_how(result: Design) -> str:
    """Return by what a bound is proved; for a command, by whose multipliers."""
    if result.method != Method.COMMAND:
        return "exact, by duality"
    noisy = result.stats["components"] - result.stats["without_noise"]
    own = result.stats["own_multipliers"]
    whose = "the command's" if not own else "our own solver's" if own == noisy else "the command's and our own solver's"
    return f"exact, by {whose} multipliers"


def kind_of(result: Design) -> str:
    """Return in words of which mechanisms the bound of a design is."""
    shared = len(set(result.proof.groups)) < len(result.proof.groups)
    kind = "mechanism of one matrix" if shared else "mechanism"
    return f"{kind} so proved" if result.adds_worst_cases else f"private {kind}"


def about_certificate(objective: Goal) -> str:
    """Return in words what a certificate of a design does not prove; nothing if it proves all."""
    if objective.certified:
        return ""
    return f"A certificate proves its privacy alone: checkers do not know the {objective.words}."


def about_own(graph: nx.Graph, *, scaled: bool) -> str:
    """Return in words to which edges an epsilon that is asked for applies; nothing if to all."""
    own, count = own_epsilons(graph), graph.number_of_edges()
    if not own or scaled:
        return ""
    if len(own) < count:
        others = f"the others have their own ({shown_range(own)})"
        return f"The epsilon asked for applies to {count - len(own)} of {counted(count, 'edge')}: {others}."
    edge = "The only edge" if count == 1 else "Each edge"
    has = f"{edge} has an epsilon of its own ({shown_range(own)})"
    return f"{has}: the one asked for applies to no edge; --scale-own makes it a factor."


def compared(result: Design, other: Fraction | None = None) -> str:
    """Return how the mechanism compares with another's value, the baseline's if none is given, in words."""
    other = result.baseline if other is None else other
    if abs(result.value - other) <= other / 10**9:
        return "the same, to nine digits"
    if result.value == 0:
        return "this mechanism costs nothing"
    ratio = float(other / result.value)
    more = max(ratio, 1 / ratio)
    times = f"{more:.3g}" if more >= 1.005 else f"{more:.9g}"
    return f"{times} times as much" if ratio >= 1 else f"{times} times less"


def _profile_table(result: Design) -> Any:
    mechanism = result.mechanism
    moves = any(result.category_costs or [])
    wide = len(mechanism.outputs) <= 8
    rows = table(
        "Profiles", "profile", "cost", *(["moved"] if moves else []), *(map(str, mechanism.outputs) if wide else [])
    )
    costs = result.objective.costs(mechanism)
    for profile, cost in list(zip(mechanism.profiles, costs, strict=True))[:LONGEST]:
        released = mechanism.released(profile)
        cells = [str(profile), f"{float(cost):.6f}"]
        if moves:
            before = result.graph.nodes[profile]["distribution"]
            moved = sum(abs(p - q) for p, q in zip(before, released, strict=True)) / 2
            cells.append(f"{float(moved):.6f}")
        rows.add_row(*cells, *(f"{float(mass):.5f}" for mass in released if wide))
    rows.caption = "cost: the profile's own"
    rows.caption += "; moved: total variation between its distribution and what it releases" if moves else ""
    rows.caption += "; then what it releases" if wide else ""
    rows.caption += f"; the first {LONGEST} of {len(costs)}" if len(costs) > LONGEST else ""
    rows.caption_justify = "left"
    return rows


def _category_table(result: Design) -> Any:
    rows = table("Cost per category", "category", "this mechanism", baseline_name(result.graph, result.delta))
    assert result.category_costs is not None
    assert result.baseline_category_costs is not None
    costs = list(zip(result.mechanism.categories, result.category_costs, result.baseline_category_costs, strict=True))
    for category, cost, usual in costs[:LONGEST]:
        rows.add_row(str(category), f"{float(cost):.6f}", f"{float(usual):.6f}")
    rows.caption = "the largest change of a category's probability in any profile, max |P(y) - q(y)|"
    rows.caption_justify = "left"
    return rows
