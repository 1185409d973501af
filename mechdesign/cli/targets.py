"""Where `mechdesign design` writes, and what it keeps of each design as soon as that is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mechdesign.designer.design_files import write_design
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown
from mechdesign.files.writing import made_folder
from mechdesign.reports.curve_file import Points, Question, keep_points, point_of, read_curve


@dataclass(frozen=True)
class Targets:
    """The files to write, by what is in them; None if not.

    Of several epsilons, mechanisms and certificates stand in folders; `several` says how each is written in a file's
    name.
    """

    mechanism: str | None
    certificate: str | None
    curve: str | None
    mps: str | None = None
    several: Mapping[Epsilon, str] | None = None

    def points(self, question: Question) -> Points:
        """Return the points that the curve's file has."""
        return {} if self.curve is None else read_curve(self.curve, question)

    def of(self, epsilon: Epsilon) -> dict[str, str | None]:
        """Return the files of one epsilon's mechanism and certificate."""
        files = {"mechanism": self.mechanism, "certificate": self.certificate}
        if self.several is None:
            return files
        name = f"epsilon-{self.several[epsilon]}"
        if len(name) > 200 and any(files.values()):
            raise InputError(f"epsilon: too long to name a file after, {shown(epsilon)}")
        return {
            kind: None if folder is None else str(Path(folder, f"{name}.{kind}.json")) for kind, folder in files.items()
        }

    def keep(self, result: Design, question: Question, points: Points) -> None:
        """Write a design's files, and add it to the points and to their file."""
        files = self.of(result.epsilon)
        for folder in (self.mechanism, self.certificate):
            if self.several is not None and folder is not None:
                made_folder(folder)
        write_design(result, **files)
        point = point_of(result) | files
        if self.curve is not None:
            keep_points(self.curve, question, points, {result.epsilon: point})
        points[result.epsilon] = point  # counted once it is kept: an interruption may come at any time

    def after_interruption(self) -> str:
        """Return in words where what was done of several can be found."""
        kept = dict.fromkeys(place for place in (self.curve, self.mechanism, self.certificate) if place is not None)
        if not kept:
            return "not kept; --curve FILE would have"
        written = [place for place in kept if Path(place).exists()]
        return f"kept in {', '.join(written)}" if written else "nothing was written"
