"""What no graph is made from: tables, columns and cells, and options that do not go together; each with its place."""

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import faults_of

import mechdesign as md

TABLE: dict[str, Any] = {
    "job": ["a"] * 3 + ["b"] * 3,
    "use": ["x", "y", "x", "x", "z", "x"],
    "w": [1, 2, 3, 4, 5, 6],
    "n": [60, 30, 10, 20, 30, 50],
}
DECLARED: dict[str, Any] = {"categories": ["x", "y", "z"], "profiles": ["a", "b"]}
SAMPLE = DECLARED | {"confidence": "0.95", "count": "n"}
NOISED = SAMPLE | {"noise": 2}
CUT = DECLARED | {"noise": 8, "weight": "w", "weight_limit": 4}
BOTH: dict[str, Any] = {"value": "job,use", "profile": "w"}
"""Two columns as one value."""

LIMIT = "weight_limit: cuts weights where counts are noised; give both weight= and noise=, or leave it out"
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "column: expected its name, or several between commas, found ['use']": [{"value": ["use"]}, {"weight": ["use"]}],
    "column: expected its name, or several between commas, found 7": [{"profile": 7}, {"count": 7}],
    "categories: expected a list, found 7": [{"categories": 7}, BOTH | {"categories": 7}],
    "categories: 'x' is given 2 times": [{"categories": ["x", "y", "z", "x"]}],
    "edges: 'zoe' is not a profile": [{"edges": [("a", "zoe")]}],
    'edges: expected "all" or pairs of profiles, found 7': [{"edges": 7}],
    "column 'use': text is not one of the categories, in row 2; others= makes one category of all such": [
        {"categories": ["x", "z"]}
    ],
    "confidence: expected a number between 0 and 1, found 1; 95 % is 0.95": [
        SAMPLE | {"confidence": 1},
        NOISED | {"confidence": 1},
    ],
    "confidence: expected a number between 0 and 1, found 0; 95 % is 0.95": [SAMPLE | {"confidence": 0}],
    "confidence: expected a number such as 0.3 or \"3/10\", found 'high'": [SAMPLE | {"confidence": "high"}],
    "confidence: bounds and counts would tell what rounding hides; give either confidence= or round_to=": [
        SAMPLE | {"round_to": 10}
    ],
    "confidence: 2 profiles with 3 categories each: 6 counts, of only 5 records, which noise hides; merge profiles or "
    "categories, or take `graph values`, which needs no profiles": [NOISED | {"n": [3, 2, 0, 0, 0, 0]}],
    "round_to: expected a positive integer, found 2.5": [{"round_to": 2.5}],
    "noise: expected an epsilon > 0, found 0": [DECLARED | {"noise": 0}, NOISED | {"noise": 0}],
    "noise: expected a number >= 0, found -0.5": [DECLARED | {"noise": "-0.5"}, NOISED | {"noise": "-0.5"}],
    "noise: expected a number such as 0.3 or \"3/10\", found 'inf'": [DECLARED | {"noise": "inf"}],
    "noise: a table that is public needs none; give either public= or noise=": [
        DECLARED | {"noise": 1, "public": True},
        NOISED | {"public": True},
    ],
    "noise: which categories and profiles occur would tell about the records; give both categories= and profiles=, "
    "not from these records": [{"noise": 1, key: DECLARED[key]} for key in DECLARED],
    "of: expected one of population, table, found 'tables'; did you mean table?": [NOISED | {"of": "tables"}],
    "of: of the table's own profiles exact counts leave nothing open; give noise, or no confidence": [
        SAMPLE | {"of": "table"}
    ],
    "of: says whose profiles are within bounds; give a confidence too, such as 0.95": [
        NOISED | {"confidence": None, "of": "table"}
    ],
    "public_sizes: narrows the bounds around noised counts; give noise and confidence too": [
        NOISED | {"confidence": None, "public_sizes": True}
    ],
    "public_sizes: exact counts tell the sizes anyway; give noise, or leave it out": [SAMPLE | {"public_sizes": True}],
    "public_sizes: numbers of records say nothing of sums of weights, which are noised; leave it out": [
        CUT | {"confidence": "0.9", "public_sizes": True}
    ],
    "weight: with noise a person would change a count by as much as their weight, which nothing bounds; give "
    "weight_limit=, the largest weight that counts, chosen without a look at these records": [
        CUT | {"weight_limit": None}
    ],
    "weight: a row with a weight is one record; give either weight or count": [{"weight": "w", "count": "w"}],
    "a: no weight; leave this profile out, or give a smoothing > 0": [{"weight": "w", "w": [0, 0, 0, 1, 1, 1]}],
    "weight_limit: expected a number > 0, found 0": [CUT | {"weight_limit": 0}],
    "weight_limit: expected a number such as 0.3 or \"3/10\", found 'many'": [CUT | {"weight_limit": "many"}],
    LIMIT: [CUT | {"noise": None}, CUT | {"weight": None}],
    "design_effect: expected a number >= 1, such as 1.5, found 0.5": [SAMPLE | {"design_effect": 0.5}],
    "design_effect: widens bounds; give a confidence too": [{"design_effect": 2}],
    "design_effect: of the table's own profiles its records are no sample; leave it out": [
        NOISED | {"design_effect": 2, "of": "table"}
    ],
    "design_effect: with weights and noise the number of records is hidden; only weight_limit= counts": [
        CUT | {"confidence": "0.9", "design_effect": 2}
    ],
    "others: goes with categories or merge_below; without these every value is a category": [{"others": "rest"}],
    "others: 'NA' means a missing value; leave it out of missing_words=": [{"categories": ["x"], "others": "NA"}],
    "others: expected text or a number, found ['o']": [{"categories": ["x"], "others": ["o"]}],
    "others: goes with one column": [BOTH | {"others": "rest", "merge_below": 2}],
    "merge_below: give others, a label for what the rare categories become together": [{"merge_below": 2}],
    "merge_below: expected a whole number of rows >= 1, found 0": [{"merge_below": 0, "others": "o"}],
    "merge_below: expected a whole number of rows >= 1, found True": [{"merge_below": True, "others": "o"}],
    "merge_below: which categories are rare would tell about the records; with noise give the categories, not from "
    "these records, and others for the rest": [DECLARED | {"merge_below": 2, "others": "o", "noise": 1}],
    "missing: category goes with one column": [BOTH | {"missing": "category"}],
    "missing_profile: expected one of error, drop, found 'category'": [{"missing_profile": "category"}],
    "edges_header: expected one of auto, yes, no, found 'Yes'; did you mean yes?": [{"edges_header": "Yes"}],
    "categories: the value is of 2 columns; give --categories 2 times, once for each": [
        BOTH | {"categories": ["no", "yes"]}
    ],
    "categories: lists of several columns, where the value is one": [{"categories": [["no"], ["yes"]]}],
    "column 'usse': there is none of that name (there are: job, use, w, n); did you mean use?": [
        BOTH | {"value": "job,usse"},
        {"value": "usse"},
    ],
    "column 'job,\\nuse': there is none of that name (there are: job, use, w, n)": [BOTH | {"value": "job,\nuse"}],
    "column 'job,\\ruse': there is none of that name (there are: job, use, w, n)": [BOTH | {"value": "job,\ruse"}],
    "column 'use,use': names one twice": [BOTH | {"value": "use,use"}],
    "profile: 'job' is a column of the value; the profile is another": [
        {"value": "job"},
        BOTH | {"profile": "job"},
    ],
    "column 'job,w': there is none of that name; this is to be one column": [{"profile": "job,w", "value": "use,n"}],
    "column 'use': expected one value for each profile, that of rows 1 and 2 has text and text": [
        {"profile": "job", "edges": "use"}
    ],
    "column 'w': expected a weight >= 0, found a negative number in row 3": [{"weight": "w", "w": [1, 1, -1, 1, 1, 1]}],
    **{
        f"column 'w': expected a weight >= 0, found {what} in row 3": [
            {"weight": "w", "w": [1, 1, cell, 1, 1, 1]} for cell in cells
        ]
        for what, cells in {
            "none": (None, "NA", float("nan")),
            "no number": ("many", float("inf"), [1]),
        }.items()
    },
    "column 'n': expected an integer >= 0 in rows 2, 5": [
        {"count": "n", "n": [1, wrong, 1, 1, wrong, 1]} for wrong in (-1, 1.5, "many", True)
    ],
}
"""Faults, and the options that each is one of; of these some are columns in place of the table's."""


def made(frame: Any, **options: Any) -> nx.Graph:
    return md.graph_from_table(frame, **({"profile": "job", "value": "use"} | options))


@pytest.mark.parametrize(("fault", "options"), [(fault, one) for fault, several in OPTIONS.items() for one in several])
def test_what_does_not_go_together(fault: str, options: dict[str, Any]) -> None:
    columns = {name: cells for name, cells in options.items() if name in TABLE}
    said = faults_of(made, TABLE | columns, **{name: value for name, value in options.items() if name not in TABLE})
    assert any(one.replace("'a'", "a").startswith(fault) for one in said), said


KINDS: tuple[Any, ...] = (dict, pd.DataFrame, pa.table)
NO_LABELS = "column 'use': expected text or a number, found something else in rows 1, 2"
TWICE = pd.DataFrame([["a", "b", 1]], columns=["job", "job", "use"])
TABLES: list[tuple[Any, str]] = [
    *((kind({"job": [], "use": []}), "expected a table with rows, found none") for kind in KINDS),
    ({"job": ["a", "b"], "use": [1]}, "table: expected columns of one length, found job 2, use 1"),
    (TWICE, "column 'job': 2 columns have that name"),
    (pa.table([["a"], ["b"], [1]], names=[*TWICE]), "column 'job': 2 columns have that name"),
    ({"job": ["a", "b", "c"], "use": [[1], {}, 3]}, NO_LABELS),
    ({"job": ["a", "b", "c"], "use": [np.array([1, 2]), (1, [2]), 3]}, NO_LABELS),
    ([1, 2], "table: expected a DataFrame, an Arrow Table or a mapping of columns, found data of type list"),
]


@pytest.mark.parametrize(("frame", "fault"), TABLES)
def test_what_is_no_table(frame: Any, fault: str) -> None:
    assert faults_of(made, frame) == [fault]


@pytest.mark.parametrize("gap", [pd.NaT, ""])
@pytest.mark.parametrize("column", ["job", "use", "w", "n"])
def test_missing_values(gap: object, column: str) -> None:
    frame = TABLE | {"w": TABLE["job"]}
    frame |= {column: [gap if row in (1, 4) else cell for row, cell in enumerate(frame[column])]}
    how = "blank" if isinstance(gap, str) else "no value"
    more = ', missing="category" counts them as an answer' if column == "use" else ""
    for kind in (dict, pd.DataFrame):
        assert faults_of(made, kind(frame), edges="w", count="n") == [
            f'column {column!r}: missing value in rows 2, 5 ({how} 2; missing="drop" leaves such rows out{more})'
        ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"split": ["1"]}, "split: expected 2 numbers > 0, one for each column, found '1'"),
        ({"split": [1, 1, 1]}, "split: expected 2 numbers > 0, one for each column, found '1,1,1'"),
        ({"split": [1, 0]}, "split: expected 2 numbers > 0, one for each column, found 0"),
        ({"split": ["1", "nan"]}, "split: expected 2 numbers > 0, one for each column, found 'nan'"),
        ({"value": "use"}, "split: the value is one column, 'use'; name several: "),
        ({"noise": -1}, "noise: expected a number >= 0, found -1"),
        ({"noise": "much"}, "noise: expected a number such as"),
        ({"noise": 1, "confidence": 2}, "confidence: expected a number between 0 and 1, found 2;"),
    ],
)
def test_what_is_divided_is_said_as_it_was_given(options: dict[str, Any], words: str) -> None:
    asked = {"profile": "n", "value": "job,use", "split": [1, 1], "categories": [["a", "b"], ["x", "y", "z"]]}
    faults = faults_of(md.graphs_from_table, TABLE, **(asked | {"profiles": TABLE["n"]} | options))
    assert any(fault.startswith(words) for fault in faults)


def test_more_than_memory_or_records_hold() -> None:
    numbers = list(range(5_000))
    table = {"job": ["a"] * len(numbers), "x": numbers, "y": numbers}
    assert "5000 (x) x 5000 (y) = 25,000,000 combinations" in faults_of(made, table, value="x,y")[0]
    few = {"job": ["a", "b"] * 3, "x": ["no", "yes"] * 3, "y": [1, 2, 3] * 2}
    words = "2 (x) x 3 (y) = 6 combinations for each of 2 profiles are 12 counts, of only 6 records"
    assert words in faults_of(made, few, value="x,y")[0]
