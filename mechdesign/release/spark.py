"""Sanitising on many machines with Spark: `sanitise_batches` on each partition. Needs PySpark: the extra `spark`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from mechdesign.files.source import plain_column
from mechdesign.files.tables import check_columns
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.batches import sanitise_batches
from mechdesign.release.codebook import are_integers
from mechdesign.release.sanitiser import Sanitiser


def sanitise_spark(
    mechanism: Mechanism,
    frame: Any,
    *,
    value: str,
    profile: str | None = None,
    keep: Sequence[str] = (),
    keep_anyway: bool = False,
    unknown: str = "error",
    missing: str | None = None,
    missing_profile: str | None = None,
    missing_words: Iterable[str] | None = None,
    others: Label | None = None,
) -> Any:
    """Return a Spark DataFrame in which a column has gone through a mechanism, each batch on its worker.

    Each batch has bits of a new key from the operating system of the machine that draws; no generator travels. What
    comes out are the columns of `keep`, as they are, and the sanitised one: text, or integers if all outputs are.

    Spark is lazy, and each action draws anew: run one, such as `write.parquet`, and go on with what it wrote. Two
    releases of the same observations do not compose.

    Parameters
    ----------
    mechanism, value, profile, keep, keep_anyway, unknown, missing, missing_profile, missing_words, others
        as for `sanitise_batches`.
    frame
        a Spark DataFrame.

    Raises
    ------
    InputError
        at once on columns that are missing; the action fails on unknown or missing cells, with their number and the
        first of them, by rows of their partition.

    Examples
    --------
    >>> from pyspark.sql import SparkSession                                                # doctest: +SKIP
    >>> usage = SparkSession.builder.getOrCreate().read.parquet("usage.parquet")            # doctest: +SKIP
    >>> released = sanitise_spark(mechanism, usage, value="usage", profile="job")           # doctest: +SKIP
    >>> released.write.parquet("released.parquet")                                          # doctest: +SKIP
    """
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    options: dict[str, Any] = {"value": value, "profile": profile, "keep": tuple(keep), "keep_anyway": keep_anyway}
    options |= {"unknown": unknown, "missing": missing, "missing_profile": missing_profile}
    options |= {"missing_words": missing_words, "others": others}
    sanitiser = Sanitiser(mechanism, **options)
    check_columns(frame.columns, sanitiser.needed)

    def field(name: str, labels: Sequence[Label] | None) -> Any:
        if labels is None:
            return frame.schema[name]
        return StructField(name, LongType() if are_integers(labels) else StringType(), nullable=False)

    labelled = {value: mechanism.outputs} | ({} if profile is None else {profile: mechanism.profiles})
    names = (*sanitiser.keep, value)
    return frame.mapInArrow(_on_batches(mechanism, options), StructType([field(n, labelled.get(n)) for n in names]))


def _on_batches(
    mechanism: Mechanism, options: dict[str, Any]
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return what Spark runs on the batches of a partition; it has no dictionaries."""

    def released(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in sanitise_batches(mechanism, batches, **options):
            yield pa.RecordBatch.from_arrays([plain_column(column) for column in batch.columns], batch.schema.names)

    return released
