"""Sanitising on many machines with Dask: each partition by itself. Needs Dask with pandas: the extra `dask`."""

from collections.abc import Iterable, Sequence
from typing import Any

from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.in_memory import sanitised_table
from mechdesign.release.sanitiser import Sanitiser


def sanitise_dask(
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
    """Return a Dask DataFrame in which a column has gone through a mechanism, each partition on its worker.

    Each partition has bits of a new key from the operating system of the machine that draws; no generator travels.
    What comes out is as from `sanitise`: the columns of `keep` and the sanitised one, without the index. It is not
    counted what kept columns tell.

    Dask is lazy, and each computation draws anew: compute once, as `to_parquet` does, and go on with what it wrote.
    Two releases of the same observations do not compose.

    Parameters
    ----------
    mechanism, value, profile, keep, keep_anyway, unknown, missing, missing_profile, missing_words, others
        as for `sanitise`.
    frame
        a Dask DataFrame.

    Raises
    ------
    InputError
        at once on columns that are missing; when it is computed on unknown or missing cells, with their number and the
        first of them, by rows of their partition.

    Examples
    --------
    >>> import dask.dataframe, pandas
    >>> from mechdesign import mechanism_from_matrix
    >>> swap = mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
    >>> answers = dask.dataframe.from_pandas(pandas.DataFrame({"answer": ["yes", "yes", "no"]}), npartitions=2)
    >>> sanitise_dask(swap, answers, value="answer").compute(scheduler="sync")["answer"].tolist()
    ['no', 'no', 'yes']
    """
    options: dict[str, Any] = {"value": value, "profile": profile, "keep": tuple(keep), "keep_anyway": keep_anyway}
    options |= {"unknown": unknown, "missing": missing, "missing_profile": missing_profile}
    options |= {"missing_words": missing_words, "others": others}
    empty = _sanitised(frame._meta, mechanism, **options)
    return frame.map_partitions(_sanitised, mechanism, **options, meta=empty, clear_divisions=True)


def _sanitised(part: Any, mechanism: Mechanism, **options: Any) -> Any:
    return sanitised_table(Sanitiser(mechanism, **options), part)
