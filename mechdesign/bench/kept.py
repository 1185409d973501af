"""The rows of a benchmark as they come; in a file too, where one is wanted, to which others may write as well."""

from collections.abc import Iterable
from pathlib import Path

from mechdesign.bench.file import read_measurements, write_measurements
from mechdesign.bench.measurement import Measurement, Run, with_excess
from mechdesign.files.lock import locked


class Kept:
    """The rows so far, from an earlier benchmark or new; each new one is put into the file at once."""

    def __init__(self, path: str | None = None, earlier: Iterable[Measurement] = ()) -> None:
        self.path = path
        self._rows = {row.run: row for row in earlier}

    @property
    def rows(self) -> list[Measurement]:
        """All rows, with their excess over the best bound among them."""
        return with_excess(list(self._rows.values()))

    def add(self, row: Measurement) -> None:
        """Add a row; what other benchmarks have put into the file since it was read stays there.

        Raises
        ------
        InputError
            if the file holds no rows any more, or cannot be written.
        """
        if self.path is not None:
            with locked(self.path):
                there = read_measurements(self.path) if Path(self.path).exists() else []
                known: dict[Run, Measurement] = {**self._rows, **{one.run: one for one in there}, row.run: row}
                write_measurements(with_excess(list(known.values())), self.path)
        self._rows[row.run] = row  # counted once it is kept: an interruption may come at any time
