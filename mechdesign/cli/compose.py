"""`mechdesign compose`."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import click

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE
from mechdesign.cli.option_names import given_of, option
from mechdesign.cli.options import (
    EPSILON,
    Edges,
    cells_options,
    delta_option,
    edges_options,
    epsilon_option,
    report_option,
)
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_below
from mechdesign.exact.numbers import Epsilon, whole
from mechdesign.exact.text import brief, short, shown, shown_epsilon
from mechdesign.mechanism.foreign import foreign_summary, read_foreign
from mechdesign.mechanism.given import asked_of
from mechdesign.release.composed_neighbours import MOST_RELEASES, check_same_profiles
from mechdesign.release.composition import INDEPENDENT, Composition, compose, of_files
from mechdesign.release.per_release import epsilon_per_release
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.fact_numbers import Down, Exact

SINGLE = "If profiles are single values (local privacy), it holds for the same answer again too."


@command("compose", short_help="Find the epsilon of several releases together.")
@click.argument("mechanism_files", type=FILE, metavar="[MECHANISM]...", nargs=-1)
@edges_options
@epsilon_option(help="What is claimed of each release, in nats.")
@option("--together E", "What is claimed of all releases together.", EPSILON)
@delta_option(help="Of all releases together, in [0, 1).")
@option("--releases N", "How often each MECHANISM is used; or a number for each: 3,2.", default="1")
@option("--parallel", "Each release is about another person.")
@report_option
@cells_options
def compose_command(
    mechanism_files: tuple[str, ...],
    edges: Edges,
    together: Epsilon | None,
    delta: Fraction,
    releases: str,
    cells: dict[str, Any],
    **each: Any,
) -> Answer:
    """Find the epsilon of several releases together, at a delta for all of them: proved upper and lower bounds.

    Each release is of new data, drawn independently from the same profile. Where a profile is a single value, as with
    counts and randomised response, that may be the same value again. Where it is a distribution, one observation must
    not be released twice: there is no such bound then, see mechdesign reproduce gc-composition. Without MECHANISM, find
    which epsilon each release may have for --together, whatever the mechanism.

    Exit status: 0 done, and what is claimed holds; 1 it does not; 3 it is between the bounds.

    \b
    mechdesign compose mechanism.json --graph categorical-chain --epsilon 0.5 --releases 20 --delta 1e-6
    mechdesign compose first.json second.json --releases 3,2 --together 2
    mechdesign compose --releases 12 --together 1 --delta 1e-6
    """
    if not mechanism_files:
        if together is None or given_of("graph", "all_pairs", *each):
            raise InputError("MECHANISM: expected one or more; without any, --together, --releases and --delta alone")
        return _of_each(together, delta, whole("--releases", releases, at_most=MOST_RELEASES, written=True))
    mechanisms = [read_foreign(path, edges.graph, **cells) for path in mechanism_files]
    if edges.graph is None:
        check_same_profiles([one.profiles for one in mechanisms], mechanism_files)
    with progress_bar("neighbours") as progress:
        asked: dict[str, Any] = {
            "releases": _numbers(releases),
            "graph": edges.graph,
            "all_pairs": edges.all_pairs,
            "delta": delta,
        }
        found = compose(*mechanisms, **asked, **each, progress=progress)
    whose = asked_of(mechanisms[0], edges.graph, all_pairs=edges.all_pairs)
    read = dict(enumerate(zip(mechanism_files, mechanisms, strict=True)))
    found = of_files(found, read, cells["layout"], normalised=cells["normalise"], doubtful=edges.graph is None)
    told = {
        "mechanisms": list(mechanism_files),
        "graph": edges.name,
        "edges_from": str(whose.source),
        "matrices": [foreign_summary(mechanism) for mechanism in mechanisms],
    }
    whom = whose.said(found.protected, edges.name or "")
    return _with_claim(
        found.answer(names=mechanism_files, whom=whom).then(Answer(facts=for_programs(told))), found, together
    )


def _of_each(total: Epsilon, delta: Fraction, releases: int) -> Answer:
    """Return which epsilon each release may have, so that all together keep what is claimed."""
    each = epsilon_per_release(releases, epsilon=total, delta=delta)
    share = epsilon_per_release(releases, epsilon=total)
    said = f"Each of {releases} releases may have epsilon {_below(each)} at delta 0"
    kept = f"all together satisfy epsilon {brief(total, 12, 6)} at delta {short(delta)}, whatever the mechanisms are"
    return Answer(
        f"{said}: {kept}, if data are independent between releases, or profiles are single values.",
        facts=[
            Fact("epsilon_each", number=Down(each), exact=True),
            *for_programs({"releases": releases, "claimed_together": shown_epsilon(total)}),
            Fact("delta", number=Exact(delta), exact=True),
            *sentences(f"By basic composition: epsilon {_below(share)} each."),
        ],
        warnings=[f"{INDEPENDENT} {SINGLE}"],
    )


def _below(epsilon: Epsilon) -> str:
    """Return an epsilon rounded down, and said to be if it is."""
    if epsilon in (0, math.inf):
        return shown_epsilon(epsilon)
    words = digits_below(Fraction(epsilon))
    return words if Fraction(words) == epsilon else f"{words} (rounded down)"


def _with_claim(answer: Answer, found: Composition, total: Epsilon | None) -> Answer:
    """Return the answer with whether a claim about all releases together holds."""
    holds = None if total is None else found.satisfies(total)
    claim = {"claimed_together": None if total is None else shown_epsilon(total), "private_together": holds}
    words = "" if total is None else _together(found, total, holds)
    told = answer.then(Answer(facts=[*for_programs(claim), *sentences(words)]))
    if total is None or answer.status or holds:
        return told
    return replace(told, status=3 if holds is None else 1, tone="note" if holds is None else "bad")


def _numbers(releases: str) -> int | list[int]:
    cells = [cell.strip() for cell in releases.split(",")]
    if not all(cell.isascii() and cell.isdecimal() and len(cell) < 100 for cell in cells):
        raise InputError(
            f"--releases: expected a whole number, or one for each MECHANISM as 3,2; found {shown(releases)}"
        )
    numbers = [int(cell) for cell in cells]
    return numbers[0] if len(numbers) == 1 else numbers


def _together(found: Composition, claim: Epsilon, holds: bool | None) -> str:
    """Return whether a claim about all releases together holds."""
    asked = f"epsilon {shown_epsilon(claim)} of all together, at delta {short(found.delta)}"
    if holds is None:
        return f"Claimed: {asked}. That is between what is proved and what is refuted: neither."
    if holds:
        return f"Claimed: {asked}. It holds."
    return f"Claimed: {asked}. It does NOT hold{'' if found.exact else ', as computed in doubles'}."
