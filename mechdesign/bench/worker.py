"""The process of one run: python -m mechdesign.bench.worker RUN.json ROW.json."""

import json
import sys
from pathlib import Path

from mechdesign.bench.file import record
from mechdesign.bench.measure import measured
from mechdesign.bench.measurement import Measurement, Run
from mechdesign.files.documents import write_json

if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def report(row: Measurement) -> None:
        """Write what is known so far: the time limit may end this process any moment."""
        write_json(record(row), sys.argv[2])

    measured(Run(**asked["run"]), certificate=asked["certificate"], report=report)
