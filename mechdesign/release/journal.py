"""Which columns of a file have been sanitised before: noted where nobody else looks, and warned of a second time.

One observation may be sanitised once. Two releases of it do not compose: together they may tell more than their
epsilons added up ([GC] Observation 4 is about independent observations; `mechdesign reproduce gc-composition`).

There are two notes. The one beside `survey.csv` is the hidden file `.survey.csv.sanitised.json`; a file and the folder
that it lies in hold the same rows, so a note of the one is a warning about the other. The other note is the user's own,
`mechdesign/sanitised.json` in $XDG_STATE_HOME or ~/.local/state, a folder that nobody else may read: it has digests of
the data too, so that a copy is known wherever it lies. Both are::

    {"format": "mechdesign-sanitised/1",
     "releases": [{"column": "answer", "mechanism_sha256": "...", "output": "/data/out.csv", "at": "2026-01-31...",
                   "data": "/data/survey.csv", "single_values": false, "data_sha256": ["..."]}]}
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import NOTE
from mechdesign.files.opening import sha256_of
from mechdesign.files.scan import files_of
from mechdesign.files.tables import between_commas
from mechdesign.files.writing import locked

WHY = (
    "One observation may be sanitised once: two releases of it together may tell more than their epsilons added up"
    " (mechdesign reproduce gc-composition)."
)

SINGLE = "One observation may be sanitised once: the epsilons of single values add up: {} releases together."
"""Said in the place of `WHY` where each time was with a mechanism whose profiles are single values."""

VALUES = "single_values"
"""Whether the profiles of a noted release's mechanism are single values."""

DIGESTS = "data_sha256"
"""What only the user's own note has: who reads a digest and guesses the data knows that the guess is right."""

IN_MEMORY = "data in memory"
"""The output of a release that was written to no file."""

Release: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Journal:
    """The notes about a file or folder of data."""

    data: str | os.PathLike[str]
    single: bool = False
    """Whether the profiles of the mechanism that is applied are single values."""

    @cached_property
    def place(self) -> Path:
        """Where the data are, links followed."""
        return Path(os.path.realpath(self.data))

    @cached_property
    def digests(self) -> list[str]:
        """The digests of the data's files."""
        return sorted({sha256_of(file) for file in files_of(self.data)})

    def releases(self, column: str) -> list[Release]:
        """Return what has been noted of a column: of this file or folder, the folder it lies in, files in it, copies.

        Raises
        ------
        InputError
            if a note cannot be read.
        """
        inside = sorted(self.place.iterdir()) if self.place.is_dir() else []
        beside = map(_note_beside, (self.place, self.place.parent, *inside))
        found = [one for note in beside for one in _noted_in(note)]
        own = (one for one in _noted_in(_users_note()) if self._is_about(one))
        plain = ({key: one[key] for key in one if key != DIGESTS} for one in own)
        found += [one for one in plain if one not in found]
        return sorted((one for one in found if _meet(one.get("column"), column)), key=lambda one: str(one.get("at")))

    def earlier(self, column: str) -> list[Release]:
        """Return what a manifest says of the releases before: when and by which mechanism, not where anything lies."""
        return [
            {
                "mechanism_sha256": one.get("mechanism_sha256"),
                "made": one.get("at"),
                VALUES: one.get(VALUES) is True,
            }
            for one in self.releases(column)
        ]

    def _is_about(self, release: Release) -> bool:
        """Return whether a release of the user's was of these data, by their place or by what is in them."""
        digests = release.get(DIGESTS)
        is_copy = isinstance(digests, list) and not set(self.digests).isdisjoint(map(str, digests))
        return is_copy or self._is_near(release)

    def _is_near(self, release: Release) -> bool:
        """Return whether a release was of this file or folder, of the folder it lies in, or of a file in it."""
        place = Path(str(release.get("data", self.place)))
        return place in (self.place, self.place.parent) or place.parent == self.place

    def warnings(self, column: str, mechanism_sha256: str, besides: Release | None = None) -> list[str]:
        """Return in words that a column has been sanitised before, lately with the same mechanism if ever; or nothing.

        Raises
        ------
        InputError
            if a note cannot be read.
        """
        before = [one for one in self.releases(column) if one != besides]
        if not before:
            return []
        same = [one for one in before if one.get("mechanism_sha256") == mechanism_sha256]
        last = (same or before)[-1]
        times = f"{len(before)} times; last" if len(before) > 1 else "once:"
        alike = self.single and all(one in same or one.get(VALUES) is True for one in before)
        why = SINGLE.format(len(before) + 1) if alike else WHY
        copy = "" if self._is_near(last) else f" as {last.get('data')},"
        return [
            f"column {shown(column)} of {self.data} has been sanitised before,{copy} {times} with "
            f"{'this' if same else 'another'} mechanism on {last.get('at')}, to {last.get('output')}. {why}"
        ]

    def noted(self, column: str, mechanism_sha256: str, output: str | os.PathLike[str] | None) -> list[str]:
        """Note a release, and return what there is to warn of; without an output it stays in memory."""
        release: Release = {
            "column": column,
            "mechanism_sha256": mechanism_sha256,
            "output": IN_MEMORY if output is None else os.path.realpath(output),
            "at": datetime.now(UTC).isoformat(),
            "data": str(self.place),
            VALUES: self.single,
        }
        is_noted = [
            _added(_note_beside(self.place), release),
            _added(_users_note(), {**release, DIGESTS: self.digests}),
        ]
        lost = f"the folder of {self.data} cannot be written, so that a second time will not be noticed. {WHY}"
        return self.warnings(column, mechanism_sha256, release) + ([] if any(is_noted) else [lost])


def _meet(one: object, other: str) -> bool:
    """Return whether two releases were of one column, or of several with one in common.

    Examples
    --------
    >>> _meet('vote,"age, in years"', "age, in years"), _meet("vote", "vote,news"), _meet("vote", "news")
    (True, True, False)
    """
    first, second = ({name, *between_commas(name)} for name in (str(one), other))
    return not first.isdisjoint(second)


def _noted_in(note: Path | None) -> list[Release]:
    """Return the releases in a note, if there is one."""
    return [] if note is None or not note.exists() else NOTE.read(note, _releases)


def _releases(document: Any) -> list[Release]:
    releases = NOTE.check(document).get("releases")
    if not isinstance(releases, list) or not all(isinstance(one, dict) for one in releases):
        raise InputError("releases: expected a list of objects")
    return releases


def _note_beside(place: Path) -> Path | None:
    """Return the note beside a file or folder of data; the root of all folders has none."""
    return place.with_name(f".{place.name}.sanitised.json") if place.name else None


def _users_note() -> Path | None:
    """Return the user's own note, None where there is no home."""
    try:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        return None
    return Path(home) / "mechdesign" / "sanitised.json"


def _added(note: Path | None, release: Release) -> bool:
    """Note a release where that is possible, and return whether it is; no other command changes the note meanwhile."""
    if note is None:
        return False
    try:
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    if not os.access(note.parent, os.W_OK):
        return False
    with locked(note):
        write_json({"format": NOTE.format, "releases": [*_noted_in(note), release]}, note)
    return True
