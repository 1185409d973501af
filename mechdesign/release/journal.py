"""Which columns of a file have been sanitised before: noted beside the data, which stays where nobody else looks.

One observation may be sanitised once. Two releases of it do not compose: together they may tell more than their
epsilons added up ([GC] Observation 4 is about independent observations; `mechdesign reproduce gc-composition`).

A file and the folder that it lies in hold the same rows: a note of the one is a warning about the other.

The note beside `survey.csv` is the hidden file `.survey.csv.sanitised.json`::

    {"format": "mechdesign-sanitised/1",
     "releases": [{"column": "answer", "mechanism_sha256": "...", "output": "/data/out.csv", "at": "2026-01-31..."}]}
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.documents import read_json

FORMAT = "mechdesign-sanitised/1"

WHY = (
    "One observation may be sanitised once: two releases of it together may tell more than their epsilons added up"
    " (mechdesign reproduce gc-composition)."
)


@dataclass(frozen=True)
class Journal:
    """The note beside a file or folder of data."""

    data: str

    @property
    def path(self) -> Path:
        """Where the note is."""
        place = Path(os.path.realpath(self.data))
        return place.with_name(f".{place.name}.sanitised.json")

    def is_writable(self) -> bool:
        """Return whether the note can be written."""
        return os.access(self.path if self.path.exists() else self.path.parent, os.W_OK)

    def releases(self) -> list[dict[str, Any]]:
        """Return what has been noted.

        Raises
        ------
        InputError
            if the note cannot be read.
        """
        if not self.path.exists():
            return []
        document = read_json(self.path)
        releases = document.get("releases") if isinstance(document, dict) and document.get("format") == FORMAT else None
        if not isinstance(releases, list) or not all(isinstance(one, dict) for one in releases):
            raise InputError(f'expected a note of what was sanitised, with "format": "{FORMAT}"', source=str(self.path))
        return releases

    def warning(self, column: str, mechanism_sha256: str) -> str | None:
        """Return in words that the column has been sanitised before, lately with the same mechanism if ever."""
        before = [one for one in self._of_these_rows() if one.get("column") == column]
        same = [one for one in before if one.get("mechanism_sha256") == mechanism_sha256]
        if not before:
            return None
        last = (same or before)[-1]
        which = "this" if same else "another"
        times = f"{len(before)} times; last" if len(before) > 1 else "once:"
        return (
            f"column {shown(column)} of {self.data} has been sanitised before, {times} with {which} mechanism on "
            f"{last.get('at')}, to {last.get('output')}. {WHY}"
        )

    def _of_these_rows(self) -> list[dict[str, Any]]:
        """Return what has been noted of this file or folder, of the folder it lies in, and of the files in it."""
        place = Path(os.path.realpath(self.data))
        inside = sorted(place.iterdir()) if place.is_dir() else []
        others = [Journal(str(other)) for other in (place, place.parent, *inside)]
        return sorted((one for other in others for one in other.releases()), key=lambda one: str(one.get("at")))

    def with_release(self, column: str, mechanism_sha256: str, output: str) -> dict[str, Any]:
        """Return the JSON value of the note with one more release."""
        release = {
            "column": column,
            "mechanism_sha256": mechanism_sha256,
            "output": os.path.realpath(output),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        return {"format": FORMAT, "releases": [*self.releases(), release]}
