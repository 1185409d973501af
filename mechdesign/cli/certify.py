"""`mechdesign certify`."""

import math
from fractions import Fraction
from typing import Any

import click

from mechdesign.certificate.file import write_certificate
from mechdesign.certifier.applied import to_judge
from mechdesign.certifier.certify import certify
from mechdesign.certifier.comparison import compare_with_optimal_product
from mechdesign.certifier.curve import LARGEST_DOUBLE, privacy_curve
from mechdesign.certifier.other_ways import By
from mechdesign.certifier.tight import Pair, pairs
from mechdesign.certifier.verdict import Verdict
from mechdesign.certifier.work import work as count_work
from mechdesign.cli.certify_curve import check_replaceable, curve_of
from mechdesign.cli.certify_text import (
    by_radius_alone,
    compared,
    guaranteed,
    pairs_summary,
    print_comparison,
    print_pairs,
    print_remedy,
    print_verdict,
    status_of,
    summary,
)
from mechdesign.cli.foreign_text import foreign_summary, print_foreign
from mechdesign.cli.names import OneOf
from mechdesign.cli.options import as_given, as_read, edges_options, json_option, layout_options, normalise_option
from mechdesign.cli.output import console, in_json, print_json
from mechdesign.cli.paths import CURVE, FILE, OUTPUT, PICTURE, Command
from mechdesign.cli.rounded_text import doubt_of_certified, doubt_of_refuted
from mechdesign.cli.workload import print_workload, workload_summary
from mechdesign.designer.caution import UNBOUNDED, unprotected
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, parse_delta, parse_epsilon
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.files.delimited import Layout
from mechdesign.files.kinds import MECHANISM, kind_of
from mechdesign.graph.file import read_graph
from mechdesign.graph.labels import Label
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.given import asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.rewritten import can_be_mended
from mechdesign.privacy.asked import Asked

A_FEW = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5))
"""Epsilons at which the tight delta is said where no finite epsilon holds."""
EVERY_PAIR = "\nThe mechanism's file names no edges, so every pair was asked about: --graph takes the edges of a graph."


@click.command("certify", cls=Command)
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@edges_options
@click.option("--epsilon", metavar="E", help="What is claimed: nats, >= 0, or inf. Without it: what is satisfied.")
@click.option("--delta", default="0", show_default=True, metavar="D", help="In [0, 1).")
@click.option(
    "--by",
    type=OneOf(By),
    default="sets",
    show_default=True,
    help="How to find what each pair needs: by the sufficient set, a linear program, or every set.",
)
@click.option(
    "--nominal", is_flag=True, help="Take the profiles' distributions alone, not every one within their bounds."
)
@click.option("--all", "list_all", is_flag=True, help="List every pair that fails; if none does, all; worst first.")
@click.option("--curve", type=CURVE, metavar="CURVE.json", help="Write the tight delta at each epsilon, as data.")
@click.option(
    "--plot", type=PICTURE, metavar="FILE", help="Draw that; with --all each pair's tight epsilon. PNG, SVG or PDF."
)
@click.option(
    "--certificate",
    type=OUTPUT,
    metavar="CERT.json",
    help="Write a proof of the verdict, which check and checker.py check; .json.gz compresses it.",
)
@click.option(
    "--workload", is_flag=True, help="Also say how many inequalities decide, by each theorem of Holohan et al."
)
@normalise_option
@layout_options
@json_option
def certify_command(
    mechanism_file: str,
    graph_name: str | None,
    all_pairs: bool,
    epsilon: str | None,
    delta: str,
    by: str,
    nominal: bool,
    list_all: bool,
    curve: str | None,
    plot: str | None,
    certificate: str | None,
    workload: bool,
    normalise: bool,
    layout: Layout,
    as_json: bool,
) -> int:
    """Certify a mechanism, or refute it with a witness; or say which epsilon it satisfies. Exactly.

    MECHANISM is mechdesign's own JSON, or a matrix: .csv, .npy, or .json with a list of rows. In a CSV file the first
    line and the first column may hold labels, with the corner between them empty. Where profiles of GRAPH have bounds
    (lower and upper, or radius), the verdict is for every distribution within.
    Exit 0 certified, or nothing was asked; 1 refuted; 3 neither is proved, as may be for profiles within bounds and
    delta > 0.

    \b
    mechdesign certify mechanism.json --graph categorical-chain --epsilon 0.5
    mechdesign certify matrix.csv --epsilon 1 --delta 1e-6
    mechdesign certify matrix.csv --all --plot pairs.svg
    """
    claim, allowed = None if epsilon is None else parse_epsilon(epsilon), parse_delta(delta)
    check_replaceable(curve)
    graph = read_graph(graph_name) if graph_name is not None else None
    mechanism = read_foreign(mechanism_file, graph, layout=layout, normalise=normalise)
    bounds = asked_of(mechanism, graph).robust
    mechanism, asked = to_judge(mechanism, graph, at_nominal=nominal, all_pairs=all_pairs)
    try:
        work = count_work(mechanism, asked) if workload else None
        verdict = certify(mechanism, asked, epsilon=math.inf if claim is None else claim, delta=allowed, by=by)
        everyone = _worst_first(mechanism, asked, claim, allowed) if list_all else None
    except InputError as error:
        raise InputError(error.faults, source=mechanism_file) from None
    if certificate is not None:
        _write_evidence(verdict, mechanism, asked, claim, allowed, certificate)
    comparison = None
    if claim is not None:
        comparison = compare_with_optimal_product(mechanism, asked, epsilon=claim, delta=allowed)
    doubt = None
    if graph is None and claim is not None and verdict.private is not None and verdict.worst is not None:
        said: dict[str, Any] = {"epsilon": claim, "delta": allowed, "normalised": normalise}
        if verdict.private:
            doubt = doubt_of_certified(mechanism_file, layout, mechanism, **said)
        else:
            said |= {"edge": verdict.worst.edge, "among": verdict.worst.set, "every_pair": True}
            doubt = doubt_of_refuted(mechanism_file, layout, mechanism, **said)
    infinite = verdict.open and verdict.epsilon[1] == math.inf
    deltas = privacy_curve(mechanism, asked, A_FEW) if infinite else []
    question = _question(mechanism_file, graph_name, asked, claim, allowed, by)
    if curve is not None or (plot is not None and everyone is None):
        points = curve_of(mechanism, asked, verdict, claim, allowed)
        if curve is not None:
            points.write(curve, question)
        if plot is not None and everyone is None:
            points.draw(plot)
    if plot is not None and everyone is not None:
        _draw_pairs(everyone, asked.names, plot)
    infinitely = claim == math.inf and not asked.requirements(claim, allowed)
    nothing = verdict.worst is None or infinitely
    warning = unprotected(asked, ()) if nothing else UNBOUNDED if bounds and nominal else None
    if as_json:
        answer = summary(verdict, asked=claim is not None) | question | {"profiles": len(asked.names)}
        answer |= {
            "optimal_product": compared(comparison, private=verdict.private is True),
            "curve": curve,
            "plot": plot,
            "certificate": certificate,
            "warning": warning,
            "guarantee": guaranteed(verdict, asked),
            "rounding": None if doubt is None else doubt.summary(),
        }
        answer |= {"deltas": [dict(zip(("epsilon", "delta_lower", "delta_upper"), at, strict=True)) for at in deltas]}
        answer |= foreign_summary(mechanism) | ({} if work is None else {"workload": workload_summary(work)})
        print_json(answer | ({} if everyone is None else pairs_summary(everyone)))
    else:
        out = console()
        if warning is not None:
            out.print(warning)
        print_foreign(mechanism)
        own = verdict.own is not None and not verdict.open
        which = "the edges' own epsilons," if own else "which epsilon it satisfies at"
        wanted = which if claim is None else f"epsilon {shown_epsilon(claim)},"
        some = "" if asked.every_pair or verdict.private else f", {verdict.protected.counts()} of profiles"
        out.print(f"Asked: {wanted} delta {format_number(allowed)}, on {asked.words(graph_name or '')}{some}.")
        print_verdict(out, verdict, deltas, mechanism.categories)
        alone = graph_name is None and not all_pairs and asked.every_pair and kind_of(mechanism_file) is MECHANISM
        if alone and (verdict.open or not verdict.private):
            out.print(EVERY_PAIR)
        if claim is not None and (words := by_radius_alone(verdict, mechanism, asked, claim)) is not None:
            out.print(f"\n{words}")
        if doubt is not None and (unsure := doubt.words(refuted=not verdict.private)) is not None:
            out.print(f"\n{unsure}")
        if (so := guaranteed(verdict, asked)) is not None:
            out.print(f"\nSo it is, {so}.")
        if verdict.private is False and claim is not None and can_be_mended(mechanism, asked.profiles):
            whose = as_given(graph_name, all_pairs)
            print_remedy(out, mechanism_file, whose, epsilon, delta, as_read(normalise, layout))
        if everyone is not None:
            print_pairs(out, everyone)
        if comparison is not None and verdict.private:  # otherwise there is nothing to be lost against
            print_comparison(out, comparison)
        if work is not None:
            print_workload(out, work, delta=allowed)
        written = [path for path in (curve, plot, certificate) if path is not None]
        if written:
            out.print(f"\nWritten: {', '.join(written)}.")
    return status_of(verdict)


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


def _worst_first(mechanism: Mechanism, asked: Asked, epsilon: Epsilon | None, delta: Fraction) -> list[Pair]:
    return sorted(pairs(mechanism, asked, epsilon=epsilon, delta=delta), key=lambda pair: -pair.beyond)


def _draw_pairs(everyone: list[Pair], profiles: list[Label], path: str) -> None:
    from mechdesign.report.plots import save_figure  # matplotlib loads slowly
    from mechdesign.report.privacy_plots import plot_tight_epsilons

    save_figure(plot_tight_epsilons({pair.edge: pair.needs for pair in everyone}, profiles), path)
