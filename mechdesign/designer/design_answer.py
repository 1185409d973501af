"""What is told of a design; some of it is told of several, and of coarser ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import networkx as nx

from mechdesign.closed_form.product_sanitisation import OPTIMAL, PRODUCT
from mechdesign.designer.baseline import baseline_epsilon, constant_value, geometric_value
from mechdesign.designer.curve_of_designs import is_above
from mechdesign.designer.designed import Designed
from mechdesign.designer.method import Method
from mechdesign.designer.metric_baseline import planar_laplace_value
from mechdesign.exact.bounds import digits_above, float_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import format_number, short, shown_epsilon, shown_range
from mechdesign.graph.properties import has_point_masses, heading_of, own_epsilons
from mechdesign.objective import Goal, MaxOffDiagonal
from mechdesign.privacy.asked import Asked, unprotected
from mechdesign.show.answer import Answer, Column, Fact, Rows, Table, for_people, for_programs, sentences
from mechdesign.show.fact_numbers import Down, Exact, Near, Up
from mechdesign.solver.stopping import GAP, INTERRUPTION, TIME
from mechdesign.words import counted

WITHIN = "Private for every distribution within the profiles' bounds; losses are at the distributions given."
"""Said of a design that is `robust`."""

WORST_CASES = (
    "For delta > 0 it is proved private by adding up what each output has at worst. The bound is on mechanisms so"
    " proved; a private one that this does not show may be below it."
)
"""Said of a design that `adds_worst_cases`."""

KEPT = (
    "Overall shares are kept exactly: over all profiles, by their weights, what is released has the distribution that"
    " the truth has."
)
"""Said of a design that keeps the overall shares."""

FAR_AS_NEAR = (
    "A value that is reported as a far one costs as much as one that is reported as a near one: distances count in a"
    " loss, as --objective expected-loss --loss distance."
)
"""Said of a largest off-diagonal entry, if edges between values have distances."""

ENDED = {
    INTERRUPTION: "It is the best that was found before an interruption, not the nearest design",
    TIME: "It is the best that was found in time, not the nearest design",
    GAP: "It is as near to the optimum as was asked for, not the nearest design",
}
"""Why a search ended early, in words; what counts most is first."""

ROUGH = 3
"""Digits that are sure of a value by quadrature: to so many it is told to be the same, or how many times as much."""

NOISE: list[tuple[str, Callable[[nx.Graph, Epsilon, Goal], float | None], int]] = [
    ("geometric noise, clipped to [0, n]", geometric_value, 9),
    ("planar Laplace noise, best remap", planar_laplace_value, ROUGH),
]
"""Noise that everybody would add, its objective where it applies, and how many digits of that are sure."""

SAME = [(9, "nine"), (8, "eight")]
"""To how many digits two values are told to be the same; of those further apart nine digits show that they differ."""

NAMED = [Column("name"), Column("number")]

WIDE = 8
"""More outputs than this are not shown beside each other; JSON has all."""


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


def about_certificate(objective: Goal) -> str:
    """Return in words what a certificate of a design does not prove; nothing if it proves all."""
    if objective.certified:
        return ""
    return f"A certificate proves its privacy alone: checkers do not know the {objective.words}."


def compared(value: Fraction, other: Fraction, digits: int = 9) -> str:
    """Return how another mechanism's value, of which so many digits are sure, compares with this one's, in words.

    A ratio is told of two positive values; of one below zero the difference.
    """
    for count, words in SAME:
        if abs(value - other) <= abs(other) / 10**count:
            return f"the same, to {'three' if digits == ROUGH else words} digits"
    if value == 0 < other:
        return "this mechanism costs nothing"
    if value < 0 or other < 0:
        return f"{short(abs(other - value), 3)} {'more' if other > value else 'less'}"
    if other == 0:
        return "costs nothing"
    ratio = other / value
    more = max(ratio, 1 / ratio)
    if more < 1.005 and digits == ROUGH:
        return "the same, to three digits"
    times = short(more, 3 if more >= 1.005 else 9)
    return f"{times} times as much" if ratio >= 1 else f"{times} times less"


def answer_of(design: Designed) -> Answer:
    """Return what is told of a design."""
    from mechdesign.graph.from_table.confidence import guarantee_in  # here, because few need it

    guarantee = guarantee_in(design.graph, design.epsilon, design.delta) if design.robust else None
    remarks = [WITHIN if design.robust else "", f"So it is, {guarantee}." if guarantee else ""]
    remarks += [WORST_CASES if design.adds_worst_cases else "", about_own(design.graph, scaled=design.scale_own)]
    remarks += [FAR_AS_NEAR if _counts_far_as_near(design) else ""]
    what = "each edge's own epsilon times" if design.scale_own else "epsilon"
    asked = f"{what} {shown_epsilon(design.epsilon)}, delta {format_number(design.delta)}"
    solved = sentences(_detours(design), _ended(design), f"Solved in {design.stats['seconds']:.2f} s.")
    return Answer(
        _proved(design),
        about=f"{heading_of(design.graph, design.shared)}; {asked}",
        facts=[*sentences(*remarks), *facts_of(design), *for_programs({"guarantee": guarantee}), *solved],
        tables=[*_profiles(design), *_categories(design)],
        warnings=[] if design.warning is None else [design.warning],
    )


def _counts_far_as_near(design: Designed) -> bool:
    """Return whether distances, which edges between values have, do not count."""
    largest = isinstance(design.objective, MaxOffDiagonal) and has_point_masses(design.graph)
    return largest and any("distance" in own for _, _, own in design.graph.edges(data=True))


def facts_of(design: Designed) -> list[Fact]:
    """Return its numbers: the value rounded up, bounds rounded down; as a point of a curve has them."""
    graph = design.graph
    told = {
        "bound_by": design.bound_by,
        "bound_of": design.rivals,
        "objective": design.objective.name,
        "method": design.method,
        "profiles": len(graph),
        "categories": len(graph.graph["categories"]),
        "edges": graph.number_of_edges(),
        "edges_asked": graph.number_of_edges() - len(own_epsilons(graph)),
        **design.protected.summary(),
        "scale_own": design.scale_own,
        "robust": design.robust,
        "keeps_shares": design.keeps_shares,
        "baseline_name": design.baseline_name,
        "category_costs": _floats(design.category_costs),
        "baseline_category_costs": _floats(design.baseline_category_costs),
        **{key: design.stats.get(key) for key in ("components", "own_multipliers", "way", "seconds")},
        "warning": design.warning,
    }
    if "detours" in design.stats:
        told |= {"detours": design.stats["detours"], "gap": float_above(design.gap)}
    if design.ended:
        told |= {"gap": float_above(design.gap), "ended": next(why for why in ENDED if why in design.ended)}
    pair = design.pair_bound
    values = [
        Fact("value", "this mechanism", Up(design.value), f"method {design.method}", exact=True),
        *_bounds(design),
        *_free(design),
        *_others(design),
    ]
    return [
        *(replace(fact, under=design.objective.words) for fact in values),
        Fact("pair_bound", number=Exact(None) if pair is None else Down(pair)),
        Fact("epsilon", number=Exact(design.epsilon), exact=True),
        Fact("delta", number=Exact(design.delta)),
        *for_programs(told),
    ]


def _bounds(design: Designed) -> list[Fact]:
    """Return what nothing is below; not in words where no noise was needed: it is what could be had anyway."""
    proved, noisy = design.bound_by == "duality", design.stats["without_noise"] < design.stats["components"]
    how = _proved_how(design) if proved else "as the solver says, in doubles"
    how = "nothing is proved yet" if design.ended and not design.class_bound else how
    own = is_above(design.class_bound, design.bound)
    how += ", with a matrix for each profile" if own else ""
    words = f"no {design.method} is below" if own and noisy else ""
    return [
        Fact("class_bound", words, Down(design.class_bound), "exact, in closed form", exact=True),
        Fact("bound", f"no {design.rivals} is below" if noisy else "", Down(design.bound), how, exact=proved),
        *([] if proved else for_programs({"bound_exact": None})),
    ]


def _ended(design: Designed) -> str:
    """Return why its search ended early, and how far from the optimum it may be; nothing if it did not."""
    if not design.ended:
        return ""
    why = next(words for reason, words in ENDED.items() if reason in design.ended)
    return f"{why}: no {design.rivals} is better by more than {digits_above(100 * design.gap, 3)} %."


def _detours(design: Designed) -> str:
    """Return on how many edges it was designed, and how far from the optimum it may be; nothing if on all."""
    found = design.stats.get("detours")
    if found is None:
        return ""
    if found["longest"] <= 1:
        return "No edge was left out: there is no detour that is longer than its edge, and no longer than that."
    kept = f"{found['kept']:,} of {found['edges']:,} edges, with detours of up to {found['longest']:.4g}"
    better = f"no {design.rivals} is better by more than {digits_above(100 * design.gap, 3)} %"
    return f"It was designed on {kept}, and is private on all: {better}."


def _free(design: Designed) -> list[Fact]:
    """Return what could be had without keeping the overall shares; nothing where they are not kept."""
    if design.free is None:
        return []
    value, words = design.free.value, "where shares need not be kept"
    return [
        Fact("free_value", words, Up(value), compared(design.value, value), exact=True),
        Fact("free_bound", number=Down(design.free.bound), exact=True),
    ]


def _others(design: Designed) -> list[Fact]:
    """Return the values of mechanisms that it is compared with."""
    value, usual = design.value, design.baseline
    words = design.baseline_name if design.required else ""
    found = [Fact("baseline", words, Up(usual), compared(value, usual))]
    constant = constant_value(design.graph, design.objective) if design.required else None
    if constant is not None and constant < usual:
        found.append(Fact("", "one answer for all", Near(constant, digits=9), compared(value, Fraction(constant))))
    for noise, value_of, digits in NOISE if not design.shared else ():
        noisy = value_of(design.graph, design.epsilon, design.objective)
        if noisy:
            name = f"{noise}, delta 0" if design.delta else noise
            found.append(Fact("", name, Near(noisy, digits=digits), compared(value, Fraction(noisy), digits)))
    taken = baseline_epsilon(design.graph, design.required, design.objective, design.epsilon, words) if words else ""
    return [*found, *sentences(OPTIMAL if words == PRODUCT else "", taken)]


def _proved(design: Designed) -> str:
    if unprotected(Asked(design.graph), design.required):
        return "Nothing was required, so nothing is proved private."
    proved = "Private in exact arithmetic: every edge, both ways, every set of outputs."
    kept = f" {KEPT}" if design.keeps_shares else ""
    return f"{proved} The edges are {design.protected.words()}.{kept}"


def _proved_how(design: Designed) -> str:
    """Return by what a bound is proved; for a command, by whose multipliers."""
    if design.method != Method.COMMAND:
        return "exact, by duality"
    noisy, own = design.stats["components"] - design.stats["without_noise"], design.stats["own_multipliers"]
    whose = "the command's" if not own else "our own solver's" if own == noisy else "the command's and our own solver's"
    return f"exact, by {whose} multipliers"


def _floats(costs: list[Fraction] | None) -> list[float] | None:
    return None if costs is None else [float_above(cost) for cost in costs]


def _profiles(design: Designed) -> list[Table]:
    """Return each profile's cost, if it has one, how far it is moved, and what it releases."""
    mechanism, costs = design.mechanism, design.objective.costs(design.mechanism)
    profiles, outputs = mechanism.profiles, mechanism.outputs
    moves, wide = any(design.category_costs or []), len(outputs) <= WIDE
    released = cache(mechanism.all_released)

    def row(i: int) -> list[Any]:
        after = mechanism.released(profiles[i])
        cost = [Near(costs[i])] if costs else []
        moved = [Near(_distance(design.graph.nodes[profiles[i]]["distribution"], after))] if moves else []
        return [profiles[i], *cost, *moved, *(Near(mass, 5) for mass in after if wide)]

    def mass(k: int) -> list[Any]:
        i, y = divmod(k, len(outputs))
        return [profiles[i], outputs[y], Near(released()[i].weights[y] / released()[i].total)]

    explained = {"cost": f"the profile's own {design.objective.cost_words}"} if costs else {}
    explained |= {"moved": "total variation between its distribution and what it releases"} if moves else {}
    notes = [*(": ".join(one) for one in explained.items()), *(["then what it releases"] if wide else [])]
    headings = ["profile", *explained, *(map(str, outputs) if wide else [])]
    return [
        Table("costs", "", NAMED, Rows(len(costs), lambda i: [profiles[i], Up(costs[i])]), by=1),
        Table("released", "", [*NAMED, Column("mass")], Rows(len(profiles) * len(outputs), mass), by=2),
        for_people("Profiles", headings, Rows(len(profiles), row), "; ".join(notes)),
    ]


def _distance(before: Sequence[Fraction], after: Sequence[Fraction]) -> Fraction:
    return sum((abs(p - q) for p, q in zip(before, after, strict=True)), Fraction(0)) / 2


def _categories(design: Designed) -> list[Table]:
    """Return what each category costs, beside what it costs with the mechanism that it is compared with."""
    costs, usual = design.category_costs, design.baseline_category_costs
    if costs is None or usual is None or not any(costs):
        return []
    headings = ["category", "this mechanism", design.baseline_name]
    named = zip(design.mechanism.categories, costs, usual, strict=True)
    rows = [[category, Near(cost), Near(other)] for category, cost, other in named]
    note = "the largest change of a category's probability in any profile, max |P(y) - q(y)|"
    return [Table("", "Cost per category", [Column(words=one) for one in headings], rows, note=note)]
