"""Sanitising with Spark, by Python workers of its own: the law, fresh bits in each batch, and what is refused."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import InputError
from mechdesign.release.spark import sanitise_spark

spark_sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: its extra, spark, is tested by itself")

CHAIN = md.design("categorical-chain", epsilon=0.5).mechanism
FAIR = md.k_ary(["no", "yes"], epsilon=0)
NUMBERS = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"], outputs=[1, 2])


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.driver.host": "127.0.0.1"}
    builder = spark_sql.SparkSession.builder.master("local[2]").config(map=options)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def test_the_law(spark: Any) -> None:
    rows = [("P2", "3", 7), ("P3", "4", 8)] * 5000
    frame = spark.createDataFrame(rows, ["job", "usage", "age"]).repartition(2)
    lazy = sanitise_spark(CHAIN, frame, value="usage", profile="job", keep=["age", "job"], keep_anyway=True)
    assert lazy.columns == ["age", "job", "usage"]
    assert [field.dataType.simpleString() for field in lazy.schema] == ["bigint", "string", "string"]
    released = [tuple(row) for row in lazy.collect()]
    assert sorted({(age, job) for age, job, _ in released}) == [(7, "P2"), (8, "P3")]
    for job, usage in (("P2", "3"), ("P3", "4")):
        drawn = [y for _, whose, y in released if whose == job]
        expected = {y: 5000 * float(p) for y, p in zip(CHAIN.outputs, CHAIN.row(job, usage), strict=True) if p}
        assert chisquare([drawn.count(y) for y in expected], list(expected.values())).pvalue > 1e-9


def test_what_is_hidden_is_not_kept(spark: Any) -> None:
    frame = spark.createDataFrame([("P2", "3")], ["job", "usage"])
    with pytest.raises(InputError, match="keep: 'job' is what the mechanism hides"):
        sanitise_spark(CHAIN, frame, value="usage", profile="job", keep=["job"])


def test_no_two_batches_and_no_two_actions_have_the_same_bits(spark: Any) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 256)
    frame = spark.range(1024, numPartitions=2).selectExpr("'no' as answer", "id")
    lazy = sanitise_spark(FAIR, frame, value="answer", keep=["id"])
    drawn = []
    for _ in range(2):
        answers = [row["answer"] for row in sorted(lazy.collect(), key=lambda row: int(row["id"]))]
        drawn += [tuple(answers[start : start + 256]) for start in range(0, 1024, 256)]
    assert len(set(drawn)) == 8


def test_outputs_that_are_integers_are_integers(spark: Any) -> None:
    frame = spark.createDataFrame([("no",), ("yes",)], ["answer"]).coalesce(1)
    lazy = sanitise_spark(NUMBERS, frame, value="answer")
    assert lazy.schema["answer"].dataType.simpleString() == "bigint"
    assert [row["answer"] for row in lazy.collect()] == [2, 1]


def test_missing_columns_are_refused_at_once(spark: Any) -> None:
    frame = spark.createDataFrame([("no",)], ["answer"])
    with pytest.raises(InputError, match="answr"):
        sanitise_spark(FAIR, frame, value="answr")
    with pytest.raises(InputError, match="profile: the mechanism has 3 matrices for its 3 profiles"):
        sanitise_spark(CHAIN, frame, value="answer")


def test_unknown_cells_fail_the_action_or_are_left_out(spark: Any) -> None:
    frame = spark.createDataFrame([("no",), ("perhaps",), (None,), ("yes",)], ["answer"])
    with pytest.raises(Exception, match=r"text in row|missing value") as error:
        sanitise_spark(FAIR, frame, value="answer").collect()
    assert "perhaps" not in str(error.value)
    assert sanitise_spark(FAIR, frame, value="answer", unknown="drop").count() == 2


def test_who_comes_from_tumult_can_follow_the_page(spark: Any, tmp_path: Path) -> None:
    """From a frame to shares by region, each near the true one: 0.6 in the north, 0 in the south."""
    page = Path(__file__).parent.parent / "graphs" / "tutorials" / "coming-from.md"
    (block,) = re.findall(r"^```py\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {}
    exec(block.replace('"released"', repr(str(tmp_path / "released"))), found)
    assert found["spark"] is spark
    shares = found["shares"]["estimate"]
    assert sorted(shares.index) == [("north", "no"), ("north", "yes"), ("south", "no"), ("south", "yes")]
    assert abs(shares["north", "yes"] - 0.6) < 0.2
    assert shares["south", "yes"] < 0.2
