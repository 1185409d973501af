"""`mechdesign certify`."""

import math
import shlex
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import click

from mechdesign import reports
from mechdesign.certificate.certificate_file import write_certificate
from mechdesign.certifier.applied import to_judge
from mechdesign.certifier.certify import certify, with_doubt
from mechdesign.certifier.comparison import compare_with_optimal_product
from mechdesign.certifier.curve import LARGEST_DOUBLE, curve_places, privacy_curve
from mechdesign.certifier.other_ways import By
from mechdesign.certifier.sufficient_sets import work as count_work
from mechdesign.certifier.tight import Pair, pairs
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.answering import command
from mechdesign.cli.file_types import CURVE, FILE, OUTPUT
from mechdesign.cli.option_names import OneOf, option, saying_options
from mechdesign.cli.options import (
    Edges,
    cells_options,
    delta_option,
    edges_options,
    epsilon_option,
    nominal_option,
    plot_option,
)
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, format_number, shown_epsilon
from mechdesign.files.delimited import as_read
from mechdesign.files.kinds import MECHANISM, PRIVACY_CURVE, kind_of
from mechdesign.graph.labels import Label
from mechdesign.mechanism.foreign import read_foreign, reading_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.moved import can_be_mended
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.estimated import delta_within_radius
from mechdesign.reports.page.privacy_curve import PrivacyCurve
from mechdesign.show.answer import Answer, Column, Fact, Table, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, Within, in_json

LARGEST_BELOW_1 = math.nextafter(1.0, 0.0)
LONGEST = 40
"""Characters of an epsilon that is said as it was written."""
A_FEW = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5))
"""Epsilons at which the tight delta is said where no finite epsilon holds."""
EVERY_PAIR = "\nThe mechanism's file names no edges, so every pair was asked about: --graph takes the edges of a graph."


@command("certify")
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@edges_options
@epsilon_option(help="What is claimed, in nats, or inf. Without it: which one is satisfied.")
@delta_option(help="In [0, 1).")
@option("--by", "Decide by sufficient sets of outputs, linear programs, or every set.", OneOf(By), default="sets")
@nominal_option
@option("--all", "List each pair that fails; if none does, all pairs.", name="list_all")
@option("--curve CURVE.json", "Write the privacy curve: the least delta at each epsilon.", CURVE)
@plot_option(help="Draw that curve; with --all each pair's least epsilon.")
@option("--certificate CERT.json", "Write a proof of the verdict; .json.gz is compressed.", OUTPUT)
@option("--workload", "Count the inequalities that decide, by each theorem of Holohan et al.")
@cells_options
def certify_command(
    mechanism_file: str,
    edges: Edges,
    epsilon: Epsilon | None,
    delta: Fraction,
    by: str,
    nominal: bool,
    list_all: bool,
    curve: str | None,
    certificate: str | None,
    workload: bool,
    cells: dict[str, Any],
) -> Answer:
    """Prove exactly that a mechanism is private, or that it is not; or find which epsilon it satisfies.

    MECHANISM is a file of mechdesign, or a matrix: .csv, .npy, or .json with a list of rows. In a CSV file the first
    line and the first column may have labels. Where profiles of GRAPH have bounds, the claim is of every
    distribution within them, and one at which it fails refutes it.

    Exit status: 0 certified, or no epsilon claimed; 1 refuted; 3 neither is proved.

    \b
    mechdesign certify mechanism.json --graph categorical-chain --epsilon 0.5
    mechdesign certify matrix.csv --epsilon 1 --delta 1e-6
    mechdesign certify matrix.csv --all --plot pairs.svg
    """
    there = curve is not None and Path(curve).is_file() and Path(curve).stat().st_size
    if curve is not None and there and kind_of(curve) is not PRIVACY_CURVE:
        raise InputError("--curve: this file is there and is no privacy curve; give another name", source=curve)
    mechanism = read_foreign(mechanism_file, edges.graph, **cells)
    mechanism, asked = to_judge(mechanism, edges.graph, at_nominal=nominal, all_pairs=edges.all_pairs)
    with saying_options(mechanism_file):
        work = count_work(mechanism, asked) if workload else None
        verdict = certify(mechanism, asked, epsilon=epsilon, delta=delta, by=by)
        everyone = pairs(mechanism, asked, epsilon=epsilon, delta=delta) if list_all else None
    if certificate is not None:
        _write_evidence(verdict, mechanism, asked, epsilon, delta, certificate)
    question = _question(mechanism_file, edges.name, asked, epsilon, delta, by)
    points = cache(lambda: _curve(mechanism, asked, verdict, epsilon, delta, question))
    if curve is not None:
        points().write(curve)
    if edges.graph is None and epsilon is not None:
        verdict = with_doubt(
            verdict, mechanism_file, mechanism, epsilon, delta, cells["layout"], normalised=cells["normalise"]
        )
    alone = "The file proves it at these distributions; of others within the bounds this command alone tells."
    remarks = [alone if certificate is not None and verdict.refuted_at_each else None]
    remarks += [None if epsilon is None else by_radius_alone(verdict, mechanism, asked, epsilon)]
    if edges.graph is None and not edges.all_pairs and asked.every_pair and kind_of(mechanism_file) is MECHANISM:
        remarks.insert(0, None if verdict.private and not verdict.open else EVERY_PAIR)
    found = Answer(
        facts=[*for_programs(question | {"profiles": len(asked.names)}), *sentences(*remarks)],
        figures={} if list_all else {"curve": lambda: points().figure()},
    )
    if verdict.private is False and epsilon is not None and can_be_mended(mechanism, asked.profiles):
        wanted = ["--epsilon", shown_epsilon(epsilon), *(["--delta", format_number(delta)] if delta else [])]
        again = [*wanted, *edges.options(), *as_read(**cells)]
        mend = shlex.join(["mechdesign", "mend", mechanism_file, *again])
        found = found.then(Answer(facts=[Fact(words="The least change that mends it", copied=mend)]))
    comparison = None
    if epsilon is not None:
        comparison = compare_with_optimal_product(mechanism, asked, epsilon=epsilon, delta=delta)
    best = Answer(facts=for_programs({"optimal_product": None}))
    if comparison is not None:
        best = comparison.answer(private=verdict.private is True).within("optimal_product")
    parts = [reading_of(mechanism), found, _tight_deltas(verdict, mechanism, asked)]
    parts.append(best if verdict.private else best.unsaid())  # otherwise there is nothing to be lost against
    parts += [] if everyone is None else [_every_pair(everyone, asked.names, robust=asked.robust)]
    parts += [] if work is None else [work.answer(delta=delta).within("workload")]
    told = verdict.answer(asked=epsilon is not None).then(*parts)
    return replace(told, about=_asked(verdict, asked, epsilon, delta, edges.name))


def _curve(
    mechanism: Mechanism,
    asked: Asked,
    verdict: Verdict,
    epsilon: Epsilon | None,
    delta: Fraction,
    question: dict[str, Any],
) -> PrivacyCurve:
    """Return the curve from 0 to a little beyond what is tight and what is asked."""
    of_own = verdict.own is not None and not verdict.edges_asked
    tight = verdict.epsilon if verdict.own is None or not of_own else verdict.own.scale
    claimed = Fraction(1) if of_own else None if epsilon is None or epsilon == math.inf else Fraction(epsilon)
    places = curve_places(tight[1], claimed)
    with progress_bar("the curve, by point") as progress:
        points = privacy_curve(mechanism, asked, places, scale_own=of_own, progress=progress)
    found = [(place, low, high) for place, (_, low, high) in zip(places, points, strict=True)]
    claim = None if claimed is None else (claimed, delta)
    told = {**question, "robust": asked.robust}
    return PrivacyCurve("scale" if of_own else "epsilon", found, tight, claim, delta, told)


def _asked(verdict: Verdict, asked: Asked, epsilon: Epsilon | None, delta: Fraction, graph: str | None) -> str:
    """Return what was asked, in words."""
    own = verdict.own is not None and not verdict.open
    which = "the edges' own epsilons," if own else "which epsilon it satisfies at"
    wanted = which if epsilon is None else f"epsilon {brief(epsilon, LONGEST, 6)},"
    some = "" if asked.every_pair or verdict.private else f", {verdict.protected.counts()} of profiles"
    return f"Asked: {wanted} delta {format_number(delta)}, on {asked.words(graph or '')}{some}."


def _tight_deltas(verdict: Verdict, mechanism: Mechanism, asked: Asked) -> Answer:
    """Return the tight delta at a few epsilons, where no finite epsilon holds."""
    infinite = verdict.open and verdict.epsilon[1] == math.inf
    rows = [(Exact(at), Within(*ends)) for at, *ends in privacy_curve(mechanism, asked, A_FEW)] if infinite else []
    columns = [Column("epsilon", "at epsilon"), Column("delta", "tight delta")]
    return Answer(tables=[Table("deltas", "What holds in place of it", columns, rows)])


def _every_pair(found: Iterable[Pair], profiles: list[Label], *, robust: bool) -> Answer:
    """Return what each ordered pair needs, worst first."""
    pairs = sorted(found, key=lambda pair: -pair.beyond)
    columns = [
        Column("edge", "pair"),
        Column("epsilon", "tight epsilon"),
        Column("required", "required"),
        Column("met", "met"),
    ]
    rows: list[tuple[object, ...]] = [
        (
            Exact(list(pair.edge), f"{pair.edge[0]} against {pair.edge[1]}"),
            Within(*pair.needs),
            None if pair.required is None else Exact(shown_epsilon(pair.required), brief(pair.required, 12, 6)),
            pair.met,
        )
        for pair in pairs
    ]
    if any(pair.refuted_at_each is not None for pair in pairs):
        columns.append(Column("refuted_at_each", "fails at each distribution"))
        rows = [(*row, pair.refuted_at_each) for row, pair in zip(rows, pairs, strict=True)]
    failing = sum(pair.met is False for pair in pairs)
    fail = "fail at some distributions" if robust else "fail"
    title = f"Ordered pairs that {fail}: {failing} of {len(pairs)}" if failing else f"Ordered pairs: {len(pairs)}"
    needs = {pair.edge: pair.needs for pair in pairs}
    return Answer(
        facts=for_programs({"failing": failing}),
        tables=[Table("ordered_pairs", title, columns, rows)],
        figures={"pairs": lambda: reports.plot_tight_epsilons(needs, profiles)},
    )


def _write_evidence(
    verdict: Verdict,
    mechanism: Mechanism,
    asked: Asked,
    epsilon: Epsilon | None,
    delta: Fraction,
    path: str,
) -> None:
    """Write what proves a verdict; before anything else is written, as it may be refused."""
    from mechdesign.certifier.evidence import evidence_of  # loads slowly

    if verdict.open:
        raise InputError("--certificate: there is a proof of a claim only; give --epsilon", source=path)
    write_certificate(evidence_of(verdict, mechanism, asked, math.inf if epsilon is None else epsilon, delta), path)


def _question(
    mechanism: str, graph: str | None, asked: Asked, epsilon: Epsilon | None, delta: Fraction, by: str
) -> dict[str, Any]:
    """Return what was asked, as JSON has it."""
    nearest = math.inf if epsilon == math.inf else float(min(Fraction(epsilon or 0), LARGEST_DOUBLE))
    return {
        "mechanism": mechanism,
        "graph": graph,
        "edges_from": str(asked.source),
        "epsilon": None if epsilon is None else in_json(nearest),
        "epsilon_exact": None if epsilon is None else shown_epsilon(epsilon),
        "delta": float(delta),
        "delta_exact": format_number(delta),
        "by": by,
    }


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
