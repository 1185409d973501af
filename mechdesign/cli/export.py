"""`mechdesign export`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import click
import numpy as np

from mechdesign.certificate.vipr import vipr_of
from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, OUTPUT
from mechdesign.cli.option_names import OneOf, option, saying_options
from mechdesign.cli.options import Edges, cells_options, delta_option, edges_options, epsilon_option
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.files.opening import sha256_of
from mechdesign.files.writing import Write, write_together
from mechdesign.mechanism.foreign import read_foreign, reading_of
from mechdesign.mechanism.given import asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.release.javascript import javascript_module
from mechdesign.release.transition_matrices import in_doubles, matrices_as_csv, transition_matrices
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.show.fact_numbers import in_json
from mechdesign.words import counted

Verdicts: TypeAlias = tuple[Verdict, Verdict]
"""Of the exact mechanism, and of the doubles written."""

NAMES = {"exact": "The exact mechanism", "doubles": "The doubles written"}

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "js": (".js", ".mjs"),
    "csv": (".csv",),
    "npy": (".npy",),
    "vipr": (".vipr",),
}
"""Of the files that each form is written to."""

IN_PYTHON = "Python needs no other file: md.sanitise(md.read_mechanism(FILE), values) draws from this one, exactly"
ELSEWHERE = dict.fromkeys(("py", "python"), IN_PYTHON)
"""Forms that are asked for, and where they are."""


@command("export", written={"output": "file"})
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@option(
    "--to",
    "JavaScript, CSV, numpy's file, VIPR; Python has md.sanitise.",
    OneOf(ENDINGS, ELSEWHERE),
    name="form",
    required=True,
)
@option("-o/--output FILE", "Where to write it.", OUTPUT, required=True)
@edges_options
@epsilon_option(help="With csv, npy: certify at this epsilon.")
@delta_option(help="With csv, npy: certify at this delta.")
@cells_options
def export_command(
    mechanism_file: str,
    form: str,
    output: str,
    edges: Edges,
    epsilon: Epsilon | None,
    delta: Fraction,
    cells: dict[str, Any],
) -> Answer:
    """Write a mechanism for use elsewhere.

    js is one ES module without dependencies, for browsers and node: sanitise(value, profile) draws with integers alone,
    exactly from the mechanism's distribution, with the platform's cryptographic generator.

    csv and npy have doubles, which are another mechanism: both are certified exactly, so that you see what rounding
    loses. npy has no labels: profiles, categories and outputs are in the order of MECHANISM.

    vipr is of a certificate in the place of MECHANISM: the linear program whose solution the mechanism is, and the
    combination of its rows that proves the bound, for checkers that others wrote.

    Exit status: 0 done, and --epsilon holds, but for what rounding loses; 1 it does not.

    \b
    mechdesign export mechanism.json --to js -o sanitise.js
    mechdesign export mechanism.json --to csv -o matrix.csv --graph categorical-chain --epsilon 0.5
    mechdesign export proof.json --to vipr -o proof.vipr
    """
    question = Question(edges.name, epsilon, delta)
    if Path(output).suffix.lower() not in ENDINGS[form]:
        raise InputError(f"--to {form}: expected a name that ends in {' or '.join(ENDINGS[form])}", source=output)
    given = edges.options() + ["--epsilon"] * (epsilon is not None) + ["--delta"] * (delta > 0)
    if form in ("js", "vipr") and given:
        raise InputError(f"{given[0]}: goes with --to csv or npy; the others hold exact numbers, nothing is lost")
    if form == "vipr":
        return _proof_written(mechanism_file, output)
    mechanism = read_foreign(mechanism_file, edges.graph, **cells)
    with saying_options(mechanism_file):
        digest = sha256_of(mechanism_file)
        write = _writer(mechanism, form, digest)
        asked = asked_of(mechanism, edges.graph, all_pairs=edges.all_pairs)
        verdicts = None if form == "js" else question.answers(mechanism, asked)
    write_together((output, write))
    about = {"to": form, "digest": digest} | _sizes(mechanism)
    remarks = f"What is written: {_in_words(mechanism)}.", f"SHA-256 of the mechanism's file: {digest}"
    more = Answer(facts=[*for_programs(about), *sentences(*remarks)])
    return question.answer(asked, verdicts).then(reading_of(mechanism), more)


def _proof_written(certificate: str, output: str) -> Answer:
    with saying_options(certificate):
        content = vipr_of(certificate).encode()
    write_together((output, lambda beside: beside.write_bytes(content)))
    facts = for_programs({"to": "vipr", "digest": sha256_of(certificate)})
    return Answer("The mechanism is its solution; its last row is the bound, from the others.", facts=facts)


def _writer(mechanism: Mechanism, form: str, digest: str) -> Write:
    """Return what writes the file; whatever may be wrong with it is found here."""
    if form == "npy":
        tables = transition_matrices(mechanism)
        return lambda beside: np.save(beside, tables)
    text = javascript_module(mechanism, digest=digest) if form == "js" else matrices_as_csv(mechanism)
    content = text.encode("utf-8", errors="backslashreplace")
    return lambda beside: beside.write_bytes(content)


@dataclass(frozen=True)
class Question:
    """At which epsilon (None: at any) and delta, on whose edges, the exact mechanism and its doubles are certified."""

    graph: str | None
    epsilon: Epsilon | None
    delta: Fraction

    def answers(self, mechanism: Mechanism, asked: Asked) -> Verdicts:
        """Return what is proved of the mechanism, and of its doubles."""
        both = (mechanism, in_doubles(mechanism))
        exact, doubles = (certify(one, asked, epsilon=self.epsilon, delta=self.delta) for one in both)
        return exact, doubles

    def answer(self, asked: Asked, verdicts: Verdicts | None) -> Answer:
        """Return what is told of both; the status is 1 if the epsilon asked does not hold, by more than rounding."""
        told = {
            "graph": self.graph,
            "edges_from": str(asked.source),
            "epsilon": in_json(self.epsilon),
            "delta": float(self.delta),
        }
        if verdicts is None:
            nothing = for_programs(dict.fromkeys((*told, "exact", "doubles")))
            drawn = "It draws with the exact integers: what is certified of the mechanism holds of it."
            return Answer(drawn, facts=nothing)
        claim = "which epsilon is satisfied" if self.epsilon is None else f"epsilon {shown_epsilon(self.epsilon)}"
        edges, found = asked.words(self.graph or ""), Answer(facts=for_programs(told))
        status = 0
        for key, name, verdict in zip(NAMES, NAMES.values(), verdicts, strict=True):
            answer = verdict.answer(asked=self.epsilon is not None)
            whole = for_programs({f"{key}.sentence": answer.sentence}) + sentences(f"{name}: {answer.sentence}")
            found = found.then(answer.unsaid().within(key), Answer(facts=whole))
            if self.epsilon is not None and not verdict.by_rounding:
                status = max(status, answer.status)
        about = f"Certified on {edges}; asked: {claim}, delta {format_number(self.delta)}."
        return replace(found, about=about, status=status)


def _sizes(mechanism: Mechanism) -> dict[str, Any]:
    return {
        "profiles": len(mechanism.profiles),
        "categories": len(mechanism.categories),
        "outputs": len(mechanism.outputs),
        "one_matrix": mechanism.one_matrix,
    }


def _in_words(mechanism: Mechanism) -> str:
    profiles = len(mechanism.profiles)
    tables = "one table for all profiles" if mechanism.one_matrix else f"a table for each of {profiles} profiles"
    sizes = counted(len(mechanism.categories), "category"), counted(len(mechanism.outputs), "output")
    return ", ".join((tables, *sizes))
