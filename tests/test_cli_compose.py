"""`mechdesign compose`: what it prints, its JSON, exit statuses, and bad input."""

import json
import re
from pathlib import Path

import pytest
from command import refused, run

import mechdesign as md

Captured = pytest.CaptureFixture[str]


def test_a_claim_between_the_bounds(coin: str) -> None:
    line = ("compose", coin, "--releases", "300", "--delta", "1e-6")
    found = json.loads(run(*line, "--json")[1])
    between = (found["epsilon"] + found["epsilon_lower"]) / 2
    status, out, _ = run(*line, "--together", repr(between))
    assert status == 3
    assert " ".join(out.split()).endswith("That is between what is proved and what is refuted: neither.")
    assert json.loads(run(*line, "--together", repr(between), "--json")[1])["private_together"] is None
    assert " ".join(run(*line, "--together", "100")[1].split()).endswith("NOT hold, as computed in doubles.")


def test_the_page(coin: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    status, out, _ = run("compose", coin, coin, "--releases", "3,2", "--report", str(page))
    assert (status, out.endswith(f"\nWritten: {page}.\n")) == (0, True)
    text = page.read_text(encoding="utf-8")
    assert "<title>Find the epsilon of several releases together</title>" in text
    assert "All 5 releases together" in text
    name = Path(coin).name
    assert f"<code>mechdesign compose {name} {name} --releases=3,2</code>" in text


def test_a_file_of_other_profiles_is_named(coin: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.json")
    md.write_mechanism(md.k_ary(["a", "b"], epsilon=1), other)
    assert f"mechdesign: {other}: expected the profiles of the first" in refused("compose", coin, other)
    with pytest.raises(md.InputError, match=re.escape(f"{other}: expected the profiles of the first")):
        md.compose(coin, other)
