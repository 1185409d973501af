"""What kept columns tell is warned of, at any size of the data: whose row it is, and what they rule out."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pytest

import mechdesign as md
from mechdesign.release import kept as module
from mechdesign.release.kept import EXPECTED, Kept, ruling_out

UNKNOWN_HIDDEN = md.design("categorical-chain", epsilon=1, shared=True).mechanism
JOBS = md.k_ary(["clerk", "cook", "nurse"], epsilon=1)


def told(*batches: list[Any], kind: pa.DataType | None = None) -> list[str]:
    kept = Kept(UNKNOWN_HIDDEN, "v")
    for one in batches:
        kept.add({"w": pa.array(one, kind)}, [np.zeros(len(one), np.int32)])
    return kept.warnings()


def telling(
    pairs: list[tuple[Any, int, int]], mechanism: md.Mechanism = JOBS, profile: str | None = "job"
) -> list[str]:
    """Return the warnings where each kept value occurs with the profile at a position so many times."""
    bands = [band for band, _, times in pairs for _ in range(times)]
    jobs = np.repeat([job for _, job, _ in pairs], [times for _, _, times in pairs]).astype(np.int32)
    kept = Kept(mechanism, "v", profile)
    for rows in np.array_split(np.random.default_rng(1).permutation(len(jobs)), 3):
        codes = [jobs[rows]] * (2 if profile else 1)
        kept.add({"band": pa.array([bands[row] for row in rows])}, codes)
    return kept.warnings()


def test_half_of_the_values_that_occur_once_are_too_many() -> None:
    expected = (
        "w, which is kept: 2 of 4 values occur once in what is released;"
        " whoever knows one knows whose row it is; round or group them first."
    )
    assert told([1.5, 2.5, 3.5], [3.5, 4.5, 4.5]) == [expected]
    assert told([1.5, 3.5, 2.5], [3.5, 4.5, 4.5], [2.5]) == []
    assert told([None, 1], [2, None, 1]) == []
    assert told([1.5]) == told([]) == told([[1], [2]]) == []
    assert told([b"0" * 16, b"1" * 16], kind=pa.uuid()) == []


def test_so_many_values_are_counted_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    (words,) = told([1, 2], [3, 4], list(range(100)))
    assert words.startswith("w, which is kept: over 3 different values, of which many may occur once in what is")
    assert told([1, 2, 1, 2], [3, 3]) == []


def test_values_that_occur_with_one_profile_only_or_with_some() -> None:
    one = [("low", 0, 40), ("middle", 1, 40), ("high", 2, 40)]
    expected = (
        "band, which is kept, tells of job: 3 of 3 values, in 120 of 120 rows, occur with one job only, and nothing of"
        " what is proved protects that; leave band out, group it, or put it into the profile."
    )
    assert telling(one) == [expected]
    every = [("high", 0, 40), ("high", 1, 40), ("high", 2, 60)]
    (words,) = telling([("low", 0, 40), (None, 0, 40), (None, 1, 40), *every])
    assert "2 of 3 values, in 120 of 260 rows, occur with some values of job only, 1 of them with one, and" in words
    (words,) = telling([("low", 0, 40), ("low", 1, 40), *every])
    assert "1 of 2 values, in 80 of 220 rows, occurs with some values of job only, and nothing" in words
    (words,) = telling(one, profile=None)
    assert "rows, occur with one v only, and" in words
    assert words.endswith("; leave band out, group it, or sanitise it too.")


def test_no_warning_of_accidents_of_related_columns_or_of_one_profile() -> None:
    few = EXPECTED // 2
    assert telling([("low", 0, few), ("middle", 1, few), ("high", 2, few)]) == []
    assert telling([(band, job, 1 + 99 * (band == job)) for band in range(3) for job in range(3)]) == []
    assert telling([(band, 0, 100) for band in range(3)]) == []
    rare = [("low", 0, 400), ("high", 0, 400), ("high", 1, 8)]
    assert telling(rare) == []  # of 400 rows, 4 cooks were expected


def test_only_profiles_that_an_edge_joins_count() -> None:
    graph = md.profile_graph(
        {name: ["1/2", "1/2"] for name in ("A 1", "B 1", "A 2", "B 2")},
        edges=[("A 1", "B 1"), ("A 2", "B 2")],
        categories=["no", "yes"],
    )
    years = md.design(graph, epsilon=1).mechanism
    within = [(year, 2 * year + town, 50) for year in (0, 1) for town in (0, 1)]
    assert telling(within, years) == []
    (words,) = telling([*within[:3], (2, 3, 50)], years)
    assert "2 of 3 values, in 100 of 200 rows, occur with one job only" in words


def test_a_column_that_follows_from_the_profile_tells_it_where_there_is_one_alone() -> None:
    """Where profiles are jobs in a year, the year may be kept: each still has several jobs."""
    years = md.mechanism_from_matrix([["1/2", "1/2"]] * 4)
    within = [(profile // 2, profile, 50) for profile in range(4)]
    assert telling(within, years) == []
    (words,) = telling([*within, (1, 1, 50)], years)
    assert "2 of 2 values, in 250 of 250 rows, occur with some values of job only, and" in words
    (words,) = telling(within[:3], years)
    assert "1 of 2 values, in 50 of 150 rows, occurs with one job only, and" in words


def test_of_very_many_pairs_values_alone_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CELLS", 11)
    assert telling([("low", 0, 40), ("middle", 1, 40), ("high", 2, 40)]) == []
    (words,) = telling([("low", 0, 40), ("middle", 1, 1), ("high", 2, 1), ("top", 2, 1)])
    assert words.startswith("band, which is kept: 3 of 4 values occur once")


def test_rows_of_no_known_profile_rule_nothing_out() -> None:
    counts = np.array([[0, 0, 0, 99], [90, 90, 90, 0], [90, 0, 0, 9]])
    found, alone = ruling_out(counts, JOBS.asked)
    assert found.tolist() == alone.tolist() == [False, False, True]


class TestFiles:
    """The hidden column is read beside what is needed, if it is there, and what is released is the same."""

    @pytest.fixture
    def mechanism(self, tmp_path: Path) -> str:
        table = {"job": ["clerk", "cook"] * 40, "answer": ["no", "yes", "yes", "no"] * 20}
        graph = md.graph_from_table(table, profile="job", value="answer", smoothing=1, public=True)
        md.write_mechanism(md.design(graph, epsilon=1, shared=True).mechanism, tmp_path / "m.json")
        return str(tmp_path / "m.json")

    @staticmethod
    def released(mechanism: str, data: Path, **options: Any) -> tuple[list[str], str]:
        out = data.parent / "out.csv"
        options = {"keep": ["band"], "seed_not_for_release": 1, **options}
        found = md.sanitise_file(mechanism, str(data), str(out), value="answer", **options)
        return found.warnings[1:], out.read_text()

    def test_the_column_that_the_profiles_were_made_from(self, tmp_path: Path, mechanism: str) -> None:
        data = tmp_path / "survey.csv"
        rows = ["no,low,clerk", "yes,high,cook"] * 30
        data.write_text("\n".join(["answer,band,job", *rows, ",low,clerk", "no,low,"]))
        (words,), text = self.released(mechanism, data, unknown="drop")
        assert words.startswith(
            "band, which is kept, tells of job: 2 of 2 values, in 61 of 61 rows, occur with one job"
        )
        (others,), _ = self.released(mechanism, data, unknown="drop", profile="job")
        assert others == words.replace("61 of 61", "60 of 60")
        for heading in ("answer,band,other", "answer,job,job"):
            data.write_text("\n".join([heading, *rows, ",low,clerk", "no,low,"]))
            keep = ["band"] if "band" in heading else []
            warnings, other = self.released(mechanism, data, unknown="drop", keep=keep)
            assert (warnings, other == text) == ([], bool(keep))

    def test_a_folder_of_which_not_every_file_has_it(self, tmp_path: Path, mechanism: str) -> None:
        folder = tmp_path / "data"
        folder.mkdir()
        for name, heading in (("a.csv", "answer,band,job"), ("b.csv", "answer,band,x"), ("c.csv", "band,answer,job")):
            rows = [["no", "low", "clerk"], ["yes", "high", "cook"]] * 30
            order = [1, 0, 2] if heading.startswith("band") else [0, 1, 2]
            (folder / name).write_text("\n".join([heading, *(",".join(row[i] for i in order) for row in rows)]))
        (words,), text = self.released(mechanism, folder)
        assert "2 of 2 values, in 180 of 180 rows, occur with one job only" in words
        assert len(text.splitlines()) == 181
        (folder / "b.csv").write_text("answer,band,x\nyes,low,\n")
        assert self.released(mechanism, folder)[0] == [words.replace("180 of 180", "121 of 121")]

    def test_bytes_that_are_no_text_refuse_no_file(self, tmp_path: Path, mechanism: str) -> None:
        """Of the batches of rows where they stand alone it is not counted what is hidden."""
        data, rows = tmp_path / "survey.csv", b"no,low,clerk\nyes,high,cook\n" * 60_000
        data.write_bytes(b"answer,band,job\n" + rows + b"no,low,c\xf4ok\n")
        warnings, text = self.released(mechanism, data)
        assert len(text.splitlines()) == 120_002
        (words,) = warnings
        assert words.startswith("band, which is kept, tells of job: 2 of 2 values, in 120,001 of 120,001 rows, occur")
        with pytest.raises(md.InputError, match="not UTF-8"):
            self.released(mechanism, data, profile="job")

    def test_cells_that_are_no_labels(self, tmp_path: Path, mechanism: str) -> None:
        jobs: list[pa.Array] = [pa.array([b"0" * 16] * 60, pa.uuid()), pa.array([{"a": 1}] * 60), pa.nulls(60)]
        for job in jobs:
            table = pa.table({"answer": ["no", "yes"] * 30, "band": ["low", "high"] * 30, "job": job})
            pa.feather.write_feather(table, tmp_path / "data.arrow")
            assert self.released(mechanism, tmp_path / "data.arrow")[0] == []
