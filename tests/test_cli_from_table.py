"""`mechdesign graph from-table`: what it says about edges, missing values, and what the graph tells."""

import random
import secrets
from pathlib import Path

import pandas as pd
import pytest
from command import answer, done, refused

from mechdesign.graph.graph_file import read_graph

SURVEY = "job,place,use\nclerk,a,much\nclerk,a,little\nguard,a,little\nsmith,b,much\n"
LINE = ("graph", "from-table", "data.csv", "--profile", "job", "--value", "use", "-o", "g.json")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(SURVEY)


def test_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", random.Random(3).randrange)
    declared = ["--categories", "little, much", "--profiles", '"clerk",guard,smith']
    found = answer(*LINE, "--noise", "1/2", *declared)
    assert found["warning"] is None
    graph = read_graph("g.json")
    assert list(graph) == ["clerk", "guard", "smith"]
    assert graph.graph["made"]["noise"]["epsilon"] == "0.5"
    assert "count" not in Path("g.json").read_text().replace('"count": null', "").replace("each count", "").replace(
        "counts as", ""
    )
    text = done(*LINE, "--noise", "0.5", *declared)
    assert "Noised with epsilon 0.5: differential privacy of records" in text
    assert "private for the noised profiles; for the exact ones it may miss its epsilon" in text
    assert "give both --categories and --profiles" in refused(*LINE, "--noise", "1", *declared[:2])
    Path("data.csv").write_text(SURVEY + "guard,a,NA\n")
    dropped = (*LINE, "--missing", "drop", "--noise", "1", *declared)
    assert answer(*dropped)["left_out"] is None
    assert "Left out for a missing value: some of the rows." in done(*dropped)


def test_an_ordered_categorical_in_a_file_keeps_its_order() -> None:
    frame = pd.read_csv("data.csv")
    levels = ["none", "little", "much"]
    frame["use"] = pd.Categorical(frame["use"], categories=levels, ordered=True)
    frame.to_parquet("data.parquet")
    assert answer(*LINE[:2], "data.parquet", *LINE[3:])["categories"] == 3
    assert read_graph("g.json").graph["categories"] == tuple(levels)
