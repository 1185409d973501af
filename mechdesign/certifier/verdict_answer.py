"""What is told of a verdict."""

from mechdesign.certifier.findings import Findings, Worst
from mechdesign.exact.text import format_number, short
from mechdesign.graph.distribution import describe
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, Near, Within
from mechdesign.words import first_of

UNKNOWN = Within(None, None)

NAMED = 20
"""Outputs of a set that are named; JSON has all."""


def answer_of(found: Findings, sentence: str, *, asked: bool) -> Answer:
    """Return what is told; `asked` says whether anything was, an infinite epsilon included."""
    nothing = found.open and not asked
    private, who = None if nothing else found.private, found.protected.summary()
    tight = [Fact("epsilon", "tight epsilon, at the delta asked", Within(*found.epsilon))]
    if found.own is not None:
        if not found.edges_asked:
            tight = [Fact("epsilon", number=Within(*found.epsilon))]
        tight.append(Fact("scale", "tight multiple of the edges' own epsilons", Within(*found.own.scale)))
    else:
        tight.append(Fact("scale", number=UNKNOWN))
    which = "the epsilon asked" if found.own is None else "the epsilons required"
    words = "" if found.open else f"tight delta, at {which}"
    tight.append(Fact("delta", words, UNKNOWN if nothing else Within(*found.delta)))
    rest = {
        "exact": found.exact,
        "robust": found.robust,
        "by_rounding": found.by_rounding,
        "edges": found.edges,
        "edges_asked": found.edges_asked,
    }
    return Answer(
        sentence,
        status=3 if found.private is None else int(not found.private),
        tone="note" if found.private is None else "good" if found.private else "bad",
        facts=[Fact("private", number=Exact(private)), *tight, *_worst(found), *for_programs(rest | who)],
    )


def _worst(found: Findings) -> list[Fact]:
    """Return the worst place; its gap is bounded on the side on which it stays what is said of it."""
    worst = found.worst
    if worst is None:
        return for_programs({"worst": None})
    gap = worst.gap[0 if found.private is False else 1]
    own = None if worst.profiles is None else [[format_number(mass) for mass in one] for one in worst.profiles]
    told = {"worst.edge": list(worst.edge), "worst.set": list(worst.set), "worst.profiles": own}
    return [*for_programs(told), Fact("worst.gap", number=Near(gap), exact=True), *sentences(*_in_words(found, worst))]


def _in_words(found: Findings, worst: Worst) -> list[str]:
    (i, j), gap = worst.edge, worst.gap[0 if found.private is False else 1]
    said = [f"Worst edge: {i} against {j}, on the set of outputs {{{first_of(worst.set, NAMED)}}}"]
    if not found.open:
        said = [f"{said[0]}:", f"  Pr({i} in it) - e^epsilon Pr({j} in it) - delta = {short(gap)}."]
    elif gap > 0:
        said = [f"{said[0]}:", f"  Pr({j} in it) = 0, and Pr({i} in it) - delta = {short(gap)}."]
    else:
        said = [f"{said[0]}."] if worst.set else []
    for end, own in zip(worst.edge, worst.profiles or (), strict=False):
        said.append(f"  With {end} distributed, within its bounds, as {describe(own, worst.categories)}.")
    return said
