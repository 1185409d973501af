"""`design` and `check` with objectives that the certificate's checker does not know."""

import json
from pathlib import Path

from command import run

ASKED = ["design", "categorical-chain", "--epsilon", "0.5"]


def test_its_program_as_mps_is_that_of_the_solver(tmp_path: Path) -> None:
    mps = tmp_path / "chain.mps"
    assert run(*ASKED, "--objective", "largest-cost", "--mps", str(mps)).status == 0
    names = json.loads((tmp_path / "chain.mps.map.json").read_text(encoding="utf-8"))
    own = [row for row in names["rows"] if row.startswith(("rise", "fall"))]
    assert (len(own), own[0], own[-1]) == (2 * 3 * 4, "rise_0_0", "fall_2_3")
    assert names["rows"]["fall_2_3"] == {"kind": "fall", "profile": "P3", "category": "4"}
