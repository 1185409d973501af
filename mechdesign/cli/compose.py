"""`mechdesign compose`."""

import math
from collections.abc import Sequence
from typing import Any

import click

from mechdesign.cli.foreign_text import foreign_summary, foreign_words
from mechdesign.cli.options import edges_options, json_option, layout_options, normalise_option
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.cli.paths import FILE, Command
from mechdesign.cli.rounded_text import doubt_of_certified
from mechdesign.errors import InputError
from mechdesign.exact.bounds import printed_above
from mechdesign.exact.numbers import Epsilon, parse_epsilon
from mechdesign.exact.text import format_number, short, shown, shown_epsilon
from mechdesign.files.delimited import Layout
from mechdesign.graph.file import read_graph
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.given import asked_of
from mechdesign.release.composition import Composition, compose
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import console
from mechdesign.words import listed


@click.command("compose", cls=Command)
@click.argument("mechanism_files", type=FILE, metavar="MECHANISM...", nargs=-1, required=True)
@edges_options
@click.option(
    "--epsilon",
    metavar="E",
    help="What is claimed of each single release, in nats, and judged first; not of all together.",
)
@click.option("--together", metavar="E", help="What is claimed of all releases together, in nats, at --delta.")
@click.option("--delta", default="0", show_default=True, metavar="D", help="Of all releases together, in [0, 1).")
@click.option(
    "--releases",
    default="1",
    show_default=True,
    metavar="N",
    help="How often each MECHANISM is used, each time on new, independent data; or one number for each: 3,2.",
)
@click.option(
    "--parallel", is_flag=True, help="Each release is about another person, of whom one may move to a neighbour."
)
@normalise_option
@layout_options
@json_option
def compose_command(
    mechanism_files: tuple[str, ...],
    graph_name: str | None,
    all_pairs: bool,
    epsilon: str | None,
    together: str | None,
    delta: str,
    releases: str,
    parallel: bool,
    normalise: bool,
    layout: Layout,
    as_json: bool,
) -> int:
    """Say what several releases to independent data reveal together: their epsilon, at a delta of all together.

    The epsilon is an upper bound that is proved, with a lower one beside it, and basic composition's. It holds where
    each release is of new data, drawn independently from the same profile. Where a profile is a single value, as with
    counts and randomised response, that is the same value released again with new coins. Where it is a distribution,
    releasing one observation twice is something else, for which there is no such bound: see mechdesign reproduce
    gc-composition.
    Exit 0 done, and what was claimed holds; 1 it does not; 3 it is between the bounds.

    \b
    mechdesign compose mechanism.json --graph categorical-chain --epsilon 0.5 --releases 20 --delta 1e-6
    mechdesign compose first.json second.json --releases 3,2 --together 2
    """
    total = None if together is None else _claim(together)
    graph = read_graph(graph_name) if graph_name is not None else None
    mechanisms = [read_foreign(path, graph, layout=layout, normalise=normalise) for path in mechanism_files]
    with progress_bar("neighbours") as progress:
        found = compose(
            *mechanisms,
            graph=graph,
            releases=_numbers(releases),
            epsilon=epsilon,
            delta=delta,
            parallel=parallel,
            all_pairs=all_pairs,
            progress=progress,
        )
    asked = asked_of(mechanisms[0], graph, all_pairs=all_pairs)
    holds = None if total is None else found.satisfies(total)
    if as_json:
        answer = summary(found) | {"mechanisms": list(mechanism_files), "graph": graph_name, "parallel": parallel}
        answer["edges_from"] = str(asked.source)
        claim = {"claimed_together": None if total is None else shown_epsilon(total), "private_together": holds}
        matrices = [foreign_summary(mechanism) for mechanism in mechanisms]
        print_json(answer | claim | {"matrices": matrices})
    else:
        out = console()
        for name, mechanism in zip(mechanism_files, mechanisms, strict=True):
            for words in foreign_words(mechanism):
                out.print(words if len(mechanisms) == 1 else f"{name}: {words}")
        for sentence in sentences(found, parallel, mechanism_files):
            out.print(sentence)
        if found.worst is not None:
            out.print(f"On {asked.said(found.protected, graph_name or '')}.")
        share = found.delta / (1 if parallel else found.releases)
        for place, (name, mechanism) in enumerate(zip(mechanism_files, mechanisms, strict=True)):
            if graph is None and found.claimed is not None and place not in found.refuted:
                doubt = doubt_of_certified(
                    name, layout, mechanism, epsilon=found.claimed, delta=share, normalised=normalise
                )
                if doubt is not None and (unsure := doubt.words(refuted=False)) is not None:
                    out.print(unsure if len(mechanisms) == 1 else f"{name}: {unsure}")
        if total is not None:
            out.print(_together(found, total, holds))
    if found.private is False or (total is not None and holds is False):
        return 1
    return 3 if total is not None and holds is None else 0


def _claim(together: str) -> Epsilon:
    try:
        return parse_epsilon(together)
    except InputError as error:
        raise InputError([f"--together: {fault.removeprefix('epsilon: ')}" for fault in error.faults]) from None


def _numbers(releases: str) -> int | list[int]:
    cells = [cell.strip() for cell in releases.split(",")]
    if not all(cell.isascii() and cell.isdecimal() and len(cell) < 10 for cell in cells):
        raise InputError(
            f"--releases: expected a whole number, or one for each MECHANISM as 3,2; found {shown(releases)}"
        )
    numbers = [int(cell) for cell in cells]
    return numbers[0] if len(numbers) == 1 else numbers


def summary(found: Composition) -> dict[str, Any]:
    """Return the JSON object of a composition; null for infinity."""
    proved = found.claimed_together is not None
    return {
        "epsilon": in_json(found.epsilon[1]),
        "epsilon_lower": in_json(found.epsilon[0]),
        "delta": float(found.delta),
        "delta_exact": format_number(found.delta),
        "basic_epsilon": in_json(found.basic_epsilon),
        "basic_epsilon_exact": shown_epsilon(found.basic_epsilon) if found.private and proved else None,
        "tight_basic_epsilon": in_json(found.basic[1]),
        "exact": found.exact,
        "releases": found.releases,
        "private": found.private,
        "claimed": None if found.claimed is None else shown_epsilon(found.claimed),
        "refuted": list(found.refuted),
        "worst": None if found.worst is None else list(found.worst),
        **found.protected.summary(),
    }


def sentences(found: Composition, parallel: bool, files: Sequence[str]) -> Sequence[str]:
    """Return in words what the releases reveal."""
    said = []
    many = f"All {found.releases} releases together satisfy" if found.releases > 1 else "The release satisfies"
    if found.claimed is not None:
        each = found.delta / (1 if parallel else found.releases)
        at = f"epsilon {shown_epsilon(found.claimed)} at delta {short(each)}"
        at += ", its share" if each and not parallel else ""
        if found.refuted and len(files) > 1:
            which = f"{listed([files[i] for i in found.refuted])} {'do' if len(found.refuted) > 1 else 'does'} NOT"
            said.append(f"Not each release satisfies {at}: {which}.")
        else:
            said.append(f"Each release {'satisfies' if found.private else 'does NOT satisfy'} {at}.")
    if found.worst is None:
        return [*said, "There are no edges, so nobody is protected."]
    low, high = found.epsilon
    if high == math.inf:
        said.append(f"{many} no epsilon at delta {short(found.delta)}: {_edge(found)} can be told apart.")
    else:
        between = "and none below" if found.exact else "and none below about"
        said.append(f"{many} epsilon {high!r} at delta {short(found.delta)}, {between} {low!r} ({_edge(found)}).")
    basic = found.basic_epsilon
    what = "the largest of them" if parallel else "basic composition"
    said.append(f"By {what}: epsilon {printed_above(basic)!r}.")
    return said


def _together(found: Composition, claim: Epsilon, holds: bool | None) -> str:
    """Return whether a claim about all releases together holds."""
    asked = f"epsilon {shown_epsilon(claim)} of all together, at delta {short(found.delta)}"
    if holds is None:
        return f"Claimed: {asked}. That is between what is proved and what is refuted: neither."
    if holds:
        return f"Claimed: {asked}. It holds."
    return f"Claimed: {asked}. It does NOT hold{'' if found.exact else ', as computed in doubles'}."


def _edge(found: Composition) -> str:
    assert found.worst is not None  # there are edges
    return f"{found.worst[0]} against {found.worst[1]}"
