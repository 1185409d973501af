"""What is protected, in plain words, and what that rests on."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.exact.text import shown_range
from mechdesign.graph.uncertainty import bounded, bounds_in_words
from mechdesign.privacy.asked import Asked
from mechdesign.report.page.subject import Proved, Subject
from mechdesign.report.page.written_numbers import allowed, belief, near, probability, ratio
from mechdesign.show.blocks import Block, Points, Section, Table, Text
from mechdesign.words import counted, listed

MOST_NAMED, LONGEST = 4, 60
"""Profiles that are named in the beginning, and characters of a name there."""
SAFE = "So that they stay true, values are rounded up, and bounds that nothing is below are rounded down."


ONE_MATRIX = (
    "One matrix serves several profiles: whoever applies it need not know which of these profiles a value is from."
)
OWN_MATRICES = "Whoever applies the mechanism knows each value's profile, since each profile has a matrix of its own."
VALUES = "Each profile is one value, so the value itself is protected: from being told from those that it is linked to."
PROFILES = (
    "What is protected is the profile, such as a group that a person belongs to, not the value itself: values "
    "that tell nothing of the profile may be released as they are."
)
AGAIN_VALUES = (
    "One that is released again, with new coins, or beside others of that person, tells more: epsilons, and deltas, "
    "add up at most; of many releases mechdesign compose proves less."
)
AGAIN_PROFILES = (
    "Each further one tells more. Where values are independent of each other epsilons, and deltas, add up at most; of "
    "many releases mechdesign compose proves less. Of a value that is released again, or of values that belong "
    "together, nothing is proved."
)


def promise(proved: Proved, *, values: bool) -> list[Block]:
    """Return what a certificate proves of privacy; `values` says whether each profile is a value of its own."""
    c = proved.claim
    if not c.edges:
        return [
            Text("No two profiles are linked: nobody is protected. This certificate proves nothing of privacy.", "bad")
        ]
    epsilon, delta = max(c.epsilons), max(c.deltas)
    whom = Asked(proved.graph).protected(Fraction(0), Fraction(0)).words()
    return [
        Text(f"{sentence(epsilon, delta, len(set(c.epsilons)) > 1)} This is proved of {whom}.", "good"),
        Text(_who(proved.graph)),
        *meaning(epsilon, delta, c.epsilons, VALUES if values else PROFILES),
    ]


def _who(graph: nx.Graph) -> str:
    """Return the profiles' names, as far as they are few, and how they are linked."""
    k, edges = len(graph), graph.number_of_edges()
    names = [f"{name!s:.{LONGEST}}" for name in graph]
    few = names if k <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{k - MOST_NAMED + 1} more"]
    many = f"There {'is' if edges == 1 else 'are'} {counted(edges, 'link')} between them."
    links = many if edges < k * (k - 1) // 2 else "They are linked." if k == 2 else "Every two of them are linked."
    return f"The profiles are {listed(few)}. {links}"


def sentence(epsilon: Fraction, delta: Fraction, several: bool) -> str:
    """Return the promise in one sentence."""
    at = f"epsilon {allowed(epsilon)}" if not several else f"epsilon at most {near(epsilon)}"
    more = f", but for an extra probability of at most delta = {allowed(delta)}" if delta else ""
    return (
        "What a released value tells of which of two linked profiles it comes from is limited: no released value, "
        f"or set of them, is more than {ratio(epsilon)} times as likely under one profile as under the other{more}. "
        f"(That is e^epsilon, rounded up, at {at}.)"
    )


def meaning(epsilon: Fraction, delta: Fraction, epsilons: Sequence[Fraction], what: str) -> list[Block]:
    """Return what epsilon and delta mean."""
    items = [
        "epsilon says how much a released value can tell: e^epsilon is the largest ratio between its "
        "probabilities under two linked profiles. At 0 it tells nothing; each further 0.69 doubles the ratio.",
    ]
    if delta:
        items.append(
            f"delta is a probability that is added: q(S) <= e^epsilon q'(S) + delta for every set S of released "
            f"values. "
            f"With delta {allowed(delta)} there may be values of a total probability up to that which tell more."
        )
    else:
        items.append("delta is 0: the ratio holds for every single released value, without exception.")
        items.append(
            "Somebody who took two linked profiles for equally likely is, after one released value, sure of neither by "
            f"more than {belief(epsilon)} % (rounded up)."
        )
    if len(set(epsilons)) > 1:
        items.append(
            f"Links differ: their epsilons are {shown_range(epsilons)}; the table of links says which has which."
        )
    items.append(what)
    return [Points(items)]


def assumptions(subject: Subject, notes: Mapping[str, object]) -> Section:
    """Return what the promise rests on; `notes` are what the mechanism's file says of itself."""
    proved, mechanism = subject.proved, subject.mechanism
    items = []
    robust = bounded(mechanism.graph)
    blocks: list[Block] = []
    if robust and proved is not None and proved.claim.robust:
        items.append(
            f"Profiles are known only within bounds ({bounds_in_words(mechanism.graph)}): the promise holds for every "
            "distribution within them, and not beyond."
        )
        items.append(
            f"The bounds are from a sample, as the mechanism's file says: {notes['bounds']}."
            if isinstance(notes.get("bounds"), str)
            else "How sure it is that the truth lies within these bounds is not in this file: if they are from a "
            "sample, the graph's file has the level of confidence, and mechdesign design prints it."
        )
        blocks.append(_bounds(mechanism.graph))
    elif robust:
        items.append(f"The file says within which bounds profiles are known ({bounds_in_words(mechanism.graph)}).")
        blocks.append(_bounds(mechanism.graph))
    elif not subject.values:
        items.append(
            "Each profile's distribution is known, and is exactly the one that stands in the file. If the truth is "
            "another, this promise does not hold as it stands; a design within bounds (mechdesign graph from-table "
            "--confidence) is for profiles that are only estimated."
        )
    items.append(f"One value of a person is released once. {AGAIN_VALUES if subject.values else AGAIN_PROFILES}")
    items.append(
        "Released values are drawn with exactly these probabilities, by a source of randomness that nobody can "
        "predict; "
        "mechdesign sanitise does that."
    )
    if not subject.values:
        shared = (subject.whole.one_matrix and bool(subject.known.all())) or (proved is not None and proved.shared)
        items.append(ONE_MATRIX if shared else OWN_MATRICES)
    if proved is not None and proved.claim.edges:
        items.append(
            "Only linked profiles are protected from being told apart. "
            + (
                "Two that are linked through others are protected less: along a way the epsilons of its links add up."
                if not any(proved.claim.deltas)
                else "Of two that are linked only through others, less is promised."
            )
        )
    return Section("What it rests on", [Points(items), *blocks])


def _bounds(graph: nx.Graph) -> Table:
    profiles = bounded(graph)
    boxed = any("radius" not in graph.nodes[profile] for profile in profiles)
    categories = list(map(str, graph.graph["categories"])) if boxed else []  # of balls alone they would stand empty
    rows = []
    for profile in profiles:
        node = graph.nodes[profile]
        if "radius" in node:
            rows.append([str(profile), f"total variation {probability(node['radius'])}", *[""] * len(categories)])
        else:
            ends = zip(node["lower"], node["upper"], strict=True)
            rows.append([str(profile), "", *(f"{probability(low)} to {probability(high)}" for low, high in ends)])
    caption = f"Within which bounds {counted(len(rows), 'profile')} {'is' if len(rows) == 1 else 'are'} known"
    return Table(caption, ["profile", "within", *categories], rows, profiles=1, folded=len(rows) > 12)
