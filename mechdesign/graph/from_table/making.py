"""`graph_from_table`: count the records of a table, and join the profiles."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import format_number, shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.tables import check_columns, parts_of
from mechdesign.graph.cell_labels import MISSING_WORDS, Reading, listed
from mechdesign.graph.from_table.alphabet import Alphabet, Others
from mechdesign.graph.from_table.columns import Table, read_records, sorted_labels
from mechdesign.graph.from_table.confidence import check_enough, read_confidence
from mechdesign.graph.from_table.distinct import distinct_rows
from mechdesign.graph.from_table.histogram import Release, distributions, noised
from mechdesign.graph.from_table.pairs import Header, joined
from mechdesign.graph.from_table.row_weights import read_sample, weight_column
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.words import word_of


@with_flags
def graph_from_table(
    frame: Any,
    *,
    profile: str,
    value: str,
    edges: Iterable[tuple[Any, ...]] | str | os.PathLike[str] | None = None,
    edges_header: str = "auto",
    edges_layout: Layout = RECOGNISED,
    count: str | None = None,
    smoothing: Number = 0,
    categories: Sequence[Any] | None = None,
    ordered: bool | None = None,
    profiles: Sequence[Any] | None = None,
    others: Any = None,
    merge_below: int | None = None,
    missing: str = "error",
    missing_profile: str | None = None,
    missing_words: Sequence[str] = MISSING_WORDS,
    public: bool = False,
    noise: Number | None = None,
    round_to: int | None = None,
    name: str = "",
    source: str = "",
    weigh_by_count: bool = False,
    confidence: Number | None = None,
    of: str | None = None,
    public_sizes: bool = False,
    weight: str | None = None,
    weight_limit: Number | None = None,
    design_effect: Number | None = None,
) -> nx.Graph:
    """Return the profile graph of a table: P_i(x) = records of profile i with value x / records of profile i, exactly.

    The exact frequencies, a node's attribute `count` (its number of records) and whatever is made with the graph tell
    about the people in the table: hand it around only if the table is `public`, or with `noise`. The graph's attribute
    `made` says how it was made. Cells of text are taken without the blanks around them.

    Parameters
    ----------
    frame
        a DataFrame of pandas, polars or so, an Arrow Table, or a mapping from column to list; or what `distinct` made
        of a larger one.
    profile
        the column whose distinct values are the profiles.
    value
        the column whose distinct values are the categories. Where no column is called so, several columns between
        commas: the categories are all tuples of their values as text, also those that do not occur.
    edges
        "all" pairs (the default), pairs of profiles, also with attributes such as ("a", "b", {"epsilon": 0.5}) or as a
        table (see `profile_graph`), a column (profiles that agree in it are joined), or the `pathlib.Path` of a file
        with pairs in its first two columns; its columns epsilon, delta and distance are the edges' own.
    edges_header
        whether the first line of that file is a heading: "yes", "no", or "auto": if neither of its cells is a profile.
    edges_layout
        the encoding and delimiter of that file, where they cannot be recognised.
    count
        the column that says for how many records a row stands; default one.
    smoothing
        what is added to each category's count in each profile (additive smoothing), >= 0.
    categories
        the categories in their order; default those of an ordered categorical of pandas or Arrow, also those that do
        not occur; or else those that occur, sorted. With several columns a list of categories for each.
    ordered
        whether the order of the categories means something, so that "absolute" loss does: recorded in the graph.
        Default: yes if it was given, by `categories` or an ordered categorical; numbers have an order of their own.
    profiles
        the profiles in their order; default those that occur, sorted.
    others
        a label: all values that are none of `categories`, or are rare (`merge_below`), are one category of that name.
    merge_below
        a number of rows: categories with fewer become `others`. Not with `noise`.
    missing
        what a missing value is: an "error"; its row is left out ("drop"); or an answer like others, the category
        "missing" ("category"). None, NaN, nulls, blanks and `missing_words` are missing, in every kind of table.
    missing_profile
        what it is in the other columns: an "error" or "drop"; by default as `missing` says, where that is "category" an
        error.
    missing_words
        what text means missing, in small or capital letters; not "None", which may be an answer.
    public
        whether the table is public anyway: recorded in the graph.
    noise
        the epsilon, in nats, of a differentially private histogram: every count has two-sided geometric noise, so that
        the graph's law changes by a factor of e^epsilon at most if one record is added, removed, or replaced by
        another. `categories` and `profiles` must be given, as which of them occur is known from the records. A person
        of n records has n times the epsilon, and so has a table of which n graphs are made.
    round_to
        probabilities are rounded to multiples of 1 / round_to. This guarantees no privacy.
    name, source
        what the graph is called, and where its data are from: kept in its file.
    weigh_by_count
        whether a profile's prior weight is its number of records (noised if `noise` is given); default equal.
    confidence
        such as 0.95: the profiles are known only within `lower` and `upper`, which hold all true ones at once with at
        least this probability, and nodes have their `counts`. What is then designed or certified holds for every
        profile within. Without `noise` the sample must be public or somebody else's; with it the bounds are made from
        the noised counts alone, and the table may be your own. Not with `round_to`.
    of
        whose profiles are within: those of the "population" (the default), of which the records of a profile are
        independent draws, their number as given; or of the "table" itself, only with `noise`. The probability of a miss
        is shared among all counts; for the population half of it is the noise's, half the sample's.
    public_sizes
        whether the number of records of each profile is public, so that bounds around noised counts may use it.
    weight
        the column of the records' weights, >= 0: distributions are weighted shares, exactly, and bounds are those of
        the effective number of records, so that their confidence is approximate. Not with `count`.
    weight_limit
        the largest weight that counts, chosen without a look at these records: needed with `weight` and `noise`, as
        noise hides no more than a bounded change. Larger weights are cut to it, and all rounded down to multiples of
        a thousandth of it; a node's prior weight (`weigh_by_count`) is then its noised sum of weights.
    design_effect
        by how much larger variances are than those of as many independent draws: bounds are those of so many times
        fewer records. Default with `weight`: Kish's, records times sum of squares / (sum of weights)^2, by profile.

    Raises
    ------
    InputError
        listing every fault: unknown columns, missing values, a value outside `categories`, a profile without records;
        or saying what would be too large.

    References
    ----------
    Two-sided geometric noise: Ghosh, Roughgarden and Sundararajan, arXiv:0811.2841; drawn as by
    Canonne, Kamath and Steinke, arXiv:2004.00010. Intervals: Clopper and Pearson, Biometrika 26, 1934; for surveys Korn
    and Graubard, Survey Methodology 24, 1998; effective numbers: Kish, Survey Sampling, 1965.

    Examples
    --------
    >>> records = {"job": ["clerk", "clerk", "cook"], "usage": ["low", "high", "low"]}
    >>> graph_from_table(records, profile="job", value="usage").nodes["clerk"]["distribution"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    joined_by = edges if isinstance(edges, str) and edges != "all" else None
    header = word_of(Header, "edges_header", edges_header)
    reading = Reading().changed(missing, missing_profile, missing_words, others)
    columns = [column for column in (profile, value, count, joined_by) if column is not None]
    weights = weight_column(weight, weight_limit)
    table = Table(distinct_rows(frame, columns, weights), reading)
    check_columns(list(table.columns), [column for column in columns if column != value])
    alphabet = Alphabet(parts_of(value, table.columns))
    if profile in alphabet.columns:
        table.faults += [f"profile: {shown(profile)} is a column of the value; the profile is another"]
    records = read_records(table, profile, alphabet.columns, count, joined_by)
    added = table.faults.number("smoothing", smoothing, at_least=0)
    budget = None if noise is None else table.faults.number("noise", noise, at_least=0)
    release = Release(public, budget, round_to, public_sizes)
    table.faults += release.faults(declared=categories is not None and profiles is not None)
    sample = read_sample(weights, design_effect, count, release, table.faults)
    sure = read_confidence(confidence, of, release, sample, table.faults)
    declared = categories is not None or alphabet.is_declared(table)
    asked = Others(reading.others, merge_below)
    table.faults += asked.faults(release, declared=declared)
    table.faults += alphabet.faults(reading, merge_below, categories)
    table.faults.check()

    people = sorted_labels(records.who)
    if profiles is not None:
        people = table.given("profiles", listed("profiles", profiles), people)
    given, has_order = alphabet.categories(table, records, people, categories)
    records, known, rest = asked.merged(table, records, given, declared=declared)
    has_order = has_order and (rest is None or rest in given)
    table.faults.check()
    table.check_known(value, records.what, known, "categories")
    table.check_known(profile, records.who, people, "profiles")
    tally = records.tally(people)
    if release.noise is None and not added:
        nothing = "no records" if weight is None else "no weight"
        table.faults += [
            f"{shown(one)}: {nothing}; leave this profile out, or give a smoothing > 0"
            for one, counter in tally.items()
            if not counter.total()
        ]
    pairs, rule_of_edges, faults = joined(edges, header, edges_layout, records, people)
    table.faults += faults
    table.faults.check()

    sizes, squares = records.sizes(people), records.squares(people)
    worth = {one: sample.worth(Fraction(counter.total()), squares[one], sizes[one]) for one, counter in tally.items()}
    if release.noise is not None:
        check_enough(sizes, known, sure)
        tally = noised(tally, known, release.noise / sample.units)
    totals = {one: counter.total() * sample.unit for one, counter in tally.items()}
    shares = distributions(tally, known, added / sample.unit, round_to)
    lower, upper = (None, None) if sure is None else sure.bounds(tally, known, shares, sizes, worth)
    graph = profile_graph(
        shares,
        edges=pairs,
        categories=known,
        name=name,
        source=source,
        weights=totals if weigh_by_count and any(totals.values()) else None,
        ordered=has_order or None if ordered is None else ordered,
        lower=lower,
        upper=upper,
    )
    made = {"profile": profile, "value": value} | rule_of_edges | {"count": count, "smoothing": format_number(added)}
    made |= alphabet.described(known) | replace(reading, others=rest).described() | sample.described()
    made |= {} if merge_below is None else {"merge_below": merge_below}
    if release.is_exact:
        nx.set_node_attributes(graph, sizes, "count")
        made["records"] = sum(sizes.values())
        made |= {"left_out": table.number(records.left_out)} if reading.drops else {}
    if sure is not None:
        if release.public_sizes:
            nx.set_node_attributes(graph, sizes, "count")
        if weight is None:
            counts = {one: [counter[x] for x in known] for one, counter in tally.items()}
            nx.set_node_attributes(graph, counts, "counts")
        if release.noise is None and not sample.is_plain:
            effective = {one: float(total * worth[one]) for one, total in totals.items()}
            nx.set_node_attributes(graph, effective, "effective")
        made |= sure.described(declared=declared and merge_below is None)
    graph.graph["made"] = made | release.described(sample.units)
    return graph
