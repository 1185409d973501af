"""The table that a graph was made from is sanitised by the same rule: what is missing, rare, or left out."""

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import refused, run

import mechdesign as md
from mechdesign.graph.cell_labels import Missing, Reading

TABLE = {
    "town": ["Ulm", "Ulm", "Ulm", "Jena", "Jena", "Jena", "?", "Ulm"],
    "answer": ["yes", "no", "none given", "no", "no", "yess", "yes", "perhaps"],
}
RULE: dict[str, Any] = {
    "missing": "category",
    "missing_profile": "drop",
    "missing_words": ["none given", "?"],
    "categories": ["yes", "no", "missing"],
    "others": "other",
}


def graph(**options: Any) -> nx.Graph:
    return md.graph_from_table(TABLE, profile="town", value="answer", **{**RULE, **options})


def as_it_is(table: nx.Graph) -> md.Mechanism:
    """Without privacy: so what comes out is how the cells were read."""
    return md.design(table, epsilon="inf").mechanism


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(TABLE).to_csv("t.csv", index=False)
    return tmp_path


def read(data: Any, **options: Any) -> Any:
    return md.sanitise(as_it_is(graph()), data, value="answer", profile="town", **options)


READ = ["yes", "no", "missing", "no", "no", "other", "other"]


class TestSanitise:
    def test_by_the_rule_of_the_graph(self) -> None:
        assert read(pa.table(TABLE))["answer"].to_pylist() == READ
        assert read(pd.DataFrame(TABLE))["answer"].tolist() == READ
        mechanism = as_it_is(graph())
        assert md.sanitise(mechanism, TABLE["answer"], profile=TABLE["town"]) == READ
        batches = md.sanitise_batches(mechanism, pa.table(TABLE).to_batches(), value="answer", profile="town")
        assert [cell for batch in batches for cell in batch["answer"].to_pylist()] == READ

    @pytest.mark.usefixtures("there")
    def test_and_after_it_was_written(self) -> None:
        md.write_mechanism(as_it_is(graph()), "m.json")
        said = json.loads(Path("m.json").read_text())["reading"]
        assert said == {
            "missing": "category",
            "missing_profile": "drop",
            "missing_words": ["none given", "?"],
            "others": "other",
        }
        again = md.read_mechanism("m.json")
        assert again.reading == Reading(Missing.CATEGORY, Missing.DROP, ("none given", "?"), "other")
        assert md.sanitise(again, TABLE["answer"], profile=TABLE["town"]) == READ
        md.write_mechanism(again, "n.json")
        assert Path("n.json").read_bytes() == Path("m.json").read_bytes()

    def test_what_is_said_there_and_then_counts(self) -> None:
        dropped = read(pa.table(TABLE), missing="drop")["answer"].to_pylist()
        assert dropped == ["yes", "no", "no", "no", "other", "other"]
        with pytest.raises(md.InputError, match="column 'town': 1 missing value in row 7"):
            read(pa.table(TABLE), missing_profile="error")
        with pytest.raises(md.InputError, match=r"column 'town': .* is none of the profiles"):
            read(pa.table(TABLE), missing_words=[])

    def test_without_a_category_for_them_missing_values_are_errors(self) -> None:
        whole = {name: cells[:2] + cells[3:6] for name, cells in TABLE.items()}
        made = md.graph_from_table(whole, profile="town", value="answer", missing="category")
        with pytest.raises(md.InputError, match="1 missing value in row 2"):
            md.sanitise(as_it_is(made), ["no", None], profile=["Ulm", "Jena"])
        with pytest.raises(md.InputError, match="missing: the mechanism has no category 'missing'; drop leaves"):
            md.sanitise(as_it_is(made), ["no", None], profile=["Ulm", "Jena"], missing="category")
        with pytest.raises(md.InputError, match="others: 'rest' is none of the mechanism's categories"):
            md.sanitise(as_it_is(made), ["no", None], profile=["Ulm", "Jena"], others="rest")

    def test_a_transformer_leaves_no_row_out(self) -> None:
        transformer = pytest.importorskip("mechdesign.release.transformer")
        table = pd.DataFrame({"who": ["a", "b", "a"], "use": ["x", "y", "x"]})
        mechanism = md.design(
            md.graph_from_table(table, profile="who", value="use", missing="drop"), epsilon="inf", shared=True
        ).mechanism
        sanitising = transformer.SanitisingTransformer(mechanism)
        assert sanitising.fit_transform(np.array([["x"], ["y"]], object)).tolist() == [["x"], ["y"]]
        with pytest.raises(md.InputError, match="1 missing value in row 2"):
            sanitising.fit(np.array([["x"], ["NA"]], object))


@pytest.mark.usefixtures("there")
class TestCommands:
    def test_released_data_with_gaps(self) -> None:
        Path("coin.csv").write_text("no,yes\n0.75,0.25\n0.25,0.75\n")
        Path("r.csv").write_text("year,answer\n" + "1,no\n" * 30 + "1,-\n2,NA\n,no\n" + "2,yes\n" * 30)
        line = ["estimate", "coin.csv", "r.csv", "--value", "answer", "--profile", "year"]
        assert "column 'answer': 1 cell is none of the mechanism's outputs" in refused(*line)
        said = run(*line, "--missing", "drop", "--missing-words", "NA,-")
        assert said.status == 0
        out = said.out
        assert "60 rows." in out
        assert "Left out for a missing value: 3 rows." in out
        assert "missing: the mechanism has no category 'missing'" in refused(
            *line, "--missing", "category", "--missing-words", "NA,-"
        )


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    ("reading", "fault"),
    [
        (3, "m.json: reading: expected an object, found 3"),
        ({"missing": "no"}, "m.json: reading.missing: expected one of error, drop, category, found 'no'"),
        ({"missing_words": "no"}, "m.json: reading.missing_words: expected a list, found 'no'"),
    ],
)
def test_a_rule_that_is_none(reading: Any, fault: str) -> None:
    md.write_mechanism(as_it_is(graph()), "m.json")
    document = json.loads(Path("m.json").read_text()) | {"reading": reading}
    Path("m.json").write_text(json.dumps(document))
    with pytest.raises(md.InputError, match=fault):
        md.read_mechanism("m.json")
