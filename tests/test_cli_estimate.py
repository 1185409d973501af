"""`mechdesign estimate`: what it prints, its JSON, its picture, and bad input."""

from pathlib import Path

import numpy as np
import pytest
from command import refused, run

import mechdesign as md


@pytest.mark.slow
def test_dollars_in_labels_are_no_formulas(tmp_path: Path) -> None:
    """Between two dollars matplotlib sees a formula, which it prints without them, or cannot read."""
    incomes = ["$0-$10,000", "$nope \\{$"]
    md.write_mechanism(md.mechanism_from_matrix(np.eye(2), inputs=incomes), tmp_path / "m.json")
    rows = [f'"{income}","{income}"\n' for income in incomes]
    (tmp_path / "d.csv").write_text("income,group\n" + "".join(rows * 50))
    arguments = ("estimate", str(tmp_path / "m.json"), str(tmp_path / "d.csv"), "--value", "income", "--profile")
    for plot in ("shares.svg", "shares.pdf", "shares.png"):
        status, _, err = run(*arguments, "group", "--plot", str(tmp_path / plot))
        assert (status, err) == (0, "")
    drawn = (tmp_path / "shares.svg").read_text()
    assert drawn.count(">$0-$10,000</text>") == 2  # below the axis, in both panels
    assert drawn.count(">$0-$10,000 (50 rows)</text>") == 1


def test_weights_of_0_are_told_with_their_file_and_column(coin: str, tmp_path: Path) -> None:
    data = tmp_path / "w0.csv"
    data.write_text("answer,w\n0,0\n1,0\n")
    said = refused("estimate", coin, str(data), "--value", "answer", "--weight", "w")
    assert f"{data}: column 'w': all weights of 'all' are 0" in said
