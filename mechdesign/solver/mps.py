"""Programs as files in MPS, the format that every solver of linear programs reads.

Coefficients have 15 digits; those below 1e-9 are left out, since solvers take them for zero and say so each time.
"""

import gzip
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mechdesign.files.writing import write_together
from mechdesign.program.program import Program
from mechdesign.solver.highs import highs_of

LEAST = 1e-9


def write_mps(
    program: Program, path: Path, *, scale: float = 1.0, columns: Sequence[str] = (), rows: Sequence[str] = ()
) -> None:
    """Write a linear program, its objective times `scale`, with names if given; compressed if the name ends in .gz.

    The same program makes the same bytes again.

    Raises
    ------
    InputError
        if the file cannot be written.
    """
    program = replace(program, cost=program.cost * scale)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "program.mps"
        highs_of(program, least_coefficient=LEAST, columns=columns, rows=rows).writeModel(str(plain))
        content = plain.read_bytes()
    if path.suffix == ".gz":
        content = gzip.compress(content, 9, mtime=0)
    write_together((path, lambda beside: beside.write_bytes(content)))
