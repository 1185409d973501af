"""The rows of a benchmark as they come; in a file too, where one is wanted, to which others may write as well."""

from collections.abc import Iterable
from pathlib import Path

from mechdesign.bench.rows import Row, Run, read_rows, with_excess, write_rows
from mechdesign.files.lock import locked


class Kept:
    """The rows so far, from an earlier benchmark or new; each new one is put into the file at once."""

    def __init__(self, path: str | None = None, earlier: Iterable[Row] = ()) -> None:
        self.path = path
        self._rows = {row.run: row for row in earlier}

    @property
    def rows(self) -> list[Row]:
        """All rows, with their excess over the best bound among them."""
        return with_excess(list(self._rows.values()))

    def add(self, row: Row) -> None:
        """Add a row; what other benchmarks have put into the file since it was read stays there.

        Raises
        ------
        InputError
            if the file holds no rows any more, or cannot be written.
        """
        if self.path is not None:
            with locked(self.path):
                there = read_rows(self.path) if Path(self.path).exists() else []
                known: dict[Run, Row] = {**self._rows, **{one.run: one for one in there}, row.run: row}
                write_rows(with_excess(list(known.values())), self.path)
        self._rows[row.run] = row  # counted once it is kept: an interruption may come at any time
