"""`mechdesign graph from-table --suggest-noise`: how a budget is best divided, before any record is read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mechdesign.designer.suggested_noise import SuggestedNoise, simulated, suggest_noise
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import Layout
from mechdesign.graph.from_table.pairs import Header, pairs_in_file
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.show.answer import Answer, Column, Fact, Table, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, Up

USES = (
    "No record was read, so this tells nothing of the table. What was tried: simulated profiles, as many as you name,"
    " with the categories and edges that you give, and {} records of each. With the true ones another noise may do"
    " better; private they are anyway. For another objective, or one matrix for all, md.suggest_noise in Python has"
    " objective= and shared=."
)


def suggested(
    total: str, records: int | None, pairs: Path | None, edges: str, layout: Layout, options: dict[str, Any]
) -> Answer:
    """Return which `--noise` to take, for a budget of noise and released value together."""
    profiles, categories, confidence = (options[key] for key in ("profiles", "categories", "confidence"))
    faults = [
        f"suggest-noise: give {name} too, so that no record need be read"
        for name, given in (("profiles", profiles), ("categories", categories), ("records", records))
        if given is None
    ]
    faults += [] if confidence is not None else ["suggest-noise: give the confidence too, such as 0.95"]
    if options["noise"] is not None:
        faults.append("suggest-noise: says which noise to take; leave noise out, then give that")
    if any(options[name] is not None for name in ("weight", "weight_limit", "design_effect")):
        faults.append("suggest-noise: simulates records that count alike; leave weights and design-effect out")
    if pairs is None and edges != "all":
        faults.append(f"suggest-noise: column {edges} of the edges would have to be read; give all, or a file of pairs")
    if faults:
        raise InputError(faults)
    assert records is not None
    found = suggest_noise(
        profile_graph(
            simulated(profiles, categories), edges=_joined(pairs, layout, options, profiles), categories=categories
        ),
        total,
        records=records,
        confidence=confidence,
        of=options["of"] or "population",
        public_sizes=options["public_sizes"],
    )
    return answer_of(found, records)


def _joined(pairs: Path | None, layout: Layout, options: dict[str, Any], profiles: Sequence[str]) -> Any:
    if pairs is None:
        return "all"
    return pairs_in_file(pairs, Header(options["edges_header"]), layout, profiles)[0]


def answer_of(found: SuggestedNoise, records: int) -> Answer:
    """Return what is told of it."""
    best = found.best
    rows = [[Exact(one.noise), Exact(one.epsilon), Up(one.value)] for one in found.trials]
    usual = f"{found.baseline_name}, no noise, epsilon {format_number(found.total)}"
    better = "Take it: it is better than the best that was tried." if found.baseline <= best.value else None
    columns = [Column("noise", "noise"), Column("epsilon", "epsilon"), Column("value", found.objective)]
    return Answer(
        f"Of a budget of {format_number(found.total)}: --noise {format_number(best.noise)},"
        f" then design --epsilon {format_number(best.epsilon)}.",
        facts=[
            Fact("noise", number=Exact(best.noise), exact=True),
            Fact("epsilon", number=Exact(best.epsilon), exact=True),
            *for_programs({"total": found.total, "records": records, "objective": found.objective}),
            *for_programs({"baseline_name": found.baseline_name}),
            Fact("baseline", usual, Up(found.baseline)),
            *sentences(better, USES.format(f"{records:,}")),
        ],
        tables=[Table("trials", "What was tried", columns, rows)],
    )
