"""`mechdesign check`: what it prints, its exit statuses, and bad input."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_cli_certify import Captured, designed, run

__all__ = ["designed"]


class TestCheck:
    def test_accepted(self, capsys: Captured, designed: dict[str, Path]) -> None:
        path = str(designed["certificate"])
        status, out, err = run(capsys, "check", path)
        assert (status, err) == (0, "")
        assert out.startswith("Accepted: ")
        found = json.loads(run(capsys, "check", path, "--json")[1])
        assert found["accepted"]
        assert Fraction(found["bound_exact"]) <= Fraction(found["value_exact"])

    @pytest.mark.parametrize(
        ("key", "value", "status", "own"),
        [
            ("value", "1", 1, 16),
            ("bound", "1", 1, 18),
            ("rows", [], 2, 2),
            ("above", ["1", "1"], 1, 12),
            ("value", 1, 2, 2),
            ("format", "", 2, 2),
        ],
    )
    def test_rejected(
        self, capsys: Captured, designed: dict[str, Path], key: str, value: Any, status: int, own: int
    ) -> None:
        path = designed["certificate"]
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
        found, out, err = run(capsys, "check", str(path))
        assert found == status
        assert out.startswith("Rejected: ") if status == 1 else str(path) in err
        found, out, _ = run(capsys, "check", str(path), "--json")
        assert found == status
        if status == 1:
            assert json.loads(out)["status"] == own
            assert not json.loads(out)["accepted"]

    @pytest.mark.parametrize("content", [b"", b"[" * 10**6, b"\xff", b"{}", b"null", b"[]", b"NaN"], ids=range(7))
    def test_not_a_certificate(self, capsys: Captured, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "certificate.json"
        path.write_bytes(content)
        status, out, err = run(capsys, "check", str(path))
        assert (status, out) == (2, "")
        assert str(path) in err
        assert run(capsys, "check", str(tmp_path / "none.json"))[0] == 2
        assert run(capsys, "check", str(tmp_path))[0] == 2
