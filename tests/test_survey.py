"""Weights, strata and clusters in `estimate`: standard errors as R's survey package has them, coverage, bad input.

What R says was printed by R 4.2.2 with survey 4.1-1: `svydesign(id=~school, strata=~stratum, weights=~weight)`, then
`svymean`, `svyby(~answer, ~group, ..., covmat=TRUE)` and `svycontrast`; with `apiclus1` and `apistrat`, counted here,
without their corrections for finite populations. With those, and so with standard errors that are sqrt(1 - 15 / 757) of
these, the shares of school types among `apiclus1` stand in the package's own documentation.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from scipy.stats import t as student
from surveys import runs

import mechdesign as md
from mechdesign.release.channels import Channel
from mechdesign.release.counts import tally
from mechdesign.release.intervals import QUANTILE
from mechdesign.release.samples import Drawn
from mechdesign.release.survey import Survey
from mechdesign.release.undetermined import clopper_pearson

CLUSTERS = """61 10 0 3; 135 34 0 0; 178 2 1 1; 197 10 0 3; 255 13 0 3; 406 2 0 0; 413 1 0 0; 437 2 1 1; 448 9 1 2;
510 16 2 3; 568 4 4 1; 637 8 1 2; 716 30 3 4; 778 1 0 1; 815 2 1 1"""
"""Of apiclus1: districts, and how many elementary, high and middle schools each has."""

STRATA = {"E": (44.21, 7, 18, 2, 73), "H": (15.1, 23, 10, 1, 16), "M": (20.36, 15, 11, 0, 24)}
"""Of apistrat: the weight of a school, and of those that fell short of their aims how many fell short school-wide too,
and how many did not; and of those that met them."""

SMALL = """north 1 3.5 b yes,north 1 3.5 a yes,north 1 3.5 b yes,north 2 7.0 b yes,north 2 3.5 a yes,north 2 7.0 b yes,
north 2 7.0 a no,north 2 3.5 a yes,south 3 2.5 b yes,south 3 1.25 b yes,south 3 2.5 b yes,south 3 1.25 b no,
south 3 1.25 a maybe,south 4 1.25 b maybe,south 4 2.5 a yes,south 4 2.5 a yes,south 4 2.5 a yes,south 5 2.5 a yes,
south 5 1.25 a maybe,west 6 2 b yes,west 6 2 b yes,west 6 2 a no,west 6 2 b yes,west 7 2 b no,west 7 4 a yes,
west 7 2 b yes,west 8 2 b yes,west 8 2 b yes,west 9 4 a yes,west 9 2 a yes,west 9 2 b yes,west 9 2 b yes,
west 9 2 a no"""

SCHOOLS = md.mechanism_from_matrix(np.eye(3), inputs=list("EHM"))
PLAIN = md.mechanism_from_matrix(np.eye(3), inputs=["maybe", "no", "yes"])
COIN = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "other"])
DRAWN: dict[str, Any] = {"weight": "weight", "strata": "stratum", "cluster": "school"}


def small() -> dict[str, list[str]]:
    """Return the table of which R was asked."""
    rows = zip(*(row.split() for row in SMALL.split(",")), strict=True)
    return {
        name: list(column)
        for name, column in zip(("stratum", "school", "weight", "group", "answer"), rows, strict=True)
    }


def numbers(shares: Any, key: str = "se") -> list[float]:
    return [getattr(one, key) for one in shares.values()]


def clustered() -> tuple[list[str], list[str]]:
    """Return type and district of each school of apiclus1."""
    rows = [(line.split()[0], list(map(int, line.split()[1:]))) for line in CLUSTERS.split(";")]
    types = [kind for _, counts in rows for kind, number in zip("EHM", counts, strict=True) for _ in range(number)]
    return types, [name for name, counts in rows for _ in range(sum(counts))]


def test_clusters_as_r_has_them() -> None:
    types, districts = clustered()
    found = md.estimate(SCHOOLS, types, weight=["33.847"] * 183, cluster=districts).profiles["all"]
    assert numbers(found, "unbiased") == pytest.approx([0.7868852, 0.0765027, 0.1366120], abs=1e-7)
    assert numbers(found) == pytest.approx([0.04680, 0.02708, 0.02995], abs=5e-6)
    assert np.array(numbers(found)) * (1 - 15 / 757) ** 0.5 == pytest.approx([0.04634, 0.02681, 0.02965], abs=5e-6)


def test_strata_as_r_has_them() -> None:
    """Shares of a subgroup and the difference between two as well."""
    lines = [
        (stratum, weight, met, answer)
        for stratum, (weight, *counts) in STRATA.items()
        for (met, answer), number in zip(
            [("No", "no"), ("No", "yes"), ("Yes", "no"), ("Yes", "yes")], counts, strict=True
        )
        for _ in range(number)
    ]
    table = dict(zip(("stype", "pw", "comp.imp", "sch.wide"), map(list, zip(*lines, strict=True)), strict=True))
    plain = md.mechanism_from_matrix(np.eye(2), inputs=["no", "yes"])
    drawn: dict[str, Any] = {"value": "sch.wide", "weight": "pw", "strata": "stype"}
    all_schools = md.estimate(plain, table, **drawn).profiles["all"]["yes"]
    assert (all_schools.unbiased, all_schools.se) == pytest.approx((0.827948, 0.02476), abs=5e-6)
    found = md.estimate(plain, table, **drawn, profile="comp.imp", differences=[("Yes", "No")])
    shares = [found.profiles[met]["no"] for met in ("No", "Yes")]
    assert [one.unbiased for one in shares] == pytest.approx([0.451106708, 0.025490693], abs=1e-8)
    assert [one.se for one in shares] == pytest.approx([0.058523549, 0.015706513], abs=1e-8)
    apart = found.differences["Yes", "No"]["no"]
    assert apart.unbiased == pytest.approx(0.025490693 - 0.451106708, abs=1e-8)
    assert apart.se == pytest.approx((0.058523549**2 + 0.015706513**2 - 2 * 3.4461885e-07) ** 0.5, abs=1e-8)
    for met, one in zip(("No", "Yes"), shares, strict=True):
        part = md.estimate(plain, table, **drawn, subgroup=("comp.imp", met))
        assert part.profiles["all"]["no"] == one
        assert part.answer().sentence.startswith(f"{'84' if met == 'No' else '116'} rows with comp.imp = {met}. Low")


def test_clusters_in_strata_as_r_has_them() -> None:
    found = md.estimate(PLAIN, small(), value="answer", **DRAWN).profiles["all"]
    assert numbers(found, "unbiased") == pytest.approx([0.0408719346, 0.1553133515, 0.8038147139], abs=1e-10)
    assert numbers(found) == pytest.approx([0.008614033048, 0.050238464020, 0.042878573613], abs=1e-10)
    rows = md.estimate(PLAIN, small(), value="answer", weight="weight").profiles["all"]
    assert numbers(rows) == pytest.approx([0.02440411948, 0.07917820326, 0.08110897882], abs=1e-10)
    strata = md.estimate(PLAIN, small(), value="answer", weight="weight", strata="stratum").profiles["all"]
    assert numbers(strata) == pytest.approx([0.02191771767, 0.08233715399, 0.08465872568], abs=1e-10)


def test_groups_and_their_difference_as_r_has_them() -> None:
    """Groups share clusters, so that their shares are correlated."""
    found = md.estimate(PLAIN, small(), value="answer", profile="group", differences=[("a", "b")], **DRAWN)
    assert numbers(found.profiles["a"]) == pytest.approx([0.03853692138, 0.11419429793, 0.11871846565], abs=1e-10)
    assert numbers(found.profiles["b"]) == pytest.approx([0.02806303423, 0.04703464054, 0.04992887222], abs=1e-10)
    apart = found.differences["a", "b"]
    assert (apart["no"].se, apart["yes"].se) == pytest.approx((0.1394953546, 0.15562865), abs=1e-8)


def test_of_what_was_randomised_the_mean_of_coefficients() -> None:
    """R: the mean of 3/2 for no and -1/2 for anything else, which inverts the coin."""
    table = small() | {"answer": ["no" if answer == "no" else "other" for answer in small()["answer"]]}
    one = md.estimate(COIN, table, value="answer", **DRAWN).profiles["all"]["no"]
    assert (one.unbiased, one.se) == pytest.approx((-0.189373297, 0.100476928), abs=1e-9)


def test_degrees_of_freedom_are_those_of_the_group() -> None:
    """R: degf of the design 6, and of the subset of group a 5, as school 8 has nobody of it."""
    survey = Survey(**DRAWN)
    whole = tally(PLAIN, small(), "answer", None, survey=survey).samples["all"]
    part = tally(PLAIN, small(), "answer", None, survey=survey, subgroup=("group", "a")).samples["all"]
    assert isinstance(whole, Drawn)
    assert isinstance(part, Drawn)
    assert (whole._freedom, part._freedom) == (6, 5)


def test_boxes_are_korn_and_graubards() -> None:
    """R: svyciprop(~I(stype == "H"), method = "beta"), with Student's quantile where the normal's stands here."""
    types, districts = clustered()
    sample = tally(SCHOOLS, types, None, None, survey=Survey(cluster=districts)).samples["all"]
    share, worth = sample.counts / 183, sample.worth(None, 0.05, False) * (student.ppf(0.975, 182) / QUANTILE) ** 2
    low, high = clopper_pearson(share, 0.05 * 3, worth)
    assert (low[1], high[1]) == pytest.approx((0.0292835217, 0.157058499), abs=1e-9)


@pytest.mark.parametrize("kind", ["mapping", "csv", "parquet", "cells"])
def test_all_kinds_of_data(tmp_path: Path, kind: str) -> None:
    """In parts, of which the second has new clusters."""
    table = small()
    wanted = md.estimate(PLAIN, table, value="answer", profile="group", **DRAWN)
    if kind == "cells":
        columns: dict[str, Any] = {what: table[name] for what, name in DRAWN.items()}
        found = md.estimate(PLAIN, table["answer"], profile=table["group"], **columns)
    elif kind == "mapping":
        weights = [float(one) for one in table["weight"]]
        found = md.estimate(PLAIN, table | {"weight": weights}, value="answer", profile="group", **DRAWN)
    else:
        path = tmp_path / f"t.{kind}"
        if kind == "csv":
            path.write_text("\n".join(map(",".join, [table.keys(), *zip(*table.values(), strict=True)])) + "\n")
        else:
            parquet.write_table(pa.table(table), path, row_group_size=5)
        found = md.estimate(PLAIN, path, value="answer", profile="group", **DRAWN)
    assert found.to_frame().to_numpy().tolist() == [pytest.approx(row) for row in wanted.to_frame().to_numpy().tolist()]


def test_strata_are_worth_no_more_rows_than_there_are() -> None:
    """Nearly all that rows differ in is their stratum: by the variance alone they were worth far more."""
    rows, strata = ["no"] * 49 + ["yes"] + ["yes"] * 49 + ["no"], ["n"] * 50 + ["s"] * 50
    sample = tally(PLAIN, rows, None, None, survey=Survey(strata=strata)).samples["all"]
    assert sample.worth(None, 0.05, False).max() <= 100


def test_of_the_rows_at_hand_the_noise_alone() -> None:
    """Its variance is 3/4 for each row: weighted, 3/4 sum w^2 / (sum w)^2 in the mean."""
    rng = np.random.default_rng(2)
    weights = rng.choice([1.0, 5.0], 4_000)
    answers = rng.choice(["no", "other"], 4_000)
    one = md.estimate(COIN, answers, weight=weights, these_rows=True).profiles["all"]["no"]
    assert one.se == pytest.approx((0.75 * (weights**2).sum()) ** 0.5 / weights.sum(), rel=0.02)
    people = md.estimate(COIN, answers, weight=weights).profiles["all"]["no"]
    assert people.se is not None
    assert people.se > (one.se or 0)


def test_what_all_units_agree_in() -> None:
    """Five clusters of twenty rows that all say no: as if there were five rows, at most."""
    rows, schools = ["no"] * 100, [str(k) for k in range(5) for _ in range(20)]
    clustered = md.estimate(PLAIN, rows, cluster=schools).profiles["all"]
    alone = md.estimate(PLAIN, ["no"] * 5).profiles["all"]
    assert clustered["yes"].high >= alone["yes"].high
    assert md.estimate(PLAIN, rows).profiles["all"]["yes"].high < 0.05


@pytest.mark.slow
def test_coverage() -> None:
    """Of 90 %, in 120 runs with a standard error of 2.7 %; without the clusters it is about 75 %."""
    channel = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), np.arange(2))
    found = np.mean(list(runs(np.random.default_rng(11), channel, "varied", 20, 20, 120, alpha=0.1)), axis=0)
    assert found[0] >= 0.84
    assert found[1] <= 0.82
    assert found[2] >= 0.84


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"weight": ["-1", "x", "", "1"]}, "column 'weight': expected a weight >= 0, found a negative number in row 1"),
        ({"weight": ["-1", "x", "", "1"]}, "column 'weight': expected a weight >= 0, found no number in row 2"),
        ({"weight": ["-1", "x", "", "1"]}, "column 'weight': expected a weight >= 0, found none in row 3"),
        ({"weight": ["1", "1e400", "1", "1"]}, "found a number that is not between 1e-100 and 1e100 in row 2"),
        ({"weight": ["0", "0", "0", "0"]}, "column 'weight': all weights of 'all' are 0"),
        ({"school": ["1", "1", "1", "2"]}, "column 'school': cluster text is in two strata, in row 3 in another"),
        ({"school": ["1", "", "3", "4"]}, "column 'school': 1 missing value in row 2"),
        ({"stratum": ["n", "n", None, "s"]}, "column 'stratum': 1 missing value in row 3"),
        ({"school": ["1", "2", "3", "3"]}, "strata: stratum text has one cluster alone, which does not tell how much"),
    ],
)
def test_columns_that_are_refused(changed: dict[str, list[Any]], words: str) -> None:
    table = {"answer": ["no", "yes", "no", "yes"], "weight": ["1", "2", "1", "2"]}
    table |= {"stratum": ["n", "n", "s", "s"], "school": ["1", "2", "3", "4"]}
    with pytest.raises(md.InputError, match=words):
        md.estimate(PLAIN, table | changed, value="answer", **DRAWN)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weight": [1]}, "weight: expected one for each of the 2 values, found 1"),
        ({"strata": ["a", "b"]}, "strata: stratum text has one row alone"),
        ({"cluster": [1, 1]}, "cluster: there is one cluster alone, which does not tell how much they differ$"),
        ({"cluster": [1, 2], "these_rows": True}, "cluster: says how rows were drawn; with these_rows= only noise was"),
        ({"strata": [1, 1], "these_rows": True}, "strata: says how rows were drawn; with these_rows= only noise was"),
        ({"subgroup": "north"}, "subgroup: expected a column and a label, such as"),
        ({"subgroup": (["a", "a"], "b")}, "expected released data, found none in any row with b"),
        ({"differences": ["ab"], "profile": ["a", "b"]}, "differences: expected pairs of groups, such as"),
        ({"differences": [("a", "c")], "profile": ["a", "b"]}, "differences: no group is called 'c'; there are a, b"),
        ({"differences": [("a", "a")], "profile": ["a", "b"]}, "differences: expected two groups, found 'a' twice"),
        (
            {"differences": [("a", "b")]},
            "differences: compares groups of people; say with profile= which column tells them apart",
        ),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(md.InputError, match=words):
        md.estimate(PLAIN, ["no", "yes"], **options)


def test_the_released_column_says_nothing_else() -> None:
    for what in ("weight", "strata", "cluster"):
        same: dict[str, Any] = {what: "answer"}
        with pytest.raises(md.InputError, match=f"{what}: 'answer' is the column that was released; the {what} is"):
            md.estimate(PLAIN, small(), value="answer", **same)
    with pytest.raises(md.InputError, match="subgroup: 'answer' is the column that was released; the subgroup is"):
        md.estimate(PLAIN, small(), value="answer", subgroup=("answer", "no"))
