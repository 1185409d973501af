"""`mechdesign graph from-table`: what it says about edges, missing values, and what the graph tells."""

import random
import secrets
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from command import answer, done, refused

from mechdesign.graph.graph_file import read_graph

SURVEY = "job,place,use\nclerk,a,much\nclerk,a,little\nguard,a,little\nsmith,b,much\n"


class Run:
    """Runs from-table on a survey in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.graph, self.data, self.pairs = folder / "g.json", folder / "data.csv", folder / "pairs.csv"
        self.data.write_text(SURVEY)

    @property
    def line(self) -> tuple[str, ...]:
        return ("graph", "from-table", str(self.data), "--profile", "job", "--value", "use", "-o", str(self.graph))

    def text(self, *options: str) -> str:
        return done(*self.line, *options)

    def json(self, *options: str) -> dict[str, Any]:
        return answer(*self.line, *options)

    def refused(self, *options: str) -> str:
        return refused(*self.line, *options)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_noise(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", random.Random(3).randrange)
    declared = ["--categories", "little, much", "--profiles", '"clerk",guard,smith']
    found = run.json("--noise", "1/2", *declared)
    assert found["warning"] is None
    graph = read_graph(run.graph)
    assert list(graph) == ["clerk", "guard", "smith"]
    assert graph.graph["made"]["noise"]["epsilon"] == "0.5"
    assert "count" not in run.graph.read_text().replace('"count": null', "").replace("each count", "").replace(
        "counts as", ""
    )
    text = run.text("--noise", "0.5", *declared)
    assert "Noised with epsilon 0.5: differential privacy of records" in text
    assert "private for the noised profiles; for the exact ones it may miss its epsilon" in " ".join(text.split())
    assert "give both --categories and --profiles" in run.refused("--noise", "1", *declared[:2])


def test_the_order_of_the_categories(run: Run) -> None:
    assert run.json("--categories", '"much",little')["categories"] == 2
    assert read_graph(run.graph).graph["categories"] == ("much", "little")
    assert read_graph(run.graph).graph["ordered"] is True
    run.json("--categories", "much,little", "--unordered")
    assert read_graph(run.graph).graph["ordered"] is False
    run.data.write_text(SURVEY.replace("much", '"much, too much"'))
    run.json("--categories", 'little,"much, too much"')
    assert read_graph(run.graph).graph["categories"] == ("little", "much, too much")
    assert "--categories: expected a line of CSV" in run.refused("--categories", '"much,little')
    assert "column 'use': text is not one of the categories" in run.refused("--categories", "much")


def test_an_ordered_categorical_in_a_file_keeps_its_order(run: Run) -> None:
    frame = pd.read_csv(run.data)
    levels = ["none", "little", "much"]
    frame["use"] = pd.Categorical(frame["use"], categories=levels, ordered=True)
    run.data = run.data.with_suffix(".parquet")
    frame.to_parquet(run.data)
    assert run.json()["categories"] == 3
    assert read_graph(run.graph).graph["categories"] == tuple(levels)


def test_missing_values(run: Run) -> None:
    run.data.write_text(SURVEY + "guard,a,NA\nsmith,b, \n")
    message = run.refused()
    assert "column 'use': missing value in rows 5, 6 (NA 1, blank 1; --missing drop leaves such rows out" in message
    assert run.json("--missing", "drop")["left_out"] == 2
    assert "Left out for a missing value: 2 of the rows." in run.text("--missing", "drop")
    assert run.json("--missing=category")["categories"] == 3
    assert "missing value in row 6 (blank 1; " in run.refused("--missing-words", "")
    declared = ["--categories", "little,much", "--profiles", "clerk,guard,smith"]
    assert run.json("--missing", "drop", "--noise", "1", *declared)["left_out"] is None
    assert "Left out for a missing value: some of the rows." in run.text("--missing", "drop", "--noise", "1", *declared)


def test_too_many_pairs_are_refused(run: Run) -> None:
    run.data.write_text("job,use\n" + "".join(f"job {i},use {i}\n" for i in range(2500)))
    message = run.refused()
    assert f"{run.data}: too large: all pairs of 2,500 profiles are 3,123,750 edges" in message
    assert not run.graph.exists()
