"""`sanitise_batches`: Arrow record batches go in and come out, one by one."""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.label_columns import Rule
from mechdesign.release.sanitiser import Sanitiser


def sanitise_batches(
    mechanism: Mechanism,
    batches: Iterable[pa.RecordBatch],
    *,
    value: str,
    profile: str | None = None,
    keep: Sequence[str] = (),
    keep_anyway: bool = False,
    unknown: str = "error",
    seed_not_for_release: int | None = None,
    missing: str | None = None,
    missing_profile: str | None = None,
    missing_words: Iterable[str] | None = None,
    others: Label | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield Arrow record batches in which a column has gone through a mechanism, each row with coins of its own.

    Only the sanitised column and those of `keep` come out; kept columns come out as they are, and what they tell is
    released. An observation may be sanitised once: two releases of the same one do not compose ([GC] Observation 4 is
    about independent ones).

    Parameters
    ----------
    mechanism
        whose categories the values are.
    batches
        record batches with the same columns, as from `pyarrow.RecordBatchReader` or Spark's `mapInArrow`.
    value
        the column to sanitise.
    profile
        the column that names the profile; not needed if all profiles have the same rows.
    keep
        columns to release as they are; not the one that the mechanism hides, the profile's.
    keep_anyway
        keep that one too: what is proved of the mechanism then protects nobody.
    unknown
        rows whose value or profile is missing or none of the mechanism's are an "error", or left out ("drop").
    seed_not_for_release
        a number that makes the outcome the same each time: for tests. Who knows it can undo the release.
    missing, missing_profile, missing_words, others
        as for `sanitise`.

    Raises
    ------
    InputError
        on columns that are missing or change; after the last batch on unknown or missing cells, with their number.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Smooth Categorical is solving and applying.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> swap = mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
    >>> batch = pa.record_batch({"answer": ["yes", "yes", "no"], "town": ["Ulm", "Jena", "Ulm"]})
    >>> [part.to_pydict() for part in sanitise_batches(swap, [batch], value="answer")]
    [{'answer': ['no', 'no', 'yes']}]
    """
    rule: Rule = {"missing": missing, "missing_profile": missing_profile, "missing_words": missing_words}
    rule["others"] = others
    sanitiser = Sanitiser(
        mechanism,
        value=value,
        profile=profile,
        keep=keep,
        keep_anyway=keep_anyway,
        unknown=unknown,
        seed_not_for_release=seed_not_for_release,
        **rule,
    )
    return sanitiser.batches(batches)
