"""The digest of a mechanism: that of its file, whether it was written or not."""

import hashlib
from pathlib import Path

import pytest

import mechdesign as md
from mechdesign.mechanism.mechanism_file import digest

MECHANISMS = {
    "coin": md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["nö", "yes"]),
    "other labels": md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"]),
    "other outputs": md.mechanism_from_matrix(
        [["3/4", "1/4"], ["1/4", "3/4"]], inputs=["nö", "yes"], outputs=["a", "b"]
    ),
    "other weights": md.mechanism_from_matrix([["3/4", "1/4"], ["1/5", "4/5"]], inputs=["nö", "yes"]),
    "designed": md.design("categorical-chain", epsilon=0.5).mechanism,
    "for all": md.design("categorical-chain", epsilon=0.5, shared=True).mechanism,
    "points": md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=[(0, 1), (1, 0)]),
}


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_it_is_that_of_the_file_and_stays_when_the_file_is_read(tmp_path: Path, mechanism: md.Mechanism) -> None:
    md.write_mechanism(mechanism, path := tmp_path / "mechanism.json")
    assert digest(mechanism) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest(md.read_mechanism(path)) == digest(mechanism)
