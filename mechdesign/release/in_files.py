"""`sanitise_file`: from a file of data of any size to another, with its manifest, noted in the journal."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from mechdesign.errors import InputError, telling
from mechdesign.exact.flags import with_flags
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.documents import json_writer
from mechdesign.files.overwriting import Place, check_apart
from mechdesign.files.scan import Scan, files_of, scan
from mechdesign.files.writing import Write, write_together
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.privacy.asked import Protected
from mechdesign.release.journal import Journal
from mechdesign.release.manifest import ENDING, SEEDED, guarantee, made_from, manifest
from mechdesign.release.sanitiser import Sanitiser
from mechdesign.release.sinks import check_ending, write_batches
from mechdesign.show.answer import Answer, for_programs, sentences

FEW = 100_000
"""Of fewer rows it says nothing how many were sanitised in a second."""


@dataclass(frozen=True)
class FileRelease:
    """A file of sanitised data that was written.

    Attributes
    ----------
    manifest
        what stands beside it, in OUTPUT.manifest.json: by what it was made, what that guarantees, how many rows.
    warnings
        what has to be known before it is released.
    seconds
        how long it took.
    """

    manifest: dict[str, Any]
    warnings: list[str]
    seconds: float
    sanitiser: Sanitiser
    protected: Protected

    def answer(self) -> Answer:
        """Return what was made of how many rows, and what is known of the mechanism."""
        made, rows = self.manifest, self.sanitiser.rows
        keys = (
            "rows",
            "left_out",
            "proved",
            "robust",
            "epsilon",
            "delta",
            "epsilon_per_distance",
            "unit",
            *self.protected.summary(),
        )
        rate = f", {rows / self.seconds / 1e6:.2g} million a second" if rows >= FEW else ""
        facts = for_programs({key: made[key] for key in keys} | {"seconds": self.seconds})
        return Answer(
            f"{_rows(made['rows'])} sanitised in {self.seconds:.1f} s{rate}.",
            facts=[*facts, *sentences(*_remarks(self.sanitiser, made, self.protected))],
            warnings=self.warnings,
        )


@with_flags
def sanitise_file(
    mechanism: str,
    data: str,
    output: str,
    *,
    value: str,
    profile: str | None = None,
    certificate: str | None = None,
    normalise: bool = False,
    layout: Layout = RECOGNISED,
    seed_not_for_release: int | None = None,
    progress: Callable[[int, float], object] = lambda rows, share: None,
    keep: Sequence[str] = (),
    keep_anyway: bool = False,
    unknown: str = "error",
    missing: str | None = None,
    missing_profile: str | None = None,
    missing_words: Iterable[str] | None = None,
    others: Label | None = None,
) -> FileRelease:
    """Write a file in which each row of another has gone through a mechanism, and OUTPUT.manifest.json on how.

    Both files appear whole or not at all. The release is noted in a hidden file beside the data and among the user's
    files, and a second one of the same data is warned of, as two releases of an observation do not compose.

    Parameters
    ----------
    mechanism
        the mechanism's file, or that of a matrix.
    data
        a CSV, Parquet, Feather or Arrow file of any size, or a folder of such files.
    output
        where to write the sanitised data: .parquet, .feather, .arrow, .csv or .tsv.
    value, profile
        the columns to sanitise (several between commas, as in `sanitise`) and of the profile, which is not needed if
        all profiles have the same rows.
    certificate
        the file that proves the mechanism's privacy; it is checked, and recorded in the manifest.
    normalise
        whether to divide the rows of a matrix by their totals.
    layout
        encoding and delimiter of CSV files, where they are not recognised.
    seed_not_for_release
        a number that makes the outcome the same each time: for tests. Who knows it can undo the release.
    progress
        takes the number of rows so far, and the share of the whole.
    keep, keep_anyway, unknown, missing, missing_profile, missing_words, others
        as in `sanitise`.

    Raises
    ------
    InputError
        naming the file that cannot be read or written, or that would overwrite one that is read; or the column.

    Examples
    --------
    >>> import pathlib, tempfile, mechdesign as md
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> names = [str(folder / name) for name in ("swap.csv", "survey.csv", "released.csv")]
    >>> _ = pathlib.Path(names[0]).write_text("0,1\\n1,0\\n"), pathlib.Path(names[1]).write_text("answer\\n0\\n0\\n")
    >>> md.sanitise_file(*names, value="answer", seed_not_for_release=1).manifest["rows"]
    2
    >>> pathlib.Path(names[2]).read_text().split()
    ['"answer"', '1', '1']
    """
    began = time.perf_counter()
    check_ending(output)
    _check_outside(mechanism, data, certificate, output)
    applied = read_foreign(mechanism, normalise=normalise)
    options: dict[str, Any] = {"keep": keep, "keep_anyway": keep_anyway, "unknown": unknown, "missing": missing}
    options |= {"missing_profile": missing_profile, "missing_words": missing_words, "others": others}
    options |= {"counts_kept": True, "seed_not_for_release": seed_not_for_release}
    sanitiser = Sanitiser(applied, value=value, profile=profile, **options)
    guaranteed, protected = guarantee(applied, certificate)
    known = made_from(mechanism, certificate) | guaranteed
    journal, digest = Journal(data, single=has_point_masses(applied.graph)), known["mechanism"]["sha256"]
    seeded = seed_not_for_release is not None
    again = journal.warnings(sanitiser.value, digest)
    made: dict[str, Any] = {}

    def stand_beside(beside: Path) -> None:
        made.update(manifest(sanitiser, known, journal.earlier(sanitiser.value), seed=seed_not_for_release))
        json_writer(made, output + ENDING)(beside)

    def note() -> None:
        if not seeded:
            again[:] = journal.noted(sanitiser.value, digest, output)

    release = partial(_release, sanitiser, data, layout, progress)
    files: list[tuple[Path | str, Write]] = [(output, release), (output + ENDING, stand_beside)]
    write_together(*files, before_renaming=note)
    warnings = [f"{SEEDED.format(seed_not_for_release)}."] * seeded + sanitiser.warnings() + again
    return FileRelease(made, warnings, time.perf_counter() - began, sanitiser, protected)


def _check_outside(mechanism: str, data: str, certificate: str | None, output: str) -> None:
    """Raise if the output, or the manifest beside it, would be one of the files that are read."""
    folder = Path(os.path.realpath(data))
    if folder.is_dir() and Path(os.path.realpath(output)).is_relative_to(folder):
        raise InputError(f"expected a file outside the folder {data}, which is read", source=output)
    taken = [("what mechanism reads", Place(Path(mechanism)))]
    taken += [("what data reads", Place(file)) for file in files_of(data)]
    taken += [] if certificate is None else [("what certificate reads", Place(Path(certificate)))]
    for written in (output, output + ENDING):
        check_apart("output", written, taken)


def _release(
    sanitiser: Sanitiser,
    data: str,
    layout: Layout,
    progress: Callable[[int, float], object],
    beside: Path,
) -> None:
    """Write the sanitised data."""
    beside_these = {"keep": sanitiser.kept_plain, "if_there": sanitiser.read_if_there}
    with scan(data, sanitiser.coded, **beside_these, layout=layout) as stream, telling(source=data):
        write_batches(
            sanitiser.batches(_counted_in(sanitiser, stream, progress)),
            sanitiser.schema(stream.schema),
            beside,
            delimiter=stream.delimiter,
            random=sanitiser.parts,
        )


def _counted_in(
    sanitiser: Sanitiser, stream: Scan, progress: Callable[[int, float], object]
) -> Iterable[pa.RecordBatch]:
    """Yield what is read, and say after each batch how far it is."""
    for batch in stream:
        yield batch
        progress(sanitiser.rows, stream.share())


def _remarks(sanitiser: Sanitiser, made: dict[str, Any], protected: Protected) -> Iterator[str]:
    """Yield what became of the rows, what is known of the mechanism, and what is released beside the values."""
    if made["left_out"]:
        yield f"Left out: {_rows(made['left_out'])}. {'. '.join(sanitiser.described())}."
    for label, times in sanitiser.stood_in.items():
        yield f"Taken for {label}: {_rows(times)}."
    rate, unit = made["epsilon_per_distance"], made["unit"] or "unit of distance"
    limit = made["epsilon"] if rate is None else f"{rate} per {unit}"
    if made["proved"]:
        whom = ", for every distribution within the profiles' bounds" if made["robust"] else ""
        proved = f"Proved: epsilon {limit}, delta {made['delta']} at most on every edge{whom}"
        yield f"{proved}: {protected.words()}."
    elif made["epsilon"] is not None:
        beside = "" if made["delta"] in (None, "0") else f" and its delta {made['delta']}"
        said = f"The mechanism says that its epsilon is {limit}{beside}, for {protected.words()}"
        yield f"{said}; --proof CERT.json proves it."
    kept = f"they are: {', '.join(sanitiser.keep)}, and" if sanitiser.keep else "it is:"
    yield f"Released as {kept} the order of the rows."


def _rows(number: int) -> str:
    return f"{number:,} row{'s' * (number != 1)}"
