"""`mechdesign audit`: what it prints, its exit statuses, and bad input."""

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import run

from mechdesign.audit import audit_query
from mechdesign.papers.sm import CLAIMS
from mechdesign.reports.laplace_plot import plot_laws

LAPLACE = ("audit", "laplace")
MEAN = ("--column", "claims", "--query", "mean", "--epsilon", "2")
LINKED = ("audit", "linked")
SUM = ("--column", "claims", "--wanted", "sum", "--answered", "mean", "--epsilon", "2")


@pytest.fixture
def claims(tmp_path: Path) -> str:
    path = tmp_path / "claims.csv"
    path.write_text("id,claims\n" + "".join(f"{i},{claim}\n" for i, claim in enumerate(CLAIMS, start=1)))
    return str(path)


def read(*arguments: str) -> tuple[int, dict[str, Any]]:
    status, out, err = run(*arguments, "--json")
    assert err == ""
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return status, found


class TestLaplace:
    def test_grid(self, claims: str) -> None:
        grid = read(*LAPLACE, claims, *MEAN, "--bounds", "0,100", "--grid", "31")[1]["grid"]
        assert grid["bound"] <= grid["error"] < grid["laplace_clamped"] < grid["laplace"]
        assert (grid["points"], round(grid["error"], 4)) == (31, 0.8848)

    def test_no_grid_fits_many_records(self, tmp_path: Path) -> None:
        path = tmp_path / "many.csv"
        path.write_text("claims\n" + "1\n2\n" * 51)
        out = run(*LAPLACE, str(path), *MEAN, "--bounds", "0,3", "--grid", "5")[1]
        assert "No step of at most 101 answers divides 0.0294118." in " ".join(out.split())

    def test_plot(self, claims: str, tmp_path: Path) -> None:
        picture = tmp_path / "laws.svg"
        status, found = read(*LAPLACE, claims, *MEAN, "--plot", str(picture))
        assert (status, found["plot"]) == (1, str(picture))
        assert "<svg" in picture.read_text()

    @pytest.mark.parametrize(
        ("values", "query"),
        [
            (["1e100", 0, "1e-240", "3e-240", "7e-240"], "max"),
            ([f"{i}e96" for i in range(5)], "variance"),
        ],
    )
    def test_laws_of_any_size_are_drawn(self, values: list[Any], query: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            audit = audit_query(values, query, "1e-100" if query == "variance" else 1)
            plot_laws(audit).savefig(io.BytesIO())

    def test_noise_too_narrow_to_draw(self, tmp_path: Path) -> None:
        path, picture = tmp_path / "x.csv", tmp_path / "laws.svg"
        for power in (310, 400):
            path.write_text(f"claims\n1e-{power}\n2e-{power}\n9e-{power}\n")
            status, out, err = run(*LAPLACE, str(path), *MEAN, "--plot", str(picture))
            assert (status, out, picture.exists()) == (2, "", False)
            assert "plot: expected noise of a scale" in err

    @pytest.mark.parametrize("values", [[1, 5, 5], [5, 5, 5], [1, 5, 9], [1, 1, 9]])
    def test_laws_without_noise_are_drawn_too(self, values: list[int]) -> None:
        laws, ratio = plot_laws(audit_query(values, "max", 1)).axes
        assert len(laws.lines) == 2
        assert all(np.isfinite(np.asarray(line.get_ydata(), float)).all() for line in ratio.lines)


def test_columns_with_decimal_commas(claims: str, tmp_path: Path) -> None:
    """A spreadsheet's file, semicolons and commas, gives the same audit."""
    text = Path(claims).read_text().replace(",", ";").replace(".", ",")
    (tmp_path / "claims-de.csv").write_bytes(text.replace("id", "Größe").encode("latin-1"))
    arguments = (*LAPLACE, str(tmp_path / "claims-de.csv"), *MEAN, "--encoding", "latin-1")
    assert read(*arguments) == read(*LAPLACE, claims, *MEAN)
    assert read(*LINKED, *arguments[2:3], *SUM, *arguments[-2:]) == read(*LINKED, claims, *SUM)
