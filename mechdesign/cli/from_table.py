"""`mechdesign graph from-table`."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import EDGES, FILE, WRITES_GRAPH, OutputFolder, graph_document
from mechdesign.cli.graph_answer import FILES, NO_EDGES, answer_of_graph, answer_of_split
from mechdesign.cli.option_names import OneOf, option, saying_options
from mechdesign.cli.options import layout_options, listed, reading_options
from mechdesign.cli.output import row_bar
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
from mechdesign.files.scan import scan
from mechdesign.files.tables import all_parts
from mechdesign.files.writing import made_folder
from mechdesign.graph.cell_labels import reading_of
from mechdesign.graph.from_table.alphabet import Alphabet
from mechdesign.graph.from_table.confidence import Of
from mechdesign.graph.from_table.distinct import Distinct, distinct
from mechdesign.graph.from_table.making import graph_from_table
from mechdesign.graph.from_table.pairs import Header
from mechdesign.graph.from_table.row_weights import WeightColumn, weight_column
from mechdesign.graph.from_table.split import graphs_from_table
from mechdesign.graph.graph_file import write_graph
from mechdesign.graph.uncertainty import bounds_in_words
from mechdesign.show.answer import Answer, for_programs, sentences

GRAPHS = OutputFolder(
    "for one graph per column", FILES.format("*"), where=lambda options: bool(options["split"]), check=graph_document
)

LIST = "A,B,C"
"""How a list of names is given: as a line of CSV."""


@command(
    "from-table",
    written={"output": "graph"},
    short_help="Make a profile graph from a table of data.",
)
@click.argument("data", type=FILE, metavar="DATA")
@option("--profile COLUMN", "The column of the profile.", required=True)
@option(
    "--value COLUMN",
    "The column whose value is reported; or A,B: several, all combinations of whose values are the categories.",
    required=True,
)
@option(
    "--split S,T",
    "A graph for each column of --value by itself, which gets this share of any epsilon, such as 2,1; -o is then a"
    " folder.",
)
@option(
    "--edges all|COLUMN|FILE.csv",
    "Which profiles must be indistinguishable: all, those that agree in a column, or the pairs in a file, which"
    " may have columns epsilon, delta and distance.",
    EDGES,
    default="all",
)
@option(
    "--edges-header",
    "Whether the file of pairs has a heading; auto: if its first line names no profile.",
    OneOf(Header),
    default="auto",
)
@option("--count COLUMN", "The column with the number of records in a row.")
@option(
    "--weight COLUMN",
    "The column of the records' weights, as in a survey. Bounds of the population are then approximate.",
)
@option(
    "--weight-limit W",
    "With --weight and --noise: the largest weight that counts, chosen without a look at DATA; larger ones are cut"
    " to it.",
)
@option(
    "--design-effect D",
    "With --confidence: bounds as of D times fewer records. Default with --weight: by the weights (Kish).",
)
@option("--smoothing A", "Added to every count.", default="0")
@option("--weigh-by-count", "Weigh profiles by their numbers of records.")
@option(
    f"--categories {LIST}",
    "The categories in their order; of several columns once for each. Default: those of an ordered categorical"
    " column; or else sorted.",
    multiple=True,
)
@option("--unordered", "The order of the categories means nothing.")
@option(f"--profiles {LIST}", "The profiles in their order. Default: those that occur, sorted.")
@option("--others LABEL", "The category of values that are not in --categories, or rare (--merge-below).")
@option("--merge-below N", "Categories of fewer than N rows become --others.", int)
@reading_options(as_made="")
@option("--public", "The table is public anyway.")
@option(
    "--noise EPSILON",
    "Make the graph EPSILON-differentially private for one record more, less or changed, by noise on every count."
    " Needs --categories and --profiles.",
)
@option("--round N", "Round probabilities to multiples of 1/N, which protects nobody.", int, name="round_to")
@option(
    "--confidence C",
    "Bounds around each probability that contain all true profiles with probability C, such as 0.95. For a public"
    " sample or, with --noise, for your own table; not with --round.",
)
@option(
    "--of",
    "Whose profiles the bounds contain: those of the population that the records are drawn from (the default), or"
    " of the table itself. The table's need --noise.",
    OneOf(Of),
)
@option("--public-sizes", "The number of records of each profile is public; bounds use it.")
@option(
    "--suggest-noise TOTAL",
    "Write nothing and read no record, but say which --noise leaves the least loss, if noise and released value"
    " may tell TOTAL together. Needs --confidence, --categories, --profiles and --records.",
)
@option("--records N", "About how many records each profile has, for --suggest-noise.", int)
@option("-o/--output GRAPH.json", WRITES_GRAPH, GRAPHS)
@layout_options
def from_table_command(
    data: str,
    edges: str,
    split: str | None,
    categories: tuple[str, ...],
    unordered: bool,
    profiles: str | None,
    suggest_noise: str | None,
    records: int | None,
    output: str | None,
    reading: dict[str, Any],
    layout: Layout,
    **options: Any,
) -> Answer:
    """Make a profile graph from a table of data (CSV, Parquet, Feather, Arrow) of any size, or a folder of such files.

    Cells are taken without the blanks around them; blank ones, nulls and --missing-words are missing values. The graph
    records how cells were read, and sanitise and estimate read them in the same way.

    Exact distributions reveal something about the people in the table, and so does a mechanism made with them: --noise
    makes the graph private; --public says that this does not matter.

    \b
    mechdesign graph from-table usage.csv --profile job --value usage --edges department -o usage.json
    mechdesign graph from-table survey.csv --profile town --value answer --categories no,perhaps,yes \\
        --profiles Ulm,Jena --noise 1 -o survey.json
    """
    pairs = EDGES.find(edges)
    lists = [listed("categories", one) or [] for one in categories]
    options |= {"categories": lists[0] if len(lists) == 1 else lists or None, "profiles": listed("profiles", profiles)}
    if suggest_noise is not None:
        from mechdesign.cli.suggested_noise import suggested  # loads slowly

        if split is not None:
            raise InputError("split: --suggest-noise is for one graph; leave it out")
        named = options["categories"] if len(lists) < 2 else list(product(*lists))
        return suggested(suggest_noise, records, pairs, edges, layout, options | {"categories": named})
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    joined_by = edges if pairs is None and edges != "all" else None
    needed = [options["profile"], options["value"], options["count"], joined_by]
    weight = weight_column(options["weight"], options["weight_limit"])
    rows = _read(data, [name for name in needed if name is not None], weight, layout)
    options |= reading | {"edges": edges if pairs is None else pairs, "edges_layout": layout}
    options |= {"ordered": False if unordered else None, "name": Path(output).stem, "source": f"made from {data}"}
    with saying_options(data):
        if split is None:
            graphs = {output: graph_from_table(rows, **options)}
        else:
            found = graphs_from_table(rows, split=listed("split", split) or [], **options)
            graphs = {str(Path(output, FILES.format(number))): one for number, one in enumerate(found, start=1)}
    told = [_answer(graph, path, edges) for path, graph in graphs.items()]
    if split is not None:
        made_folder(output)
    for path, graph in graphs.items():
        write_graph(graph, path)
    return told[0] if split is None else answer_of_split(list(graphs.values()), told)


def _answer(graph: nx.Graph, path: str, edges: str) -> Answer:
    """Return what is told of a graph."""
    made, warning = graph.graph["made"], warning_of(graph)
    told = {key: made.get(key) for key in ("edges_heading", "left_out", "confidence")} | {"warning": warning}
    remarks = [*for_programs(told), *sentences(*_remarks(graph, edges))]
    caution = made.get("confidence", {}).get("caution")
    warnings = [one for one in (warning, caution and f"{caution[0].upper()}{caution[1:]}.") if one]
    return answer_of_graph(graph, path).then(Answer(facts=remarks, warnings=warnings))


def _read(data: str, names: list[str], weight: WeightColumn | None, layout: Layout) -> Distinct:
    """Return the rows that differ, of a table of any size."""
    plain = [] if weight is None else [weight.name]
    with scan(data, names, keep=plain, layout=layout) as stream, row_bar(data) as tell:

        def told() -> Iterator[Any]:
            rows = 0
            for batch in stream:
                yield batch
                rows += len(batch)
                tell(rows, stream.share())

        return distinct(told(), all_parts(names, stream.schema.names), weight)


def warning_of(graph: nx.Graph) -> str | None:
    """Return in words what makes a graph from a table unfit for use or for handing around; None if nothing does."""
    sentences = []
    if not graph.number_of_edges():
        sentences.append(f"{NO_EDGES}; see --edges.")
    told = graph.graph["made"].get("warning")
    if told is not None:
        sentences.append(
            f"{told[0].upper() + told[1:]}: they, and any mechanism, certificate or drawing made with this graph,"
            " tell about the people in the table. --noise EPSILON makes them differentially private; --public says"
            " that the table is public anyway."
        )
    return " ".join(sentences) or None


def _remarks(graph: nx.Graph, edges: str) -> list[str]:
    """Return in words what was done to the table and is easily overlooked."""
    made = graph.graph["made"]
    remarks = []
    if "columns" in made:
        remarks.append(f"The categories: {Alphabet.in_words(made)}.")
    if "edges_heading" in made:
        heading = ",".join(made["edges_heading"])
        remarks.append(f'The first line of {edges}, "{heading}", was taken as a heading, not as a pair.')
    if reading_of(made).drops:
        remarks.append(f"Left out for a missing value: {made.get('left_out', 'some')} of the rows.")
    if "others" in made:
        remarks.append(f"Values that are none of the other categories are {made['others']}.")
    if "weights" in made:
        remarks.append(f"{made['weights'].capitalize()}.")
    if "confidence" in made:
        sure = made["confidence"]
        remarks += [f"{bounds_in_words(graph)}.", f"What is designed with them: {sure['guarantee']}."]
        remarks.append(f"Bounds: {sure['intervals']}.")
    if "noise" in made:
        remarks.append(f"Noised with epsilon {made['noise']['epsilon']}: {made['noise']['guarantee']}.")
    if "noise" in made and "confidence" not in made:
        remarks.append(
            "What is designed with it is private for the noised profiles; for the exact ones it may miss its epsilon:"
            " certify --graph, with the exact graph that you keep to yourself, says by how much;"
            " --confidence 0.95 makes bounds, within which it is private."
        )
    return remarks
