"""The digest of a mechanism: of what it is, not of how its file is laid out or what its notes say."""

import json
from pathlib import Path

import numpy as np
import pytest

import mechdesign as md
from mechdesign.mechanism.digest import digest

COIN = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["nö", "yes"])


def test_it_survives_a_file_laid_out_anew_and_other_notes(tmp_path: Path) -> None:
    path = tmp_path / "coin.json"
    md.write_mechanism(COIN, path)
    document = json.loads(path.read_text())
    document["notes"]["made"] = "today"
    path.write_text(json.dumps(dict(reversed(document.items())), indent=7))
    assert digest(md.read_mechanism(path)) == digest(COIN)


def test_doubles_and_the_integers_in_their_proportions_are_one_mechanism() -> None:
    doubles = md.mechanism_from_matrix(np.array([[0.75, 0.25], [0.25, 0.75]]), inputs=["nö", "yes"])
    assert digest(doubles) == digest(COIN)


@pytest.mark.parametrize(
    "other",
    [
        md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"]),
        md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["nö", "yes"], outputs=["yes", "nö"]),
        md.mechanism_from_matrix([["3/4", "1/4"], ["1/5", "4/5"]], inputs=["nö", "yes"]),
    ],
)
def test_another_mechanism_has_another(other: md.Mechanism) -> None:
    assert digest(other) != digest(COIN)
